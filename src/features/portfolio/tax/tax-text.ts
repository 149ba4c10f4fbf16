import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { taxTexts } from '../texts/tax.ts';
import type { CostMethod } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { sourceName } from '#src/markets/answers/quote-text.ts';
import { namesOf } from '#src/markets/answers/fact-names.ts';
import type { FactRecorder } from '#src/markets/answers/fact-recorder.ts';
import { firstNames } from '../summary/summary-notes.ts';
import { type KoreanReport, WON } from './korean-report.ts';
import {
  COIN_DEDUCTION_WON,
  COIN_TAX_PERCENT,
  DIVIDEND_TAX_PERCENT,
  FINANCIAL_INCOME_LINE_WON,
  filingDays,
  FIRST_YEAR_OF_COIN_TAX,
  INCOME_TAX_PERCENT,
  LOCAL_TAX_PERCENT,
} from './korean-tax-rules.ts';
import type { TermReport } from './term-report.ts';

/** The most names that are listed; the rest are summed up, and the file has them all. */
const MAX_NAMES = 12;
const ZERO = new Decimal(0);

interface Gained {
  readonly instrument: Instrument;
  readonly gain: Decimal;
}

const sumOf = (gained: readonly Pick<Gained, 'gain'>[]): Decimal =>
  gained.reduce((sum, { gain }) => sum.plus(gain), ZERO);

/** One line for each instrument, largest first; the rest as one sum, so that the lines add up. */
const gainLines = (sales: readonly Gained[], currency: Currency, told: FactRecorder): readonly string[] => {
  const byName = [...Map.groupBy(sales, ({ instrument }) => instrument.symbol).values()]
    .flatMap((group) => group.slice(0, 1).map(({ instrument }) => ({ instrument, gain: sumOf(group) })))
    .toSorted((a, b) => b.gain.abs().comparedTo(a.gain.abs()));
  const lines = byName.map(({ instrument, gain }) => {
    const own = told.about({ entity: instrument.symbol, names: namesOf(instrument) });
    return `- ${narrowName(instrument, told.locale)}: ${own.gain('taxableGain', gain, currency)}`;
  });
  const rest = byName.slice(MAX_NAMES);
  if (rest.length === 0) return lines;
  const amount = told.gain('taxableGain', sumOf(rest), currency, 'others');
  const more = taxTexts(told.locale).moreNames({ count: rest.length, amount });
  return [...lines.slice(0, MAX_NAMES), `- ${more}`];
};

const unratedText = (unrated: TermReport['unrated'], locale: Locale): readonly string[] => {
  const named = unrated.map(
    ({ name, date }) => `${typeof name === 'string' ? name : narrowName(name, locale)} ${date.toString()}`,
  );
  return named.length > 0 ? [taxTexts(locale).notes.unrated({ names: firstNames(named) })] : [];
};

const foreignLines = (
  report: KoreanReport,
  other: KoreanText['other'],
  told: FactRecorder,
): readonly string[] => {
  const t = taxTexts(told.locale);
  const { sales, tax, year } = report;
  const amount = told.gain('taxableGain', report.gain, WON);
  const deduction = told.money('taxDeduction', tax.deduction, WON);
  const base = told.money('taxBase', tax.base, WON);
  const due = {
    amount: told.money('estimatedTax', tax.total, WON),
    income: told.money('incomeTax', tax.incomeTax, WON),
    local: told.money('localTax', tax.localTax, WON),
  };
  const byOther = other && told.gain('taxableGain', other.gain, WON, other.method);
  const { length: left } = report.unrated.filter(({ isSale }) => isSale);
  if (sales.length === 0)
    return [`**${t.foreign}**`, `- ${left > 0 ? t.allUnrated({ count: left }) : t.noForeign}`];
  const gained = sales.map(({ instrument, won: { gain } }) => ({ instrument, gain }));
  const [gains, losses] = [false, true].map((isLoss) =>
    sumOf(gained.filter(({ gain }) => gain.isNegative() === isLoss)),
  );
  const [from, to] = filingDays(year).map(String);
  told.keep('taxFilingFrom', from, 'date');
  told.keep('taxFilingTo', to, 'date');
  told.keep('taxRate', INCOME_TAX_PERCENT + LOCAL_TAX_PERCENT, '%');
  told.keep('taxRate', INCOME_TAX_PERCENT, '%', 'income');
  told.keep('taxRate', LOCAL_TAX_PERCENT, '%', 'local');
  return [
    `**${t.foreign}**`,
    `- ${t.gain({
      amount,
      gains: told.gain('taxableGain', gains ?? ZERO, WON, 'gains'),
      losses: told.gain('taxableGain', losses ?? ZERO, WON, 'losses'),
      count: told.count('saleCount', sales.length),
    })}`,
    `- ${t.deduction({ amount: deduction })}`,
    `- ${t.base({ amount: base })}`,
    `- ${t.tax(due)}`,
    `- ${t.filing({ from: from ?? '', to: to ?? '' })}`,
    ...(other && byOther !== undefined && !other.gain.equals(report.gain)
      ? [`- ${t.otherMethod[other.method]({ amount: byOther })}`]
      : []),
    '',
    ...gainLines(gained, WON, told),
  ];
};

