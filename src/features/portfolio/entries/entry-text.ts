import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import {
  isOpening,
  isShareExchange,
  isTransfer,
  type NewTransaction,
  type Transaction,
} from '#src/kernel/market/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import { placeOfZone } from '#src/reading/time-zone.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { marketOf } from '#src/markets/calendar/trading-dates.ts';
import { splitShares } from '#src/markets/answers/split-ratio.ts';
import {
  amountsApart,
  averageText,
  exactMoneyText,
  exactPriceText,
  gainText,
  moneyText,
  quantitiesApart,
  quantityText,
  shownMoneyText,
  shownQuantityText,
} from '#src/markets/answers/money-text.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { type MovedTime, timeText, zonedTimeText } from './entry-time.ts';
import { Exact, ZERO } from '../ledger/fixed-point.ts';
import type { CashBalance, Gain, LedgerProblem, Position } from '../ledger/ledger-state.ts';
import { entryRateText, exchangeRateText } from '../rates/rate-text.ts';
import { shownGain } from './shown-gain.ts';

/** The parts of a dividend that was given per share. */
export interface PerShare {
  readonly quantity: Decimal;
  readonly each: Decimal;
}

/** A recorded product is rounded for reading; a plan shows every digit to the person who approves it. */
const TOTALS = { entry: shownMoneyText, plan: exactMoneyText } as const;

/** What was entered is shown as it was entered. */
const write = { quantity: quantityText, price: exactPriceText, money: exactMoneyText } as const;

