import type { ChannelPlugin } from '#src/kernel/channel.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { EarlierMessage } from '#src/kernel/message.ts';
import { isRefusedWith, type SlackApi } from './api.ts';
import type { Directory } from './directory.ts';
import { isOwn, readMessageEvent } from './inbound.ts';
import { isForward, mediaOf, textOf } from './message-text.ts';
import type { SlackIdentity } from './settings.ts';
import { instantOf, type SlackMessage, type SlackPage } from './wire.ts';

export interface HistoryDeps {
  readonly api: SlackApi;
  readonly directory: Directory;
  readonly self: () => SlackIdentity | undefined;
}

const MENTION = /<@([A-Z0-9]+)(?:\|[^<>]*)?>/g;
/** A page of a thread begins with its oldest reply; so many are read to reach the newest. */
const MAX_THREAD = 999;

/** Those who wrote, then those who are mentioned, the newest first. */
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
  // Mentions as the names that people see.
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
      // What is said in a talk carries the id of its delivery; what goes over a `response_url` cannot.
      isAside: isOurs && message.metadata === undefined,
      text: [text, ...files].filter((part) => part !== '').join(' '),
      typed,
      ...(isForward(message) ? { isForward: true as const } : {}),
      at: instantOf(message.ts),
    },
  ];
};

type ReadHistory = NonNullable<ChannelPlugin['readHistory']>;
type ReadRoot = NonNullable<ChannelPlugin['readRoot']>;

export const createHistory = ({ api, directory, self }: HistoryDeps) => {
  const threadBefore = async (
    channel: string,
    thread: string,
    before: string,
  ): Promise<readonly SlackMessage[]> => {
    const { messages = [] }: SlackPage = await api.call('conversations.replies', {
      channel,
      ts: thread,
      latest: before,
      inclusive: false,
      include_all_metadata: true,
      limit: MAX_THREAD,
    });
    return messages;
  };

  const channelBefore = async (
    channel: string,
    before: string,
    limit: number,
  ): Promise<readonly SlackMessage[]> => {
    const { messages = [] }: SlackPage = await api.call('conversations.history', {
      channel,
      latest: before,
      inclusive: false,
      include_all_metadata: true,
      limit,
    });
    return messages;
  };

  const meOrThrow = (): SlackIdentity => {
    const me = self();
    // The bot's own words would pass for words of others.
    if (!me) throw new Error('Slack has not said yet who the bot is');
    return me;
  };

  const readRoot: ReadRoot = async (target, signal) => {
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
    // A page of a thread begins with the message that it hangs on.
    const root = messages.filter(({ ts }) => ts === threadId);
    const names = await directory.names(peopleIn(root));
    signal.throwIfAborted();
    return root.flatMap((message) => toEarlier(message, channel, names, me))[0];
  };

  /**
   * In a thread what was said in it; where the bot is called to begin one, what was said in the channel before.
   * The oldest first.
   */
  const readHistory: ReadHistory = async (query, signal) => {
    const { target, before, limit, replyToMessageId } = query;
    if (target.interaction && !/^\d+\.\d+$/.test(before)) return [];
    const me = meOrThrow();
    const channel = await directory.channelOf(target);
    const thread = target.threadId;
    signal.throwIfAborted();
    const found =
      thread !== undefined && thread !== (before as string)
        ? await threadBefore(channel, thread, before)
        : await channelBefore(channel, before, limit);
    signal.throwIfAborted();
    const inOrder = found
      .filter(({ ts }) => ts !== undefined && ts < before)
      .toSorted((a, b) => ((a.ts ?? '') < (b.ts ?? '') ? -1 : 1));
    const kept = new Set(inOrder.slice(-limit));
    const wanted = inOrder.filter((message) => kept.has(message) || message.ts === replyToMessageId);
    const names = await directory.names(peopleIn(wanted));
    return wanted.flatMap((message) => toEarlier(message, channel, names, me));
  };

  return { readHistory, readRoot };
};
