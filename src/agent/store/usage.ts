import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import type { ChannelId, SessionKey, UserId } from '#src/kernel/ids.ts';
import type { ProviderId, ProviderIds, TokenUsage } from '#src/kernel/agent/model.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { ModelRequestTrace, UsageSnapshot } from '#src/kernel/agent/usage.ts';
import { ERASED_SESSION } from '#src/platform/storage/person-codes.ts';
import { prepared } from '#src/platform/storage/prepared.ts';
import type { Tx } from '#src/platform/storage/descriptor.ts';
import { type Database, type Reads, toStoredTime } from '#src/platform/storage/schema.ts';
import type { UsageOutcome } from './tables.ts';

/** One request to a model that has ended. */
export interface UsageEntry {
  /** Chosen by the caller: the same request, booked again after a crash, has the same id. */
  readonly id: string;
  readonly channelId: ChannelId;
  readonly userId: UserId;
  readonly sessionKey: SessionKey;
  readonly provider: ProviderId;
  readonly model: string;
  /** The API key that it was made with. */
  readonly profileId: string;
  readonly outcome: UsageOutcome;
  readonly usage: TokenUsage;
  /** Null if the price is not known. */
  readonly costUsd: Decimal | null;
  /** Empty until the provider has answered. */
  readonly ids: ProviderIds;
}

/** Absent fields do not filter. Times are compared to the millisecond. */
export interface UsageFilter {
  /** Included. */
  readonly since?: Temporal.Instant | undefined;
  readonly channelId?: ChannelId | undefined;
  readonly userId?: UserId | undefined;
  readonly sessionKey?: SessionKey | undefined;
  readonly provider?: ProviderId | undefined;
}

export interface ModelUsage {
  readonly model: string;
  readonly usage: UsageSnapshot;
}

export type UsageLedger = ReturnType<typeof createUsageLedger>;

const MAX_REQUESTS = 50;
const PICO_DIGITS = 12;

/** Moves the decimal point in the text, because arithmetic would round to twenty digits. Half a unit rounds up. */
export const toPico = (usd: Decimal): string =>
  BigInt(usd.toFixed(PICO_DIGITS, Decimal.ROUND_HALF_UP).replace('.', '')).toString();

export const fromPico = (pico: string): Decimal => new Decimal(`${pico}e-${PICO_DIGITS}`);

