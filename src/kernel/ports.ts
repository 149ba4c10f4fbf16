import type { Locale } from './locale.ts';
import type {
  AgentId,
  ApprovalId,
  ChannelId,
  InboxId,
  PersonRef,
  SessionKey,
  Timestamp,
  UserId,
} from './ids.ts';
import type {
  ChatPlace,
  MsgContext,
  MediaAttachment,
  MergedMessage,
  TurnContext,
  ReplyPayload,
  ReplyTarget,
} from './message.ts';
import type { KeyedProvider, NumericalTier, ProviderId, ProviderIds, TokenUsage } from './model.ts';
import type { Decimal } from './money.ts';

export interface QueueStatus {
  readonly isRunning: boolean;
  readonly waiting: number;
  /** The sender of the running message. */
  readonly startedBy?: UserId;
}

/** How messages that arrive during a run are handled. */
export const QUEUE_MODES = ['queue', 'followup', 'collect', 'steer', 'steer-backlog', 'interrupt'] as const;
export type QueueMode = (typeof QUEUE_MODES)[number];

/** Port: the running and waiting turns of a session. */
export interface QueueControl {
  /** Aborts the running turn and resolves when it has ended; `idle` if none ran. */
  readonly stop: (sessionKey: SessionKey) => Promise<'stopped' | 'idle'>;
  /** Aborts the running turn and starts no other one until `work` is done. */
  readonly whileStopped: <T>(sessionKey: SessionKey, work: () => Promise<T>) => Promise<T>;
  readonly status: (sessionKey: SessionKey) => QueueStatus;
  /** Running turns in the threads of the session's chat, without the session itself. */
  readonly runningInThreads: (sessionKey: SessionKey) => Promise<readonly RunningTurn[]>;
  /** Totals over all sessions. */
  readonly load: () => QueueLoad;
}

export interface RunningTurn {
  readonly sessionKey: SessionKey;
  readonly startedBy: UserId;
}

export interface QueueLoad {
  readonly sessions: number;
  readonly running: number;
  readonly waiting: number;
}

export type QueueModeScope = 'session' | 'channel' | 'agent';

export type QueuePlace = Pick<TurnContext, 'sessionKey' | 'channelId' | 'chatId' | 'guildId'>;

export interface QueueModeInForce {
  readonly mode: QueueMode;
  /** `guild`: set for the server or workspace with `/settings`. */
  readonly setFor: QueueModeScope | 'guild' | 'default';
}

/** Port: the queue mode. Session overrides channel, channel overrides guild, guild overrides agent. */
export interface QueueModes {
  readonly of: (place: QueuePlace) => QueueModeInForce;
  /** Null resets the choice. Durable when it resolves. */
  readonly choose: (place: QueuePlace, scope: QueueModeScope, mode: QueueMode | null) => Promise<void>;
}

/** Port: adds messages that a person writes during their own turn to that turn, if the queue mode allows it. */
export interface Steering {
  /**
   * Moves the waiting messages, in order, from the queue into the turn of this message. They stay in it after a crash.
   */
  readonly take: (sessionKey: SessionKey, inboxId: InboxId) => Promise<readonly MergedMessage[]>;
}

/** `isComplete` is false if rows of some people were deleted. */
export interface Participants {
  readonly people: ReadonlySet<UserId>;
  readonly isComplete: boolean;
}

/** How a conversation is exported: for people, or for programs. */
export const CONVERSATION_FORMATS = ['markdown', 'json-lines'] as const;
export type ConversationFormat = (typeof CONVERSATION_FORMATS)[number];

export interface Conversations {
  /** Archives the history, so that the next message starts a new conversation. False if there was none. */
  readonly reset: (sessionKey: SessionKey) => Promise<boolean>;
  /** The people who talked with the model in the current conversation. */
  readonly participants: (sessionKey: SessionKey) => Promise<Participants>;
  readonly context: (sessionKey: SessionKey, agentId: AgentId, place: ChatPlace) => Promise<ContextReport>;
  /** Undefined if the conversation is empty. */
  readonly summary: (
    sessionKey: SessionKey,
  ) => Promise<{ readonly messageCount: number; readonly since: Timestamp } | undefined>;
  /** The whole conversation with its archived parts, as a file. Undefined if it is empty. */
  readonly export: (
    sessionKey: SessionKey,
    how: { readonly format: ConversationFormat; readonly locale: Locale; readonly timeZone: string },
  ) => Promise<MediaAttachment | undefined>;
}

