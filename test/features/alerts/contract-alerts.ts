import { describe, expect, it } from 'vitest';
import type { AlertCondition } from '#src/kernel/people/alerts.ts';
import { type AlertId, asId, type DeliveryId, type OwnerId } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { createAlertStore } from '#src/features/alerts/store.ts';
import type { NewAlert } from '#src/features/alerts/store-types.ts';
import type { TestStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { APPLE, firingOf, ME, MINE, newAlert, YOURS } from './alerts-fixture.ts';

const LIMIT = 100;
const CONDITIONS: readonly AlertCondition[] = [
  { kind: 'crosses-below', price: new Decimal('0.000000000123456789') },
  {
    kind: 'change',
    percent: new Decimal('5'),
    direction: 'either',
    since: 'set',
    basePrice: new Decimal(70_100),
  },
  { kind: 'rsi', period: 14, side: 'below', level: new Decimal('30') },
  { kind: 'ma-cross', fast: 20, slow: 60, direction: 'up' },
  { kind: 'volume', multiple: new Decimal('2.5') },
  { kind: 'news', keyword: '유상증자 "x"' },
];

/** The part of the contract about what people want to be told of. */
export const describeAlertsContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage, reopen } = await open();
    const clock = new ManualClock();
    const store = createAlertStore(storage, clock);
    let requests = 0;
    const set = async (overrides: Partial<NewAlert> = {}) => {
      requests += 1;
      const added = await store.add(newAlert(overrides), ME, `request ${requests}`, LIMIT);
      if (added.status !== 'added') throw new Error(added.status);
      return added.alert;
    };
    const notifications = () => storage.db.selectFrom('notifications').selectAll().execute();
    const firings = () => storage.db.selectFrom('alert_firings').selectAll().execute();
    return { storage, reopen, clock, store, set, notifications, firings };
  };

  describe(`alerts on ${name}`, () => {
    it('are given back as they were set, to their owner alone', async () => {
      const { clock, store, set } = await setUp();
      const expiresAt = clock.now().add({ hours: 24 });
      const setAt = clock.now();
      for (const condition of CONDITIONS) {
        await set({ condition, expiresAt, isRepeating: true });
        await clock.advance(1);
      }
      await set({ ownerId: YOURS });
      const mine = await store.listOf(MINE);
      expect(mine.map(({ condition }) => condition)).toEqual(CONDITIONS);
      const { expiresAt: ends, createdAt, condition: _condition, id, ...rest } = mine[0] ?? (await set());
      expect([ends, createdAt].map(String)).toEqual([expiresAt, setAt].map(String));
      expect(id).toMatch(/^[bcdfghjkmnpqrstvwxyz][bcdfghjkmnpqrstvwxyz2-9]{5}$/);
      const { condition: _set, ...others } = newAlert({ isRepeating: true });
      expect(rest).toEqual({
        ...others,
        status: 'active',
        side: 'unknown',
        memory: '{}',
        firedCount: 0,
        version: 1,
      });
    });

    it('are one for one request, also when it comes four times at once, and no more than the limit', async () => {
      const { store } = await setUp();
      const added = await Promise.all([1, 2, 3, 4].map(() => store.add(newAlert(), ME, 'r1', 1)));
      expect(added.map(({ status }) => status).toSorted()).toEqual([
        'added',
        'repeated',
        'repeated',
        'repeated',
      ]);
      expect(await store.add(newAlert(), ME, 'r2', 1)).toEqual({ status: 'full' });
      expect(await store.add(newAlert({ ownerId: YOURS }), ME, 'r1', 1)).toMatchObject({ status: 'added' });
      expect(await store.listOf(MINE)).toHaveLength(1);
    });

    it('get another id where one is taken', async () => {
      const { storage, clock } = await setUp();
      const ids = ['bbbbb2', 'bbbbb2', 'bbbbb2', 'bbbbb3'];
      const store = createAlertStore(storage, clock, () => ids.shift() ?? '');
      for (const ownerId of [MINE, YOURS]) await store.add(newAlert({ ownerId }), ME, 'r1', LIMIT);
      expect((await store.listOf(YOURS)).map(({ id }) => id)).toEqual(['bbbbb3']);
    });

    it('of somebody else are as if they were not there', async () => {
      const { clock, store, set } = await setUp();
      const { id } = await set();
      expect(await store.remove(YOURS, [id])).toBe(0);
      expect(await store.snooze(YOURS, id, clock.now())).toBeUndefined();
      expect(await store.listOf(asId<OwnerId>('person:slack:U'))).toEqual([]);
      expect(await store.listOf(MINE)).toMatchObject([{ id, version: 1 }]);
      expect(await store.remove(MINE, [asId<AlertId>(` ${id.toUpperCase()}`), id])).toBe(1);
      expect(await store.remove(MINE, [])).toBe(0);
    });

    it('are judged while they are active, neither put off nor over, in order of symbol', async () => {
      const { clock, store, set } = await setUp();
      const [zebra, apple, later, ended] = [
        await set({ instrument: { ...APPLE, symbol: 'ZBRA' } }),
        await set(),
        await set(),
        await set({ expiresAt: clock.now().add({ minutes: 5 }) }),
      ];
      await store.snooze(MINE, later.id, clock.now().add({ minutes: 10 }));
      const dueIds = async () => (await store.due(clock.now())).map(({ id }) => id);
      expect(new Set(await dueIds())).toEqual(new Set([apple.id, ended.id, zebra.id]));
      expect((await dueIds()).at(-1)).toBe(zebra.id);
      await clock.advance(5 * 60_000);
      expect(await store.expire(clock.now())).toBe(1);
      expect(await store.expire(clock.now())).toBe(0);
      expect(await dueIds()).toEqual([apple.id, zebra.id]);
      await clock.advance(5 * 60_000);
      expect(new Set(await dueIds())).toEqual(new Set([apple.id, later.id, zebra.id]));
      expect(await store.listOf(MINE)).toHaveLength(3);
      expect(await store.remove(MINE, [apple.id, later.id, zebra.id])).toBe(3);
      expect([await dueIds(), await store.hasActive()]).toEqual([[], false]);
    });

    it('fire once, with what is told, however many come with it at once', async () => {
      const { storage, clock, store, set, notifications, firings } = await setUp();
      const alerts = [await set(), await set({ isRepeating: true })];
      const other = createAlertStore(storage, clock);
      const recorded = await Promise.all(
        [store, other, store, other].map((one) =>
          one.fire(alerts.map((alert) => firingOf(alert, clock.now()))),
        ),
      );
      expect(
        recorded
          .flat()
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(alerts.map(({ id }) => id).toSorted());
      const told = await notifications();
      expect(told.map(({ id }) => id).toSorted()).toEqual((await firings()).map(({ id }) => id).toSorted());
      expect(told).toHaveLength(2);
      expect(told[0]).toMatchObject({ channel_id: 'slack', user_id: 'U1', status: 'pending' });
      expect(JSON.parse(told[0]?.payload ?? '')).toHaveProperty('choices');
      const rows = await storage.db.selectFrom('alerts').selectAll().execute();
      const states = rows.map(
        (row) => `${row.id} ${row.status} ${row.side} ${row.fired_count} ${row.memory}`,
      );
      expect(states.toSorted()).toEqual(
        [
          `${alerts[0]?.id} fired met 1 {"high":"201"}`,
          `${alerts[1]?.id} active met 1 {"high":"201"}`,
        ].toSorted(),
      );
    });

    it('fire again only as they were read last, and not once they were put off or removed', async () => {
      const { clock, store, set, firings, notifications } = await setUp();
      const read = await set({ isRepeating: true });
      const [fired] = await store.fire([firingOf(read, clock.now())]);
      expect(await store.fire([firingOf(read, clock.now())])).toEqual([]);
      const [again] = await store.fire(fired ? [firingOf(fired, clock.now())] : []);
      expect(new Set((await firings()).map(({ number }) => number))).toEqual(new Set([1, 2]));
      await store.snooze(MINE, read.id, clock.now());
      expect(await store.fire(again ? [firingOf(again, clock.now())] : [])).toEqual([]);
      const [asItIs] = await store.due(clock.now());
      await store.remove(MINE, [read.id]);
      expect(await store.fire(asItIs ? [firingOf(asItIs, clock.now())] : [])).toEqual([]);
      expect([await firings(), await notifications()]).toEqual([[], []]);
    });

    it('take back what waits to be told once they are put off or removed, and find out anew whether it holds', async () => {
      const { storage, clock, store, set, notifications } = await setUp();
      const [put, removed, others] = [await set({ isRepeating: true }), await set(), await set()];
      await store.fire([put, removed, others].map((alert) => firingOf(alert, clock.now())));
      expect(await store.snooze(MINE, put.id, clock.now())).toMatchObject({ side: 'unknown' });
      expect(await notifications()).toHaveLength(2);
      expect(await store.remove(MINE, [removed.id])).toBe(1);
      const [left, ...more] = await notifications();
      expect(more).toEqual([]);
      expect(await store.due(clock.now())).toMatchObject([{ id: put.id, side: 'unknown' }]);
      // What was told stays so.
      await storage.db.updateTable('notifications').set({ status: 'sent' }).execute();
      await store.snooze(MINE, others.id, clock.now());
      expect(await notifications()).toMatchObject([{ id: left?.id }]);
    });

    it('that have fired wait again once they are put off, and are found out anew', async () => {
      const { clock, store, set } = await setUp();
      const alert = await set();
      await store.fire([firingOf(alert, clock.now())]);
      expect([await store.listOf(MINE), await store.hasActive()]).toEqual([[], false]);
      const until = clock.now().add({ hours: 1 });
      expect(await store.snooze(MINE, alert.id, until)).toMatchObject({ status: 'active', side: 'unknown' });
      expect(await store.due(clock.now())).toEqual([]);
      await clock.advance(3_600_000);
      expect(await store.due(clock.now())).toMatchObject([{ id: alert.id, firedCount: 1, version: 3 }]);
    });

    it('are revised all together with what is told of it, once, or not at all', async () => {
      const { storage, clock, store, set, notifications } = await setUp();
      const alerts = [await set(), await set({ isRepeating: true })];
      const revisionOf = (id: string) => ({
        changes: alerts.map((alert) => ({
          alert,
          next: {
            condition: { kind: 'above', price: new Decimal(50) } as const,
            memory: '{"seen":["2026-11-17","50"]}',
            split: { date: '2026-11-17', ratio: '4', was: '200' },
          },
        })),
        notice: {
          id: asId<DeliveryId>(id),
          target: newAlert().target,
          payload: { text: id },
          dueAt: clock.now(),
        },
      });
      const other = createAlertStore(storage, clock);
      const done = await Promise.all([store, other].map((one, index) => one.revise(revisionOf(`n${index}`))));
      expect(done.filter((isDone) => isDone)).toEqual([true]);
      expect(await notifications()).toHaveLength(1);
      for (const alert of await store.due(clock.now()))
        expect(alert).toMatchObject({
          condition: { kind: 'above', price: new Decimal(50) },
          memory: '{"seen":["2026-11-17","50"]}',
          split: { date: '2026-11-17', ratio: '4', was: '200' },
          version: 2,
        });
      // One of them is gone: the other one stays as it is, and nobody is told.
      const [kept, gone] = await store.due(clock.now());
      if (!kept || !gone) throw new Error('two');
      await store.remove(MINE, [gone.id]);
      const { changes, notice } = revisionOf('n2');
      const anew = changes.map(({ next }, index) => ({ alert: [kept, gone][index] ?? kept, next }));
      expect(await store.revise({ changes: anew, notice })).toBe(false);
      expect(await notifications()).toHaveLength(1);
      expect(await store.listOf(MINE)).toMatchObject([{ id: kept.id, version: 2 }]);
    });

    it('keep what an evaluation found, where nobody changed them meanwhile, also for other processes', async () => {
      const { storage, clock, store, set } = await setUp();
      await Promise.all([1, 2, 3].map(() => set()));
      const [first, second, third] = await store.due(clock.now());
      if (!first || !second || !third) throw new Error('three');
      await store.snooze(MINE, third.id, clock.now());
      await store.saveObservations([
        { alert: first, side: 'unmet', memory: '{}' },
        { alert: second, side: 'met', memory: '{"a":1}' },
        { alert: third, side: 'met', memory: '{"b":1}' },
      ]);
      const other = createAlertStore(storage, clock);
      for (const one of [store, other]) {
        const due = await one.due(clock.now());
        const found = new Map(
          due.map(({ id, side, memory, version }) => [id, `${side} ${memory} ${version}`]),
        );
        expect(found).toEqual(
          new Map([
            [first.id, 'unmet {} 2'],
            [second.id, 'met {"a":1} 2'],
            [third.id, 'unknown {} 2'],
          ]),
        );
      }
      // What another process changes is seen, whatever is kept here.
      const [mine] = await store.due(clock.now());
      await other.saveObservations(mine ? [{ alert: mine, side: 'met', memory: '{"c":1}' }] : []);
      expect((await store.due(clock.now())).find(({ id }) => id === mine?.id)).toMatchObject({
        memory: '{"c":1}',
        version: 3,
      });
    });
  });
};
