import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { taxTexts } from '../texts/tax.ts';
import type { CostMethod } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { sourceName } from '#src/markets/answers/quote-text.ts';
import { gainText, moneyText } from '#src/markets/answers/money-text.ts';
import { firstNames } from '../summary/summary-facts.ts';
import { type KoreanReport, type OtherSales, WON } from './korean-report.ts';
import { FINANCIAL_INCOME_LINE_WON, filingDays, FIRST_YEAR_OF_COIN_TAX } from './korean-tax-rules.ts';
import type { Term, TermReport } from './term-report.ts';

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
const gainLines = (sales: readonly Gained[], currency: Currency, locale: Locale): readonly string[] => {
  const t = taxTexts(locale);
  const byName = [...Map.groupBy(sales, ({ instrument }) => instrument.symbol).values()]
    .flatMap((group) => group.slice(0, 1).map(({ instrument }) => ({ instrument, gain: sumOf(group) })))
    .toSorted((a, b) => b.gain.abs().comparedTo(a.gain.abs()));
  const [shown, rest] = [byName.slice(0, MAX_NAMES), byName.slice(MAX_NAMES)];
  const amountOf = (gain: Decimal): string => gainText(gain, currency, locale);
  return [
    ...shown.map(({ instrument, gain }) => `- ${narrowName(instrument, locale)}: ${amountOf(gain)}`),
    ...(rest.length > 0 ? [`- ${t.moreNames({ count: rest.length, amount: amountOf(sumOf(rest)) })}`] : []),
  ];
};

const unratedText = (unrated: TermReport['unrated'], locale: Locale): readonly string[] => {
  const named = unrated.map(
    ({ name, date }) => `${typeof name === 'string' ? name : narrowName(name, locale)} ${date.toString()}`,
  );
  return named.length > 0 ? [taxTexts(locale).notes.unrated({ names: firstNames(named) })] : [];
};

const foreignLines = (
  report: KoreanReport,
  other: { readonly method: CostMethod; readonly gain: Decimal } | undefined,
  locale: Locale,
): readonly string[] => {
  const t = taxTexts(locale);
  const { sales, tax, year } = report;
  const { length: left } = report.unrated.filter(({ isSale }) => isSale);
  if (sales.length === 0)
    return [`**${t.foreign}**`, `- ${left > 0 ? t.allUnrated({ count: left }) : t.noForeign}`];
  const won = (value: Decimal): string => moneyText(value, WON, locale);
  const signed = (value: Decimal): string => gainText(value, WON, locale);
  const gained = sales.map(({ instrument, won: { gain } }) => ({ instrument, gain }));
  const [from, to] = filingDays(year).map(String);
  return [
    `**${t.foreign}**`,
    `- ${t.gain({
      amount: signed(report.gain),
      gains: signed(sumOf(gained.filter(({ gain }) => !gain.isNegative()))),
      losses: signed(sumOf(gained.filter(({ gain }) => gain.isNegative()))),
      count: sales.length,
    })}`,
    `- ${t.deduction({ amount: won(tax.deduction) })}`,
    `- ${t.base({ amount: won(tax.base) })}`,
    `- ${t.tax({ amount: won(tax.total), income: won(tax.incomeTax), local: won(tax.localTax) })}`,
    `- ${t.filing({ from: from ?? '', to: to ?? '' })}`,
    ...(other && !other.gain.equals(report.gain)
      ? [`- ${t.otherMethod[other.method]({ amount: signed(other.gain) })}`]
      : []),
    '',
    ...gainLines(gained, WON, locale),
  ];
};

