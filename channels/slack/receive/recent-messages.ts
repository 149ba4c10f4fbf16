import { LRUCache } from 'lru-cache';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { RecentMessages, threadIn } from '#src/platform/recent-messages.ts';
import type { OnSent } from '../api.ts';
import { isOwn } from './message-words.ts';
import type { SlackIdentity } from '../settings.ts';
import { isTs, type SlackMessage, type SlackMessageEvent, tsOf } from '../wire.ts';

/** The recent messages of channels and their threads. Direct chats are not kept, because nobody else writes there. */
export interface SlackRecentMessages {
  readonly messages: RecentMessages<SlackMessage>;
  /** Takes an event as it arrives. Returns at once. */
  readonly hear: (event: SlackMessageEvent, self: SlackIdentity) => void;
  /** Notes that a message of the bot is an answer, because events do not say so. */
  readonly noteAnswer: OnSent;
}

const MAX_ANSWERS = 5_000;

/** Without the words that the text repeats. */
const kept = ({ blocks, ...message }: SlackMessage): SlackMessage =>
  message.text && blocks?.every(({ isWritten }) => isWritten) ? message : { ...message, blocks };

const withMetadata = (message: SlackMessage, { metadata }: SlackMessage): SlackMessage =>
  message.metadata === undefined && metadata !== undefined ? { ...message, metadata } : message;

const threadOf = ({ thread_ts: thread, ts }: SlackMessage): string | undefined =>
  thread === ts ? undefined : thread;

const JOINED: ReadonlySet<string | undefined> = new Set(['channel_join', 'group_join']);

/** A message may be kept in its channel and in its thread. */
const placesOf = (channel: string, ts: string, thread = ts): readonly string[] => [
  channel,
  threadIn(channel, thread),
];

export const createRecentMessages = (clock: Clock): SlackRecentMessages => {
  const messages = new RecentMessages<SlackMessage>({
    clock,
    isNewer: (ts, than) => ts > than,
    idAt: tsOf,
    kept,
    merge: withMetadata,
  });
  const answers = new LRUCache<string, NonNullable<SlackMessage['metadata']>>({ max: MAX_ANSWERS });

  const asAnswer = (channel: string, message: SlackMessage): SlackMessage => {
    const metadata = answers.get(threadIn(channel, message.ts ?? ''));
    return metadata ? withMetadata(message, { metadata }) : message;
  };

  const change = (
    channel: string,
    ts: string,
    thread: string | undefined,
    how: (known: SlackMessage) => SlackMessage,
  ): void => {
    for (const place of placesOf(channel, ts, thread)) messages.changed(place, ts, how);
  };

  const remove = (channel: string, ts: string, thread: string | undefined): void => {
    for (const place of placesOf(channel, ts, thread)) messages.removed(place, ts);
  };

  const said = (channel: string, ts: string, message: SlackMessage): void => {
    const thread = threadOf(message);
    const shown = asAnswer(channel, message);
    messages.add(channel, ts, shown, thread);
    if (thread !== undefined && message.subtype === 'thread_broadcast') messages.add(channel, ts, shown);
  };

  return {
    messages,
    hear: (event, self) => {
      const { type, channel, subtype, ts } = event;
      // An app that hears only its mentions gets no other type, and keeps nothing.
      if (type !== 'message' || typeof channel !== 'string' || channel.startsWith('D')) return;
      if (subtype === 'message_changed') {
        const after = event.message;
        if (!isTs(after?.ts)) return;
        change(channel, after.ts, after.thread_ts, (known) => withMetadata(after, known));
        return;
      }
      if (subtype === 'message_deleted') {
        const gone = event.deleted_ts ?? event.previous_message?.ts;
        if (isTs(gone)) remove(channel, gone, event.previous_message?.thread_ts);
        return;
      }
      if (event.hidden === true || event.is_ephemeral === true || !isTs(ts)) return;
      // No message of the time before arrived, even if the bot was a member once.
      if (JOINED.has(subtype) && isOwn(event, self)) messages.forget(channel, ts);
      said(channel, ts, event);
    },
    noteAnswer: (args, { ts = args.ts, message }) => {
      const { channel, metadata, thread_ts: thread = message?.thread_ts } = args;
      if (channel === undefined || ts === undefined || metadata === undefined) return;
      answers.set(threadIn(channel, ts), metadata);
      change(channel, ts, thread, (known) => withMetadata(known, { metadata }));
    },
  };
};
