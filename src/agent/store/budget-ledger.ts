import { sql } from 'kysely';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { isErased } from '#src/platform/storage/person-codes.ts';
import { prepared } from '#src/platform/storage/prepared.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import type { Tx } from '#src/platform/storage/descriptor.ts';
import { bookUsage, fromPico, openUsage, toPico, type UsageEntry } from './usage.ts';

/** Budgets limit one person, or all people together. */
export type BudgetScope = 'user' | 'all';

/** The sums of a day. */
export interface DaySum {
  readonly spentUsd: Decimal;
  readonly reservedUsd: Decimal;
}

export type DaySums = Readonly<Record<BudgetScope, DaySum>>;

/** A request before it is sent: its entry with the input tokens, and the most that it can cost. */
export interface PlannedRequest {
  readonly entry: UsageEntry;
  readonly at: Temporal.Instant;
  /** The day that it is booked on, even if it ends on the next one. */
  readonly day: string;
  readonly mostUsd: Decimal;
}

type Opened = { readonly isOpen: true } | { readonly isOpen: false; readonly sums: DaySums };

export type BudgetLedger = ReturnType<typeof createBudgetLedger>;

const ALL = 'all';
const ZERO: DaySum = { spentUsd: new Decimal(0), reservedUsd: new Decimal(0) };

const SUMS = [
  'scope',
  sql<string>`cast(spent_pico_usd as text)`.as('spent'),
  sql<string>`cast(reserved_pico_usd as text)`.as('reserved'),
] as const;

interface SumRow {
  readonly scope: string;
  readonly spent: string;
  readonly reserved: string;
}

const sumsOf = (rows: readonly SumRow[]): DaySums => {
  const sumOf = (row: SumRow | undefined): DaySum =>
    row ? { spentUsd: fromPico(row.spent), reservedUsd: fromPico(row.reserved) } : ZERO;
  return {
    user: sumOf(rows.find(({ scope }) => scope !== ALL)),
    all: sumOf(rows.find(({ scope }) => scope === ALL)),
  };
};

type CodeOf = (person: Pick<UsageEntry, 'channelId' | 'userId'>) => string;

interface Addition {
  readonly day: string;
  readonly spent: string;
  readonly reserved: string;
  readonly person: string;
}

const ADD = prepared<Addition>()((db, value) => {
  const amounts = {
    day: value('day'),
    spent_pico_usd: value('spent'),
    reserved_pico_usd: value('reserved'),
  };
  return db
    .insertInto('budget_days')
    .values([
      { ...amounts, scope: value('person') },
      { ...amounts, scope: ALL },
    ])
    .onConflict((conflict) =>
      conflict.columns(['day', 'scope']).doUpdateSet({
        spent_pico_usd: sql<string>`budget_days.spent_pico_usd + excluded.spent_pico_usd`,
        reserved_pico_usd: sql<string>`budget_days.reserved_pico_usd + excluded.reserved_pico_usd`,
      }),
    )
    .returning(SUMS);
});

/** Adds to both sums in one statement, always the person first, so that two transactions cannot deadlock. */
const add = async (
  tx: Tx,
  codeOf: CodeOf,
  { day, entry }: { readonly day: string; readonly entry: Pick<UsageEntry, 'channelId' | 'userId'> },
  spentUsd: Decimal,
  reservedUsd: Decimal,
): Promise<DaySums> => {
  const rows = await ADD.all(tx, {
    day,
    spent: toPico(spentUsd),
    reserved: toPico(reservedUsd),
    person: codeOf(entry),
  });
  return sumsOf(rows);
};

/** Rolls back the transaction that it is thrown in. */
class NotAllowed extends Error {
  readonly sums: DaySums;

  constructor(sums: DaySums) {
    super('The budget does not allow it');
    this.sums = sums;
  }
}

