import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type AccountId, asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import { Decimal } from '#src/kernel/money.ts';
import { createAlertWatch } from '#src/features/alerts/watching/alert-watch.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { createHandMarket, NO_ACTIONS } from '#test/features/alerts/alerts-support.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { ConcurrencyLaneManager } from '#src/platform/concurrency/concurrency-lane.ts';
import { createNotifier } from '#src/chat/delivery/notifier.ts';
import { createAlertStore } from '#src/features/alerts/store.ts';
import type { AlertStore } from '#src/features/alerts/store-types.ts';
import type { OpenedStorage } from '#src/platform/storage/database.ts';
import { CLAIM_MS, createNotificationStore } from '#src/chat/store/notifications.ts';
import { ownOwnerId } from '#src/people/store/owners.ts';
import { TestChannel } from '#test/support/channel.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { openStorage, type PostgresServer, startPostgres, temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';

const ALERTS = 50;
/** So many get out before the process that sends them is gone. */
const SENT_BEFORE = 10;
const NUMBERS = Array.from({ length: ALERTS }, (_, index) => index);
const COINS = ['BTC-KRW', 'ETH-KRW', 'XRP-KRW', 'BTC-USD', 'ETH-USD'];

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const targetOf = (person: string): ReplyTarget => ({
  channelId: asId<ChannelId>('test'),
  accountId: asId<AccountId>('local'),
  chatId: asId<ChatId>(person),
  recipientId: asId<UserId>(person),
  isDirect: true,
});

/** Everybody waits for a price that is there already. */
const setOne = async (store: AlertStore, number: number): Promise<string> => {
  const target = targetOf(`person-${number}`);
  const setBy = { channelId: target.channelId, userId: target.recipientId };
  const found = symbols.resolve(COINS[number % COINS.length] ?? '');
  if (found.status !== 'found') throw new Error('There is no such coin');
  const added = await store.add(
    {
      ownerId: ownOwnerId(setBy),
      instrument: found.instrument,
      condition: { kind: 'above', price: new Decimal(100) },
      isRepeating: number % 2 === 0,
      cooldownMinutes: 60,
      usesExtendedHours: false,
      target,
      setByName: setBy.userId,
      locale: 'en',
      timeZone: 'Asia/Seoul',
    },
    setBy,
    'request',
    1,
  );
  if (added.status !== 'added') throw new Error(`The alert is ${added.status}`);
  return added.alert.id;
};

/** One process of several on a database: its own connections, its own watch, its own notifier. */
const openProcess = async (databaseUrl: string, clock: ManualClock, timers: Clock = clock) => {
  const storage: OpenedStorage = await openStorage({ dataDir: temporaryDir(), databaseUrl });
  onTestFinished(() => storage.close());
  const { logger } = recordingLogger();
  const channel = new TestChannel();
  const { market, move } = createHandMarket(clock);
  for (const coin of COINS) move(coin, 200);
  const notifier = createNotifier({
    store: createNotificationStore(storage),
    files: createSentFiles({ dataDir: temporaryDir(), clock: timers }),
    channelOf: () => channel,
    mayBeTold: async () => true,
    isExclusive: false,
    clock: timers,
    events: recordingEvents().events,
    logger,
  });
  const store = createAlertStore(storage, clock);
  const lanes = new ConcurrencyLaneManager(clock);
  const watch = createAlertWatch({
    store,
    market,
    lanes,
    clock,
    logger,
    wake: notifier.wake,
    membership: async () => 'member',
    corporateActions: NO_ACTIONS,
    directTarget: async () => undefined,
  });
  return { storage, store, channel, notifier, watch };
};

