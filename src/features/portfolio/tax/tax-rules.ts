import type { Instrument } from '#src/kernel/finance.ts';
import { Decimal } from '#src/kernel/money.ts';

/*
 * The Korean rules that a report is worked out by. `docs/tax.md` has where each of them was read, and when.
 */

/** Once for each person and year, over all gains on shares that are taxed. */
const BASIC_DEDUCTION_WON = new Decimal(2_500_000);
/** Per cent of what is left: income tax, and local income tax of a tenth of it. */
const INCOME_TAX_PERCENT = 20;
const LOCAL_TAX_PERCENT = 2;
/** Above this sum of dividends and interest they are taxed with all other income. */
export const FINANCIAL_INCOME_LINE_WON = new Decimal(20_000_000);
/** Gains on coins of this year and later are taxed. */
export const FIRST_YEAR_OF_COIN_TAX = 2027;

/** How a gain on something is taxed in Korea. */
export type TaxClass =
  /** Shares and funds that are listed abroad: taxed as a capital gain. */
  | 'foreign'
  /** Shares that are listed in Korea: not taxed, unless one holds very many of them. */
  | 'domestic'
  /** Funds that are listed in Korea: not taxed where they hold Korean shares, else a dividend. */
  | 'domestic-fund'
  | 'coin'
  /** Currencies, indices, raw materials: no rule here. */
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
  /** What of the deduction was used. */
  readonly deduction: Decimal;
  readonly base: Decimal;
  readonly incomeTax: Decimal;
  readonly localTax: Decimal;
  readonly total: Decimal;
}

const ZERO_WON = new Decimal(0);

/** In whole tens of won: less is not collected (국고금 관리법 제47조). */
const collected = (won: Decimal): Decimal => won.dividedBy(10).floor().times(10);

/** `gain`: of the whole year, losses taken off. Losses are not carried into other years. */
export const capitalGainsTax = (gain: Decimal): CapitalGainsTax => {
  const taxed = Decimal.max(gain, ZERO_WON);
  const deduction = Decimal.min(taxed, BASIC_DEDUCTION_WON);
  const base = taxed.minus(deduction);
  const incomeTax = collected(base.times(INCOME_TAX_PERCENT).dividedBy(100));
  const localTax = collected(base.times(LOCAL_TAX_PERCENT).dividedBy(100));
  return { deduction, base, incomeTax, localTax, total: incomeTax.plus(localTax) };
};

const SATURDAY = 6;

/** The first and the last day on which gains of that year are declared; a weekend moves the last one on. */
export const filingDays = (year: number): readonly [Temporal.PlainDate, Temporal.PlainDate] => {
  const first = Temporal.PlainDate.from({ year: year + 1, month: 5, day: 1 });
  const last = first.with({ day: 31 });
  return [first, last.dayOfWeek < SATURDAY ? last : last.add({ days: 8 - last.dayOfWeek })];
};