const domesticLines = (report: KoreanReport, locale: Locale): readonly string[] => {
  const t = taxTexts(locale);
  const { others, transactionTax, year } = report;
  const line = (
    { count, gain, uncounted }: OtherSales,
    write: (p: { readonly count: number; readonly amount: string }) => string,
  ): readonly string[] => {
    if (count === 0) return [];
    const aside = uncounted > 0 ? ` (${t.uncounted({ count: uncounted })})` : '';
    return [`- ${write({ count, amount: `${gainText(gain, WON, locale)}${aside}` })}`];
  };
  const lines = [
    ...line(others.domestic, t.domestic),
    ...line(others['domestic-fund'], t.domesticFund),
    ...(transactionTax.isZero()
      ? []
      : [`- ${t.transactionTax({ amount: moneyText(transactionTax, WON, locale) })}`]),
    ...line(others.coin, year < FIRST_YEAR_OF_COIN_TAX ? t.coin : t.coinTaxed),
    ...line(others.other, t.other),
  ];
  return lines.length > 0 ? ['', `**${t.domesticTitle}**`, ...lines] : [];
};

/** `미국 배당 (USD)`, by the currency of the payment. */
const incomeName = (kind: 'dividend' | 'interest', currency: Currency, locale: Locale): string => {
  const t = taxTexts(locale);
  const country = Object.entries(t.countries).find(([code]) => code === currency)?.[1];
  return `${t.incomes[kind]} · ${country === undefined ? currency : `${country} (${currency})`}`;
};

const incomeLines = (
  { income, financialIncome }: Pick<KoreanReport, 'income' | 'financialIncome'>,
  locale: Locale,
): readonly string[] => {
  if (income.length === 0) return [];
  const t = taxTexts(locale);
  const lines = income.map(({ kind, currency, gross, withheld, won }) => {
    const of = incomeName(kind, currency, locale);
    const inWon = moneyText(won.gross, WON, locale);
    if (currency === WON)
      return `- ${t.incomeInWon({ of, won: inWon, tax: moneyText(withheld, WON, locale) })}`;
    const tax = `${moneyText(withheld, currency, locale)} = ${moneyText(won.withheld, WON, locale)}`;
    return `- ${t.income({ of, local: moneyText(gross, currency, locale), won: inWon, tax })}`;
  });
  const amount = moneyText(financialIncome, WON, locale);
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
export const koreanText = (text: KoreanText, locale: Locale): string => {
  const t = taxTexts(locale);
  const { report, portfolios, today } = text;
  const { year } = report;
  return [
    t.titleKorea({ year, names: portfolios.join(', ') }),
    ...(today ? [t.yearSoFar({ date: today.toString() })] : []),
    '',
    ...foreignLines(report, text.other, locale),
    ...domesticLines(report, locale),
    ...incomeLines(report, locale),
    '',
    ...koreanNotes(text, locale),
  ].join('\n');
};

const TERMS: readonly Term[] = ['short', 'long', 'short-sale'];

export const termText = (
  report: TermReport,
  portfolio: string,
  today: Temporal.PlainDate | undefined,
  locale: Locale,
): string => {
  const t = taxTexts(locale);
  const { year, currency, sales, gains, dividends, interest } = report;
  const total = Object.values(gains).reduce((sum, gain) => sum.plus(gain), ZERO);
  const signed = (value: Decimal): string => gainText(value, currency, locale);
  const money = (value: Decimal): string => moneyText(value, currency, locale);
  const incomeLine = (
    { gross, withheld }: TermReport['interest'],
    write: typeof t.interest,
  ): readonly string[] =>
    gross.isZero() && withheld.isZero() ? [] : [`- ${write({ amount: money(gross), tax: money(withheld) })}`];
  return [
    t.titleTerms({ year, name: portfolio, currency }),
    ...(today ? [t.yearSoFar({ date: today.toString() })] : []),
    '',
    ...TERMS.flatMap((term) => {
      const { length: count } = sales.filter((sale) => sale.term === term);
      return count === 0 ? [] : [`- ${t.termGain[term]({ amount: signed(gains[term]), count })}`];
    }),
    ...(sales.length > 0 || report.unrated.length === 0 ? [`- ${t.total({ amount: signed(total) })}`] : []),
    ...incomeLine(dividends, t.dividends),
    ...incomeLine(interest, t.interest),
    '',
    ...gainLines(
      sales.map(({ instrument, base: { gain } }) => ({ instrument, gain })),
      currency,
      locale,
    ),
    '',
    ...unratedText(report.unrated, locale),
    t.termNote,
  ].join('\n');
};
