import type { ChannelRights, Choice, FakeDiscordOptions, Moment, OnMoment, ShownModal } from './api.ts';
import type { DiscordEntry, DiscordHappening } from './history.ts';
import type { ChannelKind, Pinged } from './seen.ts';
import { createSnowflakes, type Wire } from './wire.ts';

export interface UserState {
  readonly id: string;
  username: string;
  displayName: string;
  readonly isBot: boolean;
  readonly isWebhook: boolean;
  readonly locale: string;
  refusesDirect: boolean;
}

export interface MemberState {
  readonly roleIds: readonly string[];
  readonly nickname?: string;
  readonly joinedAtMs: number;
}

export interface RoleState {
  readonly id: string;
  readonly name: string;
  readonly permissions: bigint;
}

export interface GuildState {
  readonly id: string;
  readonly name: string;
  readonly locale: string;
  /** Where the server says who has come. */
  readonly systemChannelId?: string;
  readonly managerRoleId: string;
  readonly roles: Map<string, RoleState>;
  readonly members: Map<string, MemberState>;
}

export interface AttachmentState {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly contentType?: string;
  readonly bytes: Uint8Array;
  readonly isVoice: boolean;
  readonly durationSecs?: number;
}

/** What a message says; an edit replaces some of it. */
export interface Saying {
  readonly content: string;
  readonly embeds: readonly Wire[];
  readonly components: readonly Wire[];
  readonly attachments: readonly AttachmentState[];
  readonly flags: number;
}

export interface MessageState {
  readonly id: string;
  readonly channelId: string;
  readonly author: UserState;
  readonly type: number;
  readonly atMs: number;
  saying: Saying;
  editedAtMs?: number;
  pinged: Pinged;
  allowedMentions?: Wire;
  readonly nonce?: string | number;
  readonly replyTo?: string;
  readonly ephemeralFor?: string;
  readonly interactionId?: string;
  readonly webhookId?: string;
  readonly reactions: Map<string, Set<string>>;
  readonly extra: Wire;
}

export interface ChannelState {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly guildId?: string;
  readonly parentId?: string;
  readonly ownerId?: string;
  /** Of a direct chat. */
  readonly recipientId?: string;
  rights: Partial<ChannelRights>;
  isJoined: boolean;
  /** Of a thread. */
  closed?: 'locked' | 'archived';
  /** In the order of their ids. */
  readonly messages: Map<string, MessageState>;
  readonly nonces: Map<string, { readonly messageId: string; readonly atMs: number }>;
}

/** 2 command, 3 component, 4 autocomplete, 5 modal. */
export type InteractionType = 2 | 3 | 4 | 5;

export interface InteractionState {
  readonly id: string;
  readonly token: string;
  readonly type: InteractionType;
  readonly user: UserState;
  readonly channelId: string;
  readonly startedMs: number;
  /** What the button was on. */
  readonly sourceId?: string;
  callback?: { readonly type: number; readonly isEphemeral: boolean; readonly afterMs: number };
  modal?: ShownModal;
  modalWire?: Wire;
  choices?: readonly Choice[];
  originalId?: string;
  readonly answerIds: string[];
}

/** Everything that the platform knows. */
export interface State {
  readonly options: Required<Omit<FakeDiscordOptions, 'onMoment'>>;
  readonly origin: string;
  readonly applicationId: string;
  readonly bot: UserState;
  readonly users: Map<string, UserState>;
  readonly guilds: Map<string, GuildState>;
  readonly channels: Map<string, ChannelState>;
  readonly interactions: Map<string, InteractionState>;
  /** Put into commands, by id: they belong to no message. */
  readonly commandFiles: Map<string, AttachmentState>;
  /** By guild; '' has the global ones. */
  readonly commands: Map<string, readonly Wire[]>;
  /** How many sessions may still be started. */
  readonly sessionStarts: {
    readonly left: () => number;
    readonly use: () => void;
    readonly resetAfterMs: () => number;
  };
  readonly history: DiscordEntry[];
  readonly nextId: () => string;
  readonly record: (happening: DiscordHappening) => void;
  onMoment: OnMoment | undefined;
  /** Called after each entry of the history. */
  onRecord: () => void;
  /** Hands an event to the sessions. */
  onDispatch: (event: string, data: unknown, channelId: string | undefined) => void;
}

const MINUTE_MS = 60_000;
const SESSION_STARTS = 1_000;

const createSessionStarts = (startsLeft: number, resetMs: number): State['sessionStarts'] => {
  const resetAtMs = performance.now() + resetMs;
  let used = 0;
  const resetAfterMs = (): number => Math.max(0, Math.ceil(resetAtMs - performance.now()));
  return {
    left: () => (resetAfterMs() === 0 ? SESSION_STARTS : Math.max(0, startsLeft - used)),
    use: () => void (used += 1),
    resetAfterMs,
  };
};

export const createState = (origin: string, options: FakeDiscordOptions): State => {
  const now = options.now ?? Date.now;
  const startedMs = performance.now();
  const nextId = createSnowflakes(now);
  const applicationId = nextId();
  const name = options.botName ?? 'finclaw';
  const bot: UserState = {
    id: applicationId,
    username: name,
    displayName: name,
    isBot: true,
    isWebhook: false,
    locale: 'en-US',
    refusesDirect: false,
  };
  const state: State = {
    options: {
      token: options.token ?? 'fake-discord-token',
      botName: name,
      owner: options.owner ?? { userId: '1' },
      isPersonal: options.isPersonal ?? true,
      heartbeatIntervalMs: options.heartbeatIntervalMs ?? 41_250,
      heartbeatGraceMs: options.heartbeatGraceMs ?? 0,
      grantedIntents: options.grantedIntents ?? ['GuildMembers', 'GuildPresences', 'MessageContent'],
      nonceMemoryMs: options.nonceMemoryMs ?? 5 * MINUTE_MS,
      rateLimit: options.rateLimit ?? { limit: 50, windowMs: 1_000 },
      globalLimitPerSecond: options.globalLimitPerSecond ?? Infinity,
      interactionDeadlineMs: options.interactionDeadlineMs ?? 3_000,
      interactionTokenMs: options.interactionTokenMs ?? 15 * MINUTE_MS,
      sessionStartsLeft: options.sessionStartsLeft ?? SESSION_STARTS,
      sessionStartsResetMs: options.sessionStartsResetMs ?? 240 * MINUTE_MS,
      shards: options.shards ?? 1,
      maxConcurrency: options.maxConcurrency ?? 1,
      identifyPauseMs: options.identifyPauseMs ?? 0,
      callDelayMs: options.callDelayMs ?? 0,
      now,
    },
    origin,
    applicationId,
    bot,
    users: new Map([[bot.id, bot]]),
    guilds: new Map(),
    channels: new Map(),
    interactions: new Map(),
    commandFiles: new Map(),
    commands: new Map(),
    sessionStarts: createSessionStarts(
      options.sessionStartsLeft ?? SESSION_STARTS,
      options.sessionStartsResetMs ?? 240 * MINUTE_MS,
    ),
    history: [],
    nextId,
    record: (happening) => {
      state.history.push({ ...happening, atMs: performance.now() - startedMs });
      state.onRecord();
    },
    onMoment: options.onMoment,
    onRecord: () => {},
    onDispatch: () => {},
  };
  return state;
};

/** True: nobody may get an answer. */
export const isDropped = (state: State, moment: Moment): boolean => state.onMoment?.(moment) === 'drop';
