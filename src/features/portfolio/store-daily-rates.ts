import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

/** Of two currencies, the one that is priced in the other one. */
export interface RatePair {
  readonly base: Currency;
  readonly quote: Currency;
}

export interface DailyRate {
  readonly day: Temporal.PlainDate;
  /** Undefined: the source has no close for that day. */
  readonly close:
    | {
        readonly rate: Decimal;
        /** The day whose close it is: that one, or the last before it. */
        readonly day: Temporal.PlainDate;
      }
    | undefined;
  readonly source: string;
}

/** Exchange rates of days that are over. Whoever keeps some has them from a live source. */
export interface DailyRateStore {
  /** Those that are known, by day as `YYYY-MM-DD`. That a source has none is believed for a day. */
  readonly read: (
    pair: RatePair,
    days: readonly Temporal.PlainDate[],
  ) => Promise<ReadonlyMap<string, DailyRate>>;
  /** A rate that is known is never changed: what was told with it stays true. */
  readonly keep: (pair: RatePair, rates: readonly DailyRate[]) => Promise<void>;
}

/** Databases take so many values in one statement, and not many more. */
const AT_ONCE = 100;
const NONE_BELIEVED_HOURS = 24;

export const createDailyRateStore = (
  { db, write }: Pick<Storage, 'db' | 'write'>,
  clock: Clock,
): DailyRateStore => ({
  read: async ({ base, quote }, days) => {
    const asked = new Map(days.map((day) => [day.toString(), day]));
    const wanted = [...asked.keys()];
    const believedSince = toStoredTime(clock.now().subtract({ hours: NONE_BELIEVED_HOURS }));
    const found = new Map<string, DailyRate>();
    for (let from = 0; from < wanted.length; from += AT_ONCE) {
      const rows = await db
        .selectFrom('daily_rates')
        .select(['day', 'close_day', 'rate', 'source', 'stored_at'])
        .where('base', '=', base)
        .where('quote', '=', quote)
        .where('day', 'in', wanted.slice(from, from + AT_ONCE))
        .execute();
      for (const { day: text, close_day, rate, source, stored_at } of rows) {
        const day = asked.get(text) ?? Temporal.PlainDate.from(text);
        const close =
          rate === null || close_day === null
            ? undefined
            : {
                rate: new Decimal(rate),
                day: close_day === text ? day : Temporal.PlainDate.from(close_day),
              };
        if (close || stored_at >= believedSince) found.set(text, { day, close, source });
      }
    }
    return found;
  },
  keep: ({ base, quote }, rates) =>
    write(async (tx) => {
      const storedAt = toStoredTime(clock.now());
      const rows = rates.map(({ day, close, source }) => ({
        base,
        quote,
        day: day.toString(),
        close_day: close?.day.toString() ?? null,
        rate: close?.rate.toFixed() ?? null,
        source,
        stored_at: storedAt,
      }));
      for (let from = 0; from < rows.length; from += AT_ONCE)
        await tx
          .insertInto('daily_rates')
          .values(rows.slice(from, from + AT_ONCE))
          .onConflict((conflict) =>
            conflict
              .columns(['base', 'quote', 'day'])
              .doUpdateSet((row) => ({
                rate: row.ref('excluded.rate'),
                close_day: row.ref('excluded.close_day'),
                source: row.ref('excluded.source'),
                stored_at: row.ref('excluded.stored_at'),
              }))
              .where('daily_rates.rate', 'is', null),
          )
          .execute();
    }),
});
