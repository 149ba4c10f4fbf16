import type { Instrument } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { type NewTransaction, SAMPLE_PRICE_NOTE, type Transaction } from '#src/kernel/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import { placeOfZone } from '#src/language/time-zone.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { marketOf } from '#src/markets/calendar/trading-dates.ts';
import { splitShares } from '#src/markets/answers/split-ratio.ts';
import {
  amountsApart,
  averageText,
  exactMoneyText,
  exactPriceText,
  gainText,
  moneyParts,
  moneyText,
  quantitiesApart,
  quantityText,
  shownMoneyText,
  shownQuantityText,
  writtenMoneyText,
  writtenPriceText,
} from '#src/markets/answers/money-text.ts';
import { portfolioMessages } from '../messages/portfolio.ts';
import { type Moved, timeText, zonedTimeText } from './entry-time.ts';
import { Exact, ZERO } from '../ledger/fixed-point.ts';
import type { CashBalance, Gain, LedgerProblem, Position } from '../ledger/ledger-state.ts';
import { entryRateText, exchangeRateText } from '../rates/rate-text.ts';

/** The parts of a dividend that was given per share. */
export interface PerShare {
  readonly quantity: Decimal;
  readonly each: Decimal;
}

/** A recorded entry is rounded for reading; a plan shows every digit to the person who approves it. */
const WRITTEN = {
  entry: {
    quantity: shownQuantityText,
    price: writtenPriceText,
    money: writtenMoneyText,
    total: shownMoneyText,
  },
  plan: { quantity: quantityText, price: exactPriceText, money: exactMoneyText, total: exactMoneyText },
} as const;

/** Describes an entry with the messages of `entry` (recorded) or `plan` (not yet recorded). */
export const coreText = (
  entry: NewTransaction,
  locale: Locale,
  nameOf: (instrument: Instrument) => string,
  as: 'entry' | 'plan' = 'entry',
): string => {
  const t = portfolioMessages(locale)[as];
  const write = WRITTEN[as];
  switch (entry.kind) {
    case 'buy':
    case 'sell':
      return t[entry.kind]({
        name: nameOf(entry.instrument),
        quantity: write.quantity(entry.quantity, entry.instrument, locale),
        price: write.price(entry.price, entry.instrument, locale),
        total: write.total(new Exact(entry.quantity).times(entry.price), entry.currency, locale),
      });
    case 'rights': {
      const name = nameOf(entry.instrument);
      const quantity = write.quantity(entry.quantity, entry.instrument, locale);
      if (entry.price.isZero()) return t.bonus({ name, quantity });
      const price = write.price(entry.price, entry.instrument, locale);
      const total = write.total(new Exact(entry.quantity).times(entry.price), entry.currency, locale);
      return t.rights({ name, quantity, price, total });
    }
    case 'cash-in-lieu':
      return t['cash-in-lieu']({
        name: nameOf(entry.instrument),
        quantity: entry.quantity ? write.quantity(entry.quantity, entry.instrument, locale) : '',
        amount: write.money(entry.amount, entry.currency, locale),
      });
    case 'tax':
      return t.tax({
        name: entry.instrument ? nameOf(entry.instrument) : '',
        amount: write.money(entry.amount, entry.currency, locale),
        isRefund: entry.isRefund ?? false,
      });
    case 'dividend':
      return t.dividend({
        name: nameOf(entry.instrument),
        amount: write.money(entry.amount, entry.currency, locale),
      });
    case 'split':
      return t.split({
        name: nameOf(entry.instrument),
        ...splitShares(entry.ratio),
        isReverse: entry.ratio.lessThan(1),
      });
    case 'fee':
    case 'deposit':
    case 'withdrawal':
    case 'interest':
      return t[entry.kind]({ amount: write.money(entry.amount, entry.currency, locale) });
    case 'fx':
      return t.fx({
        amount: write.money(entry.amount, entry.currency, locale),
        toAmount: write.money(entry.toAmount, entry.toCurrency, locale),
      });
  }
  return entry satisfies never;
};

