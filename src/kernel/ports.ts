import type { Locale } from './locale.ts';
import type { AgentId, ApprovalId, ChannelId, InboxId, SessionKey, Timestamp, UserId } from './ids.ts';
import type {
  ChatPlace,
  InboundMessage,
  MediaAttachment,
  MergedMessage,
  MsgContext,
  ReplyPayload,
  ReplyTarget,
} from './message.ts';
import type { KeyedProvider, NumericalTier, ProviderId, ProviderIds, TokenUsage } from './model.ts';
import type { Decimal } from './money.ts';

export interface QueueStatus {
  readonly isRunning: boolean;
  readonly waiting: number;
  /** Whose message runs. */
  readonly startedBy?: UserId;
}

/** How messages that arrive during a run are treated. */
export const QUEUE_MODES = ['queue', 'followup', 'collect', 'steer', 'steer-backlog', 'interrupt'] as const;
export type QueueMode = (typeof QUEUE_MODES)[number];

/** Port: the running and waiting work of a session. */
export interface QueueControl {
  /** Aborts what runs and resolves when it has ended; `idle` when nothing ran. */
  readonly stop: (sessionKey: SessionKey) => Promise<'stopped' | 'idle'>;
  /** Aborts what runs, and lets nothing else begin until the work is done. */
  readonly whileStopped: <T>(sessionKey: SessionKey, work: () => Promise<T>) => Promise<T>;
  readonly status: (sessionKey: SessionKey) => QueueStatus;
  /** What runs in the threads of the chat that this conversation is of; not the conversation itself. */
  readonly runningInThreads: (sessionKey: SessionKey) => readonly RunningTurn[];
  /** All sessions together. */
  readonly load: () => QueueLoad;
}

/** Somebody's answer that is under way. */
export interface RunningTurn {
  readonly sessionKey: SessionKey;
  readonly startedBy: UserId;
}

export interface QueueLoad {
  readonly sessions: number;
  readonly running: number;
  readonly waiting: number;
}

/** For whom a mode is chosen. */
export type QueueModeScope = 'session' | 'channel' | 'agent';

/** A conversation as the choice of a mode sees it. */
export type QueuePlace = Pick<MsgContext, 'sessionKey' | 'channelId' | 'chatId' | 'guildId'>;

export interface QueueModeInForce {
  readonly mode: QueueMode;
  /** `guild`: for the server or workspace, with `/settings`. */
  readonly setFor: QueueModeScope | 'guild' | 'default';
}

/** Port: which mode is in force, and the choice of another one. Session goes before channel before guild before agent. */
export interface QueueModes {
  readonly of: (place: QueuePlace) => QueueModeInForce;
  /** Null takes the choice back. Durable when it resolves. */
  readonly choose: (place: QueuePlace, scope: QueueModeScope, mode: QueueMode | null) => Promise<void>;
}

/** Port: what a person writes while their own turn runs, where the mode lets it into the turn. */
export interface Steering {
  /**
   * Takes it out of the queue for good, in order: from here on it belongs to the turn of this message, also
   * after a crash.
   */
  readonly take: (sessionKey: SessionKey, inboxId: InboxId) => Promise<readonly MergedMessage[]>;
}

/** Who took part in a conversation. `isComplete` is false if rows of some people are gone. */
export interface Participants {
  readonly people: ReadonlySet<UserId>;
  readonly isComplete: boolean;
}

export interface Conversations {
  /** Sets the history aside, so that the next message starts anew. False when there was none. */
  readonly reset: (sessionKey: SessionKey) => Promise<boolean>;
  /** Who talked with the model in the running conversation. */
  readonly participants: (sessionKey: SessionKey) => Promise<Participants>;
  readonly context: (sessionKey: SessionKey, agentId: AgentId, place: ChatPlace) => Promise<ContextReport>;
  /** How much there is of it, and since when; undefined where nothing was said yet. */
  readonly summary: (
    sessionKey: SessionKey,
  ) => Promise<{ readonly messageCount: number; readonly since: Timestamp } | undefined>;
  /** All that was said, set-aside parts of this conversation included, as a file for its person. Undefined: nothing yet. */
  readonly export: (
    sessionKey: SessionKey,
    locale: Locale,
    timeZone: string,
  ) => Promise<MediaAttachment | undefined>;
}

