import type { Instrument } from '#src/kernel/market/finance.ts';
import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import type { Locale } from '#src/kernel/locale.ts';
import {
  instrumentOf,
  isOpening,
  type RightsIssue,
  type Trade,
  isShareExchange,
  isTransfer,
  type NewTransaction,
  type Transaction,
} from '#src/kernel/market/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import { placeOfZone } from '#src/reading/time-zone.ts';
import { namesOf } from '#src/markets/answers/fact-names.ts';
import { type FactRecorder, withoutFacts } from '#src/markets/answers/fact-recorder.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { marketOf } from '#src/markets/calendar/trading-dates.ts';
import { splitFigures, splitShares } from '#src/markets/answers/split-ratio.ts';
import {
  amountsApart,
  averageText,
  exactMoneyText,
  exactPriceText,
  quantitiesApart,
  quantityText,
  shownMoneyText,
  shownQuantityText,
} from '#src/markets/answers/money-text.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { type MovedTime, timeText, zonedTimeText } from './entry-time.ts';
import { Exact, ZERO } from '../ledger/fixed-point.ts';
import type { CashBalance, Gain, LedgerProblem, Position } from '../ledger/ledger-state.ts';
import { entryRateText, exchangeRateOf, exchangeRateText, rateFacts } from '../rates/rate-text.ts';
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

/** The numbers of an entry are about its instrument, or about the whole portfolio. Amounts have no sign. */
const aboutEntry = (entry: NewTransaction, told: FactRecorder): FactRecorder => {
  const instrument = instrumentOf(entry);
  return told.about({
    ...(instrument && { entity: instrument.symbol, names: namesOf(instrument) }),
    day: entry.date.toString(),
    parameter: entry.kind,
  });
};

const shortLabelTo =
  ({ locale }: FactRecorder) =>
  (instrument: Instrument): string =>
    shortLabel(instrument, locale);

/** Describes an entry with the messages of `entry` (recorded) or `plan` (not yet recorded). */
export const coreText = (
  entry: NewTransaction,
  told: FactRecorder,
  as: 'entry' | 'plan' = 'entry',
  nameOf = shortLabelTo(told),
): string => {
  const { locale } = told;
  const t = portfolioTexts(locale)[as];
  const own = aboutEntry(entry, told);
  const quantityOf = (value: Decimal, instrument: Instrument): string => {
    own.keep('tradeQuantity', value, 'units');
    return write.quantity(value, instrument, locale);
  };
  const amountOf = (metric: MetricId, value: Decimal): string => {
    own.keep(metric, value, entry.currency);
    return write.money(value, entry.currency, locale);
  };
  const traded = ({ quantity, price, instrument, currency }: Trade | RightsIssue) => {
    const total = new Exact(quantity).times(price);
    own.keep('tradePrice', price, currency);
    own.keep('tradeAmount', total, currency);
    return {
      name: nameOf(instrument),
      quantity: quantityOf(quantity, instrument),
      price: write.price(price, instrument, locale),
      total: TOTALS[as](total, currency, locale),
    };
  };
  switch (entry.kind) {
    case 'buy':
    case 'sell':
      return t[isOpening(entry) ? 'opening' : entry.kind](traded(entry));
    case 'rights':
      return t[entry.price.isZero() ? 'bonus' : 'rights'](traded(entry));
    case 'spin-off':
    case 'merger':
      own.keep('weight', entry.percent, '%');
      return t[entry.kind]({
        name: nameOf(entry.instrument),
        quantity: entry.quantity.isZero() ? '' : quantityOf(entry.quantity, entry.instrument),
        toName: nameOf(entry.toInstrument),
        toQuantity: quantityOf(entry.toQuantity, entry.toInstrument),
        percent: entry.percent?.toFixed() ?? '',
        amount: entry.amount ? amountOf('tradeAmount', entry.amount) : '',
      });
    case 'transfer-out':
    case 'transfer-in':
      return t[entry.kind]({
        other: entry.otherName,
        name: 'instrument' in entry ? nameOf(entry.instrument) : '',
        quantity: 'instrument' in entry ? quantityOf(entry.quantity, entry.instrument) : '',
        amount: 'amount' in entry ? amountOf('cashMove', entry.amount) : '',
      });
    case 'capital-return':
    case 'cash-in-lieu':
      return t[entry.kind]({
        name: nameOf(entry.instrument),
        quantity: entry.quantity ? quantityOf(entry.quantity, entry.instrument) : '',
        amount: amountOf('tradeAmount', entry.amount),
      });
    case 'tax':
      return t.tax({
        name: entry.instrument ? nameOf(entry.instrument) : '',
        amount: amountOf('taxes', entry.amount),
        isRefund: entry.isRefund ?? false,
      });
    case 'dividend':
      return t.dividend({ name: nameOf(entry.instrument), amount: amountOf('dividends', entry.amount) });
    case 'split':
      for (const figure of splitFigures(entry.ratio)) own.keep(...figure);
      return t.split({
        name: nameOf(entry.instrument),
        ...splitShares(entry.ratio),
        isReverse: entry.ratio.lessThan(1),
      });
    case 'fee':
    case 'deposit':
    case 'withdrawal':
    case 'interest':
      return t[entry.kind]({ amount: amountOf(MOVES[entry.kind], entry.amount) });
    case 'fx':
      own.keep('converted', entry.toAmount, entry.toCurrency, {
        label: `${entry.amount.toFixed()} ${entry.currency} in ${entry.toCurrency}`,
        operands: [entry.amount.toFixed()],
      });
      return t.fx({
        amount: amountOf('cashMove', entry.amount),
        toAmount: write.money(entry.toAmount, entry.toCurrency, locale),
      });
  }
  return entry satisfies never;
};

