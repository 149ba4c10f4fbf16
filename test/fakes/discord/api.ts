import type { FakeDiscordFaults, FakeDiscordGateway } from './controls.ts';
import type { DiscordEntry } from './history.ts';
import type { FakeChannel, FakeGuild, FakeRole, FakeUser, SeenMessage } from './seen.ts';

export type PrivilegedIntent = 'GuildMembers' | 'GuildPresences' | 'MessageContent';

/**
 * Something is about to be answered, or sent over the gateway. `request` comes before anything is done, the others
 * (named like their history entries) after it was done.
 */
export interface Moment {
  readonly kind:
    | 'request'
    | 'posted'
    | 'edited'
    | 'deleted'
    | 'reacted'
    | 'unreacted'
    | 'typed'
    | 'acknowledged'
    | 'commandsRegistered'
    | 'connected'
    | 'identified'
    | 'resumed'
    | 'dispatched';
  /** `POST /channels/:channel/messages`, or the name of the gateway event. */
  readonly what: string;
  readonly channelId?: string;
}

/** `drop`: the connection dies, and there is no answer. */
export type OnMoment = (moment: Moment) => 'drop' | undefined | void;

export interface TeamMember {
  readonly userId: string;
  readonly role: 'admin' | 'developer' | 'read_only';
  readonly isInvited?: boolean;
}

export interface FakeDiscordOptions {
  /** Others get 401 and 4004. */
  readonly token?: string;
  readonly botName?: string;
  /** Who registered the application: a person, or a team. Default: somebody else. */
  readonly owner?: { readonly userId: string } | { readonly team: readonly TeamMember[] };
  /** Whether people can add the bot to their own account. Default: true. */
  readonly isPersonal?: boolean;
  readonly heartbeatIntervalMs?: number;
  /** How long a silent connection outlives two missed heartbeats. Default: 0. */
  readonly heartbeatGraceMs?: number;
  /** Which privileged intents the application may use. Default: all. */
  readonly grantedIntents?: readonly PrivilegedIntent[];
  /** Default: 5 minutes. */
  readonly nonceMemoryMs?: number;
  /** Of each bucket (route and channel). Default: 50 requests in 1 s. */
  readonly rateLimit?: { readonly limit: number; readonly windowMs: number };
  /** Of all routes but those of interactions; discord.js keeps to 50 by itself. Default: none. */
  readonly globalLimitPerSecond?: number;
  /** Default: 3,000. */
  readonly interactionDeadlineMs?: number;
  /** Default: 15 minutes. */
  readonly interactionTokenMs?: number;
  /** How many sessions may still be started today. Default: 1,000. */
  readonly sessionStartsLeft?: number;
  /** After so long there are 1,000 again. Default: 4 hours. */
  readonly sessionStartsResetMs?: number;
  /** How many shards the platform recommends. Default: 1. */
  readonly shards?: number;
  /** How many shards may identify themselves at a time. Default: 1. */
  readonly maxConcurrency?: number;
  /** The time between two that may not do so at a time, which is 5 s on Discord. Default: 0. */
  readonly identifyPauseMs?: number;
  /** Every request waits so long before anything is done. Default: 0. */
  readonly callDelayMs?: number;
  readonly onMoment?: OnMoment;
  /** The platform's clock: ids and times of messages. Default: the real time. */
  readonly now?: () => number;
}

/** What the bot may do in a channel. Everything, unless it is said. */
export interface ChannelRights {
  /** False: 50001 for everything, and no events. */
  readonly canRead: boolean;
  readonly canSend: boolean;
  /** False: no reply, and no earlier message. */
  readonly canReadHistory: boolean;
  readonly canReact: boolean;
  readonly canEmbed: boolean;
  readonly canAttach: boolean;
}

/** A channel that a server has when the bot comes. */
export interface NewGuildChannel {
  readonly name: string;
  readonly kind?: 'text' | 'announcement' | 'forum';
  readonly rights?: Partial<ChannelRights>;
  readonly isSystem?: boolean;
}

export interface NewUser {
  readonly id?: string;
  readonly name: string;
  readonly displayName?: string;
  readonly isBot?: boolean;
  /** As the platform reports it with interactions. Default: `en-US`. */
  readonly locale?: string;
}

export interface NewMember {
  readonly roles?: readonly FakeRole[];
  readonly nickname?: string;
  /** `ManageGuild` among the person's permissions. */
  readonly managesGuild?: boolean;
}

