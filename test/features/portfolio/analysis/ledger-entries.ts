import type { Instrument } from '#src/kernel/market/finance.ts';
import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';

interface EntryOptions {
  readonly fee?: number;
  readonly tax?: number;
  readonly rate?: number;
  readonly currency?: Currency;
}

let entries = 0;

const baseOf = (date: string, { rate, currency = 'KRW' }: EntryOptions) => {
  entries += 1;
  return {
    clientId: `entry-${entries}`,
    date: Temporal.PlainDate.from(date),
    currency,
    ...(rate !== undefined && { rate: new Decimal(rate) }),
  };
};

/** Builders of ledger entries. */
export const trade = (
  kind: 'buy' | 'sell',
  instrument: Instrument,
  date: string,
  quantity: number,
  price: number,
  options: EntryOptions = {},
): NewTransaction => ({
  ...baseOf(date, { currency: instrument.currency, ...options }),
  kind,
  instrument,
  quantity: new Decimal(quantity),
  price: new Decimal(price),
  fee: new Decimal(options.fee ?? 0),
  tax: new Decimal(options.tax ?? 0),
});

export const split = (instrument: Instrument, date: string, ratio: number): NewTransaction => ({
  ...baseOf(date, { currency: instrument.currency }),
  kind: 'split',
  instrument,
  ratio: new Decimal(ratio),
});

export const dividend = (
  instrument: Instrument,
  date: string,
  amount: number,
  options: EntryOptions = {},
): NewTransaction => ({
  ...baseOf(date, { currency: instrument.currency, ...options }),
  kind: 'dividend',
  instrument,
  amount: new Decimal(amount),
  tax: new Decimal(options.tax ?? 0),
});

export const cash = (
  kind: 'deposit' | 'withdrawal' | 'fee',
  date: string,
  amount: number,
  options: EntryOptions = {},
): NewTransaction => ({ ...baseOf(date, options), kind, amount: new Decimal(amount) });

export const dayOf = (date: string): number => epochDay(Temporal.PlainDate.from(date));
