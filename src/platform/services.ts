import type { Approvals } from '#src/kernel/agent/approvals.ts';
import type { TurnStore } from '#src/kernel/agent/turn-store.ts';
import type { BudgetCheck, UsageReports } from '#src/kernel/agent/usage.ts';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { Exchanges } from '#src/kernel/chat/exchanges.ts';
import type { GuildSettings } from '#src/kernel/chat/guild-settings.ts';
import type { QueueControl } from '#src/kernel/chat/queue.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import type { AuditTrail } from '#src/kernel/operations/audit.ts';
import type { Events } from '#src/kernel/operations/events.ts';
import type { AlertService } from '#src/kernel/people/alerts.ts';
import type { Profiles } from '#src/kernel/people/profile.ts';
import type { WatchlistService } from '#src/kernel/people/watchlist.ts';
import type { Clock } from './concurrency/clock.ts';
import type { FinClawLogger } from './logging/logger.ts';

/** What many parts need, under the one name that each has everywhere. */
export interface Services {
  readonly alerts: AlertService;
  readonly approvals: Approvals;
  readonly audit: AuditTrail;
  readonly budget: BudgetCheck;
  readonly clock: Clock;
  readonly events: Events;
  readonly exchanges: Exchanges;
  readonly guildSettings: GuildSettings;
  readonly host: ChannelHost;
  readonly logger: FinClawLogger;
  readonly profiles: Profiles;
  readonly queue: QueueControl;
  readonly symbols: SymbolSearch;
  readonly turns: TurnStore;
  readonly usage: UsageReports;
  /** Tells the notifier that something was stored. */
  readonly wake: () => void;
  readonly watchlist: WatchlistService;
}

/** `'audit'` names a service, `'audit.record'` one of its members. */
export type ServiceName<S> = { [N in keyof S & string]: N | `${N}.${keyof S[N] & string}` }[keyof S & string];

type Member<K, N extends string> = K extends `${N}.${infer M}` ? M : never;

/** Services out of a list, and of those that are named by members only these: whoever needs less asks for less. */
export type UsesOf<S, K extends ServiceName<S>> = Pick<S, K & keyof S> & {
  readonly [N in keyof S & string as K extends `${N}.${string}` ? N : never]: Pick<
    S[N],
    Member<K, N> & keyof S[N]
  >;
};

export type Uses<K extends ServiceName<Services>> = UsesOf<Services, K>;
