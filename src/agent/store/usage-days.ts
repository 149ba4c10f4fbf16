import { type RawBuilder, sql } from 'kysely';
import { asId, type ChannelId, type Timestamp, type UserId } from '#src/kernel/ids.ts';
import { type DailyUsage, OTHER_PEOPLE } from '#src/kernel/operations/operator.ts';
import { isErased } from '#src/platform/storage/person-codes.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import { fromPico, IS_UNPRICED } from './usage.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { Uses } from '#src/platform/services.ts';
import { addedTo } from './tables.ts';

const MAX_PEOPLE = 20;
/** Candidates for them: as many of the days that are over, and of today. */
const MAX_CANDIDATES = 200;
/** A page that several operators look at, and that is updated all the time, reads today's sums once. */
const KEPT_FOR_MS = 5_000;
/** Days that are over change only if somebody's data is deleted. */
const SETTLED_KEPT_FOR_MS = 600_000;

interface Place {
  readonly day: string;
  readonly model: string;
  readonly channel_id: string;
}

/** Undefined: of people who are summed up together. */
type PlacedSums = Place & Sums & { readonly user_id?: string | undefined };

type FoundRow = Place & { readonly user_id?: string } & Readonly<Record<keyof Sums, string>>;

/** Of one person on the days that are over. */
interface PersonSum {
  readonly channel_id: string;
  readonly user_id: string;
  readonly requests: number;
  readonly pico: bigint;
}

/** The days that are over, as they are kept in memory. */
interface SettledDays {
  /** The first day, and the one after the last. */
  readonly key: string;
  readonly keptSinceMs: number;
  readonly totals: readonly PlacedSums[];
  readonly people: ReadonlyMap<string, PersonSum>;
  readonly mostExpensive: readonly PersonSum[];
  /** As they were shown last, with the people who were named. */
  shown?: { readonly key: string; readonly days: readonly DailyUsage[] };
}

/** The answer to a question of a moment ago. */
interface KeptDays {
  readonly today: string;
  readonly sinceMs: number;
  readonly days: readonly DailyUsage[];
}

const toSums = (row: FoundRow): PlacedSums => ({
  day: row.day,
  model: row.model,
  channel_id: row.channel_id,
  ...(row.user_id !== undefined && { user_id: row.user_id }),
  requests: Number(row.requests),
  failed: Number(row.failed),
  unpriced: Number(row.unpriced),
  input: Number(row.input),
  output: Number(row.output),
  pico: BigInt(row.pico),
});

const minus = (all: Sums, some: Sums): Sums => ({
  requests: all.requests - some.requests,
  failed: all.failed - some.failed,
  unpriced: all.unpriced - some.unpriced,
  input: all.input - some.input,
  output: all.output - some.output,
  pico: all.pico - some.pico,
});

const personKey = ({ channel_id, user_id }: Pick<PersonSum, 'channel_id' | 'user_id'>): string =>
  `${channel_id}\0${user_id}`;

const byCost = (a: PersonSum, b: PersonSum): number =>
  Number(b.pico > a.pico) - Number(b.pico < a.pico) ||
  b.requests - a.requests ||
  (personKey(a) < personKey(b) ? -1 : 1);

const FOUND: typeof STORED = {
  requests: sql`found.requests`,
  failed: sql`found.failed`,
  unpriced: sql`found.unpriced`,
  input: sql`found.input`,
  output: sql`found.output`,
  pico: sql`found.pico`,
};
const summed = (columns: typeof STORED) =>
  sql.join(NAMES.map((name) => sql`cast(sum(${columns[name]}) as text) as ${sql.ref(name)}`));
const plain = (columns: typeof STORED) =>
  sql.join(NAMES.map((name) => sql`${columns[name]} as ${sql.ref(name)}`));

const isOneOf = (people: readonly PersonSum[]) =>
  sql<boolean>`(${sql.join(
    people.map(({ channel_id, user_id }) => sql`(channel_id = ${channel_id} and user_id = ${user_id})`),
    sql` or `,
  )})`;

const placeOf = ({ day, model, channel_id }: Place): string => JSON.stringify([day, model, channel_id]);

const toDaily = ({ user_id, ...sums }: PlacedSums, codeOfPerson: ReadonlyMap<string, string>): DailyUsage => {
  const channelId = asId<ChannelId>(sums.channel_id);
  const code = user_id && codeOfPerson.get(personKey({ ...sums, user_id }));
  return {
    day: Temporal.PlainDate.from(sums.day),
    model: sums.model,
    channelId,
    person: code ?? OTHER_PEOPLE,
    requestCount: sums.requests,
    failedCount: sums.failed,
    inputTokens: sums.input,
    outputTokens: sums.output,
    costUsd: fromPico(sums.pico.toString()),
    unpricedCount: sums.unpriced,
  };
};

