import type { Instrument } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { briefingMessages } from './messages.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import { Decimal, formatPercent } from '#src/kernel/money.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { gainText, moneyParts } from '#src/markets/answers/money-text.ts';
import type { PortfolioMover, PortfolioMovers } from '#src/features/portfolio/index.ts';

const MAX_SHOWN = 3;

const names = (instruments: readonly Instrument[], locale: Locale): string =>
  instruments.map((instrument) => narrowName(instrument, locale)).join(', ');

const markOf = ({ isMarked }: PortfolioMover): string => (isMarked === true ? ' ⚠️' : '');

/** The few that moved it most, whichever way, and what all came to. */
export const moversText = (
  { currency, movers, unpriced, notes = [], origin }: PortfolioMovers,
  { locale }: Audience,
): string => {
  const t = briefingMessages(locale);
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
    t.movers(),
    ...biggest,
    ...(movers.length > 0 ? [t.moversTotal({ total: money(total), origin })] : []),
    ...notes,
    ...(unpriced.length > 0 ? [t.moversUnpriced({ names: names(unpriced, locale) })] : []),
  ].join('\n');
};
