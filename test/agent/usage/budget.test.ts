import { describe, expect, it } from 'vitest';
import {
  type Budget,
  type BudgetDeps,
  createBudget,
  type RequestToPay,
  type Reservation,
  type ReserveOutcome,
} from '#src/agent/usage/budget.ts';
import { dayOf } from '#src/agent/usage/periods.ts';
import { asId, type ChannelId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import { NO_USAGE } from '#src/kernel/agent/model.ts';
import { Decimal } from '#src/kernel/money.ts';
import { createBudgetLedger } from '#src/agent/store/budget-ledger.ts';
import { type UsageEntry } from '#src/agent/store/usage.ts';
import { recordingLogger } from '#test/support/context.ts';
import { MINA, usageEntry, usageLedger } from '#test/support/usage.ts';
import { DAYS, setUpUsage } from './support.ts';

const NOW = '2026-11-13T06:30:00Z';
const JUN = asId<UserId>('jun');

interface Limits {
  readonly perDayUsd?: string;
  readonly perUserUsd?: string;
}

const setUp = async ({ perDayUsd, perUserUsd }: Limits, at = NOW, timeZone = 'Asia/Seoul') => {
  const usage = await setUpUsage(at);
  const { logger, records } = recordingLogger();
  const ledger = createBudgetLedger(usage.storage, (moment) => dayOf(moment, timeZone));
  const create = (more: Partial<BudgetDeps> = {}): Budget =>
    createBudget({
      ledger,
      clock: usage.clock,
      timeZone,
      isExclusive: true,
      logger,
      ...(perDayUsd === undefined ? {} : { perDayUsd: new Decimal(perDayUsd) }),
      ...(perUserUsd === undefined ? {} : { perUserUsd: new Decimal(perUserUsd) }),
      ...more,
    });
  const budget = create();
  /** What Mina is told; amounts as text. */
  const ask = async (channelId = MINA.channelId, userId = MINA.userId) => {
    const found = await budget.check(channelId, userId);
    if (found.verdict === 'ok') return 'ok';
    return { ...found, limitUsd: found.limitUsd.toFixed(), spentUsd: found.spentUsd.toFixed() };
  };
  /** A request that was sent and has ended at that time. */
  const bookAt = async (time: string, cost: string, overrides: Partial<UsageEntry> = {}): Promise<void> => {
    const entry = usageEntry({ costUsd: new Decimal(cost), ...overrides });
    const moment = Temporal.Instant.from(time);
    const request = { entry, at: moment, day: dayOf(moment, timeZone), mostUsd: new Decimal(0) };
    await ledger.open(request, () => true);
    await ledger.settle(request, entry);
  };
  return { ...usage, ledger, records, create, budget, ask, bookAt };
};

describe('createBudget', () => {
  it('asks the database nothing where no limit is set', async () => {
    const { storage, create } = await setUp({});
    const free = create();
    await storage.close();
    expect(await free.check(MINA.channelId, MINA.userId)).toEqual({ verdict: 'ok' });
    const limited = create({ perDayUsd: new Decimal(1) });
    await expect(limited.check(MINA.channelId, MINA.userId)).rejects.toThrow();
  });

  it.each([
    { perUserUsd: '0.3', costs: ['0.1', '0.2'], isOver: true },
    { perUserUsd: '0.300000000001', costs: ['0.1', '0.2'], isOver: false },
    { perUserUsd: '0.3', costs: ['0.1', '0.199999999999'], isOver: false },
    { perUserUsd: '0.3', costs: ['0.5'], isOver: true },
    { perUserUsd: '0.3', costs: [], isOver: false },
    { perUserUsd: '0', costs: [], isOver: true },
    { perUserUsd: '9007.199254740993', costs: ['9007.199254740992'], isOver: false },
  ])('is reached at $perUserUsd after $costs: $isOver', async ({ perUserUsd, costs, isOver }) => {
    const { ask, bookAt } = await setUp({ perUserUsd });
    for (const cost of costs) await bookAt(NOW, cost);
    expect((await ask()) !== 'ok').toBe(isOver);
  });

  it('says whose limit it was, how high it is, what was spent, and when it begins anew', async () => {
    const { ask, bookAt } = await setUp({ perUserUsd: '0.5', perDayUsd: '2' });
    await bookAt(NOW, '0.75');
    expect(await ask()).toEqual({
      verdict: 'exceeded',
      scope: 'user',
      limitUsd: '0.5',
      spentUsd: '0.75',
      resetsAt: Temporal.Instant.from('2026-11-13T15:00:00Z'),
    });
    await bookAt(NOW, '1.5', { userId: JUN, channelId: asId<ChannelId>('discord') });
    expect(await ask(MINA.channelId, asId<UserId>('new'))).toMatchObject({
      verdict: 'exceeded',
      scope: 'all',
      limitUsd: '2',
      spentUsd: '2.25',
    });
    expect(await ask()).toMatchObject({ scope: 'user' });
  });

  it('counts for a person only what that person used, on that platform', async () => {
    const { ask, bookAt } = await setUp({ perUserUsd: '1' });
    await bookAt(NOW, '5', { userId: JUN });
    await bookAt(NOW, '5', { channelId: asId<ChannelId>('discord') });
    expect(await ask()).toBe('ok');
    expect(await ask(MINA.channelId, JUN)).toMatchObject({ scope: 'user' });
  });

  it('does not count requests without a price', async () => {
    const { ask, bookAt } = await setUp({ perUserUsd: '1', perDayUsd: '1' });
    await bookAt(NOW, '0', { costUsd: null });
    expect(await ask()).toBe('ok');
  });

  it.each(DAYS)(
    'counts from $start to $end at $at in $timeZone, and begins anew then',
    async ({ timeZone, at, start, end }) => {
      const { ask, bookAt } = await setUp({ perDayUsd: '1' }, at, timeZone);
      const justBefore = Temporal.Instant.from(start).subtract({ milliseconds: 1 }).toString();
      await bookAt(justBefore, '5');
      expect(await ask()).toBe('ok');
      await bookAt(start, '1');
      expect(await ask()).toMatchObject({
        scope: 'all',
        spentUsd: '1',
        resetsAt: Temporal.Instant.from(end),
      });
    },
  );

  it.each(DAYS)(
    'is over until just before $end, and free again then, in $timeZone',
    async ({ timeZone, at, end }) => {
      const { ask, bookAt, clock } = await setUp({ perUserUsd: '1' }, at, timeZone);
      await bookAt(at, '1');
      const toEndMs =
        Temporal.Instant.from(end).epochMilliseconds - Temporal.Instant.from(at).epochMilliseconds;
      await clock.advance(toEndMs - 1);
      expect(await ask()).not.toBe('ok');
      await clock.advance(1);
      expect(await ask()).toBe('ok');
    },
  );
});

const REQUEST: RequestToPay = {
  ...MINA,
  sessionKey: asId<SessionKey>('agent:main:slack:T1:direct:mina'),
  provider: 'anthropic',
  model: 'claude-sonnet-5-5',
  profileId: 'key-1',
  inputTokens: 1_000,
  inputUsd: new Decimal('0.01'),
  mostUsd: new Decimal('0.4'),
};
const NEVER = new AbortController().signal;

/** Enough for everything that does not wait for time. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const ofPerson = (name: string, most = '0.4'): RequestToPay => ({
  ...REQUEST,
  userId: asId<UserId>(name),
  mostUsd: new Decimal(most),
});

const reserved = (outcome: ReserveOutcome): Reservation => {
  if (outcome.verdict !== 'reserved') throw new Error(`It is ${outcome.verdict}`);
  return outcome.reservation;
};

const end = (reservation: Reservation, cost: string): Promise<void> =>
  reservation.settle('ok', NO_USAGE, new Decimal(cost), {});

/** Gives what has become of it so far. */
const watched = (promise: Promise<ReserveOutcome>) => {
  const state: { outcome: ReserveOutcome | 'waiting' } = { outcome: 'waiting' };
  void promise.then((outcome) => {
    state.outcome = outcome;
  });
  return { promise, verdict: () => (state.outcome === 'waiting' ? 'waiting' : state.outcome.verdict) };
};

describe('a reservation', () => {
  it('is had at once as long as all that is under way fits into the budget', async () => {
    const { budget } = await setUp({ perDayUsd: '1' });
    const first = reserved(await budget.reserve(ofPerson('ann'), NEVER));
    await budget.reserve(ofPerson('bob'), NEVER);
    const third = watched(budget.reserve(ofPerson('cem'), NEVER));
    await turns();
    expect(third.verdict()).toBe('waiting');
    await end(first, '0.01');
    reserved(await third.promise);
  });

  it('that is larger than what is left is had by the one who is alone, so that a small budget can be used', async () => {
    const { budget, ask } = await setUp({ perUserUsd: '0.05' });
    const alone = reserved(await budget.reserve(REQUEST, NEVER));
    const next = watched(budget.reserve(REQUEST, NEVER));
    await turns();
    expect(next.verdict()).toBe('waiting');
    await end(alone, '0.04');
    await end(reserved(await next.promise), '0.04');
    expect(await ask()).toMatchObject({ scope: 'user', spentUsd: '0.08' });
    expect(await budget.reserve(REQUEST, NEVER)).toMatchObject({ verdict: 'exceeded', scope: 'user' });
  });

  it('of one person keeps nobody else waiting', async () => {
    const { budget } = await setUp({ perUserUsd: '0.05', perDayUsd: '10' });
    await budget.reserve(ofPerson('ann'), NEVER);
    const second = watched(budget.reserve(ofPerson('ann'), NEVER));
    await turns();
    reserved(await budget.reserve(ofPerson('bob'), NEVER));
    expect(second.verdict()).toBe('waiting');
  });

  it('is waited for in order: a small one does not overtake a large one', async () => {
    const { budget } = await setUp({ perDayUsd: '1' });
    const first = reserved(await budget.reserve(ofPerson('ann', '0.5'), NEVER));
    const large = watched(budget.reserve(ofPerson('bob', '0.9'), NEVER));
    await turns();
    const small = watched(budget.reserve(ofPerson('cem', '0.2'), NEVER));
    await turns();
    expect([large.verdict(), small.verdict()]).toEqual(['waiting', 'waiting']);
    await end(first, '0');
    await end(reserved(await large.promise), '0');
    reserved(await small.promise);
  });

  it('that does not become free is given up after a minute, and without delay on abort', async () => {
    const { budget, clock } = await setUp({ perDayUsd: '0.5' });
    await budget.reserve(ofPerson('ann'), NEVER);
    const controller = new AbortController();
    const stopped = expect(budget.reserve(ofPerson('bob'), controller.signal)).rejects.toThrow('enough');
    const waiting = watched(budget.reserve(ofPerson('cem'), NEVER));
    await turns();
    controller.abort(new Error('enough'));
    await stopped;
    for (let second = 0; second < 59; second += 1) {
      await clock.advance(1_000);
      await turns();
    }
    expect(waiting.verdict()).toBe('waiting');
    await clock.advance(1_000);
    expect(await waiting.promise).toEqual({ verdict: 'busy' });
  });

  it('of a request that was never sent leaves nothing behind', async () => {
    const { budget, aggregator, ledger } = await setUp({ perDayUsd: '1' });
    await reserved(await budget.reserve(REQUEST, NEVER)).cancel();
    expect((await aggregator.getTotal()).requestCount).toBe(0);
    const { all } = await ledger.sums('2026-11-13', MINA.channelId, MINA.userId);
    expect([all.spentUsd.toFixed(), all.reservedUsd.toFixed()]).toEqual(['0', '0']);
  });

  it('over midnight is paid by the day on which it began', async () => {
    const { budget, clock, ask } = await setUp({ perDayUsd: '1' }, '2026-11-13T14:59:59Z');
    const late = reserved(await budget.reserve(REQUEST, NEVER));
    await clock.advance(2_000);
    await end(late, '5');
    expect(await ask()).toBe('ok');
  });

  it('that cannot be settled does not lose the answer: it is logged, and the input stays booked', async () => {
    const { create, ledger, records, aggregator, clock } = await setUp({ perDayUsd: '0.5' });
    const failing = { ...ledger, settle: () => Promise.reject(new Error('disk full')) };
    const budget = create({ ledger: failing });
    await end(reserved(await budget.reserve(REQUEST, NEVER)), '0.2');
    expect(records()).toMatchObject([
      { level: 'error', message: 'The usage of a model could not be booked', model: REQUEST.model },
    ]);
    await clock.advance(60_000);
    reserved(await budget.reserve(REQUEST, NEVER));
    expect((await aggregator.getTotal()).costUsd.toFixed()).toBe('0.02');
  });
});

describe('what a process that died left under way', () => {
  it('is closed at the next start: the input stays booked, the reservation goes', async () => {
    const { create, ask, aggregator, records } = await setUp({ perUserUsd: '0.5' });
    await create().reserve(REQUEST, NEVER);
    const next = create();
    await next.recover();
    expect(records()).toMatchObject([{ level: 'warn' }]);
    expect((await aggregator.getTotal()).failedCount).toBe(1);
    expect(await ask()).toBe('ok');
    reserved(await next.reserve({ ...REQUEST, mostUsd: new Decimal('0.49') }, NEVER));
  });

  it('stays reserved for an hour where other processes share the database', async () => {
    const { create, clock, ledger } = await setUp({ perUserUsd: '0.5' });
    await create().reserve(REQUEST, NEVER);
    const isReserved = async (): Promise<boolean> =>
      !(await ledger.sums('2026-11-13', MINA.channelId, MINA.userId)).user.reservedUsd.isZero();
    await clock.advance(3_600_000);
    await create({ isExclusive: false }).recover();
    expect(await isReserved()).toBe(true);
    await clock.advance(1);
    await create({ isExclusive: false }).recover();
    expect(await isReserved()).toBe(false);
  });

  it('counts what was booked today before there were daily sums', async () => {
    const { create, ask, storage } = await setUp({ perUserUsd: '0.5' });
    const usage = usageLedger(storage);
    await usage.book(usageEntry({ costUsd: new Decimal('0.3') }), Temporal.Instant.from(NOW));
    await usage.book(
      usageEntry({
        costUsd: new Decimal('0.3'),
        userId: storage.codes.erasedUserId(MINA.channelId, MINA.userId),
      }),
      Temporal.Instant.from(NOW),
    );
    expect(await ask()).toBe('ok');
    await create().recover();
    await create().recover();
    expect(await ask()).toMatchObject({ scope: 'user', spentUsd: '0.6' });
  });
});