/** `10 shares × $0.25 = $2.50`, for a dividend that was given per share. */
export const perShareText = (
  entry: NewTransaction,
  perShare: PerShare | undefined,
  locale: Locale,
): readonly string[] =>
  perShare && entry.kind === 'dividend'
    ? [
        portfolioMessages(locale).perShare({
          quantity: shownQuantityText(perShare.quantity, entry.instrument, locale),
          each: writtenMoneyText(perShare.each, entry.currency, locale),
          total: shownMoneyText(entry.amount, entry.currency, locale),
        }),
      ]
    : [];

/** The note of an entry, with the sample-price mark translated into the audience's language. */
const noteTexts = (note = '', locale: Locale): readonly string[] => {
  const t = portfolioMessages(locale);
  const left = note.replace(`${SAMPLE_PRICE_NOTE} · `, '').replace(SAMPLE_PRICE_NOTE, '');
  const marks = left === note ? [] : [t.samplePrice];
  const written = left.trim().replaceAll(/[`*_~|<>[\]]/gu, ' ');
  return written === '' ? marks : [...marks, t.entryNote({ note: written })];
};

/** The rate of an entry; for one that was recorded without, its origin or the reason for its absence. */
const rateTexts = (
  entry: NewTransaction & Pick<Transaction, 'rateFrom'>,
  baseCurrency: Currency,
  locale: Locale,
): readonly string[] => {
  const t = portfolioMessages(locale);
  const { rateMessages } = t;
  // An exchange shows its own rate instead of the rate at which the ledger values it.
  const rate =
    entry.kind === 'fx' ? exchangeRateText(entry, locale) : entryRateText(entry, baseCurrency, locale);
  const rates = rate === undefined ? [] : [t.entryRate({ rate })];
  switch (entry.rateFrom) {
    case 'later':
      return [...rates, rateMessages.lookedUpLater];
    case 'provisional':
      return [...rates, rateMessages.untilClose];
    case 'sample':
      // The rate of an exchange is real; only its value in the portfolio's currency is sample data.
      return [...rates, entry.kind === 'fx' ? t.sampleRateTo({ currency: baseCurrency }) : t.sampleRate];
    case 'waits':
      return [...rates, rateMessages.pending];
    case 'none':
      return [...rates, rateMessages.noData];
    case undefined:
      return rates;
  }
  return entry.rateFrom satisfies never;
};

/** Fee, tax, rate and note, as far as the entry has them. */
export const detailTexts = (
  entry: NewTransaction & Pick<Transaction, 'rateFrom'>,
  baseCurrency: Currency,
  locale: Locale,
  as: keyof typeof WRITTEN = 'entry',
): readonly string[] => {
  const t = portfolioMessages(locale);
  const fee = 'fee' in entry ? entry.fee : ZERO;
  const tax = 'tax' in entry ? entry.tax : ZERO;
  const amount = (value: typeof fee): string => WRITTEN[as].money(value, entry.currency, locale);
  return [
    ...(fee.isZero() ? [] : [t.entryFee({ amount: amount(fee) })]),
    ...(tax.isZero() ? [] : [t.entryTax({ amount: amount(tax) })]),
    ...rateTexts(entry, baseCurrency, locale),
    ...noteTexts(entry.note, locale),
  ];
};

/** The day of an entry, with its time if known. */
export const momentText = ({ date, time }: NewTransaction): string =>
  time ? `${date.toString()} ${timeText(time)}` : date.toString();

const zoneText = (timeZone: string, locale: Locale): string =>
  /^[+-]/u.test(timeZone) ? `UTC${timeZone}` : placeOfZone(timeZone, locale);

/** Says that the moment of an entry is stored in another time zone than the requester's. */
export const movedText = (
  entry: NewTransaction,
  moved: Moved | undefined,
  locale: Locale,
): readonly string[] => {
  const t = portfolioMessages(locale);
  if (!moved) return [];
  if (moved.kind === 'time') {
    const { own, stored, isPlain } = moved;
    const written = ({ at }: Pick<typeof own, 'at'>): string =>
      `${at.toPlainDate().toString()} ${timeText(at.toPlainTime())}`;
    const time = t.exchangeTime({
      stored: written(stored),
      place: zoneText(stored.timeZone, locale),
      own: written(own),
      ownPlace: zoneText(own.timeZone, locale),
    });
    const hint = t.exchangeTimeHint({
      place: zoneText(stored.timeZone, locale),
      time: timeText(own.at.toPlainTime()),
      zoned: zonedTimeText(own.at, stored.timeZone),
    });
    return [isPlain ? `${time} ${hint}` : time];
  }
  const market = 'instrument' in entry && entry.instrument ? marketOf(entry.instrument) : undefined;
  if (market === undefined) return [];
  return [t.exchangeDay({ date: entry.date.toString(), own: moved.own.toString(), market })];
};

/** An entry on one line, with everything that is stored of it. */
export const entryText = (
  entry: NewTransaction & Pick<Transaction, 'rateFrom'>,
  baseCurrency: Currency,
  locale: Locale,
): string =>
  [
    coreText(entry, locale, (instrument) => instrumentLabel(instrument, locale)),
    ...detailTexts(entry, baseCurrency, locale),
    momentText(entry),
  ].join(' · ');

/** The remaining position and its average cost. */
export const positionText = ({ instrument, quantity, cost }: Position, locale: Locale): string => {
  const t = portfolioMessages(locale);
  const name = instrumentLabel(instrument, locale);
  if (quantity.isZero()) return t.nowNone({ name });
  return t.nowHeld({
    name,
    quantity: shownQuantityText(quantity, instrument, locale),
    average: averageText(new Exact(cost.local).dividedBy(quantity), instrument, locale),
  });
};

/** The gain in its own currency, split into price and exchange rate if the portfolio has another currency. */
export const realisedGainText = (
  { local, base }: Gain,
  own: Currency,
  baseCurrency: Currency,
  locale: Locale,
): string => {
  const t = portfolioMessages(locale);
  const inOwn = gainText(local, own, locale);
  if (own === baseCurrency || !base) return inOwn;
  const [price = ZERO, rate = ZERO] = moneyParts([base.fromPrice, base.fromFx], base.total, baseCurrency);
  const gain = (value: typeof local): string => gainText(value, baseCurrency, locale);
  return `${inOwn} · ${gain(base.total)} (${t.fromPrice} ${gain(price)}, ${t.fromFx} ${gain(rate)})`;
};

export const cashText = (cash: readonly CashBalance[], locale: Locale): string =>
  cash.map(({ amount, currency }) => moneyText(amount, currency, locale)).join(', ');

/** Says which recorded withdrawal or exchange an entry breaks, and what to type first. */
export const missingCashText = (
  { at, available, wanted, currency }: Extract<LedgerProblem, { readonly kind: 'overdrawn' }>,
  entry: NewTransaction,
  portfolio: string | undefined,
  locale: Locale,
): string => {
  const short = new Exact(wanted).minus(available);
  const place = portfolio === undefined ? '' : ` --in=${portfolio}`;
  return portfolioMessages(locale).problems.missingCash({
    short: exactMoneyText(short, currency, locale),
    taken: coreText(at, locale, (instrument) => instrumentLabel(instrument, locale)),
    date: at.date.toString(),
    command: `/portfolio deposit ${short.toFixed()} ${currency} ${entry.date.toString()}${place}`,
  });
};

/** Says in one sentence why the ledger refuses an entry, and what to do. */
export const ledgerProblemText = (problem: LedgerProblem, locale: Locale): string => {
  const t = portfolioMessages(locale).problems;
  const { at } = problem;
  const date = at.date.toString();
  if (problem.kind === 'overdrawn') {
    const { currency } = problem;
    const [available, wanted] = amountsApart([problem.available, problem.wanted], currency, locale);
    return t.overdrawn({ available, wanted, date });
  }
  const instrument = 'instrument' in at ? at.instrument : undefined;
  const name = instrument ? instrumentLabel(instrument, locale) : '';
  const isNone = problem.kind === 'oversold' && problem.held.isZero();
  if (problem.kind === 'nothing-held' || isNone) {
    const isLieu = at.kind === 'cash-in-lieu';
    return t[at.kind === 'sell' ? 'nothing-to-sell' : isLieu ? 'no-fraction' : 'nothing-held']({
      name,
      date,
    });
  }
  if (!instrument) throw new Error('A quantity without an instrument');
  const [held, wanted] = quantitiesApart([problem.held, problem.wanted], instrument, locale);
  return t[at.kind === 'cash-in-lieu' ? 'small-fraction' : 'oversold']({ name, date, held, wanted });
};
