import { type ChannelPlugin, EARLIER_MESSAGES } from '#src/kernel/channel.ts';
import {
  type AccountId,
  asId,
  type ChatId,
  type MessageId,
  type ThreadId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { EarlierMessage } from '#src/kernel/message.ts';
import { NEVER_ABORTED } from '#src/platform/abort.ts';
import { type Listed, threadIn } from '#src/platform/heard-messages.ts';
import { isRefusedWith } from './api.ts';
import type { SlackHeard } from './heard.ts';
import {
  isForBot,
  isForward,
  isOwn,
  mediaOf,
  type PostedMessage,
  readMessageEvent,
  textOf,
} from './inbound.ts';
import type { OutboundDeps } from './outbound.ts';
import { SLACK, type SlackIdentity } from './settings.ts';
import { instantOf, type SlackMessage, type SlackPage } from './wire.ts';

const MENTION = /<@([A-Z0-9]+)(?:\|[^<>]*)?>/g;
/** Slack lists the oldest replies of a thread first, so the page must be large to include the newest. */
const MAX_THREAD = 999;

/** The authors, then the people mentioned, the newest first. */
function* peopleIn(messages: readonly SlackMessage[]): Generator<string> {
  const newestFirst = messages.toReversed();
  for (const { user } of newestFirst) if (user) yield user;
  for (const message of newestFirst) for (const [, id = ''] of textOf(message).matchAll(MENTION)) yield id;
}

const toEarlier = (
  message: SlackMessage,
  channel: string,
  names: ReadonlyMap<string, string>,
  me: SlackIdentity,
): readonly EarlierMessage[] => {
  if (readMessageEvent({ ...message, channel }).kind !== 'said' || !message.ts) return [];
  const isOurs = isOwn(message, me);
  const typed = textOf(message);
  const text = typed.replaceAll(MENTION, (_all, id: string) => `@${names.get(id) ?? 'someone'}`);
  const files = mediaOf(message).map(({ name }) => `[${name}]`);
  const author = message.user
    ? (names.get(message.user) ?? message.user)
    : (message.username ?? message.bot_id ?? '');
  return [
    {
      messageId: asId<MessageId>(message.ts),
      authorName: author,
      isOurs,
      // Answers in a conversation carry metadata; replies over a `response_url` cannot.
      isAside: isOurs && message.metadata === undefined,
      text: [text, ...files].filter((part) => part !== '').join(' '),
      typed,
      ...(isForward(message) ? { isForward: true as const } : {}),
      at: instantOf(message.ts),
    },
  ];
};

type Reading = Required<Pick<ChannelPlugin, 'readHistory' | 'readRoot'>>;

interface History extends Reading {
  /** Reads what a message to the bot will need, while it is being received. */
  readonly readAhead: (said: PostedMessage) => void;
}

export const createHistory = (
  deps: Pick<OutboundDeps, 'api' | 'directory' | 'self'> & { readonly heard: Pick<SlackHeard, 'messages'> },
): History => {
  const { api, directory, self, heard } = deps;
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
    const { messages = [] } = await api
      .call('conversations.replies', page)
      .catch((error: unknown): SlackPage => {
        if (isRefusedWith(error, 'thread_not_found')) return {};
        throw error;
      });
    // The first entry of a thread is its root message.
    const root = messages.filter(({ ts }) => ts === threadId);
    const names = await directory.names(peopleIn(root));
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
    const inOrder = (answer.messages ?? [])
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
  const readHistory: History['readHistory'] = async (query, signal) => {
    const { target, before, limit, replyToMessageId } = query;
    if (target.interaction && !/^\d+\.\d+$/.test(before)) return [];
    const me = meOrThrow();
    const channel = await directory.channelOf(target);
    const thread = target.threadId === (before as string) ? undefined : target.threadId;
    signal.throwIfAborted();
    const place = thread === undefined ? channel : threadIn(channel, thread);
    const found = await heard.messages.before(place, before, limit, () =>
      list(channel, thread, before, limit),
    );
    signal.throwIfAborted();
    const kept = new Set(found.slice(-limit));
    const wanted = found.filter((message) => kept.has(message) || message.ts === replyToMessageId);
    const names = await directory.names(peopleIn(wanted));
    return wanted.flatMap((message) => toEarlier(message, channel, names, me));
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
    // The turn reports a failure.
    readHistory(query, NEVER_ABORTED).catch(() => undefined);
  };

  return { readHistory, readRoot, readAhead };
};
