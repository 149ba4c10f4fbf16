import type { ActiveChat, ChannelProgress } from '#src/kernel/channel/host.ts';
import { asId, type ChatId, type ThreadId, type Timestamp } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

export interface StoredProgress extends ChannelProgress {
  /** Stores the progress that is not stored yet. */
  readonly stop: () => Promise<void>;
}

/** A crash loses at most so much progress. Those events are read again, and recognized as duplicates. */
const STORE_EVERY_MS = 5_000;
const MAX_CHATS = 200;

const keyOf = (channelId: string, accountId: string): string => `${channelId}\0${accountId}`;

/** The events that this process has received for one account. */
interface Received {
  readonly ids: readonly [string, string];
  newest: Timestamp | undefined;
  /** Every event up to this moment is stored, or does not have to be. */
  until: Timestamp | undefined;
  /** While a pause is held, progress does not advance. */
  readonly pauses: Set<object>;
  /** Events that are not stored yet, the oldest first, since platforms send events in the order of their times. */
  readonly open: Set<{ readonly from: Timestamp }>;
}

const earlier = (a: Timestamp, b: Timestamp): Timestamp => (Temporal.Instant.compare(a, b) < 0 ? a : b);

/** The newest moment up to which everything was handled; undefined while progress is paused. */
const limitOf = ({ newest, pauses, open }: Received): Timestamp | undefined => {
  if (!newest || pauses.size > 0) return undefined;
  const [oldest] = open;
  return oldest ? earlier(newest, oldest.from) : newest;
};

/** Remembers how far each channel has read. It is stored every few seconds, because most events are not for the bot. */
export const createChannelProgress = (
  { db, write }: Pick<Storage, 'db' | 'write'>,
  clock: Clock,
  logger: Pick<FinClawLogger, 'warn'>,
): StoredProgress => {
  const received = new Map<string, Received>();
  const unsaved = new Set<string>();
  let cancelTimer: (() => void) | undefined;

  const saveAll = async (): Promise<void> => {
    cancelTimer?.();
    cancelTimer = undefined;
    const rows = [...unsaved].flatMap((key) => {
      const seen = received.get(key);
      if (!seen?.until) return [];
      const [channel_id, account_id] = seen.ids;
      return [{ channel_id, account_id, seen_until: toStoredTime(seen.until) }];
    });
    unsaved.clear();
    if (rows.length === 0) return;
    try {
      await write(async (tx) => {
        await tx
          .insertInto('channel_progress')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['channel_id', 'account_id'])
              .doUpdateSet((row) => ({ seen_until: row.ref('excluded.seen_until') }))
              // Another process may be further along. A time in the future is of a clock that was wrong.
              .where((eb) =>
                eb.or([
                  eb('channel_progress.seen_until', '<', eb.ref('excluded.seen_until')),
                  eb('channel_progress.seen_until', '>', toStoredTime(clock.now())),
                ]),
              ),
          )
          .execute();
      });
    } catch (error) {
      // The next start reads more events again.
      logger.warn('The progress of the channels could not be stored', { error });
    }
  };

  /** Writes run one after the other, so that an older time never overwrites a newer one. */
  const saves = new SerialQueue();
  const save = (): Promise<void> => saves.run('progress', saveAll);

  const receivedOf = (channelId: string, accountId: string): Received => {
    const ids = [channelId, accountId] as const;
    return received.getOrInsertComputed(keyOf(...ids), () => ({
      ids,
      newest: undefined,
      until: undefined,
      pauses: new Set(),
      open: new Set(),
    }));
  };

  const advance = (seen: Received): void => {
    const limit = limitOf(seen);
    if (!limit || (seen.until && Temporal.Instant.compare(seen.until, limit) >= 0)) return;
    const isFirst = seen.until === undefined;
    seen.until = limit;
    unsaved.add(keyOf(...seen.ids));
    // The first progress is stored at once: an account without any would not catch up after a crash.
    if (isFirst) void save();
    else cancelTimer ??= clock.after(STORE_EVERY_MS, () => void save());
  };

  return {
    seenUntil: async (channelId, accountId) => {
      const until = received.get(keyOf(channelId, accountId))?.until;
      if (until) return until;
      const row = await db
        .selectFrom('channel_progress')
        .select('seen_until')
        .where('channel_id', '=', channelId)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row && earlier(Temporal.Instant.from(row.seen_until), clock.now());
    },

    saw: (channelId, accountId, at) => {
      const seen = receivedOf(channelId, accountId);
      if (!seen.newest || Temporal.Instant.compare(seen.newest, at) < 0) seen.newest = at;
      advance(seen);
    },

    hold: (channelId, accountId, from) => {
      const seen = receivedOf(channelId, accountId);
      const pause = {};
      const received = from && { from };
      if (received) seen.open.add(received);
      else seen.pauses.add(pause);
      return () => {
        if (received) seen.open.delete(received);
        else seen.pauses.delete(pause);
        advance(seen);
      };
    },

    forget: (channelId, accountId) => {
      received.delete(keyOf(channelId, accountId));
      unsaved.delete(keyOf(channelId, accountId));
    },

    activeChats: activeChatsIn(db),

    stop: save,
  };
};

/** The chats where the bot was written to, the newest first. */
const activeChatsIn =
  (db: Storage['db']): StoredProgress['activeChats'] =>
  async (channelId, accountId, since) => {
    const rows = await db
      .selectFrom('inbox')
      .select('message')
      .where('channel_id', '=', channelId)
      .where('account_id', '=', accountId)
      .where('accepted_at', '>=', toStoredTime(since))
      .orderBy('id', 'desc')
      .limit(MAX_CHATS * 25)
      .execute();
    const chats = new Map<string, ActiveChat>();
    for (const { message } of rows) {
      const { chatId, chatType, threadId } = JSON.parse(message) as MsgContext;
      const key = `${chatId}\0${threadId ?? ''}`;
      if (chats.has(key) || chats.size >= MAX_CHATS) continue;
      chats.set(key, {
        chatId: asId<ChatId>(chatId),
        chatType,
        ...(threadId ? { threadId: asId<ThreadId>(threadId) } : {}),
      });
    }
    return [...chats.values()];
  };
