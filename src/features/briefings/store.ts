import type { Selectable } from 'kysely';
import type { BriefingRecord } from '#src/kernel/people/briefings.ts';
import { asId, type BriefingId, type DeliveryId, type OwnerId, type Timestamp } from '#src/kernel/ids.ts';
import { type ReplyPayload, sharedChatOf } from '#src/kernel/chat/message.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { newId } from '#src/platform/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { NewNotification } from '#src/kernel/chat/notification.ts';
import { notify } from '#src/chat/store/notifications.ts';
import { addOwned } from '#src/platform/storage/owned.ts';
import { type Database, type Reads, toStoredTime } from '#src/platform/storage/schema.ts';
import { newShortId, readShortId } from '#src/platform/text/short-codes.ts';

export type NewBriefing = Omit<BriefingRecord, 'id' | 'createdAt'>;

export type BriefingStore = ReturnType<typeof createBriefingStore>;

type BriefingRow = Omit<Selectable<Database['briefings']>, 'id'>;

/** Only the time zone ever changes, once. */
type Details = Omit<NewBriefing, 'ownerId' | 'nextAt' | 'time'> & { readonly time: string };

const encodeDetails = (briefing: NewBriefing): string => {
  const { days, timeZone, zoneGuess, locale, target, isPrivate, instruments } = briefing;
  const time = briefing.time.toString();
  const details = {
    time,
    days,
    timeZone,
    zoneGuess,
    locale,
    target,
    isPrivate,
    instruments,
  } satisfies Readonly<Record<keyof Details, unknown>>;
  return JSON.stringify(details);
};

const toBriefing = (row: Selectable<Database['briefings']>): BriefingRecord => {
  const { time, ...details } = JSON.parse(row.details) as Details;
  return {
    id: asId<BriefingId>(row.id),
    ownerId: asId<OwnerId>(row.owner_id),
    time: Temporal.PlainTime.from(time),
    ...details,
    nextAt: Temporal.Instant.from(row.next_at),
    createdAt: Temporal.Instant.from(row.created_at),
  };
};

const briefingsBy = async (
  db: Reads,
  column: 'chat_key' | 'owner_id',
  value: string,
): Promise<readonly BriefingRecord[]> => {
  const rows = await db
    .selectFrom('briefings')
    .selectAll()
    .where(column, '=', value)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toBriefing);
};

/** The store of briefings. Tests pass a `newBriefingId` that gives ids that are taken. */
export const createBriefingStore = (
  { db, write }: Pick<Storage, 'db' | 'write'>,
  clock: Pick<Clock, 'now'>,
  newBriefingId: () => string = newShortId,
) => ({
  /** A repeated request adds nothing. `full`: the person has `limit` already. */
  add: (
    briefing: NewBriefing,
    { channelId, userId }: PersonRef,
    requestId: string,
    limit: number,
    chatLimit?: number,
  ): Promise<
    | { readonly status: 'added' | 'repeated'; readonly briefing: BriefingRecord }
    | { readonly status: 'full' | 'chat-full' }
  > => {
    const row: BriefingRow = {
      owner_id: briefing.ownerId,
      channel_id: channelId,
      user_id: userId,
      request_id: requestId,
      details: encodeDetails(briefing),
      next_at: toStoredTime(briefing.nextAt),
      created_at: toStoredTime(clock.now()),
      chat_key: sharedChatOf(briefing.target) ?? null,
    };
    return write(async (tx) => {
      const refusal = async (): Promise<'chat-full' | undefined> => {
        if (row.chat_key === null || chatLimit === undefined) return undefined;
        const inChat = await briefingsBy(tx, 'chat_key', row.chat_key);
        return inChat.length >= chatLimit ? 'chat-full' : undefined;
      };
      const made = await addOwned(tx, 'briefings', row, { limit, refusal, newShortId: newBriefingId });
      return 'row' in made ? { status: made.status, briefing: toBriefing(made.row) } : made;
    });
  },

  inChat: (chatKey: string): Promise<readonly BriefingRecord[]> => briefingsBy(db, 'chat_key', chatKey),

  /** Removes a briefing and stores the notice. False where it is gone already. */
  end: (id: BriefingId, notice: NewNotification | undefined): Promise<boolean> =>
    write(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('briefings')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) return false;
      if (notice) await notify(tx, notice, clock.now());
      return true;
    }),

  listOf: (ownerId: OwnerId): Promise<readonly BriefingRecord[]> => briefingsBy(db, 'owner_id', ownerId),

  remove: async (ownerId: OwnerId, id: BriefingId): Promise<boolean> => {
    const { numDeletedRows } = await write((tx) =>
      tx
        .deleteFrom('briefings')
        .where('owner_id', '=', ownerId)
        .where('id', '=', readShortId(id))
        .executeTakeFirstOrThrow(),
    );
    return numDeletedRows > 0n;
  },

  /** Sets a confirmed time zone. False where the briefing was sent or removed meanwhile. */
  rezone: async (briefing: BriefingRecord, timeZone: string, nextAt: Timestamp): Promise<boolean> => {
    const { zoneGuess: _settled, ...known } = briefing;
    const { numUpdatedRows } = await write((tx) =>
      tx
        .updateTable('briefings')
        .set({ details: encodeDetails({ ...known, timeZone }), next_at: toStoredTime(nextAt) })
        .where('id', '=', briefing.id)
        .where('owner_id', '=', briefing.ownerId)
        .where('next_at', '=', toStoredTime(briefing.nextAt))
        .executeTakeFirstOrThrow(),
    );
    return numUpdatedRows > 0n;
  },

  due: async (now: Timestamp): Promise<readonly BriefingRecord[]> => {
    const rows = await db
      .selectFrom('briefings')
      .selectAll()
      .where('next_at', '<=', toStoredTime(now))
      .orderBy('next_at')
      .orderBy('id')
      .execute();
    return rows.map(toBriefing);
  },

  nextDueAt: async (): Promise<Timestamp | undefined> => {
    const row = await db
      .selectFrom('briefings')
      .select('next_at')
      .orderBy('next_at')
      .limit(1)
      .executeTakeFirst();
    return row && Temporal.Instant.from(row.next_at);
  },

  /**
   * Moves a briefing to its next time and stores the payload, in one transaction. The payload is absent on a holiday or
   * when the time is long past. False where another process did so, or the briefing was removed or has another owner
   * meanwhile, for whom the payload is not meant.
   */
  advance: (briefing: BriefingRecord, nextAt: Timestamp, payload?: ReplyPayload): Promise<boolean> =>
    write(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('briefings')
        .set({ next_at: toStoredTime(nextAt) })
        .where('id', '=', briefing.id)
        .where('owner_id', '=', briefing.ownerId)
        .where('next_at', '=', toStoredTime(briefing.nextAt))
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      if (!payload) return true;
      const at = clock.now();
      const told = { id: newId<DeliveryId>(), target: briefing.target, payload, dueAt: at };
      await notify(tx, told, at);
      return true;
    }),
});