/** The sums of the named people, and what is left of the totals for the others. */
const withOthers = (
  totals: readonly PlacedSums[],
  own: readonly PlacedSums[],
  codeOfPerson: ReadonlyMap<string, string>,
): readonly DailyUsage[] => {
  const others = new Map(totals.map((sums) => [placeOf(sums), sums]));
  for (const { user_id: _named, ...sums } of own) {
    const all = others.get(placeOf(sums));
    if (all) others.set(placeOf(sums), { ...all, ...minus(all, sums) });
  }
  return [...own, ...others.values().filter(({ requests }) => requests > 0)]
    .map((sums) => [`${placeOf(sums)}${sums.user_id ?? '~'}`, sums] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, sums]) => toDaily(sums, codeOfPerson));
};

/**
 * The use of models by day. Requests that have ended never change, so they are added once to the sums of their day, a few
 * at a time, when somebody asks. Only the newest are added up with each question.
 */
export const createUsageDays = (deps: UsageDaysDeps) => {
  const { storage, clock, timeZone, dayAround } = deps;
  const { db, codes } = storage;
  const { dayOf, summedUntil, catchUp } = createUsageSums(deps);

  const { settledDays, readSettledOf } = createSettledDays(deps, db);
  const kept = new Map<number, KeptDays>();

  /** The day of a request, as SQL: of the few days whose requests are not all summed up yet. */
  const dayColumn = (since: Timestamp, now: Timestamp) => {
    const today = dayOf(now);
    const cases: RawBuilder<unknown>[] = [];
    for (let at = since; dayOf(at) < today; at = dayAround(at, timeZone).end)
      cases.push(sql`when at < ${toStoredTime(dayAround(at, timeZone).end)} then cast(${dayOf(at)} as text)`);
    if (cases.length === 0) return sql`cast(${today} as text)`;
    return sql`case ${sql.join(cases, sql` `)} else cast(${today} as text) end`;
  };

  /** The days that are not over, from their sums and from the newest requests. */
  const freshDays = (from: string, since: Timestamp, now: Timestamp) => {
    const found = (table: 'usage_days' | 'usage_day_totals', person: RawBuilder<unknown>) => sql`(
      select day, model, channel_id, ${person} ${plain(STORED)} from ${sql.table(table)}
      where time_zone = ${timeZone} and day >= ${from}
      union all
      select ${dayColumn(since, now)} as day, model, channel_id, ${person} ${plain(OF_REQUEST)} from usage
      where at >= ${toStoredTime(since)} and reserved_pico_usd is null
    ) as found`;
    const ofEach = found('usage_days', sql`user_id,`);
    const sums = summed(FOUND);
    return {
      totals: async (): Promise<readonly PlacedSums[]> => {
        const { rows } = await sql<FoundRow>`
          select day, model, channel_id, ${sums} from ${found('usage_day_totals', sql``)}
          group by day, model, channel_id`.execute(db);
        return rows.map(toSums);
      },
      people: async (): Promise<readonly PersonSum[]> => {
        const { rows } = await sql<Record<keyof PersonSum, string>>`
          select channel_id, user_id, cast(sum(requests) as text) as requests, cast(sum(pico) as text) as pico
          from ${ofEach} group by channel_id, user_id
          order by sum(found.pico) desc, sum(found.requests) desc limit ${MAX_CANDIDATES}`.execute(db);
        return rows.map((row) => ({ ...row, requests: Number(row.requests), pico: BigInt(row.pico) }));
      },
      of: async (people: readonly PersonSum[]): Promise<readonly PlacedSums[]> => {
        const { rows } = await sql<FoundRow>`
          select day, model, channel_id, user_id, ${sums} from ${ofEach}
          where ${isOneOf(people)} group by day, model, channel_id, user_id`.execute(db);
        return rows.map(toSums);
      },
    };
  };

  const codeOf = (channelId: ChannelId, userId: string): string =>
    isErased(userId) ? userId : codes.person({ channelId, userId: asId<UserId>(userId) });

  const read = async (count: number, now: Timestamp): Promise<readonly DailyUsage[]> => {
    const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
    const first = today.subtract({ days: count - 1 });
    const start = first.toZonedDateTime(timeZone).toInstant();
    const summedTo = (await summedUntil()) ?? BEGINNING;
    const since = summedTo > toStoredTime(start) ? Temporal.Instant.from(summedTo) : start;
    const from = dayOf(since);
    const days = await settledDays(count, first, from);
    const fresh = freshDays(from, since, now);
    const candidates = new Map(days.mostExpensive.map((person) => [personKey(person), person]));
    for (const person of await fresh.people()) {
      const key = personKey(person);
      const before = days.people.get(key);
      candidates.set(key, {
        ...person,
        requests: person.requests + (before?.requests ?? 0),
        pico: person.pico + (before?.pico ?? 0n),
      });
    }
    const people = [...candidates.values()].toSorted(byCost).slice(0, MAX_PEOPLE);
    if (people.length === 0) return [];
    const codeOfPerson = new Map(
      people.map((person) => [personKey(person), codeOf(asId<ChannelId>(person.channel_id), person.user_id)]),
    );
    const key = [...codeOfPerson.keys()].toSorted().join('\n');
    if (days.shown?.key !== key) {
      const own = await readSettledOf(people, first, from);
      days.shown = { key, days: withOthers(days.totals, own, codeOfPerson) };
    }
    return [...days.shown.days, ...withOthers(await fresh.totals(), await fresh.of(people), codeOfPerson)];
  };

  return {
    /**
     * What was used on the last days, today included, in order. The people who cost most appear by their codes, the others
     * together. Requests under way are not part of it.
     */
    last: async (days: number): Promise<readonly DailyUsage[]> => {
      await catchUp();
      const now = clock.now();
      const today = dayOf(now);
      const known = kept.get(days);
      const ageMs = now.epochMilliseconds - (known?.sinceMs ?? 0);
      if (known?.today === today && ageMs >= 0 && ageMs < KEPT_FOR_MS) return known.days;
      const found = await read(days, now);
      kept.set(days, { today, sinceMs: now.epochMilliseconds, days: found });
      return found;
    },
  };
};