const setUp = async (timersOfFirst?: (clock: ManualClock) => Clock) => {
  const databaseUrl = await server.createDatabase();
  const clock = new ManualClock();
  const a = await openProcess(databaseUrl, clock, timersOfFirst?.(clock));
  const b = await openProcess(databaseUrl, clock);
  const ids = await Promise.all(NUMBERS.map((number) => setOne(a.store, number)));
  const sent = () => [...a.channel.sent, ...b.channel.sent];
  /** By the alert that it is about. */
  const told = () => sent().map(({ payload }) => /\/alert snooze (\w+) /.exec(payload.text)?.[1] ?? '');
  const { db } = b.storage;
  const statuses = async () => {
    const rows = await db.selectFrom('notifications').select('status').execute();
    return rows.map(({ status }) => status).toSorted();
  };
  const firings = async () => {
    const rows = await db.selectFrom('alert_firings').select('alert_id').execute();
    return rows.map(({ alert_id: id }) => id).toSorted();
  };
  return { clock, a, b, ids: ids.toSorted(), sent, told, statuses, firings };
};

/** So many of them have this status, and the rest that one. */
const counted = (first: string, count: number, rest: string): readonly string[] =>
  NUMBERS.map((number) => (number < count ? first : rest));

const until = (isSo: () => boolean | Promise<boolean>): Promise<boolean> =>
  vi.waitUntil(isSo, { interval: 5, timeout: 30_000 });

describe('two processes that watch the same alerts on PostgreSQL', () => {
  it('tell each alert once between them', async () => {
    const { clock, a, b, ids, told, statuses, firings } = await setUp();
    await Promise.all([a.watch.tick(), b.watch.tick()]);
    // Both have seen that all of it is to be had before one of them gets any.
    const starts = await a.storage.db.transaction().execute(async (tx) => {
      await tx.selectFrom('notifications').select('id').forUpdate().execute();
      const begun = [a, b].map(({ notifier }) => notifier.start());
      const waiting = sql`select 1 from pg_locks where not granted`;
      await until(async () => (await waiting.execute(b.storage.db)).rows.length >= begun.length);
      return begun;
    });
    await Promise.all(starts);
    await until(async () => (await statuses()).every((status) => status === 'sent'));
    await clock.advance(60_000);
    await Promise.all([a.watch.tick(), b.watch.tick()]);
    expect(told().toSorted()).toEqual(ids);
    expect([await firings(), await statuses()]).toEqual([ids, counted('sent', ALERTS, '')]);
    await Promise.all([a.notifier.stop(), b.notifier.stop()]);
  });

  it('one of them dead between taking and sending: the other sends what it had taken, once its claim is over', async () => {
    // Who is dead does not renew either.
    const { clock, a, b, ids, sent, told, statuses, firings } = await setUp((living) => ({
      now: living.now,
      monotonicMs: living.monotonicMs,
      after: () => () => undefined,
    }));
    let begun = 0;
    a.channel.onSend = () => {
      begun += 1;
      return begun <= SENT_BEFORE ? undefined : new Promise(() => undefined);
    };
    await a.notifier.start();
    await Promise.all([a.watch.tick(), b.watch.tick()]);
    a.notifier.wake();
    const leftBehind = counted('sending', ALERTS - SENT_BEFORE, 'sent');
    await vi.waitFor(async () => expect(await statuses()).toEqual(leftBehind), { timeout: 30_000 });

    await clock.advance(CLAIM_MS - 1);
    await b.notifier.start();
    expect(b.channel.attempts).toEqual([]);
    await clock.advance(1);
    b.notifier.wake();
    await until(async () => (await statuses()).every((status) => status === 'sent'));
    expect(b.channel.sent).toHaveLength(ALERTS - SENT_BEFORE);
    expect(told().toSorted()).toEqual(ids);
    // The dead one may have got it out: whoever takes over says so, and the platform is asked first.
    expect(b.channel.sent.every(({ inDoubtSince }) => inDoubtSince !== undefined)).toBe(true);
    expect(new Set(sent().map(({ deliveryId }) => deliveryId)).size).toBe(ALERTS);
    expect([await firings(), await statuses()]).toEqual([ids, counted('sent', ALERTS, '')]);
    await b.notifier.stop();
  });
});
