import type { ActiveChat, ChannelProgress } from '#src/kernel/channel.ts';
import { asId, type ChatId, type ThreadId, type Timestamp } from '#src/kernel/ids.ts';
import type { InboundMessage } from '#src/kernel/message.ts';
import type { Clock } from '../../clock.ts';
import type { FinClawLogger } from '../../logger.ts';
import type { Storage } from '../database.ts';
import { toStoredTime } from '../schema.ts';

export interface StoredProgress extends ChannelProgress {
  /** Stores what was seen last. */
  readonly stop: () => Promise<void>;
}

/** A crash forgets at most so much: that is read again, and known already. */
const STORE_EVERY_MS = 5_000;
const MAX_CHATS = 200;

const keyOf = (channelId: string, accountId: string): string => `${channelId}\0${accountId}`;

/** What this process has heard of one account. */
interface Heard {
  readonly ids: readonly [string, string];
  newest: Timestamp | undefined;
  /** Everything received up to this moment is stored, or does not have to be. */
  until: Timestamp | undefined;
  /** While there is one, nothing new counts. */
  readonly pauses: Set<object>;
  /** Events that are received and not stored yet, the oldest first, since platforms send events in the order of their times. */
  readonly open: Set<{ readonly from: Timestamp }>;
}

const earlier = (a: Timestamp, b: Timestamp): Timestamp => (Temporal.Instant.compare(a, b) < 0 ? a : b);

/** The newest moment that counts as seen; undefined while nothing new does. */
const limitOf = ({ newest, pauses, open }: Heard): Timestamp | undefined => {
  if (!newest || pauses.size > 0) return undefined;
  const [oldest] = open;
  return oldest ? earlier(newest, oldest.from) : newest;
};

/** How far each channel has heard. Most events are not for the bot: not every one of them is worth a write. */
export const createChannelProgress = (
  { db, write }: Pick<Storage, 'db' | 'write'>,
  clock: Clock,
  logger: Pick<FinClawLogger, 'warn'>,
): StoredProgress => {
  const heard = new Map<string, Heard>();
  const unsaved = new Set<string>();
  let cancelTimer: (() => void) | undefined;

  const saveAll = async (): Promise<void> => {
    cancelTimer?.();
    cancelTimer = undefined;
    const rows = [...unsaved].flatMap((key) => {
      const seen = heard.get(key);
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
              .doUpdateSet((row) => ({ seen_until: row.ref('excluded.seen_until') })),
          )
          .execute();
      });
    } catch (error) {
      // Then more is read again after the next start.
      logger.warn('How far the channels have heard could not be stored', { error });
    }
  };

  /** One after the other: an older time must not be written over a newer one. */
  let saving = Promise.resolve();
  const save = (): Promise<void> => {
    saving = saving.then(saveAll);
    return saving;
  };

  const heardOf = (channelId: string, accountId: string): Heard => {
    const key = keyOf(channelId, accountId);
    const known = heard.get(key) ?? {
      ids: [channelId, accountId],
      newest: undefined,
      until: undefined,
      pauses: new Set(),
      open: new Set(),
    };
    heard.set(key, known);
    return known;
  };

  const advance = (seen: Heard): void => {
    const limit = limitOf(seen);
    if (!limit || (seen.until && Temporal.Instant.compare(seen.until, limit) >= 0)) return;
    const isFirst = seen.until === undefined;
    seen.until = limit;
    unsaved.add(keyOf(...seen.ids));
    // Who never heard anything has nothing to catch up with: the first event has to be known at once.
    if (isFirst) void save();
    else cancelTimer ??= clock.after(STORE_EVERY_MS, () => void save());
  };

  return {
    seenUntil: async (channelId, accountId) => {
      const until = heard.get(keyOf(channelId, accountId))?.until;
      if (until) return until;
      const row = await db
        .selectFrom('channel_progress')
        .select('seen_until')
        .where('channel_id', '=', channelId)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row && Temporal.Instant.from(row.seen_until);
    },

    saw: (channelId, accountId, at) => {
      const seen = heardOf(channelId, accountId);
      if (!seen.newest || Temporal.Instant.compare(seen.newest, at) < 0) seen.newest = at;
      advance(seen);
    },

    hold: (channelId, accountId, from) => {
      const seen = heardOf(channelId, accountId);
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

    activeChats: async (channelId, accountId, since) => {
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
        const { chatId, chatType, threadId } = JSON.parse(message) as InboundMessage;
        const key = `${chatId}\0${threadId ?? ''}`;
        if (chats.has(key) || chats.size >= MAX_CHATS) continue;
        chats.set(key, {
          chatId: asId<ChatId>(chatId),
          chatType,
          ...(threadId ? { threadId: asId<ThreadId>(threadId) } : {}),
        });
      }
      return [...chats.values()];
    },

    stop: save,
  };
};
