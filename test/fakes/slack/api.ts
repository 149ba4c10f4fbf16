import type { EnvelopeType, SlackHistoryEntry } from './history.ts';
import type { OnMoment } from './options.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface FakeUser {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly teamId: string;
  readonly locale: string;
  readonly tz: string;
  readonly isBot: boolean;
  readonly isAdmin: boolean;
  readonly isGuest: boolean;
  readonly isDeleted: boolean;
  /** Of another workspace, known through Slack Connect only. */
  readonly isStranger: boolean;
}

export type ChannelKind = 'public' | 'private' | 'im' | 'mpim';

export interface FakeChannel {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly isArchived: boolean;
  readonly isShared: boolean;
  /** User ids; the bot's own is among them where it is a member. */
  readonly members: readonly string[];
}

export interface FakeFileInput {
  readonly name: string;
  readonly mimetype: string;
  readonly content: string | Uint8Array;
  readonly altText?: string;
  /** An audio clip, recorded in Slack's app. */
  readonly clip?: FakeClip;
}

export interface FakeClip {
  readonly durationMs: number;
  /** Slack's own words, which come some time after the message. Absent: still being made. */
  readonly transcription?: { readonly content: string; readonly hasMore: boolean };
}

export interface FakeFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly mimetype: string;
  readonly content: Uint8Array;
  readonly altText?: string;
  readonly clip?: FakeClip;
  readonly user: string;
  /** To be had with the bot's token only; without, there is a login page. */
  readonly urlPrivate: string;
}

export interface SeenReaction {
  readonly name: string;
  readonly users: readonly string[];
}

/** A message as people see it now. */
export interface SeenMessage {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs?: string;
  readonly user: string;
  readonly isFromBot: boolean;
  readonly subtype?: string;
  readonly text: string;
  /** The plain text that a person reads: of the blocks where there are any, else of the text. */
  readonly rendered: string;
  readonly blocks: readonly Json[];
  readonly attachments: readonly Json[];
  readonly metadata?: { readonly event_type: string; readonly event_payload: Json };
  readonly files: readonly FakeFile[];
  readonly reactions: readonly SeenReaction[];
  readonly streaming?: 'streaming' | 'stopped';
  /** Only this user sees it. */
  readonly ephemeralFor?: string;
  readonly isBroadcast: boolean;
  readonly isEdited: boolean;
  /** As they were sent: mrkdwn, parse, link_names, unfurl_links, unfurl_media. */
  readonly flags: Json;
}

/** Names what a person acts on: something said, seen or found by its address. */
export interface MessageRef {
  readonly channel: string;
  readonly ts: string;
}

export interface Said extends MessageRef {
  readonly threadTs?: string;
  /** Of each event that went out about it, in order: the message, and the mention where there is one. */
  readonly eventIds: readonly string[];
}

export interface SayOptions {
  readonly threadTs?: string;
  /** Puts the mention of the bot in front. A text that has it already needs no option. */
  readonly mention?: boolean;
  readonly files?: readonly FakeFileInput[];
  readonly blocks?: readonly Json[];
  readonly attachments?: readonly Json[];
  /** `me_message`, `bot_message`, `channel_join`, `thread_broadcast`, …: sent as it is. */
  readonly subtype?: string;
  /** More fields of the event, or others: undefined takes one out. */
  readonly fields?: Json;
  /** Default: both, where the bot is mentioned. */
  readonly events?: 'both' | 'message' | 'mention' | 'none';
}

export interface Ack {
  readonly afterMs: number;
  readonly payload: Json;
}

/** A person did something that the bot has three seconds to acknowledge. */
export interface InteractionHandle {
  readonly envelopeId: string;
  readonly triggerId: string;
  readonly responseUrl: string;
  /** Undefined until it came. */
  readonly ack: Ack | undefined;
  readonly acknowledgedAfterMs: number | undefined;
  /** The person read that it failed. */
  readonly isTimedOut: boolean;
  /** Ends with the ack, or with undefined at the deadline. Never throws. */
  readonly settled: Promise<Ack | undefined>;
  /** What came by the ack and the response_url, in order, as it came then. */
  readonly answers: readonly Answer[];
}

export interface Answer {
  readonly via: 'ack' | 'response_url';
  readonly forWhom: 'everyone' | { readonly user: string };
  readonly does: 'post' | 'replace' | 'delete';
  readonly rendered: string;
  readonly body: Json;
}

export interface AssistantThread {
  readonly title?: string;
  readonly prompts?: readonly { readonly title: string; readonly message: string }[];
}

export interface FakeView {
  readonly id: string;
  readonly hash: string;
  readonly user: string;
  readonly triggerId: string;
  readonly view: Json;
}

/** What a person chose or typed, by block id and action id, as `view.state.values` has it. */
export type ViewValues = Readonly<Record<string, Readonly<Record<string, Json | string>>>>;

export type Fault =
  | { readonly kind: 'rate-limited'; readonly retryAfterS: number }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'error'; readonly error: string; readonly fields?: Json }
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** The call is carried out at once, and answered later. */
  | { readonly kind: 'late-answer'; readonly delayMs: number }
  /** The call is carried out and answered when the promise resolves. */
  | { readonly kind: 'held'; readonly until: Promise<void> }
  /** The connection dies: before anything was done, or after it. */
  | { readonly kind: 'dropped-before' | 'dropped-after' };

export interface FaultScope {
  /** Default: 1. */
  readonly times?: number;
  /** Only calls about this channel. A window of 429 is then of this method and channel. */
  readonly channel?: string;
}

