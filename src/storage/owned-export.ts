import type { OwnerId } from '#src/core/ids.ts';
import type { ReplyTarget } from '#src/core/message.ts';
import { NEVER_ABORTED } from '#src/infra/abort.ts';
import { createPause } from '#src/infra/steps.ts';
import type { Storage } from './database.ts';

type Db = Storage['db'];
type Plain = Readonly<Record<string, unknown>>;

/** Where something is told. What answers an interaction is a key to it, and stays here. */
const placeIn = ({ channelId, chatId, threadId, isDirect }: ReplyTarget): Plain => ({
  channelId,
  chatId,
  ...(threadId ? { threadId } : {}),
  isDirect: isDirect === true,
});

/** As it was stored, amounts as text. */
const detailsOf = (text: string): Plain => {
  const { target, ...details } = JSON.parse(text) as Plain & { readonly target?: ReplyTarget };
  return { ...details, ...(target ? { place: placeIn(target) } : {}) };
};

const ROWS_A_PAGE = 250;

const transactionsOf = async (db: Db, portfolioId: string): Promise<readonly Plain[]> => {
  const pause = createPause(NEVER_ABORTED);
  const numbers = new Map<string, number>();
  const found: Plain[] = [];
  for (let from = 0, size = ROWS_A_PAGE; size === ROWS_A_PAGE;) {
    await pause();
    const rows = await db
      .selectFrom('transactions')
      .selectAll()
      .where('portfolio_id', '=', portfolioId)
      .where('number', '>', from)
      .orderBy('number')
      .limit(ROWS_A_PAGE)
      .execute();
    for (const row of rows) {
      numbers.set(row.id, row.number);
      found.push({
        number: row.number,
        kind: row.kind,
        ...(row.trade_date === null ? {} : { date: row.trade_date }),
        // What is taken back comes before what takes it back.
        ...(row.reverses === null ? {} : { reverses: numbers.get(row.reverses) }),
        ...(row.instrument === null ? {} : { instrument: JSON.parse(row.instrument) as Plain }),
        ...detailsOf(row.details),
        recordedAt: row.recorded_at,
      });
    }
    from = rows.at(-1)?.number ?? from;
    size = rows.length;
  }
  return found;
};

const dismissedOf = async (db: Db, portfolioId: string): Promise<readonly Plain[]> => {
  const rows = await db
    .selectFrom('dismissed_actions')
    .selectAll()
    .where('portfolio_id', '=', portfolioId)
    .orderBy('symbol')
    .orderBy('action_date')
    .orderBy('kind')
    .execute();
  return rows.map(({ symbol, kind, action_date, dismissed_at }) => ({
    symbol,
    kind,
    date: action_date,
    dismissedAt: dismissed_at,
  }));
};

const portfoliosOf = async (db: Db, ownerId: OwnerId): Promise<readonly Plain[]> => {
  const rows = await db
    .selectFrom('portfolios')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const portfolios: Plain[] = [];
  for (const row of rows)
    portfolios.push({
      name: row.name,
      baseCurrency: row.base_currency,
      costMethod: row.cost_method,
      allowsShort: row.allows_short === 1,
      isDefault: row.is_default === 1,
      targets: row.targets === null ? [] : (JSON.parse(row.targets) as Plain[]),
      createdAt: row.created_at,
      transactions: await transactionsOf(db, row.id),
      dismissedActions: await dismissedOf(db, row.id),
    });
  return portfolios;
};

const alertsOf = async (db: Db, ownerId: OwnerId): Promise<readonly Plain[]> => {
  const own = db.selectFrom('alerts').where('owner_id', '=', ownerId);
  const rows = await own.selectAll().orderBy('created_at').orderBy('id').execute();
  const told = await db
    .selectFrom('alert_firings')
    .select(['alert_id', 'fired_at'])
    .where('alert_id', 'in', own.select('id'))
    .orderBy('number')
    .execute();
  const firings = Map.groupBy(told, ({ alert_id }) => alert_id);
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    ...detailsOf(row.details),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    snoozedUntil: row.snoozed_until,
    firedAt: (firings.get(row.id) ?? []).map(({ fired_at }) => fired_at),
  }));
};

/** All that is a person's own, whichever of their names they come under, to be taken along. */
export const exportOwned = async (db: Db, ownerId: OwnerId): Promise<Plain> => {
  const [portfolios, alerts, watched, briefings, imports] = await Promise.all([
    portfoliosOf(db, ownerId),
    alertsOf(db, ownerId),
    db
      .selectFrom('watchlist_entries')
      .select(['instrument', 'added_at'])
      .where('owner_id', '=', ownerId)
      .orderBy('added_at')
      .orderBy('symbol')
      .execute(),
    db
      .selectFrom('briefings')
      .select(['id', 'details', 'next_at', 'created_at'])
      .where('owner_id', '=', ownerId)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
    db
      .selectFrom('pending_imports')
      .select(['content', 'expires_at'])
      .where('owner_id', '=', ownerId)
      .orderBy('expires_at')
      .execute(),
  ]);
  return {
    portfolios,
    alerts,
    watchlist: watched.map((row) => ({ ...detailsOf(row.instrument), addedAt: row.added_at })),
    briefings: briefings.map((row) => ({
      id: row.id,
      ...detailsOf(row.details),
      nextAt: row.next_at,
      createdAt: row.created_at,
    })),
    unconfirmedImports: imports.map((row) => ({ content: row.content, keptUntil: row.expires_at })),
  };
};