const domesticLines = (report: KoreanReport, told: FactRecorder): readonly string[] => {
  const t = taxTexts(told.locale);
  const { others, transactionTax, year } = report;
  const line = (
    kind: keyof KoreanReport['others'],
    write: (p: { readonly count: number; readonly amount: string }) => string,
  ): readonly string[] => {
    const { count, gain, uncounted } = others[kind];
    if (count === 0) return [];
    const aside = uncounted > 0 ? ` (${t.uncounted({ count: uncounted })})` : '';
    const amount = `${told.gain('realisedGain', gain, WON, kind)}${aside}`;
    return [`- ${write({ count: told.count('saleCount', count, kind), amount })}`];
  };
  const amount = told.money('transactionTax', transactionTax, WON);
  if (others['domestic-fund'].count > 0) told.keep('taxRate', DIVIDEND_TAX_PERCENT, '%', 'dividend');
  const isCoinTaxed = year >= FIRST_YEAR_OF_COIN_TAX;
  if (isCoinTaxed && others.coin.count > 0) {
    told.keep('taxRate', COIN_TAX_PERCENT, '%', 'coin');
    told.keep('taxDeduction', COIN_DEDUCTION_WON, WON, 'coin');
  }
  const lines = [
    ...line('domestic', t.domestic),
    ...line('domestic-fund', t.domesticFund),
    ...(transactionTax.isZero() ? [] : [`- ${t.transactionTax({ amount })}`]),
    ...line('coin', isCoinTaxed ? t.coinTaxed : t.coin),
    ...line('other', t.other),
  ];
  return lines.length > 0 ? ['', `**${t.domesticTitle}**`, ...lines] : [];
};

/** `미국 배당 (USD)`, by the currency of the payment. */
const incomeName = (kind: 'dividend' | 'interest', currency: Currency, locale: Locale): string => {
  const t = taxTexts(locale);
  const country = Object.entries(t.countries).find(([code]) => code === currency)?.[1];
  return `${t.incomes[kind]} · ${country === undefined ? currency : `${country} (${currency})`}`;
};

const incomeLines = ({ income, financialIncome }: KoreanReport, told: FactRecorder): readonly string[] => {
  const t = taxTexts(told.locale);
  const amount = told.money('financialIncome', financialIncome, WON);
  told.keep('financialIncome', FINANCIAL_INCOME_LINE_WON, WON, 'line');
  if (income.length === 0) return [];
  const lines = income.map(({ kind, currency, gross, withheld, won }) => {
    const of = incomeName(kind, currency, told.locale);
    const metric = kind === 'dividend' ? 'dividends' : 'interest';
    const inWon = told.money(metric, won.gross, WON, currency);
    const taxInWon = told.money('withheldTax', won.withheld, WON, `${metric} ${currency}`);
    if (currency === WON) return `- ${t.incomeInWon({ of, won: inWon, tax: taxInWon })}`;
    const tax = told.money('withheldTax', withheld, currency, `${metric} ${currency}`);
    const local = told.money(metric, gross, currency, currency);
    return `- ${t.income({ of, local, won: inWon, tax: `${tax} = ${taxInWon}` })}`;
  });
  const isOver = financialIncome.greaterThan(FINANCIAL_INCOME_LINE_WON);
  return ['', `**${t.incomeTitle}**`, ...lines, `- ${isOver ? t.overLine({ amount }) : t.line({ amount })}`];
};