/** The days that are over, which do not change any more. */
const createSettledDays = ({ clock, timeZone }: UsageDaysDeps, db: Storage['db']) => {
  // By the number of days: operators look at different periods at the same time. The page offers a few.
  const settled = new Map<number, SettledDays>();

  /** Reads the days from `first` to before `end`, one at a time. */
  const readSettled = async (first: Temporal.PlainDate, end: string): Promise<Omit<SettledDays, 'key'>> => {
    const keptSinceMs = clock.now().epochMilliseconds;
    const { rows } = await sql<FoundRow>`
      select day, model, channel_id, ${summed(STORED)} from usage_day_totals
      where time_zone = ${timeZone} and day >= ${first.toString()} and day < ${end}
      group by day, model, channel_id`.execute(db);
    const people = new Map<string, PersonSum>();
    for (let day = first; day.toString() < end; day = day.add({ days: 1 })) {
      const found = await sql<Record<keyof PersonSum, string>>`
        select channel_id, user_id, cast(sum(requests) as text) as requests, cast(sum(cost_pico_usd) as text) as pico
        from usage_days where time_zone = ${timeZone} and day = ${day.toString()}
        group by channel_id, user_id`.execute(db);
      for (const { channel_id, user_id, requests, pico } of found.rows) {
        const key = personKey({ channel_id, user_id });
        const before = people.get(key);
        people.set(key, {
          channel_id,
          user_id,
          requests: Number(requests) + (before?.requests ?? 0),
          pico: BigInt(pico) + (before?.pico ?? 0n),
        });
      }
      await nextTick();
    }
    const mostExpensive = [...people.values()].toSorted(byCost).slice(0, MAX_CANDIDATES);
    return { keptSinceMs, totals: rows.map(toSums), people, mostExpensive };
  };

  const settledDays = async (count: number, first: Temporal.PlainDate, end: string): Promise<SettledDays> => {
    const key = `${first.toString()} ${end}`;
    const known = settled.get(count);
    const isOld = clock.now().epochMilliseconds - (known?.keptSinceMs ?? 0) > SETTLED_KEPT_FOR_MS;
    if (known?.key === key && !isOld) return known;
    const found = { key, ...(await readSettled(first, end)) };
    settled.set(count, found);
    return found;
  };

  /** What these people used on the days that are over. */
  const readSettledOf = async (
    people: readonly PersonSum[],
    first: Temporal.PlainDate,
    end: string,
  ): Promise<readonly PlacedSums[]> => {
    const { rows } = await sql<FoundRow>`
      select day, model, channel_id, user_id, ${summed(STORED)} from usage_days
      where ${isOneOf(people)} and time_zone = ${timeZone} and day >= ${first.toString()} and day < ${end}
      group by day, model, channel_id, user_id`.execute(db);
    return rows.map(toSums);
  };

  return { settledDays, readSettledOf };
};

interface UsageDaysDeps extends Uses<'clock.now'> {
  readonly storage: Pick<Storage, 'db' | 'write' | 'codes'>;
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
const BEGINNING = '';

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Sums {
  readonly requests: number;
  readonly failed: number;
  readonly unpriced: number;
  readonly input: number;
  readonly output: number;
  readonly pico: bigint;
}

const NAMES = ['requests', 'failed', 'unpriced', 'input', 'output', 'pico'] as const;

/** The sums of a table with sums, as text, because the drivers return large numbers differently. */
const STORED: Readonly<Record<keyof Sums, RawBuilder<unknown>>> = {
  requests: sql`requests`,
  failed: sql`failed`,
  unpriced: sql`unpriced`,
  input: sql`input_tokens`,
  output: sql`output_tokens`,
  pico: sql`cost_pico_usd`,
};
/** What one row of `usage` adds to the sums. */
const OF_REQUEST: Readonly<Record<keyof Sums, RawBuilder<unknown>>> = {
  requests: sql`1`,
  failed: sql`case when outcome = 'failed' then 1 else 0 end`,
  unpriced: sql`case when ${IS_UNPRICED} then 1 else 0 end`,
  input: sql`input_tokens + cache_read_tokens + cache_write_tokens`,
  output: sql`output_tokens`,
  pico: sql`coalesce(cost_pico_usd, 0)`,
};

/** Adds requests that have ended to the sums of their day, once. */
const createUsageSums = ({ storage, clock, timeZone, dayAround }: UsageDaysDeps) => {
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