/** A model as listed by `/model`. */
export interface ModelInfo {
  readonly id: string;
  readonly displayName: string;
  readonly provider: ProviderId;
  readonly aliases: readonly string[];
  readonly contextWindow: number;
  readonly numericalReasoningTier: NumericalTier;
  /** US dollars per million tokens; null if unknown. */
  readonly priceUsd: { readonly input: Decimal; readonly output: Decimal; readonly asOf: string } | null;
  readonly isDeprecated: boolean;
  readonly endOfLife?: string;
  /** False if no key for its provider is set. */
  readonly isUsable: boolean;
}

export type ModelSwitch =
  | { readonly status: 'switched'; readonly model: ModelInfo }
  | { readonly status: 'unknown'; readonly near: readonly string[] }
  | { readonly status: 'no-key'; readonly model: ModelInfo }
  /** The prompt and the tools leave no room for a conversation in its window. */
  | { readonly status: 'too-small'; readonly model: ModelInfo }
  /** It costs more than the configured model or is not on the operator's list. `choices` are allowed names. */
  | { readonly status: 'not-allowed'; readonly model: ModelInfo; readonly choices: readonly string[] };

/** Administrators may choose any model, others only those that the operator allows. */
export interface ModelChooser {
  readonly isAdmin: boolean;
}

/** Port: the model of a conversation. */
export interface Models {
  /** `isChosen`: chosen for this conversation; otherwise it is the configured model. */
  readonly current: (sessionKey: SessionKey) => Promise<{
    readonly model: ModelInfo;
    readonly isChosen: boolean;
    readonly fallbacks: readonly string[];
  }>;
  /** The models that this person can choose in a conversation with the agent. */
  readonly list: (who: ModelChooser, agentId: AgentId) => readonly ModelInfo[];
  /** `name` is an id or an alias. */
  readonly switchTo: (sessionKey: SessionKey, name: string, who: ModelChooser) => Promise<ModelSwitch>;
  /** Goes back to the configured model. */
  readonly useDefault: (sessionKey: SessionKey) => Promise<ModelInfo>;
}

export interface UsageSnapshot extends TokenUsage {
  readonly requestCount: number;
  readonly failedCount: number;
  readonly costUsd: Decimal;
  /** Requests to models without a known price, which `costUsd` does not include. */
  readonly unpricedCount: number;
}

export type UsageScope = PersonRef | 'all';

export interface UsagePeriod {
  readonly total: UsageSnapshot;
  readonly byModel: readonly { readonly model: string; readonly usage: UsageSnapshot }[];
}

/** A recorded model request. */
export interface ModelRequestTrace extends ProviderIds {
  readonly model: string;
  readonly outcome: 'ok' | 'failed';
}

/** Port: recorded model usage, for `/usage` and `/debug last`. Days and months are in the bot's time zone. */
export interface UsageReports {
  readonly today: (scope: UsageScope) => Promise<UsagePeriod>;
  readonly month: (scope: UsageScope) => Promise<UsagePeriod>;
  /** Usage of a conversation, as far back as records are kept. */
  readonly conversation: (sessionKey: SessionKey) => Promise<UsageSnapshot>;
  /** This month's total usage by provider, without unused providers. */
  readonly monthByProvider: () => Promise<
    readonly { readonly provider: KeyedProvider; readonly usage: UsageSnapshot }[]
  >;
  /** Requests of a conversation between two moments, oldest first. */
  readonly requests: (
    sessionKey: SessionKey,
    from: Timestamp,
    to: Timestamp,
  ) => Promise<readonly ModelRequestTrace[]>;
  /** The daily budgets, if set. */
  readonly limits: { readonly perUserUsd: Decimal | undefined; readonly perDayUsd: Decimal | undefined };
}