/** Requests under way, and the daily sums that budgets are checked against. Every change is a transaction. */
export const createBudgetLedger = (
  { db, write, codes }: Pick<Storage, 'db' | 'write' | 'codes'>,
  dayOf: (at: Temporal.Instant) => string,
) => {
  /** The sums use a code instead of an id, so that they stay, without naming anybody, when a person's data is deleted. */
  const codeOf: CodeOf = ({ channelId, userId }) =>
    isErased(userId) ? userId : codes.erasedUserId(channelId, userId);
  return {
    /** The money that was spent and is reserved; zeros where there is none. */
    sums: async (day: string, channelId: ChannelId, userId: UserId): Promise<DaySums> =>
      sumsOf(
        await db
          .selectFrom('budget_days')
          .select(SUMS)
          .where('day', '=', day)
          .where('scope', 'in', [codeOf({ channelId, userId }), ALL])
          .execute(),
      ),

    /**
     * Reserves and books a request in one transaction, committed before it is sent. `isAllowed` gets the sums with this
     * reservation included; where it returns false, nothing changes. Without it nothing is reserved. Gives the sums that
     * were checked.
     */
    open: async (
      request: PlannedRequest,
      isAllowed: ((sums: DaySums) => boolean) | undefined,
    ): Promise<Opened> => {
      const { entry, at, mostUsd } = request;
      try {
        await write(async (tx) => {
          if (isAllowed) {
            const sums = await add(tx, codeOf, request, ZERO.spentUsd, mostUsd);
            if (!isAllowed(sums)) throw new NotAllowed(sums);
          }
          await openUsage(tx, entry, at, mostUsd);
        }, 'committed');
        return { isOpen: true };
      } catch (error) {
        if (error instanceof NotAllowed) return { isOpen: false, sums: error.sums };
        throw error;
      }
    },

    /** Replaces the reservation by what the request really used. */
    settle: (request: PlannedRequest, used: UsageEntry): Promise<void> =>
      write(async (tx) => {
        const isNew = await bookUsage(tx, used, request.at);
        if (isNew) await add(tx, codeOf, request, used.costUsd ?? ZERO.spentUsd, request.mostUsd.negated());
      }, 'committed'),

    /** Removes a request that was never sent. */
    cancel: (request: PlannedRequest): Promise<void> =>
      write(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('usage')
          .where('id', '=', request.entry.id)
          .where('reserved_pico_usd', 'is not', null)
          .executeTakeFirstOrThrow();
        if (numDeletedRows > 0n) await add(tx, codeOf, request, ZERO.spentUsd, request.mostUsd.negated());
      }),

    /** Closes requests of dead processes: their input stays booked, their reservation is released. Gives their number. */
    releaseDead: (isDead: (id: string, at: Temporal.Instant) => boolean): Promise<number> =>
      write(async (tx) => {
        const open = await tx
          .selectFrom('usage')
          .select([
            'id',
            'at',
            'channel_id',
            'user_id',
            sql<string | null>`cast(cost_pico_usd as text)`.as('cost'),
            sql<string>`cast(reserved_pico_usd as text)`.as('reserved'),
          ])
          .where('reserved_pico_usd', 'is not', null)
          .orderBy('id')
          .execute();
        let released = 0;
        for (const row of open) {
          const at = Temporal.Instant.from(row.at);
          if (!isDead(row.id, at)) continue;
          const { numUpdatedRows } = await tx
            .updateTable('usage')
            .set({ outcome: 'failed', reserved_pico_usd: null })
            .where('id', '=', row.id)
            .where('reserved_pico_usd', 'is not', null)
            .executeTakeFirstOrThrow();
          // Another process has released it.
          if (numUpdatedRows === 0n) continue;
          released += 1;
          const entry = { channelId: asId<ChannelId>(row.channel_id), userId: asId<UserId>(row.user_id) };
          const spentUsd = row.cost === null ? ZERO.spentUsd : fromPico(row.cost);
          await add(tx, codeOf, { day: dayOf(at), entry }, spentUsd, fromPico(row.reserved).negated());
        }
        return released;
      }, 'committed'),

    /** Computes the sums of a day from the bookings since its beginning, unless there are sums already. */
    seed: (day: string, start: Temporal.Instant): Promise<void> =>
      write(async (tx) => {
        const zero = { day, spent_pico_usd: '0', reserved_pico_usd: '0' };
        const { numInsertedOrUpdatedRows = 0n } = await tx
          .insertInto('budget_days')
          .values({ ...zero, scope: ALL })
          .onConflict((conflict) => conflict.columns(['day', 'scope']).doNothing())
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows === 0n) return;
        const people = await tx
          .selectFrom('usage')
          .select([
            'channel_id',
            'user_id',
            sql<string>`cast(coalesce(sum(cost_pico_usd), 0) as text)`.as('spent'),
          ])
          .where('at', '>=', toStoredTime(start))
          .where('reserved_pico_usd', 'is', null)
          .groupBy(['channel_id', 'user_id'])
          .execute();
        for (const row of people) {
          const entry = { channelId: asId<ChannelId>(row.channel_id), userId: asId<UserId>(row.user_id) };
          await add(tx, codeOf, { day, entry }, fromPico(row.spent), ZERO.reservedUsd);
        }
      }),
  };
};