/** A model as a person chooses it. */
export interface ModelInfo {
  readonly id: string;
  readonly displayName: string;
  readonly provider: ProviderId;
  readonly aliases: readonly string[];
  readonly contextWindow: number;
  readonly numericalReasoningTier: NumericalTier;
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
  | { readonly status: 'no-key'; readonly model: ModelInfo }
  /** Prompt and tools leave no room for a conversation in its window. */
  | { readonly status: 'too-small'; readonly model: ModelInfo }
  /** It costs more than the configured model, or is not on the operator's list. `choices`: names to choose from. */
  | { readonly status: 'not-allowed'; readonly model: ModelInfo; readonly choices: readonly string[] };

/** Administrators choose any model; others those that the operator lets them. */
export interface ModelChooser {
  readonly isAdmin: boolean;
}

/** Port: which model answers in a conversation. */
export interface Models {
  /** `isChosen`: somebody chose it for this conversation; otherwise it is the configured one. */
  readonly current: (sessionKey: SessionKey) => Promise<{
    readonly model: ModelInfo;
    readonly isChosen: boolean;
    readonly fallbacks: readonly string[];
  }>;
  /** What this person can choose in a conversation with the agent; for administrators all there are. */
  readonly list: (who: ModelChooser, agentId: AgentId) => readonly ModelInfo[];
  /** By id or alias. */
  readonly switchTo: (sessionKey: SessionKey, name: string, who: ModelChooser) => Promise<ModelSwitch>;
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

/** One request to a model, as it is kept. */
export interface ModelRequestTrace extends ProviderIds {
  readonly model: string;
  readonly outcome: 'ok' | 'failed';
}

/** Port: the ledger of model use, for `/usage` and `/debug last`. Days and months are those of the bot's time zone. */
export interface UsageReports {
  readonly today: (scope: UsageScope) => Promise<UsagePeriod>;
  readonly month: (scope: UsageScope) => Promise<UsagePeriod>;
  /** All that one conversation has used, as far back as the ledger goes. */
  readonly conversation: (sessionKey: SessionKey) => Promise<UsageSnapshot>;
  /** Everybody's use this month by provider; those that were not used are left out. */
  readonly monthByProvider: () => Promise<
    readonly { readonly provider: KeyedProvider; readonly usage: UsageSnapshot }[]
  >;
  /** The requests of a conversation that were made between two moments, the first first. */
  readonly requests: (
    sessionKey: SessionKey,
    from: Timestamp,
    to: Timestamp,
  ) => Promise<readonly ModelRequestTrace[]>;
  /** The daily limits in US dollars, where any are set. */
  readonly limits: { readonly perUserUsd: Decimal | undefined; readonly perDayUsd: Decimal | undefined };
}

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

/** Port: a message that is not an answer (a reminder, an alert, a briefing), durable before it is sent. */
export interface Notifier {
  /** Resolves once it is stored; at `at`, or at once, it is sent. `full`: too many of that person's wait. */
  readonly notify: (
    target: ReplyTarget,
    payload: ReplyPayload,
    at?: Timestamp,
    /** `at` is by the clock of this zone, which the person has not confirmed; what is sent as long as that is so. */
    guess?: { readonly timeZone: string; readonly payload: ReplyPayload },
  ) => Promise<'stored' | 'full'>;
}

/** A tool call that waits for a person's word. */
export interface ApprovalRequest {
  readonly id: ApprovalId;
  readonly toolName: string;
  /** What would be done, with its exact arguments; the decision is bound to them. */
  readonly summary: string;
  /** Why somebody is asked. */
  readonly reason: string;
  readonly askedBy: UserId;
  /** Where others read along: whose call it is. */
  readonly requesterName?: string;
  readonly locale: Locale;
  /** When it was first put to somebody, at the earliest. */
  readonly askedAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** An earlier process may have asked it, and did not record where: a channel that can look for it looks first. */
  readonly isRepeated: boolean;
}

export type ApprovalVerdict = 'approved' | 'denied';

/** Who decides: the platform vouches for it. */
export interface Decider {
  readonly channelId: ChannelId;
  readonly userId: UserId;
  readonly userRoles: readonly string[];
}

export type ApprovalOutcome =
  /** `settled` resolves (never rejects) when the run that waited has ended, or at once if it waits for more. */
  | { readonly outcome: 'recorded'; readonly settled: Promise<void> }
  /** Neither the requester nor one of the configured approvers. */
  | { readonly outcome: 'refused' }
  /** Decided before, or expired. */
  | { readonly outcome: 'too-late' }
  | { readonly outcome: 'unknown' };

/** Port: a person's decision on a tool call. Nothing is ever approved without one. */
export interface Approvals {
  readonly decide: (id: ApprovalId, verdict: ApprovalVerdict, by: Decider) => Promise<ApprovalOutcome>;
  /** Those of a conversation that were put to somebody and are undecided, the oldest first. */
  readonly pending: (sessionKey: SessionKey) => Promise<readonly ApprovalRequest[]>;
  /** Those in any conversation that this person may decide. */
  readonly pendingFor: (by: Decider) => Promise<readonly ApprovalRequest[]>;
  /** Gives up what waits in a conversation: its calls are not made. How many there were. */
  readonly giveUp: (sessionKey: SessionKey, which: GiveUp) => Promise<number>;
}

export interface GiveUp {
  /** Whose doing it is. */
  readonly by: UserId;
  /** Of this person only. */
  readonly askedBy?: UserId;
  /** Of messages that were accepted before this one only. */
  readonly before?: InboxId;
  /** Also what was decided, and has not been gone on with yet. */
  readonly isDecidedToo?: boolean;
}

export const RISK_TOLERANCES = ['conservative', 'moderate', 'aggressive'] as const;
export const COMPLIANCE_LEVELS = ['retail', 'professional', 'institutional'] as const;
export const PROFILE_MARKETS = ['KRX', 'US', 'crypto', 'FX'] as const;

/** What a person told about how they invest. */
export interface InvestmentProfile {
  readonly riskTolerance?: (typeof RISK_TOLERANCES)[number];
  readonly preferredMarkets?: readonly (typeof PROFILE_MARKETS)[number][];
  readonly complianceLevel?: (typeof COMPLIANCE_LEVELS)[number];
}

/** The same with how they want to be spoken to. */
export interface UserProfile extends InvestmentProfile {
  readonly locale?: Locale;
  readonly timeZone?: string;
  /** What the platform told of them last: not every message says it again. */
  readonly platform?: PlatformHints;
}

/** What a platform knows about where somebody lives: their zone, or the language in which they use it. */
export type PlatformHints = Pick<InboundMessage, 'timeZone' | 'languageTag'>;

/** Port: what a person set with `/profile`. An empty profile where nothing was set. */
export interface Profiles {
  readonly get: (channelId: ChannelId, userId: UserId) => Promise<UserProfile>;
  /** Reads and writes in one step: of two changes at once none undoes the other. Undefined: nothing is changed. */
  readonly change: (
    channelId: ChannelId,
    userId: UserId,
    change: (before: UserProfile) => UserProfile | undefined,
  ) => Promise<UserProfile | undefined>;
}

/** One stage of the policy, as an administrator reads it. */
export interface PolicyStageView {
  readonly stage: string;
  readonly verdict: 'allow' | 'deny' | 'require-approval' | 'continue';
  readonly reason: string;
}

export interface PolicyView {
  readonly toolName: string;
  readonly group: string;
  readonly verdict: 'allow' | 'deny' | 'require-approval';
  readonly decidingStage: string;
  readonly reason: string;
  readonly stages: readonly PolicyStageView[];
}

/** Port: what may be done with the tools, for `/debug policy`. */
export interface ToolPolicies {
  readonly names: () => readonly string[];
  /** The verdict for this sender in this chat; undefined for a tool that does not exist. */
  readonly explain: (toolName: string, ctx: MsgContext) => PolicyView | undefined;
}

/** What fills the model's window, in tokens. */
export interface ContextReport {
  readonly modelName: string;
  readonly windowTokens: number;
  /** Kept free for the answer. */
  readonly reserveTokens: number;
  readonly usedTokens: number;
  /** True where the last request said it; false where it is estimated. */
  readonly isMeasured: boolean;
  readonly breakdown: {
    readonly systemPrompt: number;
    readonly tools: number;
    readonly conversation: number;
    readonly toolResults: number;
    readonly summary: number;
  };
  readonly messageCount: number;
  /** From so much of the window on, older parts are summed up. */
  readonly compactionAtTokens: number;
  /** The highest threshold that is passed, as a share of the window without the reserve. Absent: none. */
  readonly passedThreshold?: 0.8 | 0.95;
}
