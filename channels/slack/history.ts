import type { ChannelPlugin } from '#src/kernel/channel.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { EarlierMessage } from '#src/kernel/message.ts';
import { isRefusedWith } from './api.ts';
import { isForward, isOwn, mediaOf, readMessageEvent, textOf } from './inbound.ts';
import type { OutboundDeps } from './outbound.ts';
import type { SlackIdentity } from './settings.ts';
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

type History = Required<Pick<ChannelPlugin, 'readHistory' | 'readRoot'>>;

export const createHistory = ({ api, directory, self }: OutboundDeps): History => {
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

  /** Earlier messages of a thread, or of the channel if the message starts a thread; the oldest first. */
  const readHistory: History['readHistory'] = async (query, signal) => {
    const { target, before, limit, replyToMessageId } = query;
    if (target.interaction && !/^\d+\.\d+$/.test(before)) return [];
    const me = meOrThrow();
    const channel = await directory.channelOf(target);
    const thread = target.threadId;
    signal.throwIfAborted();
    const page = { channel, latest: before, inclusive: false, include_all_metadata: true };
    const { messages = [] }: SlackPage =
      thread !== undefined && thread !== (before as string)
        ? await api.call('conversations.replies', { ...page, ts: thread, limit: MAX_THREAD })
        : await api.call('conversations.history', { ...page, limit });
    signal.throwIfAborted();
    const inOrder = messages
      .filter(({ ts }) => ts !== undefined && ts < before)
      .toSorted((a, b) => ((a.ts ?? '') < (b.ts ?? '') ? -1 : 1));
    const kept = new Set(inOrder.slice(-limit));
    const wanted = inOrder.filter((message) => kept.has(message) || message.ts === replyToMessageId);
    const names = await directory.names(peopleIn(wanted));
    return wanted.flatMap((message) => toEarlier(message, channel, names, me));
  };

  return { readHistory, readRoot };
};