/** A sum as text, because the drivers return large numbers differently. */
const total = (amount: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`cast(coalesce(sum(${amount}), 0) as text)`;

/** A request without a known price. A failed one that used no tokens cost nothing, so no price is missing. */
export const IS_UNPRICED = sql`cost_pico_usd is null and (outcome = 'ok'
  or input_tokens + output_tokens + cache_read_tokens + cache_write_tokens > 0)`;

const SUMS = [
  total(sql`1`).as('requests'),
  total(sql`case when outcome = 'failed' then 1 else 0 end`).as('failed'),
  total(sql`case when ${IS_UNPRICED} then 1 else 0 end`).as('unpriced'),
  total(sql`input_tokens`).as('input'),
  total(sql`output_tokens`).as('output'),
  total(sql`cache_read_tokens`).as('cacheRead'),
  total(sql`cache_write_tokens`).as('cacheWrite'),
  total(sql`cost_pico_usd`).as('pico'),
] as const;

type SumName = 'requests' | 'failed' | 'unpriced' | 'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'pico';

const snapshotOf = (row: Readonly<Record<SumName, string>>): UsageSnapshot => ({
  requestCount: Number(row.requests),
  failedCount: Number(row.failed),
  unpricedCount: Number(row.unpriced),
  inputTokens: Number(row.input),
  outputTokens: Number(row.output),
  cacheReadTokens: Number(row.cacheRead),
  cacheWriteTokens: Number(row.cacheWrite),
  costUsd: fromPico(row.pico),
});

const matching = (filter: UsageFilter) => (where: ExpressionBuilder<Database, 'usage'>) =>
  where.and([
    ...(filter.since ? [where('at', '>=', toStoredTime(filter.since))] : []),
    ...(filter.channelId === undefined ? [] : [where('channel_id', '=', filter.channelId)]),
    ...(filter.userId === undefined ? [] : [where('user_id', '=', filter.userId)]),
    ...(filter.sessionKey === undefined ? [] : [where('session_key', '=', filter.sessionKey)]),
    ...(filter.provider === undefined ? [] : [where('provider', '=', filter.provider)]),
  ]);

/** The columns that say what a request used. */
const usedColumns = ({ outcome, usage, costUsd, ids }: UsageEntry) => ({
  outcome,
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  cache_read_tokens: usage.cacheReadTokens,
  cache_write_tokens: usage.cacheWriteTokens,
  cost_pico_usd: costUsd === null ? null : toPico(costUsd),
  request_id: ids.requestId ?? null,
  response_id: ids.responseId ?? null,
});

/** Drops the provider's ids if the person's data was deleted during the request, because they lead to what was said. */
const unlessErased = (column: string): RawBuilder<string | null> =>
  sql`case when usage.session_key = ${ERASED_SESSION} then null else excluded.${sql.ref(column)} end`;
const idsUnlessErased = {
  request_id: unlessErased('request_id'),
  response_id: unlessErased('response_id'),
};

type NewUsage = ReturnType<typeof usageRow>;

const usageRow = (entry: UsageEntry, at: Temporal.Instant, reserved: string | null) => ({
  id: entry.id,
  at: toStoredTime(at),
  channel_id: entry.channelId,
  user_id: entry.userId,
  session_key: entry.sessionKey,
  provider: entry.provider,
  model: entry.model,
  profile_id: entry.profileId,
  ...usedColumns(entry),
  reserved_pico_usd: reserved,
});

const insertInto = (
  db: Kysely<Database>,
  value: <Name extends keyof NewUsage>(name: Name) => NewUsage[Name],
) =>
  db.insertInto('usage').values({
    id: value('id'),
    at: value('at'),
    channel_id: value('channel_id'),
    user_id: value('user_id'),
    session_key: value('session_key'),
    provider: value('provider'),
    model: value('model'),
    profile_id: value('profile_id'),
    outcome: value('outcome'),
    input_tokens: value('input_tokens'),
    output_tokens: value('output_tokens'),
    cache_read_tokens: value('cache_read_tokens'),
    cache_write_tokens: value('cache_write_tokens'),
    cost_pico_usd: value('cost_pico_usd'),
    request_id: value('request_id'),
    response_id: value('response_id'),
    reserved_pico_usd: value('reserved_pico_usd'),
  });

const OPEN = prepared<NewUsage>()((db, value) => insertInto(db, value));

const BOOK = prepared<NewUsage>()((db, value) =>
  insertInto(db, value).onConflict((conflict) =>
    conflict
      .column('id')
      .doUpdateSet({
        outcome: value('outcome'),
        input_tokens: value('input_tokens'),
        output_tokens: value('output_tokens'),
        cache_read_tokens: value('cache_read_tokens'),
        cache_write_tokens: value('cache_write_tokens'),
        cost_pico_usd: value('cost_pico_usd'),
        ...idsUnlessErased,
        reserved_pico_usd: null,
      })
      .where('usage.reserved_pico_usd', 'is not', null),
  ),
);

/**
 * Books a request that has ended. An open request with this id is closed and keeps its time and person. False where the
 * id was booked before: the first booking stays.
 */
export const bookUsage = async (tx: Tx, entry: UsageEntry, at: Temporal.Instant): Promise<boolean> => {
  const { numAffectedRows = 0n } = await BOOK.run(tx, usageRow(entry, at, null));
  return numAffectedRows > 0n;
};

/** Books a request that is about to be sent, with its input tokens, which stay booked if it is never closed. */
export const openUsage = async (
  tx: Tx,
  entry: UsageEntry,
  at: Temporal.Instant,
  reservedUsd: Decimal,
): Promise<void> => {
  await OPEN.run(tx, usageRow(entry, at, toPico(reservedUsd)));
};

/** Every model request and its cost, exact to a millionth of a millionth of a dollar. */
export const createUsageLedger = (db: Reads) => ({
  /** Exact up to nine million dollars, the limit of the column's type. Zeros where nothing was booked. */
  sum: async (filter: UsageFilter): Promise<UsageSnapshot> =>
    snapshotOf(await db.selectFrom('usage').select(SUMS).where(matching(filter)).executeTakeFirstOrThrow()),

  /** Only models with bookings, in no particular order, because the databases sort names differently. */
  sumByModel: async (filter: UsageFilter): Promise<readonly ModelUsage[]> => {
    const rows = await db
      .selectFrom('usage')
      .select(['model', ...SUMS])
      .where(matching(filter))
      .groupBy('model')
      .execute();
    return rows.map((row) => ({ model: row.model, usage: snapshotOf(row) }));
  },

  /** The requests of a conversation between two moments, both included, in order. At most 50. */
  requests: async (
    sessionKey: SessionKey,
    from: Temporal.Instant,
    to: Temporal.Instant,
  ): Promise<readonly ModelRequestTrace[]> => {
    const rows = await db
      .selectFrom('usage')
      .select(['model', 'outcome', 'request_id', 'response_id'])
      .where('session_key', '=', sessionKey)
      .where('at', '>=', toStoredTime(from))
      .where('at', '<=', toStoredTime(to))
      .orderBy('at')
      .orderBy('id')
      .limit(MAX_REQUESTS)
      .execute();
    return rows.map(({ model, outcome, request_id, response_id }) => ({
      model,
      outcome,
      ...(request_id !== null && { requestId: request_id }),
      ...(response_id !== null && { responseId: response_id }),
    }));
  },
});
