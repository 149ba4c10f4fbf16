import type { AlertCondition, AlertRecord } from '#src/kernel/alert.ts';
import type { SymbolSearch } from '#src/kernel/finance.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { Requester } from '#src/kernel/account-services.ts';
import type { Fact } from '#src/kernel/tool.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { AlertStore, ChatAlertLimits } from './store-types.ts';
import type { OwnerStore } from '#src/platform/storage/accounts/owners.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import type { Market } from '#src/markets/sources/source.ts';

export interface AlertServiceDeps {
  readonly store: Pick<AlertStore, 'add' | 'move' | 'listOf' | 'remove' | 'snooze'>;
  readonly owners: Pick<OwnerStore, 'ownerOf'>;
  readonly market: Pick<Market, 'getQuotes' | 'getHistory' | 'getNews'>;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
  /** The requester's private chat; undefined where the channel has none. */
  readonly directTarget: (requester: Requester) => Promise<ReplyTarget | undefined>;
  /** Called when an alert was set or is active again. */
  readonly changed: () => void;
  /** The limit of active alerts of one person. */
  readonly maxAlerts: number;
  /** Limits in channels. */
  readonly inChannels: ChatAlertLimits & { readonly repeatMinutes: number };
  readonly clock: Clock;
}

const COMPARISON = /((?<=\s)[<>]=?(?=\s|$)|[<>]=?(?=[\d.]))/u;
const MAX_ECHOED = 60;

/** Repeats the typed text without markup. `>` and `<` of a condition are kept. */
export const echoed = (typed: string): string =>
  typed
    .slice(0, MAX_ECHOED)
    .split(COMPARISON)
    .map((piece, index) => (index % 2 === 1 ? piece : echo(piece)))
    .filter((piece) => piece !== '')
    .join(' ');

/** Nothing was done: one sentence says what to do next. */
export const refused = (content: string): MarketAnswer => ({ content, facts: [], found: 0 });

/** The target numbers of a condition, so that an answer may repeat them. */
const levelsOf = (
  condition: AlertCondition,
  currency: string,
): readonly (readonly [metric: string, value: string, unit: string])[] => {
  switch (condition.kind) {
    case 'above':
    case 'below':
    case 'crosses-above':
    case 'crosses-below':
      return [['alertPrice', condition.price.toFixed(), currency]];
    case 'change':
      return [
        ['alertChangePercent', condition.percent.toFixed(), '%'],
        ...(condition.basePrice
          ? [['alertBasePrice', condition.basePrice.toFixed(), currency] as const]
          : []),
      ];
    case 'rsi':
      return [
        ['alertRsi', condition.level.toFixed(), 'points'],
        ['alertRsiDays', String(condition.period), 'days'],
      ];
    case 'ma-cross':
      return [
        ['alertFastDays', String(condition.fast), 'days'],
        ['alertSlowDays', String(condition.slow), 'days'],
      ];
    case 'volume':
      return [['alertVolumeMultiple', condition.multiple.toFixed(), 'x']];
    case 'year-high':
    case 'year-low':
    case 'news':
      break;
  }
  return [];
};

/** An alert as facts; `isSample` where it was set with sample prices. */
export const alertFacts = (
  { id, instrument, condition, createdAt }: AlertRecord,
  isSample = false,
): readonly Fact[] =>
  levelsOf(condition, instrument.currency).map(([metric, value, unit]) => ({
    entity: instrument.symbol,
    metric,
    value,
    unit,
    asOf: createdAt.toString(),
    source: `alert ${id}`,
    isSample,
  }));
