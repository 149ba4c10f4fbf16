import type { Instrument } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';

// Korean tax rules. `docs/tax.md` names the source of each rule and when it was read.

/** Once per person and year, from the sum of all taxed gains on shares. */
const BASIC_DEDUCTION_WON = new Decimal(2_500_000);
/** Percent of the taxable gain. Local income tax is a tenth of income tax. */
export const INCOME_TAX_PERCENT = 20;
export const LOCAL_TAX_PERCENT = 2;
/** Above this sum, dividends and interest are taxed together with all other income. */
export const FINANCIAL_INCOME_LINE_WON = new Decimal(20_000_000);
/** Of funds, withheld by brokers. */
export const DIVIDEND_TAX_PERCENT = 15.4;
/** On coins, above a deduction of its own. */
export const COIN_TAX_PERCENT = 22;
export const COIN_DEDUCTION_WON = 2_500_000;
/** Gains on coins of this year and later are taxed. */
export const FIRST_YEAR_OF_COIN_TAX = 2027;

/** The Korean tax treatment of a gain. */
export type TaxClass =
  /** Shares and funds listed abroad: taxed as a capital gain. */
  | 'foreign'
  /** Shares listed in Korea: not taxed, except for major shareholders. */
  | 'domestic'
  /** Funds listed in Korea: not taxed if they hold Korean shares, else taxed as a dividend. */
  | 'domestic-fund'
  | 'coin'
  /** Currencies, indices and commodities: no rule is implemented. */
  | 'other';

const KOREAN_EXCHANGES: ReadonlySet<string> = new Set(['KRX', 'KOSPI', 'KOSDAQ', 'KONEX']);

export const taxClassOf = ({
  assetClass,
  exchange,
}: Pick<Instrument, 'assetClass' | 'exchange'>): TaxClass => {
  if (assetClass === 'crypto') return 'coin';
  if (assetClass !== 'equity' && assetClass !== 'etf') return 'other';
  if (!KOREAN_EXCHANGES.has(exchange)) return 'foreign';
  return assetClass === 'etf' ? 'domestic-fund' : 'domestic';
};

export interface CapitalGainsTax {
  /** The used part of the deduction. */
  readonly deduction: Decimal;
  readonly base: Decimal;
  readonly incomeTax: Decimal;
  readonly localTax: Decimal;
  readonly total: Decimal;
}

const ZERO_WON = new Decimal(0);

/** Amounts below ten won are not collected (국고금 관리법 제47조). */
const collected = (won: Decimal): Decimal => won.dividedBy(10).floor().times(10);

/** `gain` is the net gain of the whole year. Losses are not carried into other years. */
export const capitalGainsTax = (gain: Decimal): CapitalGainsTax => {
  const taxed = Decimal.max(gain, ZERO_WON);
  const deduction = Decimal.min(taxed, BASIC_DEDUCTION_WON);
  const base = taxed.minus(deduction);
  const incomeTax = collected(base.times(INCOME_TAX_PERCENT).dividedBy(100));
  const localTax = collected(base.times(LOCAL_TAX_PERCENT).dividedBy(100));
  return { deduction, base, incomeTax, localTax, total: incomeTax.plus(localTax) };
};

const SATURDAY = 6;

/** The first and last filing day for gains of that year. A last day on a weekend moves to Monday. */
export const filingDays = (year: number): readonly [Temporal.PlainDate, Temporal.PlainDate] => {
  const first = Temporal.PlainDate.from({ year: year + 1, month: 5, day: 1 });
  const last = first.with({ day: 31 });
  return [first, last.dayOfWeek < SATURDAY ? last : last.add({ days: 8 - last.dayOfWeek })];
};