export interface NewAttachment {
  readonly name: string;
  readonly bytes: Uint8Array | string;
  readonly contentType?: string;
  readonly description?: string;
  /** Of a voice message. */
  readonly durationSecs?: number;
}

export interface Words {
  readonly content?: string;
  readonly attachments?: readonly NewAttachment[];
  readonly stickers?: readonly string[];
  /** An audio file alone, recorded in the app. */
  readonly isVoice?: boolean;
  readonly embeds?: readonly Readonly<Record<string, unknown>>[];
  /** Merged over the message as it goes over the wire: for odd shapes. */
  readonly raw?: Readonly<Record<string, unknown>>;
}

export type MessageLike = Pick<SeenMessage, 'id' | 'channelId'>;
/** A file for an option that takes one. */
export type OptionValue = string | number | boolean | NewAttachment;

export interface ShownModal {
  readonly customId: string;
  readonly title: string;
  readonly fields: readonly {
    readonly customId: string;
    readonly label: string;
    readonly isRequired: boolean;
    readonly maxLength?: number;
  }[];
}

export interface Choice {
  readonly name: string;
  readonly value: string | number;
}

/** What a person who used a command, pressed a button or sent a form sees of it. Its properties are live. */
export interface FakeInteraction {
  readonly id: string;
  readonly token: string;
  readonly user: FakeUser;
  readonly channelId: string;
  /** Undefined: not yet, or never. After the deadline the person sees "The application did not respond". */
  readonly acknowledgedAfterMs: number | undefined;
  readonly callbackType: number | undefined;
  readonly isDeferred: boolean;
  readonly isEphemeral: boolean;
  readonly modal: ShownModal | undefined;
  /** What an autocomplete was answered with. */
  readonly choices: readonly Choice[] | undefined;
  /** The original answer and the follow-ups, in order, as they are now. */
  readonly answers: readonly SeenMessage[];
  /** Resolves when it has been acknowledged. */
  readonly acknowledged: (timeoutMs?: number) => Promise<void>;
  /** Resolves with the first answer that is no "thinking…". */
  readonly answered: (timeoutMs?: number) => Promise<SeenMessage>;
}

export interface FakeDiscordPeople {
  readonly say: (user: FakeUser, channel: FakeChannel, words: string | Words) => SeenMessage;
  readonly sayDirect: (user: FakeUser, words: string | Words) => SeenMessage;
  readonly reply: (user: FakeUser, to: MessageLike, words: string | Words) => SeenMessage;
  readonly edit: (message: MessageLike, content: string) => SeenMessage;
  readonly remove: (message: MessageLike) => void;
  /** A link in it gets a preview: it changes, and nobody edited it. */
  readonly unfurl: (message: MessageLike, embed: Readonly<Record<string, unknown>>) => void;
  readonly react: (user: FakeUser, message: MessageLike, emoji: string) => void;
  readonly startTyping: (user: FakeUser, channel: FakeChannel) => void;
  /** Text that mentions; the bot, unless another is named. */
  readonly mention: (user?: FakeUser) => string;
  readonly webhookSays: (channel: FakeChannel, words: string | Words, name?: string) => SeenMessage;
  /** `type`: 6 pinned, 7 joined, 8 boosted, 18 thread created, 21 thread starter… */
  readonly systemMessage: (channel: FakeChannel, type: number, user: FakeUser) => SeenMessage;
  readonly forward: (user: FakeUser, message: MessageLike, to: FakeChannel) => SeenMessage;

  /** Throws for a command that the bot has not registered, unless `isStale`; the name may be a localized one. */
  readonly command: (
    user: FakeUser,
    place: FakeChannel,
    name: string,
    options?: Readonly<Record<string, OptionValue>>,
    how?: { readonly isStale?: boolean; readonly raw?: Readonly<Record<string, unknown>> },
  ) => FakeInteraction;
  /** Resolves with what is offered while `typed` stands in the option. */
  readonly autocomplete: (
    user: FakeUser,
    place: FakeChannel,
    name: string,
    option: string,
    typed: string,
    /** Other options of text that are filled in. */
    filled?: Readonly<Record<string, string>>,
  ) => Promise<readonly Choice[]>;
  /** Chooses an entry in the menu of a message; the name may be a localized one. */
  readonly menu: (user: FakeUser, message: MessageLike, name: string) => FakeInteraction;
  /** Throws where the person does not see such a button, or it is disabled; `isStale`: it was there a moment ago. */
  readonly press: (
    user: FakeUser,
    message: MessageLike,
    customId: string,
    how?: { readonly isStale?: boolean; readonly raw?: Readonly<Record<string, unknown>> },
  ) => FakeInteraction;
  /** Sends the form that the interaction was answered with. */
  readonly submitModal: (shown: FakeInteraction, values: Readonly<Record<string, string>>) => FakeInteraction;
}

