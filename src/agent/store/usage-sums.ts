import { type RawBuilder, sql } from 'kysely';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import { addedTo } from './tables.ts';
import { IS_UNPRICED } from './usage.ts';

export interface UsageDaysDeps {
  readonly storage: Pick<Storage, 'db' | 'write' | 'codes'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly timeZone: string;
  /** The day of the time zone that contains a moment. It may have 23 or 25 hours. */
  readonly dayAround: (
    at: Timestamp,
    timeZone: string,
  ) => { readonly start: Timestamp; readonly end: Timestamp };
}

/** Some milliseconds of work: SQLite runs in this process, so no answer goes on meanwhile. */
const ROWS_AT_ONCE = 2_000;
/** Bookings of this age are in the database, also those of other processes, whose clocks may differ. */
const SETTLED_AFTER = { minutes: 5 };

/** Earlier than every stored time. */
export const BEGINNING = '';

export const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export interface Sums {
  readonly requests: number;
  readonly failed: number;
  readonly unpriced: number;
  readonly input: number;
  readonly output: number;
  readonly pico: bigint;
}

export const NAMES = ['requests', 'failed', 'unpriced', 'input', 'output', 'pico'] as const;

/** The sums of a table with sums, as text, because the drivers return large numbers differently. */
export const STORED: Readonly<Record<keyof Sums, RawBuilder<unknown>>> = {
  requests: sql`requests`,
  failed: sql`failed`,
  unpriced: sql`unpriced`,
  input: sql`input_tokens`,
  output: sql`output_tokens`,
  pico: sql`cost_pico_usd`,
};
/** What one row of `usage` adds to the sums. */
export const OF_REQUEST: Readonly<Record<keyof Sums, RawBuilder<unknown>>> = {
  requests: sql`1`,
  failed: sql`case when outcome = 'failed' then 1 else 0 end`,
  unpriced: sql`case when ${IS_UNPRICED} then 1 else 0 end`,
  input: sql`input_tokens + cache_read_tokens + cache_write_tokens`,
  output: sql`output_tokens`,
  pico: sql`coalesce(cost_pico_usd, 0)`,
};

/** Adds requests that have ended to the sums of their day, once. */
export const createUsageSums = ({ storage, clock, timeZone, dayAround }: UsageDaysDeps) => {
  const { db, write } = storage;
  let catchingUp: Promise<void> | undefined;

  const dayOf = (at: Timestamp): string => at.toZonedDateTimeISO(timeZone).toPlainDate().toString();

  const summedUntil = async (): Promise<string | undefined> => {
    const row = await db
      .selectFrom('usage_sums')
      .select('summed_until')
      .where('time_zone', '=', timeZone)
      .executeTakeFirst();
    return row?.summed_until;
  };

  /** Requests from here on may still change. */
  const settledUntil = async (): Promise<string> => {
    const latest = toStoredTime(clock.now().subtract(SETTLED_AFTER));
    const open = await db
      .selectFrom('usage')
      .select(({ fn }) => fn.min('at').as('at'))
      .where('reserved_pico_usd', 'is not', null)
      .executeTakeFirst();
    return open?.at && open.at < latest ? open.at : latest;
  };

  const timeOfRow = async (from: string, until: string, skipped: number): Promise<string | undefined> => {
    const row = await db
      .selectFrom('usage')
      .select('at')
      .where('at', '>=', from)
      .where('at', '<', until)
      .orderBy('at')
      .limit(1)
      .offset(skipped)
      .executeTakeFirst();
    return row?.at;
  };

  /** Adds the next rows to the sums of their day. False if none is left. */
  const addSome = async (until: string): Promise<boolean> => {
    const from = await summedUntil();
    if (from === undefined) {
      await write(async (tx) => {
        await tx
          .insertInto('usage_sums')
          .values({ time_zone: timeZone, summed_until: BEGINNING })
          .onConflict((conflict) => conflict.column('time_zone').doNothing())
          .execute();
      });
      return true;
    }
    const first = await timeOfRow(from, until, 0);
    if (first === undefined) return false;
    const at = Temporal.Instant.from(first);
    const endOfDay = toStoredTime(dayAround(at, timeZone).end);
    const latest = endOfDay < until ? endOfDay : until;
    const beyond = (await timeOfRow(first, latest, ROWS_AT_ONCE)) ?? latest;
    const to = beyond > first ? beyond : toStoredTime(at.add({ milliseconds: 1 }));
    await write(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('usage_sums')
        .set({ summed_until: to })
        .where('time_zone', '=', timeZone)
        // Another process may have added them meanwhile.
        .where('summed_until', '=', from)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return;
      for (const [table, person] of [
        ['usage_days', sql`user_id,`],
        ['usage_day_totals', sql``],
      ] as const)
        await sql`
          insert into ${sql.table(table)} (time_zone, day, channel_id, ${person} model,
            ${sql.join(NAMES.map((name) => STORED[name]))})
          select cast(${timeZone} as text), cast(${dayOf(at)} as text), channel_id, ${person} model,
            ${sql.join(NAMES.map((name) => sql`sum(${OF_REQUEST[name]})`))}
          from usage where at >= ${first} and at < ${to}
          group by channel_id, ${person} model
          on conflict (time_zone, day, channel_id, ${person} model) ${addedTo(table)}`.execute(tx);
    }, 'committed');
    return true;
  };

  const addAll = async (): Promise<void> => {
    const until = await settledUntil();
    while (await addSome(until)) await nextTick();
  };

  return {
    dayOf,
    /** Requests before this are part of the sums. Undefined if none is. */
    summedUntil,
    /** Brings the sums up to date. Everything else goes on between its steps. */
    catchUp: (): Promise<void> =>
      (catchingUp ??= addAll().finally(() => {
        catchingUp = undefined;
      })),
  };
};
