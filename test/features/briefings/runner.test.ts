import type { Card } from '#src/kernel/chat/card.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BriefingRecord } from '#src/kernel/people/briefings.ts';
import type { Membership } from '#src/kernel/channel/channel.ts';
import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type OwnerId,
  type UserId,
} from '#src/kernel/ids.ts';
import { createBriefingRunner } from '#src/features/briefings/runner.ts';
import type { ComposeBriefing, ComposedBriefing } from '#src/features/briefings/compose-briefing.ts';
import { nextBriefingAt, readDays } from '#src/features/briefings/schedule.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { ConcurrencyLaneManager } from '#src/platform/concurrency/concurrency-lane.ts';
import { createBriefingStore } from '#src/features/briefings/store.ts';
import { createNotificationStore } from '#src/chat/store/notifications.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { recordingLogger } from '#test/support/context.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const HOUR_MS = 3_600_000;
const userId = asId<UserId>('mina');
const target = {
  channelId: asId<ChannelId>('test'),
  accountId: asId<AccountId>('local'),
  chatId: asId<ChatId>('mina'),
  recipientId: userId,
};

const written = (text: string, more: Partial<ComposedBriefing> = {}): ComposedBriefing => ({
  text,
  facts: [],
  isEmpty: false,
  ...more,
});

const SAMPLE_FACT: Fact = {
  entity: 'A',
  metric: 'price',
  value: '1',
  unit: 'USD',
  asOf: '',
  source: '',
  isSample: true,
};

/** A bot on a database, of which there may be several; its briefings are told into the table of notifications. */
const botOn = (storage: Storage, clock: Clock, compose: ComposeBriefing) => {
  const store = createBriefingStore(storage, clock);
  const { logger, records } = recordingLogger();
  const state: { woken: number; membership: Membership } = { woken: 0, membership: 'member' };
  const lanes = new ConcurrencyLaneManager(clock);
  const wake = (): void => void (state.woken += 1);
  const runner = createBriefingRunner({
    store,
    compose,
    clock,
    lanes,
    wake,
    membership: async () => state.membership,
    directTarget: async () => target,
    logger,
  });
  onTestFinished(runner.stop);
  const set = async (time: string, days: string, timeZone = 'Asia/Seoul'): Promise<BriefingRecord> => {
    const schedule = {
      time: Temporal.PlainTime.from(time),
      days: readDays(days) ?? [],
      timeZone,
    };
    const outcome = await store.add(
      {
        ...schedule,
        ownerId: asId<OwnerId>('mina'),
        locale: 'en',
        target,
        isPrivate: true,
        instruments: [],
        nextAt: await nextBriefingAt(schedule, clock.now()),
      },
      { channelId: target.channelId, userId },
      `${time} ${days}`,
      10,
    );
    if (!('briefing' in outcome)) throw new Error(outcome.status);
    return outcome.briefing;
  };
  return { store, runner, set, records, state, lanes };
};

const setUp = async (compose: ComposeBriefing, startsAt = '2026-11-13T06:30:00Z') => {
  const clock = new ManualClock(startsAt);
  const { storage } = await sqliteStorage();
  const notifications = createNotificationStore(storage);
  const stored = async () =>
    (await notifications.pendingOf(target.channelId, userId)).map(({ payload }) => payload);
  const told = async (): Promise<readonly string[]> => (await stored()).map(({ text }) => text);
  return { clock, storage, told, stored, ...botOn(storage, clock, compose) };
};

