import type { OwnerId } from '#src/kernel/ids.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import { newId } from '#src/platform/ids.ts';
import { createAlertStore } from '#src/features/alerts/store.ts';
import { createBriefingStore } from '#src/features/briefings/store.ts';
import type { OpenedStorage } from '#src/platform/storage/database.ts';
import { ownOwnerId } from '#src/people/store/owners.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { APPLE, directTarget, firingOf, newAlert } from '../../features/alerts/alerts-fixture.ts';
import { TABLES } from '#test/support/database.ts';

/** The counts of somebody about whom nothing is stored. */
export const NOTHING = {
  ...Object.fromEntries(TABLES.flatMap(({ counted }) => (counted ? [[counted.as, 0]] : []))),
  conversations: 0,
  hasProfile: false,
  others: [],
};

const AT = '2026-11-13T06:30:00.000Z';
/** What answers an interaction: nobody may ever see it. */
const TOKEN = { token: 'interaction-token-never-shown', isPrivate: true };

/** What was left in a place by mistake must not leave it by an export. */
const secretly = <T extends object>(target: T): T => ({ ...target, interaction: TOKEN });

/** Of each kind one thing that a person owns: an alert that has fired, and waits to be told, too. */
export const furnishOwned = async (
  storage: Pick<OpenedStorage, 'db' | 'write'>,
  person: PersonRef,
  ownerId: OwnerId = ownOwnerId(person),
): Promise<void> => {
  const { db } = storage;
  const clock = new ManualClock();
  const [portfolio_id, bought] = [newId(), newId()];
  const name = `${person.channelId}-${person.userId}`;
  await db
    .insertInto('portfolios')
    .values({
      id: portfolio_id,
      owner_id: ownerId,
      name,
      name_key: name.toLowerCase(),
      base_currency: 'KRW',
      cost_method: 'fifo',
      allows_short: 0,
      is_default: 1,
      created_at: AT,
    })
    .execute();
  const entry = { portfolio_id, recorded_at: AT };
  const details = JSON.stringify({ symbol: 'AAPL', quantity: '10.000000000000000001', note: name });
  await db
    .insertInto('transactions')
    .values([
      { ...entry, id: bought, number: 1, client_id: 'a', kind: 'buy', trade_date: '2026-11-12', details },
      { ...entry, id: newId(), number: 2, client_id: 'b', kind: 'reversal', reverses: bought, details: '{}' },
    ])
    .execute();
  await db
    .insertInto('pending_imports')
    .values({ code: newId(), owner_id: ownerId, portfolio_id, content: `rows of ${name}`, expires_at: AT })
    .execute();
  await db
    .insertInto('dismissed_actions')
    .values({ portfolio_id, symbol: 'AAPL', kind: 'split', action_date: '2020-08-31', dismissed_at: AT })
    .execute();
  const instrument = JSON.stringify(APPLE);
  await db
    .insertInto('watchlist_entries')
    .values({ owner_id: ownerId, symbol: 'AAPL', instrument, added_at: AT })
    .execute();
  await db
    .insertInto('link_codes')
    .values({
      code_hash: newId(),
      channel_id: person.channelId,
      user_id: person.userId,
      expires_at: AT,
      contact: JSON.stringify({ name, locale: 'en' }),
    })
    .execute();
  const target = secretly(directTarget(person));
  const alerts = createAlertStore(storage, clock);
  const added = await alerts.add(newAlert({ ownerId, target, setByName: name }), person, name, 5);
  if (added.status === 'added') await alerts.fire([firingOf(added.alert, clock.now())]);
  await createBriefingStore(storage, clock).add(
    {
      ownerId,
      time: Temporal.PlainTime.from('08:30'),
      days: [1],
      timeZone: 'Asia/Seoul',
      locale: 'ko',
      target,
      isPrivate: true,
      instruments: [APPLE],
      nextAt: clock.now(),
    },
    person,
    name,
    5,
  );
};

const OWNED_TABLES = [
  'portfolios',
  'transactions',
  'pending_imports',
  'dismissed_actions',
  'watchlist_entries',
  'link_codes',
  'identity_links',
  'alerts',
  'alert_firings',
  'briefings',
] as const;

/** All that is in those tables, and what is told of alerts. */
export const ownedRows = async ({ db }: Pick<OpenedStorage, 'db'>): Promise<readonly string[]> => {
  const rows: string[] = [];
  for (const table of [...OWNED_TABLES, 'notifications'] as const)
    for (const row of await db.selectFrom(table).selectAll().execute())
      rows.push(`${table} ${JSON.stringify(row)}`);
  return rows.toSorted();
};
