import type { Config } from '#src/platform/config/config.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';

/** Somebody on the platform. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

/** Where people talk. A thread lies in a room. */
export interface Place {
  readonly id: string;
  readonly kind: 'room' | 'thread' | 'direct';
  /** Of a thread: the room it lies in. */
  readonly room?: string;
}

export interface Said {
  readonly id: string;
  readonly place: Place;
}

export interface Button {
  readonly label: string;
  readonly isEnabled: boolean;
}

/** A message of the bot as one person sees it now. */
export interface Seen {
  readonly id: string;
  readonly place: Place;
  /** All that can be read in it, drawn cards and footers too. */
  readonly text: string;
  /** How many things were drawn: embeds, or blocks of their own. */
  readonly cards: number;
  /** Nobody else sees it. */
  readonly isPrivate: boolean;
  /** It says that more is to come. */
  readonly isUnderWay: boolean;
  readonly buttons: readonly Button[];
  /** Who was called by it at once: everyone, groups, roles. */
  readonly pings: readonly string[];
  /** The ids of the people whose devices it rang by a mention. */
  readonly rings: readonly string[];
  readonly files: readonly string[];
}

export interface SentFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array | string;
  /** Recorded in the platform's app, and of this length. */
  readonly spokenMs?: number;
}

export interface SayOptions {
  /** The bot is called by its name. */
  readonly mention?: boolean;
  readonly files?: readonly SentFile[];
}

/** Something that the platform wants acknowledged: a command, a press, a form. Its properties are live. */
export interface Call {
  readonly acknowledgedAfterMs: () => number | undefined;
  /** The names of the fields of the form that it was answered with. */
  readonly form: () => readonly string[] | undefined;
  /** Sends the form. */
  readonly fillIn: (values: readonly string[]) => Call;
}

/** What a platform knows. A case that needs what it does not know is skipped there. */
export interface Abilities {
  /** Several people, rooms, mentions, threads, direct chats. */
  readonly rooms: boolean;
  /** Commands that are called and not typed: acknowledged, answered for the asker alone. */
  readonly calls: boolean;
  readonly buttons: boolean;
  readonly cards: boolean;
  readonly replies: boolean;
  /** Threads in direct chats. */
  readonly directThreads: boolean;
  /** Threads have a title. */
  readonly threadTitles: boolean;
  /** Messages can be changed and taken back. */
  readonly edits: boolean;
  readonly typedOptions: boolean;
  /** Shows what is being done while it is done: as typing, or in words. */
  readonly status: 'none' | 'typing' | 'words';
  readonly stream: boolean;
  readonly files: boolean;
}

export interface OpenDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

/** A platform with people on it. It outlives the bot. */
export interface Platform {
  readonly env: NodeJS.ProcessEnv;
  /** The bot's side of it; a new one for every process. */
  readonly openChannel: (deps: OpenDeps) => Promise<ChannelPlugin>;
  /** What the bot sets up by itself is there: its commands. */
  readonly isSetUp: () => boolean;
  /** An administrator of the bot. */
  readonly boss: Person;
  readonly addPerson: (
    name: string,
    options?: {
      readonly locale?: 'ko' | 'en';
      readonly runsServer?: boolean;
      /** Of the person's profile, where the platform has one: on Slack. */
      readonly timeZone?: string;
    },
  ) => Person;
  readonly addRoom: (name: string) => Place;
  readonly direct: (person: Person) => Place;
  /** The person is no longer in the room: on Discord they leave the server. */
  readonly leave: (person: Person, room: Place) => void;
  /** The thread below a message, or a new one of this name in its room; the bot is called into it by these words. */
  readonly callIntoThread: (person: Person, room: Place, words: string) => Said;
  /** A new thread that begins with these words, among people: nobody has called the bot into it. */
  readonly openThread: (person: Person, room: Place, words: string) => Said;

  /** A thread on a message; where there are titles, with this one. */
  readonly threadOn: (person: Person, on: Pick<Seen, 'id' | 'place'>, title: string) => Place;

  readonly say: (person: Person, place: Place, words: string, options?: SayOptions) => Said;
  readonly replyTo: (person: Person, to: Pick<Seen, 'id' | 'place'>, words: string) => Said;
  readonly edit: (said: Said, words: string) => void;
  readonly remove: (said: Said) => void;
  /** The values in the order in which they are typed. */
  readonly call: (
    person: Person,
    place: Place,
    command: string,
    values?: Readonly<Record<string, string>>,
    /** `isUnknown`: the person still sees a command that the bot does not have. */
    how?: { readonly isUnknown?: boolean },
  ) => Call;
  readonly press: (person: Person, seen: Seen, label: string) => Call;
  readonly suggestions: (person: Person, place: Place, typed: string) => Promise<readonly string[]>;

  /** What the bot wrote there, threads of a room included, in order. */
  readonly seenBy: (person: Person, place: Place) => readonly Seen[];
  /** What the person sees of what is being done for them there; empty: nothing. */
  readonly statusFor: (said: Said) => string;
  /** All that was ever shown in words of what is being done. */
  readonly statusesSeen: () => readonly string[];
  /** What the platform held against the bot: refusals, missed deadlines, bad manners. */
  readonly offences: () => readonly string[];
  readonly close: () => Promise<void>;
}

export interface ConnectOptions {
  /** How long the bot's start waits for the platform. Default: 1,000. */
  readonly startWaitMs?: number;
}

export interface PlatformKit {
  readonly name: 'discord' | 'slack' | 'console';
  readonly can: Abilities;
  readonly open: () => Promise<Platform>;
}