export interface FakeSockets {
  /** Numbers of the open ones. */
  readonly open: readonly number[];
  /** Says good-bye as Slack does, then closes. `warning` comes 10 s ahead: that one stays open. */
  readonly disconnect: (reason: 'warning' | 'refresh_requested' | 'link_disabled') => void;
  /** Gone without a word. */
  readonly cut: () => void;
  /** The sockets that are open now hear, answer and say nothing any more, not even pongs. */
  readonly deafen: () => void;
  /** `apps.connections.open` fails with this code until undefined is set; 'rate_limited' is 429. */
  readonly refuse: (error: string | undefined) => void;
}

export interface FakeSlack {
  readonly url: string;
  /** For `clientOptions.slackApiUrl`. */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly appId: string;
  readonly team: { readonly id: string; readonly name: string; readonly domain: string };
  readonly bot: { readonly userId: string; readonly botId: string; readonly name: string };
  /** A public one, a person and the bot in it, to begin with. */
  readonly general: FakeChannel;
  readonly alice: FakeUser;

  // The workspace
  readonly addUser: (user?: Partial<FakeUser>) => FakeUser;
  readonly changeUser: (id: string, change: Partial<Omit<FakeUser, 'id'>>) => FakeUser;
  /** Members: the bot and alice unless told otherwise. */
  readonly addChannel: (channel?: Partial<FakeChannel>) => FakeChannel;
  readonly changeChannel: (id: string, change: Partial<Omit<FakeChannel, 'id'>>) => FakeChannel;
  /** The direct chat of this person with the bot; made where there is none. */
  readonly directOf: (user: string) => FakeChannel;
  readonly setScopes: (scopes: readonly string[]) => void;
  /** Every call then fails with it: invalid_auth, account_inactive, token_revoked. Undefined mends it. */
  readonly breakToken: (error: string | undefined) => void;

  // People
  readonly say: (channel: string, user: string, text: string, options?: SayOptions) => Said;
  readonly sayDirect: (user: string, text: string, options?: SayOptions) => Said;
  readonly edit: (message: MessageRef, text: string) => Said;
  readonly remove: (message: MessageRef) => Said;
  /** Slack adds a preview: `message_changed` with the same text and attachments. */
  readonly unfurl: (message: MessageRef, attachments: readonly Json[]) => Said;
  readonly react: (user: string, message: MessageRef, name: string) => string;
  readonly unreact: (user: string, message: MessageRef, name: string) => string;
  readonly command: (user: string, channel: string, name: string, text?: string) => InteractionHandle;
  /** Throws where the message has no such button. */
  readonly press: (user: string, message: MessageRef, actionId: string, action?: Json) => InteractionHandle;
  /** Presses a button of the person's home tab. Slack tells neither a channel nor a response_url. */
  readonly pressHome: (user: string, isIt: (element: Json) => boolean) => InteractionHandle;
  readonly shortcut: (user: string, callbackId: string, message?: MessageRef) => InteractionHandle;
  readonly submitView: (user: string, view: FakeView, values: ViewValues) => InteractionHandle;
  readonly closeView: (user: string, view: FakeView) => InteractionHandle;
  /** Any other event about the workspace; team, times and authorizations are put around it. Its event id. */
  readonly event: (event: Json) => string;
  readonly openAssistant: (user: string) => { readonly channel: string; readonly threadTs: string };
  readonly openHome: (user: string, tab?: 'home' | 'messages') => string;
  readonly join: (channel: string, user: string, inviter?: string) => string;
  /** Delivers an event once more, as if the ack had been lost. */
  readonly repeat: (eventId: string) => void;
  /** A frame of the websocket as it is, which need not be an object. */
  readonly raw: (frame: unknown) => void;
  /** Anything at all in an envelope, which has to be acknowledged. */
  readonly deliver: (envelopeType: EnvelopeType, payload: unknown) => void;

  /** HTTP mode: asks, as when the address is saved, whether the bot is there and gives the challenge back. */
  readonly verifyUrl: () => Promise<boolean>;

  // Trouble
  /** Also of `response_url`, `upload` and `download`. Faults of one method come in the order of these calls. */
  readonly fail: (method: string, fault: Fault, scope?: FaultScope) => void;
  readonly sockets: FakeSockets;
  readonly onMoment: (callback: OnMoment | undefined) => void;

  // Looking
  readonly history: readonly SlackHistoryEntry[];
  /** Oldest first. Without a thread: what stands in the channel itself; with one: its parent and replies. */
  readonly messagesIn: (channel: string, threadTs?: string) => readonly SeenMessage[];
  readonly messageAt: (message: MessageRef) => SeenMessage | undefined;
  /** All that the bot wrote there and that still stands, threads included, oldest first. */
  readonly botMessagesIn: (channel: string) => readonly SeenMessage[];
  /** The line "is thinking…", empty where there is none. */
  readonly statusOf: (channel: string, threadTs: string) => string;
  /** Whom it called at once: '@channel', '@here', '@everyone', '@' and the id of a user group. */
  readonly pinged: (message: SeenMessage) => readonly string[];
  /** The people whom it mentions, by their ids. An ephemeral message rings nobody. */
  readonly rung: (message: SeenMessage) => readonly string[];
  readonly views: readonly FakeView[];
  readonly homeOf: (user: string) => FakeView | undefined;
  /** What the bot set for a thread of the assistant. */
  readonly assistantOf: (channel: string, threadTs: string) => AssistantThread;
  readonly viewOf: (handle: InteractionHandle) => FakeView | undefined;
  /** Events and interactions that are delivered or wait, and are neither acked nor given up. */
  readonly pending: readonly { readonly envelopeType: EnvelopeType; readonly what: string }[];
  /** Looks again whenever anything happens; throws with the end of the history when the time is over. */
  readonly until: (predicate: () => boolean, options?: UntilOptions) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface UntilOptions {
  /** Of real time. Default: 5,000. */
  readonly timeoutMs?: number;
  readonly what?: string;
}