/** Describes an entry with the messages of `entry` (recorded) or `plan` (not yet recorded). */
export const coreText = (
  entry: NewTransaction,
  locale: Locale,
  nameOf: (instrument: Instrument) => string,
  as: 'entry' | 'plan' = 'entry',
): string => {
  const t = portfolioTexts(locale)[as];
  const totalOf = TOTALS[as];
  switch (entry.kind) {
    case 'buy':
    case 'sell':
      return t[isOpening(entry) ? 'opening' : entry.kind]({
        name: nameOf(entry.instrument),
        quantity: write.quantity(entry.quantity, entry.instrument, locale),
        price: write.price(entry.price, entry.instrument, locale),
        total: totalOf(new Exact(entry.quantity).times(entry.price), entry.currency, locale),
      });
    case 'rights': {
      const name = nameOf(entry.instrument);
      const quantity = write.quantity(entry.quantity, entry.instrument, locale);
      if (entry.price.isZero()) return t.bonus({ name, quantity });
      const price = write.price(entry.price, entry.instrument, locale);
      const total = totalOf(new Exact(entry.quantity).times(entry.price), entry.currency, locale);
      return t.rights({ name, quantity, price, total });
    }
    case 'spin-off':
    case 'merger':
      return t[entry.kind]({
        name: nameOf(entry.instrument),
        quantity: entry.quantity.isZero() ? '' : write.quantity(entry.quantity, entry.instrument, locale),
        toName: nameOf(entry.toInstrument),
        toQuantity: write.quantity(entry.toQuantity, entry.toInstrument, locale),
        percent: entry.percent?.toFixed() ?? '',
        amount: entry.amount ? write.money(entry.amount, entry.currency, locale) : '',
      });
    case 'transfer-out':
    case 'transfer-in':
      return t[entry.kind]({
        other: entry.otherName,
        name: 'instrument' in entry ? nameOf(entry.instrument) : '',
        quantity: 'instrument' in entry ? write.quantity(entry.quantity, entry.instrument, locale) : '',
        amount: 'amount' in entry ? write.money(entry.amount, entry.currency, locale) : '',
      });
    case 'capital-return':
    case 'cash-in-lieu':
      return t[entry.kind]({
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
        portfolioTexts(locale).perShare({
          quantity: shownQuantityText(perShare.quantity, entry.instrument, locale),
          each: write.money(perShare.each, entry.currency, locale),
          total: shownMoneyText(entry.amount, entry.currency, locale),
        }),
      ]
    : [];

const noteTexts = (note = '', locale: Locale): readonly string[] => {
  const written = note.trim().replaceAll(/[`*_~|<>[\]]/gu, ' ');
  return written === '' ? [] : [portfolioTexts(locale).entryNote({ note: written })];
};

/** The rate of an entry; for one that was recorded without, its origin or the reason for its absence. */
const rateTexts = (
  entry: NewTransaction & Pick<Transaction, 'rateFrom'>,
  baseCurrency: Currency,
  locale: Locale,
): readonly string[] => {
  const t = portfolioTexts(locale);
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
): readonly string[] => {
  const t = portfolioTexts(locale);
  const fee = 'fee' in entry ? entry.fee : ZERO;
  const tax = 'tax' in entry ? entry.tax : ZERO;
  const amount = (value: typeof fee): string => write.money(value, entry.currency, locale);
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
  moved: MovedTime | undefined,
  locale: Locale,
): readonly string[] => {
  const t = portfolioTexts(locale);
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
    coreText(entry, locale, (instrument) => shortLabel(instrument, locale)),
    ...detailTexts(entry, baseCurrency, locale),
    momentText(entry),
  ].join(' · ');

/** The remaining position and its average cost. */
export const positionText = ({ instrument, quantity, cost }: Position, locale: Locale): string => {
  const t = portfolioTexts(locale);
  const name = shortLabel(instrument, locale);
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
  const t = portfolioTexts(locale);
  const inOwn = gainText(local, own, locale);
  if (own === baseCurrency || !base) return inOwn;
  const { total, fromPrice, fromFx } = shownGain(base, baseCurrency);
  const gain = (value: typeof local): string => gainText(value, baseCurrency, locale);
  return `${inOwn} · ${gain(total)} (${t.fromPrice} ${gain(fromPrice)}, ${t.fromFx} ${gain(fromFx)})`;
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
  return portfolioTexts(locale).problems.missingCash({
    short: exactMoneyText(short, currency, locale),
    taken: coreText(at, locale, (instrument) => shortLabel(instrument, locale)),
    date: at.date.toString(),
    command: `/portfolio deposit ${short.toFixed()} ${currency} ${entry.date.toString()}${place}`,
  });
};

/** How it is said that an entry takes from a holding that is empty. */
const NONE_HELD: Readonly<
  Partial<Record<NewTransaction['kind'], 'nothing-to-sell' | 'no-fraction' | 'nothing-held'>>
> = {
  sell: 'nothing-to-sell',
  'cash-in-lieu': 'no-fraction',
  split: 'nothing-held',
};

/** Says in one sentence why the ledger refuses an entry, and what to do. */
export const ledgerProblemText = (problem: LedgerProblem, locale: Locale): string => {
  const t = portfolioTexts(locale).problems;
  const { at } = problem;
  const date = at.date.toString();
  if (problem.kind === 'overdrawn') {
    const { currency } = problem;
    const [available, wanted] = amountsApart([problem.available, problem.wanted], currency, locale);
    return t.overdrawn({ available, wanted, date });
  }
  const instrument = 'instrument' in at ? at.instrument : undefined;
  const name = instrument ? shortLabel(instrument, locale) : '';
  if (problem.kind === 'sold-short')
    return t['sold-short']({ name: isShareExchange(at) ? shortLabel(at.toInstrument, locale) : name });
  if (problem.kind === 'spun-away') return t['spun-away']({ name, date });
  if (problem.kind === 'moved-cost')
    return t['moved-cost']({ name, other: isTransfer(at) ? at.otherName : '', date });
  const isNone = problem.kind === 'oversold' && problem.held.isZero();
  if (problem.kind === 'nothing-held' || isNone) {
    const text = NONE_HELD[at.kind] ?? 'none-held';
    return t[text]({ name, date });
  }
  if (!instrument) throw new Error('A quantity without an instrument');
  const [held, wanted] = quantitiesApart([problem.held, problem.wanted], instrument, locale);
  const kind = at.kind === 'cash-in-lieu' ? 'small-fraction' : at.kind === 'sell' ? 'oversold' : 'too-few';
  return t[kind]({ name, date, held, wanted });
};
