import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

/** `base` is priced in `quote`. */
export interface RatePair {
  readonly base: Currency;
  readonly quote: Currency;
}

export interface DailyRate {
  readonly day: Temporal.PlainDate;
  /** Undefined if the source has no close for that day. */
  readonly close:
    | {
        readonly rate: Decimal;
        /** The day of the close: the same day or the last one before it. */
        readonly day: Temporal.PlainDate;
      }
    | undefined;
  readonly source: string;
}

/** Exchange rates of finished days. Only rates of live sources may be stored. */
export type DailyRateStore = ReturnType<typeof createDailyRateStore>;

/** Databases limit the values of one statement. */
const AT_ONCE = 100;
const ABSENCE_HOURS = 24;

export const createDailyRateStore = ({ db, write }: Pick<Storage, 'db' | 'write'>, clock: Clock) => ({
  /** Known rates by day, as `YYYY-MM-DD`. The absence of a rate is remembered for 24 hours. */
  read: async (
    { base, quote }: RatePair,
    days: readonly Temporal.PlainDate[],
  ): Promise<ReadonlyMap<string, DailyRate>> => {
    const asked = new Map(days.map((day) => [day.toString(), day]));
    const wanted = [...asked.keys()];
    const validSince = toStoredTime(clock.now().subtract({ hours: ABSENCE_HOURS }));
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
        if (close || stored_at >= validSince) found.set(text, { day, close, source });
      }
    }
    return found;
  },
  /** A known rate is never changed, so that figures shown with it stay true. */
  keep: ({ base, quote }: RatePair, rates: readonly DailyRate[]): Promise<void> =>
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