describe('the runner of briefings', () => {
  it('ends one whose owner has left the channel, and tells them instead of the channel', async () => {
    const { clock, runner, set, store, told, state } = await setUp(async () => written('Good morning'));
    runner.start();
    await set('18:00', 'daily');
    runner.changed();
    state.membership = 'left';
    await clock.advance(3 * HOUR_MS);
    expect(await told()).toEqual([expect.stringMatching(/because you left the channel.*18:00/)]);
    expect(state.woken).toBe(1);
    expect(await store.nextDueAt()).toBeUndefined();
  });

  it('tells each at its time, stores it with the next time, and wakes the notifier', async () => {
    const { clock, runner, set, store, told, state } = await setUp(async () => written('Good morning'));
    runner.start();
    // Set while it sleeps: 18:00 in Seoul, two and a half hours from now.
    await set('18:00', 'daily');
    runner.changed();
    await clock.advance(2 * HOUR_MS);
    expect(await told()).toEqual([]);
    await clock.advance(HOUR_MS);
    expect(await told()).toEqual(['Good morning']);
    expect(state.woken).toBe(1);
    expect((await store.nextDueAt())?.toString()).toBe('2026-11-14T09:00:00Z');
    await clock.advance(24 * HOUR_MS);
    expect(await told()).toHaveLength(2);
  });

  it('tells one once, however many processes there are and wherever one ends', async () => {
    const first = await setUp(() => new Promise(() => undefined));
    const { clock, storage, told } = first;
    await first.set('16:00', 'daily');
    first.runner.start();
    await clock.advance(HOUR_MS / 2);
    // It is being written when the process ends: nothing was told, nothing is lost.
    await first.runner.stop();
    expect(await told()).toEqual([]);
    const others = ['a', 'b'].map((name) => botOn(storage, clock, async () => written(name)));
    for (const { runner } of others) runner.start();
    await clock.advance(60_000);
    expect(await told()).toHaveLength(1);
    expect(others.reduce((sum, { state }) => sum + state.woken, 0)).toBe(1);
  });

  it('tells one once, where the clock is set back while it is written', async () => {
    const { clock, storage, told } = await setUp(async () => written(''));
    let behindMs = 0;
    const { runner, set } = botOn(
      storage,
      {
        now: () => clock.now().subtract({ milliseconds: behindMs }),
        monotonicMs: clock.monotonicMs,
        after: clock.after,
      },
      async () => {
        behindMs = 2_000;
        return written('Good morning');
      },
    );
    await set('16:00', 'daily');
    runner.start();
    await clock.advance(HOUR_MS);
    expect(await told()).toHaveLength(1);
  });

  it('finds what another process set that is gone', async () => {
    const { clock, runner, set, told } = await setUp(async () => written('Good morning'));
    runner.start();
    await clock.advance(1_000);
    await set('15:45', 'daily');
    await clock.advance(HOUR_MS / 2);
    expect(await told()).toHaveLength(1);
  });

  it('leaves out what was missed by hours, and says so in the log', async () => {
    const { clock, runner, set, store, told, records } = await setUp(async () => written('late'));
    await set('16:00', 'daily');
    await set('18:30', 'daily');
    await clock.advance(3 * HOUR_MS);
    runner.start();
    await clock.advance(1_000);
    // 19:00 in Seoul: the one of 16:00 is old, the one of 18:30 only late.
    expect(await told()).toEqual(['late']);
    expect(records().map(({ message }) => message)).toEqual(['A briefing was missed and is skipped']);
    expect((await store.nextDueAt())?.toString()).toBe('2026-11-14T07:00:00Z');
  });

  it('leaves out a weekday that has become a holiday of both exchanges', async () => {
    const { clock, runner, set, store, told } = await setUp(async () => written('x'), '2026-12-24T00:00:00Z');
    const briefing = await set('08:30', 'weekdays');
    // As if the calendar had not known it when it was set.
    await store.advance(briefing, Temporal.Instant.from('2026-12-24T23:30:00Z'));
    runner.start();
    await clock.advance(24 * HOUR_MS);
    expect(await told()).toEqual([]);
    expect((await store.nextDueAt())?.toString()).toBe('2026-12-27T23:30:00Z');
  });

  it('tries three times, without holding a slot meanwhile, and then says that the source is down, once', async () => {
    let tries = 0;
    const { clock, runner, set, told, lanes } = await setUp(async () => {
      tries += 1;
      if (tries === 1) throw new Error('broken');
      return written('', { isEmpty: true });
    });
    await set('16:00', 'daily');
    runner.start();
    await clock.advance(HOUR_MS / 2);
    expect(tries).toBe(1);
    expect(lanes.status().map(({ active }) => active)).toEqual([0, 0]);
    expect(await told()).toEqual([]);
    await clock.advance(HOUR_MS);
    expect(tries).toBe(3);
    expect(await told()).toEqual([expect.stringContaining('market data source cannot be reached')]);
  });

  it('stores its cards with the text beside them, which is marked as well', async () => {
    const card: Card = { title: 'Markets', headline: '', fields: [], footer: 'SAMPLE', tone: 'flat' };
    const cards = { items: [card], text: 'rest' };
    const { clock, runner, set, stored } = await setUp(async () =>
      written('text', { facts: [SAMPLE_FACT], cards }),
    );
    await set('16:00', 'daily');
    runner.start();
    await clock.advance(HOUR_MS);
    expect(await stored()).toEqual([
      {
        text: expect.stringMatching(/^text\n\n⚠️ SAMPLE/),
        textWithCards: expect.stringMatching(/^rest\n\n⚠️ SAMPLE/),
        cards: [card],
        locale: 'en',
      },
    ]);
  });
});
