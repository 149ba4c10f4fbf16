import type { Instrument } from '#src/core/finance.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import type { OwnerId } from '#src/core/ids.ts';
import type { Reader } from '#src/core/market-desk.ts';
import { type Currency, Decimal, formatPercent } from '#src/core/money.ts';
import type { Fact } from '#src/core/tool.ts';
import { narrowName } from '#src/finance/answers/narrow-name.ts';
import { gainText, moneyParts } from '../portfolio/money-text.ts';

/** What a holding did to its portfolio since the previous regular close. */
export interface PortfolioMover {
  readonly instrument: Instrument;
  /** Of its price; a fraction. */
  readonly change: Decimal;
  /** On the value of what is held, in the portfolio's currency. */
  readonly effect: Decimal;
  /** A split of it is not recorded: said beside its name. */
  readonly isMarked?: boolean;
}

export interface PortfolioMovers {
  readonly currency: Currency;
  /** Everything that is held and priced, in any order. */
  readonly movers: readonly PortfolioMover[];
  /** Held, but without a price, a previous close or a rate: left out of the sums, and named. */
  readonly unpriced: readonly Instrument[];
  /** What is said of splits that are not recorded. */
  readonly notes?: readonly string[];
  /** From where and as of when, in the reader's words. */
  readonly origin: string;
  /** What the numbers rest on: sample data is marked from them. */
  readonly facts: readonly Fact[];
}

/** Of all that somebody holds; undefined where they hold nothing. May throw: the briefing then says so. */
export type PortfolioMoversOf = (
  ownerId: OwnerId,
  reader: Reader,
  signal: AbortSignal,
) => Promise<PortfolioMovers | undefined>;

const MAX_SHOWN = 3;

const names = (instruments: readonly Instrument[], locale: Locale): string =>
  instruments.map((instrument) => narrowName(instrument, locale)).join(', ');

const markOf = ({ isMarked }: PortfolioMover): string => (isMarked === true ? ' ⚠️' : '');

/** The few that moved it most, whichever way, and what all came to. */
export const moversText = (
  { currency, movers, unpriced, notes = [], origin }: PortfolioMovers,
  { locale }: Reader,
): string => {
  const words = texts(locale).briefings;
  const money = (value: Decimal): string => gainText(value, currency, locale);
  const sorted = movers.toSorted((a, b) => b.effect.abs().comparedTo(a.effect.abs()));
  const total = movers.reduce((sum, { effect }) => sum.plus(effect), new Decimal(0));
  const effects = moneyParts(
    sorted.map(({ effect }) => effect),
    total,
    currency,
  );
  const biggest = sorted
    .slice(0, MAX_SHOWN)
    .map(
      (mover, index) =>
        `- ${narrowName(mover.instrument, locale)}${markOf(mover)}: ${formatPercent(mover.change, locale)} → ${money(effects[index] ?? mover.effect)}`,
    );
  return [
    words.movers(),
    ...biggest,
    ...(movers.length > 0 ? [words.moversTotal({ total: money(total), origin })] : []),
    ...notes,
    ...(unpriced.length > 0 ? [words.moversUnpriced({ names: names(unpriced, locale) })] : []),
  ].join('\n');
};
