import type { ChannelId, SessionKey, Timestamp, UserId } from './ids.ts';
import type { ReplyPayload, ReplyTarget } from './message.ts';
import type { KEYED_PROVIDERS, ProviderId, TokenUsage } from './model.ts';
import type { Decimal } from './money.ts';

export interface QueueStatus {
  readonly isRunning: boolean;
  readonly waiting: number;
  /** Whose message runs. */
  readonly startedBy?: UserId;
}

/** How messages that arrive during a run are treated. */
export type QueueMode = 'queue' | 'followup' | 'collect' | 'steer' | 'steer-backlog' | 'interrupt';

/** Port: the running and waiting work of a session. */
export interface QueueControl {
  /** Aborts what runs and resolves when it has ended; `idle` when nothing ran. */
  readonly stop: (sessionKey: SessionKey) => Promise<'stopped' | 'idle'>;
  readonly status: (sessionKey: SessionKey) => QueueStatus;
  readonly mode: (sessionKey: SessionKey) => QueueMode;
}

/** Port: the memory of a conversation. */
export interface Conversations {
  /** Sets the history aside, so that the next message starts anew. False when there was none. */
  readonly reset: (sessionKey: SessionKey) => Promise<boolean>;
}

/** A model as a person chooses it. */
export interface ModelInfo {
  readonly id: string;
  readonly displayName: string;
  readonly provider: ProviderId;
  readonly aliases: readonly string[];
  readonly contextWindow: number;
  /** US dollars for a million tokens; null where the price is not known. */
  readonly priceUsd: { readonly input: Decimal; readonly output: Decimal; readonly asOf: string } | null;
  readonly isDeprecated: boolean;
  readonly endOfLife?: string;
  /** False where no key for its provider is set. */
  readonly isUsable: boolean;
}

export type ModelSwitch =
  | { readonly status: 'switched'; readonly model: ModelInfo }
  | { readonly status: 'unknown'; readonly near: readonly string[] }
  | { readonly status: 'no-key'; readonly model: ModelInfo };

/** Port: which model answers in a conversation. */
export interface Models {
  /** `isChosen`: somebody chose it for this conversation; otherwise it is the configured one. */
  readonly current: (sessionKey: SessionKey) => Promise<{
    readonly model: ModelInfo;
    readonly isChosen: boolean;
    readonly fallbacks: readonly string[];
  }>;
  readonly list: () => readonly ModelInfo[];
  /** By id or alias. */
  readonly switchTo: (sessionKey: SessionKey, name: string) => Promise<ModelSwitch>;
  /** Back to the configured model. */
  readonly useDefault: (sessionKey: SessionKey) => Promise<ModelInfo>;
}

/** What was used, and what it cost as far as prices are known. */
export interface UsageSnapshot extends TokenUsage {
  readonly requestCount: number;
  readonly failedCount: number;
  readonly costUsd: Decimal;
  /** Requests to models whose price is not known: they are missing in `costUsd`. */
  readonly unpricedCount: number;
}

/** Whose usage: one person's on one platform, or everybody's. */
export type UsageScope = { readonly channelId: ChannelId; readonly userId: UserId } | 'all';

export interface UsagePeriod {
  readonly total: UsageSnapshot;
  readonly byModel: readonly { readonly model: string; readonly usage: UsageSnapshot }[];
}

/** Port: the ledger of model use, for `/usage`. Days and months are those of the bot's time zone. */
export interface UsageReports {
  readonly today: (scope: UsageScope) => Promise<UsagePeriod>;
  readonly month: (scope: UsageScope) => Promise<UsagePeriod>;
  /** All that one conversation has used, as far back as the ledger goes. */
  readonly conversation: (sessionKey: SessionKey) => Promise<UsageSnapshot>;
  /** Everybody's use this month by provider; those that were not used are left out. */
  readonly monthByProvider: () => Promise<
    readonly { readonly provider: KeyedProvider; readonly usage: UsageSnapshot }[]
  >;
  /** The daily limits in US dollars, where any are set. */
  readonly limits: { readonly perUserUsd: Decimal | undefined; readonly perDayUsd: Decimal | undefined };
}

export type KeyedProvider = (typeof KEYED_PROVIDERS)[number];
export type KeyHealth = 'healthy' | 'degraded' | 'unhealthy' | 'disabled';

/** A key as an administrator may see it: never the key itself. */
export interface KeyStatus {
  readonly id: string;
  readonly provider: KeyedProvider;
  readonly name: string;
  /** Its first and last characters. */
  readonly masked: string;
  readonly source: 'profile' | 'environment' | 'config' | 'aws-secrets' | 'default';
  /** Profiles only: encrypted in the database, or gone with the process. */
  readonly isSaved: boolean;
  readonly isActive: boolean;
  /** Used before the others of its provider, as long as it may be used. */
  readonly isPreferred: boolean;
  readonly health: KeyHealth;
  readonly cooldownMs: number;
}

/** Port: the keys of the model providers, for administrators. */
export interface Keys {
  readonly list: () => Promise<readonly KeyStatus[]>;
  /** `fixed`: it is set in the environment or the configuration file and is changed there. */
  readonly setActive: (id: string, isActive: boolean) => Promise<'done' | 'unknown' | 'fixed'>;
  readonly remove: (id: string) => Promise<'done' | 'unknown' | 'fixed'>;
  /** Puts a key before the others of its provider, or back among them. */
  readonly setPreferred: (id: string, isPreferred: boolean) => Promise<'done' | 'unknown' | 'fixed'>;
  /** Throws `KEY_INVALID` for what cannot be a key of that provider. */
  readonly add: (provider: KeyedProvider, apiKey: string, name?: string) => Promise<KeyStatus>;
}

/**
 * Port: a message that is not an answer (an alert, a briefing), durable before it is sent.
 * @public
 */
export interface Notifier {
  readonly notify: (target: ReplyTarget, payload: ReplyPayload, at?: Timestamp) => Promise<void>;
}

export interface ApprovalRequest {
  readonly id: string;
  readonly toolName: string;
  /** The exact arguments in words; the decision is bound to them. */
  readonly summary: string;
  readonly askedBy: UserId;
  readonly expiresAt: Timestamp;
}

/**
 * Port: a person's decision on a tool call. Nothing is ever approved without one.
 * @public
 */
export interface Approvals {
  readonly ask: (request: ApprovalRequest, target: ReplyTarget) => Promise<void>;
  /** Goes on with the runs whose decision fell while the process was away. */
  readonly resume: () => Promise<void>;
  readonly decide: (
    id: string,
    verdict: 'approved' | 'denied',
    by: UserId,
  ) => Promise<'recorded' | 'refused' | 'expired'>;
}

/**
 * Port: all that is stored about one person, read and removed by that person alone.
 * @public
 */
export interface UserData {
  readonly export: (userId: UserId) => Promise<Readonly<Record<string, unknown>>>;
  readonly delete: (userId: UserId) => Promise<{ readonly rowsDeleted: number }>;
}