export interface FakeDiscordPlaces {
  readonly addUser: (user: NewUser) => FakeUser;
  /** The account is gone: its messages are by "deleted_user_…" from now on. */
  readonly deleteUser: (user: FakeUser) => void;
  readonly refuseDirect: (user: FakeUser, isRefusing?: boolean) => void;
  /** `shard`: among as many as the platform recommends. */
  readonly addGuild: (guild: {
    readonly name: string;
    readonly locale?: string;
    readonly shard?: number;
    /** Default: true. False: only people who added the bot to their own account can call it there. */
    readonly hasBot?: boolean;
    /** Default: now. */
    readonly joinedAtMs?: number;
    /** Channels that are there when the bot comes, in their order. The system channel tells who has come. */
    readonly channels?: readonly NewGuildChannel[];
  }) => FakeGuild & { readonly channels: readonly FakeChannel[] };
  /** The bot is thrown out. */
  readonly removeGuild: (guild: FakeGuild) => void;
  readonly addRole: (guild: FakeGuild, role: { readonly name: string }) => FakeRole;
  /** People who speak in a guild join it by themselves; this is for those with roles or rights. Again: replaces. */
  readonly addMember: (guild: FakeGuild, user: FakeUser, member?: NewMember) => void;
  /** Nobody is told without the privileged members intent. */
  readonly removeMember: (guild: FakeGuild, user: FakeUser) => void;
  readonly addChannel: (
    guild: FakeGuild,
    channel: {
      readonly name: string;
      readonly kind?: 'text' | 'announcement' | 'forum';
      readonly rights?: Partial<ChannelRights>;
    },
  ) => FakeChannel;
  /** `starter`: the message it was made from, whose id it then has. `isJoined`: the bot is a member of it. */
  readonly addThread: (
    parent: FakeChannel,
    thread: {
      readonly name: string;
      readonly owner?: FakeUser;
      readonly starter?: MessageLike;
      readonly isPrivate?: boolean;
      readonly isJoined?: boolean;
    },
  ) => FakeChannel;
  /** Ends a thread. Only a moderator posts in a locked one; a post opens an archived one again. */
  readonly closeThread: (thread: FakeChannel, how: 'locked' | 'archived') => void;
  readonly removeChannel: (channel: FakeChannel) => void;
  /** The chat of a person with the bot. */
  readonly directChannel: (user: FakeUser) => FakeChannel;
  readonly permit: (channel: FakeChannel, rights: Partial<ChannelRights>) => void;
}

export interface FakeDiscord extends FakeDiscordPeople, FakeDiscordPlaces {
  /** `new Client({ rest: { api: fake.apiUrl } })` */
  readonly apiUrl: string;
  readonly origin: string;
  readonly token: string;
  readonly applicationId: string;
  /** The bot itself. */
  readonly bot: FakeUser;
  readonly gateway: FakeDiscordGateway;
  readonly faults: FakeDiscordFaults;
  readonly history: readonly DiscordEntry[];
  /** The commands as the bot registered them: globally, or for a guild. */
  readonly commands: (guild?: FakeGuild) => readonly Readonly<Record<string, unknown>>[];
  /** All that is there, ephemeral ones too, the oldest first. */
  readonly messagesIn: (channelId: string) => readonly SeenMessage[];
  readonly visibleTo: (userId: string, channelId: string) => readonly SeenMessage[];
  /** What the bot wrote, everywhere, in order, as it is now; without what it deleted. */
  readonly posted: () => readonly SeenMessage[];
  /** The bot writes from elsewhere (an older process): nothing is requested for it. */
  readonly sayAsBot: (channel: FakeChannel, words: string | Words) => SeenMessage;
  /** An event with any data, as it is. */
  readonly dispatch: (event: string, data: unknown) => void;
  /** Another one than the options had; undefined: none. */
  readonly onMoment: (callback: OnMoment | undefined) => void;
  /** Gives what the predicate gave, as soon as it is not false or undefined. Rejects after `timeoutMs` (5,000). */
  readonly until: <T>(
    predicate: () => T | false | undefined,
    options?: { readonly timeoutMs?: number; readonly what?: string },
  ) => Promise<T>;
  readonly close: () => Promise<void>;
}
