import { type ChannelPlugin, EARLIER_MESSAGES, type HistoryQuery } from '#src/kernel/channel/channel.ts';
import {
  type AccountId,
  asId,
  type ChatId,
  type MessageId,
  type ThreadId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { EarlierMessage } from '#src/kernel/chat/message.ts';
import { NEVER_ABORTED } from '#src/platform/concurrency/abort.ts';
import { type Listed, threadIn } from '#src/platform/recent-messages.ts';
import { isRefusedWith } from '../api.ts';
import type { SlackRecentMessages } from './recent-messages.ts';
import { isForBot, mediaOf, type PostedMessage, readMessageEvent } from './inbound.ts';
import { isForward, isOwn, textOf } from './message-words.ts';
import type { SlackOutboundDeps } from '../send/outbound.ts';
import { SLACK, type SlackIdentity } from '../settings.ts';
import { instantOf, messagesOf, type SlackMessage, type SlackPage } from '../wire.ts';

const MENTION = /<@([A-Z0-9]+)(?:\|[^<>]*)?>/g;
/** Slack lists the oldest replies of a thread first, so the page must be large to include the newest. */
const MAX_THREAD = 999;

/** What a message says, whatever its people are called. */
interface ReadMessage {
  readonly mentioned: readonly string[];
  readonly typed: string;
  readonly earlier: Omit<EarlierMessage, 'authorName' | 'text'>;
  readonly files: readonly string[];
}

const readAnew = (message: SlackMessage, channel: string, me: SlackIdentity): ReadMessage | undefined => {
  if (readMessageEvent({ ...message, channel }).kind !== 'said' || !message.ts) return undefined;
  const isOurs = isOwn(message, me);
  const typed = textOf(message, me);
  return {
    typed,
    mentioned: [...typed.matchAll(MENTION)].map(([, id = '']) => id),
    earlier: {
      messageId: asId<MessageId>(message.ts),
      isOurs,
      // Answers in a conversation carry metadata; replies over a `response_url` cannot.
      isAside: isOurs && message.metadata === undefined,
      typed,
      ...(isForward(message) ? { isForward: true as const } : {}),
      at: instantOf(message.ts),
    },
    files: mediaOf(message).map(({ name }) => `[${name}]`),
  };
};

/** A message of a long thread is read with every answer there. */
const alreadyRead = new WeakMap<SlackMessage, ReadMessage | undefined>();

const read = (message: SlackMessage, channel: string, me: SlackIdentity): ReadMessage | undefined => {
  if (!alreadyRead.has(message)) alreadyRead.set(message, readAnew(message, channel, me));
  return alreadyRead.get(message);
};

/** The authors, then the people mentioned, the newest first. Without the bot, whose name is known. */
const peopleIn = (messages: readonly SlackMessage[], channel: string, me: SlackIdentity): Set<string> => {
  const newestFirst = messages.toReversed();
  const people = new Set<string>();
  for (const { user } of newestFirst) if (user) people.add(user);
  for (const message of newestFirst)
    for (const id of read(message, channel, me)?.mentioned ?? []) people.add(id);
  people.delete(me.userId);
  return people;
};

const toEarlier = (
  message: SlackMessage,
  channel: string,
  names: ReadonlyMap<string, string>,
  me: SlackIdentity,
): readonly EarlierMessage[] => {
  const known = read(message, channel, me);
  if (!known) return [];
  const { typed, mentioned, earlier, files } = known;
  const nameOf = (id: string): string | undefined => (id === me.userId ? me.name : names.get(id));
  const text =
    mentioned.length === 0
      ? typed
      : typed.replaceAll(MENTION, (_all, id: string) => `@${nameOf(id) ?? 'someone'}`);
  const authorName = message.user
    ? (nameOf(message.user) ?? message.user)
    : (message.username ?? message.bot_id ?? '');
  return [{ ...earlier, authorName, text: [text, ...files].filter((part) => part !== '').join(' ') }];
};

type Reading = Required<Pick<ChannelPlugin, 'readHistory' | 'readRoot'>>;

interface History extends Reading {
  /** Reads what a message to the bot will need, while it is being received. */
  readonly readAhead: (said: PostedMessage) => void;
}

export const createHistory = (
  deps: Pick<SlackOutboundDeps, 'api' | 'directory' | 'self'> & {
    readonly recent: Pick<SlackRecentMessages, 'messages'>;
  },
): History => {
  const { api, directory, self, recent } = deps;
  const meOrThrow = (): SlackIdentity => {
    const me = self();
    // Without its id, messages of the bot would be taken for messages of others.
    if (!me) throw new Error('the id of the bot is not known yet');
    return me;
  };

  const readRoot: History['readRoot'] = async (target, signal) => {
    const me = meOrThrow();
    const { threadId } = target;
    if (threadId === undefined) return undefined;
    const channel = await directory.channelOf(target);
    signal.throwIfAborted();
    const page = { channel, ts: threadId, include_all_metadata: true, limit: 1 };
    const answer = await api.call('conversations.replies', page).catch((error: unknown): SlackPage => {
      if (isRefusedWith(error, 'thread_not_found')) return {};
      throw error;
    });
    // The first entry of a thread is its root message.
    const root = messagesOf(answer).filter(({ ts }) => ts === threadId);
    const names = await directory.names(peopleIn(root, channel, me));
    signal.throwIfAborted();
    return root.flatMap((message) => toEarlier(message, channel, names, me))[0];
  };

  const list = async (
    channel: string,
    thread: string | undefined,
    before: string,
    limit: number,
  ): Promise<Listed<SlackMessage>> => {
    const page = { channel, latest: before, inclusive: false, include_all_metadata: true };
    const answer: SlackPage = await (thread === undefined
      ? api.call('conversations.history', { ...page, limit })
      : api.call('conversations.replies', { ...page, ts: thread, limit: MAX_THREAD }));
    const inOrder = messagesOf(answer)
      .flatMap((message) => (message.ts && message.ts < before ? [{ id: message.ts, message }] : []))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const newest = new Set(inOrder.slice(-limit));
    const messages = inOrder.filter((each) => newest.has(each) || each.id === thread);
    const isAll = !answer.response_metadata?.next_cursor;
    return {
      messages,
      isWhole: isAll && messages.length === inOrder.length,
      // Slack lists the oldest replies first, so the newest of a longer thread are missing.
      ...(isAll || thread === undefined ? {} : { hasGap: true as const }),
    };
  };

  /** Earlier messages of a thread, or of the channel if the message starts a thread; the oldest first. */
  const messagesBefore = async (
    { target, before, limit, replyToMessageId }: HistoryQuery,
    signal: AbortSignal,
  ): Promise<readonly SlackMessage[]> => {
    const channel = await directory.channelOf(target);
    const thread = target.threadId === (before as string) ? undefined : target.threadId;
    signal.throwIfAborted();
    const place = thread === undefined ? channel : threadIn(channel, thread);
    const found = await recent.messages.before(place, before, limit, () =>
      list(channel, thread, before, limit),
    );
    signal.throwIfAborted();
    const newest = found.slice(-limit);
    const repliedTo = found.slice(0, -limit).find(({ ts }) => ts === replyToMessageId);
    return repliedTo ? [repliedTo, ...newest] : newest;
  };

  const readHistory: History['readHistory'] = async (query, signal) => {
    const { target, before } = query;
    if (target.interaction && !/^\d+\.\d+$/.test(before)) return [];
    const me = meOrThrow();
    const messages = await messagesBefore(query, signal);
    const channel = await directory.channelOf(target);
    const names = await directory.names(peopleIn(messages, channel, me));
    return messages.flatMap((message) => toEarlier(message, channel, names, me));
  };

  const readAhead: History['readAhead'] = ({ channel, ts, author, message, chatType }) => {
    const me = self();
    const isAsked = chatType !== 'direct' && me && !isOwn(message, me) && isForBot(message, me);
    if (!isAsked || message.bot_id !== undefined) return;
    const { thread_ts: thread = ts } = message;
    const target = {
      channelId: SLACK,
      accountId: asId<AccountId>(me.teamId),
      chatId: asId<ChatId>(channel),
      threadId: asId<ThreadId>(thread),
      recipientId: asId<UserId>(author),
    };
    const query = { target, before: asId<MessageId>(ts), limit: EARLIER_MESSAGES };
    messagesBefore(query, NEVER_ABORTED)
      .then((messages) => directory.names(peopleIn(messages, channel, me)))
      // The turn reports a failure.
      .catch(() => undefined);
  };

  return { readHistory, readRoot, readAhead };
};
