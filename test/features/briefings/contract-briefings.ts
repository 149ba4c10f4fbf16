import { describe, expect, it } from 'vitest';
import { type BriefingId, asId } from '#src/kernel/ids.ts';
import { createBriefingStore, type NewBriefing } from '#src/features/briefings/store.ts';
import { createOwnerStore } from '#src/people/store/owners.ts';
import type { TestStorage } from '#test/support/database.ts';
import { linkPeople } from '#test/support/link-people.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { APPLE, directTarget, ME, MINE, personOf, YOURS } from '../alerts/alerts-fixture.ts';

/** The part of the contract about what people are told at a time of day. */
export const describeBriefingsContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage } = await open();
    const clock = new ManualClock();
    const store = createBriefingStore(storage, clock);
    const briefing = (overrides: Partial<NewBriefing> = {}): NewBriefing => ({
      ownerId: MINE,
      time: Temporal.PlainTime.from('08:30'),
      days: [1, 3, 5],
      timeZone: 'Asia/Seoul',
      locale: 'ko',
      target: directTarget(ME),
      isPrivate: true,
      instruments: [APPLE],
      nextAt: clock.now(),
      ...overrides,
    });
    const notifications = () => storage.db.selectFrom('notifications').selectAll().execute();
    return { storage, clock, store, briefing, notifications };
  };

  describe(`briefings on ${name}`, () => {
    it('are given back as they were set, to their owner alone, one for one request', async () => {
      const { clock, store, briefing } = await setUp();
      const added = await Promise.all([1, 2].map(() => store.add(briefing(), ME, 'r1', 1)));
      expect(added.map(({ status }) => status).toSorted()).toEqual(['added', 'repeated']);
      expect(await store.add(briefing(), ME, 'r2', 1)).toEqual({ status: 'full' });
      await store.add(briefing({ ownerId: YOURS }), ME, 'r1', 1);
      const [mine, ...others] = await store.listOf(MINE);
      expect(others).toEqual([]);
      if (!mine) throw new Error('none');
      const { id, time, nextAt, createdAt, ...rest } = mine;
      expect([time, nextAt, createdAt].map(String)).toEqual(
        ['08:30:00', clock.now(), clock.now()].map(String),
      );
      const { time: _time, nextAt: _next, ...given } = briefing();
      expect(rest).toEqual(given);
      expect(await store.remove(YOURS, id)).toBe(false);
      expect(await store.remove(MINE, asId<BriefingId>(id.toUpperCase()))).toBe(true);
      expect(await store.listOf(MINE)).toEqual([]);
    });

    it('are told once when they are due, and move on, however many come with it at once', async () => {
      const { storage, clock, store, briefing, notifications } = await setUp();
      await store.add(briefing(), ME, 'r1', 5);
      await store.add(briefing({ nextAt: clock.now().add({ minutes: 1 }) }), ME, 'r2', 5);
      expect(String(await store.nextDueAt())).toBe(String(clock.now()));
      const [due, ...later] = await store.due(clock.now());
      expect(later).toEqual([]);
      if (!due) throw new Error('none');
      const tomorrow = clock.now().add({ hours: 24 });
      const other = createBriefingStore(storage, clock);
      const outcomes = await Promise.all(
        [store, other, store].map((one) => one.advance(due, tomorrow, { text: 'Good morning' })),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await notifications()).toMatchObject([{ user_id: 'U1', payload: '{"text":"Good morning"}' }]);
      expect(await store.due(clock.now())).toEqual([]);
      expect(String(await store.nextDueAt())).toBe(String(clock.now().add({ minutes: 1 })));
    });

    it('are not told to one who has left the people for whom they were written', async () => {
      const { storage, clock, store, briefing, notifications } = await setUp();
      const owners = createOwnerStore(storage, clock);
      await linkPeople(owners, personOf('discord', 'D1'), ME);
      await store.add(briefing({ ownerId: await owners.ownerOf(ME) }), ME, 'r1', 5);
      const [due] = await store.due(clock.now());
      if (!due) throw new Error('none');
      await owners.unlink(ME);
      const tomorrow = clock.now().add({ hours: 24 });
      expect(await store.advance(due, tomorrow, { text: 'You hold 100 NVDA' })).toBe(false);
      expect(await notifications()).toEqual([]);
      // It is due still, for who it is now.
      expect(await store.due(clock.now())).toMatchObject([{ id: due.id, ownerId: await owners.ownerOf(ME) }]);
    });

    it('can move on without a word, and not once they were removed', async () => {
      const { clock, store, briefing, notifications } = await setUp();
      await store.add(briefing(), ME, 'r1', 5);
      const [due] = await store.due(clock.now());
      if (!due) throw new Error('none');
      const tomorrow = clock.now().add({ hours: 24 });
      expect(await store.advance(due, tomorrow)).toBe(true);
      await store.remove(MINE, due.id);
      expect(
        await store.advance({ ...due, nextAt: tomorrow }, tomorrow.add({ hours: 24 }), { text: 'x' }),
      ).toBe(false);
      expect([await notifications(), await store.nextDueAt()]).toEqual([[], undefined]);
    });
  });
};