export interface KoreanText {
  readonly report: KoreanReport;
  /** The result of the other cost method. */
  readonly other: { readonly method: CostMethod; readonly gain: Decimal } | undefined;
  readonly methods: readonly CostMethod[];
  readonly portfolios: readonly string[];
  /** The report covers one of several portfolios. */
  readonly isOnlyOne: boolean;
  /** Set if the year is not over. */
  readonly today: Temporal.PlainDate | undefined;
}

const koreanNotes = (
  { report, methods, portfolios, isOnlyOne }: KoreanText,
  locale: Locale,
): readonly string[] => {
  const { notes } = taxTexts(locale);
  const { sales, shortSales, broken, hasSampleRates } = report;
  const [method, ...others] = [...new Set(methods)];
  const sources = [...new Set(sales.map(({ rate }) => sourceName(rate, locale)))];
  const provisional = sales.filter(({ isProvisional }) => isProvisional).length;
  return [
    ...(hasSampleRates ? [notes.sample] : []),
    ...unratedText(report.unrated, locale),
    ...(broken.length > 0 ? [notes.broken({ names: broken.join(', ') })] : []),
    ...(shortSales > 0 ? [notes.shorts({ count: shortSales })] : []),
    ...(provisional > 0 ? [notes.provisional({ count: provisional })] : []),
    ...(isOnlyOne ? [notes.only({ names: portfolios.join(', ') })] : []),
    ...(sales.length > 0
      ? [
          ...(method ? [notes.method[others.length > 0 ? 'mixed' : method]] : []),
          notes.settled,
          notes.rates({ names: sources.join(', ') }),
        ]
      : []),
    notes.notCovered,
  ];
};

/** The report as a message: the tax due, its basis and its sources. */
export const koreanText = (text: KoreanText, told: FactRecorder): string => {
  const { locale } = told;
  const t = taxTexts(locale);
  const { report, portfolios, today } = text;
  const { year } = report;
  return [
    t.titleKorea({ year, names: portfolios.join(', ') }),
    ...(today ? [t.yearSoFar({ date: today.toString() })] : []),
    '',
    ...foreignLines(report, text.other, told),
    ...domesticLines(report, told),
    ...incomeLines(report, told),
    '',
    ...koreanNotes(text, locale),
  ].join('\n');
};

const TERMS = { short: 'short-term', long: 'long-term', 'short-sale': 'short sale' } as const;

export const termText = (
  report: TermReport,
  portfolio: string,
  today: Temporal.PlainDate | undefined,
  told: FactRecorder,
): string => {
  const { locale } = told;
  const t = taxTexts(locale);
  const { year, currency, sales, gains, unrated } = report;
  const total = told.gain('taxableGain', sumOf(Object.values(gains).map((gain) => ({ gain }))), currency);
  const terms = (['short', 'long', 'short-sale'] as const).flatMap((term) => {
    const amount = told.gain('taxableGain', gains[term], currency, TERMS[term]);
    const { length: count } = sales.filter((sale) => sale.term === term);
    if (count === 0) return [];
    return [`- ${t.termGain[term]({ amount, count: told.count('saleCount', count, TERMS[term]) })}`];
  });
  const incomeLine = (kind: 'dividends' | 'interest'): readonly string[] => {
    const { gross, withheld } = report[kind];
    const amount = told.money(kind, gross, currency);
    const tax = told.money('withheldTax', withheld, currency, kind);
    return gross.isZero() && withheld.isZero() ? [] : [`- ${t[kind]({ amount, tax })}`];
  };
  return [
    t.titleTerms({ year, name: portfolio, currency }),
    ...(today ? [t.yearSoFar({ date: today.toString() })] : []),
    '',
    ...terms,
    ...(sales.length > 0 || unrated.length === 0 ? [`- ${t.total({ amount: total })}`] : []),
    ...incomeLine('dividends'),
    ...incomeLine('interest'),
    '',
    ...gainLines(
      sales.map(({ instrument, base: { gain } }) => ({ instrument, gain })),
      currency,
      told,
    ),
    '',
    ...unratedText(unrated, locale),
    t.termNote,
  ].join('\n');
};
