import { createHash } from 'node:crypto';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type {
  AssistantThread,
  ChannelKind,
  FakeChannel,
  FakeFile,
  FakeFileInput,
  FakeUser,
  Json,
  MessageRef,
} from './api.ts';
import { SlackRefusal } from './errors.ts';

export interface Metadata {
  readonly event_type: string;
  readonly event_payload: Json;
}

/** A message as Slack keeps it. Ephemeral ones are kept here too, but no API gives them away. */
export interface StoredMessage {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | undefined;
  readonly user: string;
  readonly subtype: string | undefined;
  readonly ephemeralFor: string | undefined;
  readonly isBroadcast: boolean;
  readonly reactions: { readonly name: string; readonly users: string[] }[];
  text: string;
  blocks: readonly Json[];
  attachments: readonly Json[];
  metadata: Metadata | undefined;
  files: readonly FakeFile[];
  streaming: 'streaming' | 'stopped' | undefined;
  lastAppendMs: number;
  isEdited: boolean;
  flags: Json;
}

export type NewMessage = Pick<StoredMessage, 'channel' | 'user' | 'text'> & Partial<StoredMessage>;

export const TEAM = { id: 'T0FINCLAW1', name: 'Finance Club', domain: 'finance-club' } as const;
export const BOT = { userId: 'U0BOTUSER1', botId: 'B0BOTBOT01', name: 'finclaw' } as const;
export const APP_ID = 'A0FINCLAW1';

const PREFIX: Readonly<Record<ChannelKind, string>> = { public: 'C', private: 'G', im: 'D', mpim: 'G' };

/** Users, channels, messages and files of one workspace. */
export class World {
  readonly users = new Map<string, FakeUser>();
  readonly channels = new Map<string, FakeChannel>();
  readonly files = new Map<string, FakeFile>();
  /** Ids of files that nobody was shown. Slack reads a new one in its own time, which lasts until it is asked for once. */
  readonly unshared = new Map<string, 'unread' | 'read'>();
  /** By channel and thread. */
  readonly statuses = new Map<string, string>();
  /** By channel and thread. */
  readonly assistantThreads = new Map<string, AssistantThread>();
  readonly #messages = new Map<string, StoredMessage[]>();
  readonly #clock: Clock;
  readonly #filesUrl: string;
  #lastId = 0;
  #lastTsMicros = 0;

  constructor(clock: Clock, filesUrl: string) {
    this.#clock = clock;
    this.#filesUrl = filesUrl;
    this.addUser({ id: BOT.userId, name: BOT.name, realName: 'FinClaw', isBot: true });
  }

  /** Ten characters like those of Slack, never the same twice. */
  newId(prefix: string): string {
    this.#lastId += 1;
    return `${prefix}0${this.#lastId.toString(36).toUpperCase().padStart(8, '0')}`;
  }

  newTs(): string {
    const nowMicros = this.#clock.now().epochMilliseconds * 1_000;
    this.#lastTsMicros = Math.max(nowMicros, this.#lastTsMicros + 1);
    const seconds = Math.floor(this.#lastTsMicros / 1e6);
    return `${seconds}.${String(this.#lastTsMicros % 1e6).padStart(6, '0')}`;
  }

  addUser(user: Partial<FakeUser> = {}): FakeUser {
    const id = user.id ?? this.newId('U');
    const name = user.name ?? id.toLowerCase();
    const full: FakeUser = {
      realName: name,
      teamId: TEAM.id,
      locale: 'en-US',
      tz: 'Asia/Seoul',
      isBot: false,
      isAdmin: false,
      isGuest: false,
      isDeleted: false,
      isStranger: false,
      ...user,
      id,
      name,
    };
    this.users.set(id, full);
    return full;
  }

  changeUser(id: string, change: Partial<Omit<FakeUser, 'id'>>): FakeUser {
    const user = this.users.get(id);
    if (!user) throw new Error(`No such user: ${id}`);
    return this.addUser({ ...user, ...change });
  }

  addChannel(channel: Partial<FakeChannel> = {}): FakeChannel {
    const kind = channel.kind ?? 'public';
    const id = channel.id ?? this.newId(PREFIX[kind]);
    const full: FakeChannel = {
      kind,
      name: channel.name ?? id.toLowerCase(),
      isArchived: false,
      isShared: false,
      members: [BOT.userId],
      ...channel,
      id,
    };
    this.channels.set(id, full);
    return full;
  }

  changeChannel(id: string, change: Partial<Omit<FakeChannel, 'id'>>): FakeChannel {
    return this.addChannel({ ...this.channelOf(id), ...change });
  }

  directOf(user: string): FakeChannel {
    const open = [...this.channels.values()].find(
      ({ kind, members }) => kind === 'im' && members.includes(user),
    );
    return open ?? this.addChannel({ kind: 'im', members: [user, BOT.userId] });
  }

  /** Refuses as Slack does: a channel that the bot may not know of does not exist. */
  channelOf(id: string): FakeChannel {
    const channel = this.channels.get(id);
    if (!channel) throw new SlackRefusal('channel_not_found');
    return channel;
  }

  addMessage(message: NewMessage): StoredMessage {
    const stored: StoredMessage = {
      ts: this.newTs(),
      threadTs: undefined,
      subtype: undefined,
      ephemeralFor: undefined,
      isBroadcast: false,
      reactions: [],
      blocks: [],
      attachments: [],
      metadata: undefined,
      files: [],
      streaming: undefined,
      lastAppendMs: this.#clock.monotonicMs(),
      isEdited: false,
      flags: {},
      ...message,
    };
    const inChannel = this.#messages.get(stored.channel);
    if (inChannel) inChannel.push(stored);
    else this.#messages.set(stored.channel, [stored]);
    return stored;
  }

  removeMessage({ channel, ts }: MessageRef): void {
    const left = (this.#messages.get(channel) ?? []).filter((message) => message.ts !== ts);
    this.#messages.set(channel, left);
  }

  messagesIn(channel: string): readonly StoredMessage[] {
    return this.#messages.get(channel) ?? [];
  }

  messageAt({ channel, ts }: MessageRef): StoredMessage | undefined {
    return this.messagesIn(channel).find((message) => message.ts === ts);
  }

  repliesTo({ channel, ts }: MessageRef): readonly StoredMessage[] {
    return this.messagesIn(channel).filter(
      ({ threadTs, ephemeralFor }) => threadTs === ts && ephemeralFor === undefined,
    );
  }

  addFile(input: FakeFileInput & { readonly id?: string; readonly title?: string }, user: string): FakeFile {
    const id = input.id ?? this.newId('F');
    const { name, mimetype, altText, clip } = input;
    const file: FakeFile = {
      id,
      name,
      title: input.title ?? name,
      mimetype,
      content: typeof input.content === 'string' ? Buffer.from(input.content) : input.content,
      ...(altText === undefined ? {} : { altText }),
      ...(clip && { clip }),
      user,
      urlPrivate: `${this.#filesUrl}/files-pri/${TEAM.id}-${id}/${encodeURIComponent(name)}`,
    };
    this.files.set(id, file);
    return file;
  }
}

/** Not guessable from outside, the same for the same words. */
export const secretOf = (...words: readonly string[]): string =>
  createHash('sha256').update(words.join('\0')).digest('hex').slice(0, 32);