export type KeyHealth = 'healthy' | 'degraded' | 'unhealthy' | 'disabled';

/** Why a key is in cooldown. `failures`: of an earlier process, which did not leave the reason behind. */
export type CooldownCause = 'rate-limit' | 'auth' | 'billing' | 'operator' | 'failures';

/** A key as shown to administrators, without the key itself. */
export interface KeyStatus {
  readonly id: string;
  readonly provider: KeyedProvider;
  readonly name: string;
  /** The first and last characters of the key. */
  readonly masked: string;
  readonly source: 'profile' | 'environment' | 'config' | 'aws-secrets' | 'default';
  /** For profiles: true if stored encrypted, false if only in memory. */
  readonly isSaved: boolean;
  readonly isActive: boolean;
  /** Used before other keys of the provider while it is usable. */
  readonly isPreferred: boolean;
  /** Never `healthy` in a cooldown after a failure. */
  readonly health: KeyHealth;
  readonly cooldownMs: number;
  /** Absent outside of cooldowns. */
  readonly cooldownReason?: CooldownCause | undefined;
}

/** Called when it is certain that the change can be made, and awaited before it. */
export type BeforeKeyChange = () => Promise<void>;

/** Port: API keys of the model providers, for administrators. */
export interface Keys {
  readonly list: () => Promise<readonly KeyStatus[]>;
  /** `fixed`: set in the environment or the configuration file, and changed there. */
  readonly setActive: (
    id: string,
    isActive: boolean,
    beforeChange?: BeforeKeyChange,
  ) => Promise<'done' | 'unknown' | 'fixed'>;
  /** Pauses a key for `pauseMs`, healthy or not; 0 ends the pause and every cooldown of the key. */
  readonly pause: (
    id: string,
    pauseMs: number,
    beforeChange?: BeforeKeyChange,
  ) => Promise<'done' | 'unknown'>;
  readonly remove: (id: string) => Promise<'done' | 'unknown' | 'fixed'>;
  readonly setPreferred: (id: string, isPreferred: boolean) => Promise<'done' | 'unknown' | 'fixed'>;
  /** Throws `KEY_INVALID` for a text that cannot be a key of the provider. */
  readonly add: (provider: KeyedProvider, apiKey: string, name?: string) => Promise<KeyStatus>;
}

/** Port: sends messages that are not answers (reminders, alerts, briefings), stored before they are sent. */
export interface Notifier {
  /** Resolves when stored; sent at `at` or at once. `full`: too many notifications of the person are waiting. */
  readonly notify: (
    target: ReplyTarget,
    payload: ReplyPayload,
    at?: Timestamp,
    /** `at` is a local time in this unconfirmed zone; `payload` is sent while the zone is unconfirmed. */
    guess?: { readonly timeZone: string; readonly payload: ReplyPayload },
  ) => Promise<'stored' | 'full'>;
}

/** A tool call that waits for a person's approval. */
export interface ApprovalRequest {
  readonly id: ApprovalId;
  readonly toolName: string;
  /** The action with its exact arguments, to which the decision is bound. */
  readonly summary: string;
  /** Why approval is needed. */
  readonly reason: string;
  readonly askedBy: UserId;
  /** Named in chats that others read. */
  readonly requesterName?: string;
  /** The words of the voice messages that led to the call. They are shown first, because they may be misheard. */
  readonly heard?: string;
  readonly locale: Locale;
  /** The earliest time at which the person can have seen the question. */
  readonly askedAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** An earlier process may have asked without recording the message. A channel that can search for it does so first. */
  readonly isRepeated: boolean;
}

export type ApprovalVerdict = 'approved' | 'denied';

/** The deciding person, authenticated by the platform. */
export interface Decider extends PersonRef {
  readonly userRoles: readonly string[];
  /** Decides on the operator page, so the decision is written to the audit log too. */
  readonly isOperator?: boolean;
}