const MOVES = { fee: 'fees', deposit: 'cashMove', withdrawal: 'cashMove', interest: 'interest' } as const;

/** `10 shares × $0.25 = $2.50`, for a dividend that was given per share. */
export const perShareText = (
  entry: NewTransaction,
  perShare: PerShare | undefined,
  told: FactRecorder,
): readonly string[] => {
  if (!perShare || entry.kind !== 'dividend') return [];
  const { locale } = told;
  const { instrument, currency } = entry;
  const own = told.about({ entity: instrument.symbol, names: namesOf(instrument) });
  own.keep('dividendPerShare', perShare.each, currency);
  own.keep('quantity', perShare.quantity, 'units', 'paid for');
  return [
    portfolioTexts(locale).perShare({
      quantity: shownQuantityText(perShare.quantity, instrument, locale),
      each: write.money(perShare.each, currency, locale),
      total: shownMoneyText(entry.amount, currency, locale),
    }),
  ];
};

const noteTexts = (note = '', locale: Locale): readonly string[] => {
  const written = note.trim().replaceAll(/[`*_~|<>[\]]/gu, ' ');
  return written === '' ? [] : [portfolioTexts(locale).entryNote({ note: written })];
};

/** The rate of an entry; for one that was recorded without, its origin or the reason for its absence. */
const rateTexts = (
  entry: NewTransaction & Pick<Transaction, 'rateFrom'>,
  baseCurrency: Currency,
  told: FactRecorder,
): readonly string[] => {
  const { locale, subject } = told;
  const t = portfolioTexts(locale);
  const { rateMessages } = t;
  const { asOf, source, isSample } = subject;
  const origin = { asOf, source, isSample };
  const { rate: stored, currency, rateDay, date } = entry;
  if (entry.kind === 'fx') {
    const { one, price, rate } = exchangeRateOf(entry);
    told.add(rateFacts(one, price, rate, { ...origin, day: date.toString() }));
  }
  if (stored && currency !== baseCurrency)
    told.add(rateFacts(currency, baseCurrency, stored, { ...origin, day: (rateDay ?? date).toString() }));
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
  told: FactRecorder,
): readonly string[] => {
  const { locale } = told;
  const t = portfolioTexts(locale);
  const own = aboutEntry(entry, told);
  const isIncome = entry.kind === 'dividend' || entry.kind === 'interest';
  const charge = (metric: MetricId, value: Decimal, text: typeof t.entryFee): readonly string[] => {
    if (value.isZero()) return [];
    own.keep(metric, value, entry.currency);
    return [text({ amount: write.money(value, entry.currency, locale) })];
  };
  return [
    ...charge('fees', 'fee' in entry ? entry.fee : ZERO, t.entryFee),
    ...charge(isIncome ? 'withheldTax' : 'taxes', 'tax' in entry ? entry.tax : ZERO, t.entryTax),
    ...rateTexts(entry, baseCurrency, told),
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
  entry: NewTransaction & Partial<Pick<Transaction, 'rateFrom' | 'number'>>,
  baseCurrency: Currency,
  told: FactRecorder,
): string => {
  told.keep('entryNumber', entry.number, 'number', { day: entry.date.toString(), parameter: entry.kind });
  return [coreText(entry, told), ...detailTexts(entry, baseCurrency, told), momentText(entry)].join(' · ');
};

/** The remaining position and its average cost. */
export const positionText = ({ instrument, quantity, cost }: Position, told: FactRecorder): string => {
  const { locale } = told;
  const t = portfolioTexts(locale);
  const name = shortLabel(instrument, locale);
  const own = told.about({ entity: instrument.symbol, names: namesOf(instrument) });
  own.keep('quantity', quantity, 'units');
  if (quantity.isZero()) return t.nowNone({ name });
  const average = new Exact(cost.local).dividedBy(quantity);
  own.keep('averageCost', average, instrument.currency);
  return t.nowHeld({
    name,
    quantity: shownQuantityText(quantity, instrument, locale),
    average: averageText(average, instrument, locale),
  });
};

/** The gain in its own currency, split into price and exchange rate if the portfolio has another currency. */
export const realisedGainText = (
  { local, base }: Gain,
  own: Currency,
  baseCurrency: Currency,
  told: FactRecorder,
): string => {
  const t = portfolioTexts(told.locale);
  const inOwn = told.gain('realisedGain', local, own);
  if (own === baseCurrency || !base) return inOwn;
  const { total, fromPrice, fromFx } = shownGain(base, baseCurrency);
  const inBase = told.gain('realisedGain', total, baseCurrency);
  const price = told.gain('realisedFromPrice', fromPrice, baseCurrency);
  const rate = told.gain('realisedFromFx', fromFx, baseCurrency);
  return `${inOwn} · ${inBase} (${t.fromPrice} ${price}, ${t.fromFx} ${rate})`;
};

export const cashText = (cash: readonly CashBalance[], told: FactRecorder): string =>
  cash.map(({ amount, currency }) => told.money('cashBalance', amount, currency, currency)).join(', ');

/** Says which recorded withdrawal or exchange an entry breaks, and what to type first. */
export const missingCashText = (
  { at, available, wanted, currency }: Extract<LedgerProblem, { readonly kind: 'overdrawn' }>,
  entry: NewTransaction,
  portfolio: string | undefined,
  told: FactRecorder,
): string => {
  const { locale } = told;
  const short = new Exact(wanted).minus(available);
  told.keep('cashBalance', short.toFixed(), currency, 'missing');
  const place = portfolio === undefined ? '' : ` --in=${portfolio}`;
  return portfolioTexts(locale).problems.missingCash({
    short: exactMoneyText(short, currency, locale),
    taken: coreText(at, told),
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
export const ledgerProblemText = (
  problem: LedgerProblem,
  locale: Locale,
  told = withoutFacts(locale),
): string => {
  const t = portfolioTexts(locale).problems;
  const { at } = problem;
  const date = at.date.toString();
  if (problem.kind === 'overdrawn') {
    const { currency } = problem;
    told.keep('cashBalance', problem.available, currency, 'available');
    told.keep('cashMove', problem.wanted, currency, 'wanted');
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
  const own = told.about({ entity: instrument.symbol, names: namesOf(instrument) });
  own.keep('quantity', problem.held, 'units');
  own.keep('tradeQuantity', problem.wanted, 'units');
  const [held, wanted] = quantitiesApart([problem.held, problem.wanted], instrument, locale);
  const kind = at.kind === 'cash-in-lieu' ? 'small-fraction' : at.kind === 'sell' ? 'oversold' : 'too-few';
  return t[kind]({ name, date, held, wanted });
};