export type ApprovalOutcome =
  /** `settled` resolves (never rejects) when the resumed run has ended, or at once if it waits for other approvals. */
  | { readonly outcome: 'recorded'; readonly settled: Promise<void> }
  /** Neither the requester nor one of the configured approvers. */
  | { readonly outcome: 'refused' }
  /** Already decided or expired. */
  | { readonly outcome: 'too-late' }
  | { readonly outcome: 'unknown' };

/** Port: approvals of tool calls. Nothing is approved without a person's decision. */
export interface Approvals {
  readonly decide: (id: ApprovalId, verdict: ApprovalVerdict, by: Decider) => Promise<ApprovalOutcome>;
  /** Undecided requests of a conversation that a person was asked about, oldest first. */
  readonly pending: (sessionKey: SessionKey) => Promise<readonly ApprovalRequest[]>;
  /** Undecided requests of all conversations that this person may decide. */
  readonly pendingFor: (by: Decider) => Promise<readonly ApprovalRequest[]>;
  /** Gives up waiting requests: their calls are not made. Returns how many there were. */
  readonly giveUp: (sessionKey: SessionKey, which: GiveUp) => Promise<number>;
}

export interface GiveUp {
  /** The person who caused it. */
  readonly by: UserId;
  /** Only requests of this person. */
  readonly askedBy?: UserId;
  /** Only requests of messages accepted before this one. */
  readonly before?: InboxId;
  /** Also decided requests whose run has not resumed yet. */
  readonly isDecidedToo?: boolean;
}

export const RISK_TOLERANCES = ['conservative', 'moderate', 'aggressive'] as const;
export const COMPLIANCE_LEVELS = ['retail', 'professional', 'institutional'] as const;
export const PROFILE_MARKETS = ['KRX', 'US', 'crypto', 'FX'] as const;

/** How a person invests, as they set it. */
export interface InvestmentProfile {
  readonly riskTolerance?: (typeof RISK_TOLERANCES)[number];
  readonly preferredMarkets?: readonly (typeof PROFILE_MARKETS)[number][];
  readonly complianceLevel?: (typeof COMPLIANCE_LEVELS)[number];
}

/** An investment profile with language and time zone. */
export interface UserProfile extends InvestmentProfile {
  readonly locale?: Locale;
  readonly timeZone?: string;
  /** The platform's last report, because not every message contains it. */
  readonly platform?: PlatformHints;
}

/** Platform data from which the time zone is derived. */
export type PlatformHints = Pick<MsgContext, 'timeZone' | 'languageTag'>;

/** Port: profiles set with `/profile`. Empty if nothing was set. */
export interface Profiles {
  readonly get: (channelId: ChannelId, userId: UserId) => Promise<UserProfile>;
  /** Reads and writes atomically. If `change` returns undefined, nothing is changed. */
  readonly change: (
    channelId: ChannelId,
    userId: UserId,
    change: (before: UserProfile) => UserProfile | undefined,
  ) => Promise<UserProfile | undefined>;
}

/** One stage of the tool policy, for administrators. */
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

/** Port: the tool policy, for `/debug policy`. */
export interface ToolPolicies {
  readonly names: () => readonly string[];
  /** The verdict for this sender in this chat; undefined for an unknown tool. */
  readonly explain: (toolName: string, ctx: TurnContext) => PolicyView | undefined;
}

/** The use of the model's context window, in tokens. */
export interface ContextReport {
  readonly modelName: string;
  readonly windowTokens: number;
  /** Reserved for the answer. */
  readonly reserveTokens: number;
  readonly usedTokens: number;
  /** True if the provider reported it, false if it is an estimate. */
  readonly isMeasured: boolean;
  readonly breakdown: {
    readonly systemPrompt: number;
    readonly tools: number;
    readonly conversation: number;
    readonly toolResults: number;
    readonly summary: number;
  };
  readonly messageCount: number;
  /** Above this, older messages are summarized. */
  readonly compactionAtTokens: number;
  /** The highest threshold passed, as a share of the window without the reserve. */
  readonly passedThreshold?: 0.8 | 0.95;
}
