import { describe, expect, it } from 'vitest';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import { NO_USAGE } from '#src/kernel/agent/model.ts';
import { Decimal } from '#src/kernel/money.ts';
import { createBudgetLedger, type DaySums, type PlannedRequest } from '#src/agent/store/budget-ledger.ts';
import { createPurgeSteps } from '#src/platform/storage/retention.ts';
import { type UsageEntry } from '#src/agent/store/usage.ts';
import type { TestStorage } from '#test/support/database.ts';
import { MINA, usageEntry, usageLedger } from '#test/support/usage.ts';
import { AT } from '../../platform/storage/contract-fixture.ts';

const DAY = '2026-11-13';
const JUN = asId<UserId>('jun');
const ALWAYS = (): boolean => true;

const planned = (most: string, overrides: Partial<UsageEntry> = {}): PlannedRequest => ({
  entry: usageEntry({
    outcome: 'failed',
    usage: { ...NO_USAGE, inputTokens: 1_000 },
    costUsd: new Decimal('0.002'),
    ...overrides,
  }),
  at: AT,
  day: DAY,
  mostUsd: new Decimal(most),
});

const cost = (usd: string | null, more: Partial<UsageEntry> = {}): UsageEntry =>
  usageEntry({ costUsd: usd === null ? null : new Decimal(usd), ...more });

const readable = ({ user, all }: DaySums) =>
  [user, all].map(({ spentUsd, reservedUsd }) => `${spentUsd.toFixed()} + ${reservedUsd.toFixed()}`);

/** The daily sums and the requests under way: the same promises on every database. */
export const describeBudgetContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage } = await open();
    const ledger = createBudgetLedger(storage, () => DAY);
    const sums = async (userId = MINA.userId) => readable(await ledger.sums(DAY, MINA.channelId, userId));
    const settle = (request: PlannedRequest, cost: string | null) =>
      ledger.settle(request, {
        ...request.entry,
        outcome: 'ok',
        costUsd: cost === null ? null : new Decimal(cost),
      });
    return { storage, ledger, sums, settle, usage: usageLedger(storage) };
  };

  describe(`budget ledger on ${name}`, () => {
    it('reserves before a request and puts what it really cost in the place of that', async () => {
      const { ledger, sums, settle, usage } = await setUp();
      expect(await sums()).toEqual(['0 + 0', '0 + 0']);
      const [first, second] = [planned('0.4'), planned('0.3', { userId: JUN })];
      await ledger.open(first, ALWAYS);
      await ledger.open(second, ALWAYS);
      expect(await sums()).toEqual(['0 + 0.4', '0 + 0.7']);
      expect(await sums(JUN)).toEqual(['0 + 0.3', '0 + 0.7']);
      await settle(first, '0.123456789012');
      expect(await sums()).toEqual(['0.123456789012 + 0', '0.123456789012 + 0.3']);
      await settle(second, null);
      expect(await sums(JUN)).toEqual(['0 + 0', '0.123456789012 + 0']);
      expect((await usage.sum({})).requestCount).toBe(2);
    });

    it('changes nothing where the sums do not allow it, and tells them', async () => {
      const { ledger, sums, usage } = await setUp();
      await ledger.open(planned('0.4'), ALWAYS);
      const refused = await ledger.open(planned('0.3'), () => false);
      if (refused.isOpen) expect.fail('It was opened');
      expect(readable(refused.sums)).toEqual(['0 + 0.7', '0 + 0.7']);
      expect(await sums()).toEqual(['0 + 0.4', '0 + 0.4']);
      expect((await usage.sum({})).requestCount).toBe(1);
    });

    it('reserves nothing where no limit is to be checked, and books the request all the same', async () => {
      const { ledger, sums, settle, usage } = await setUp();
      const request = planned('0');
      expect(await ledger.open(request, undefined)).toEqual({ isOpen: true });
      expect(await sums()).toEqual(['0 + 0', '0 + 0']);
      expect((await usage.sum({})).requestCount).toBe(1);
      await settle(request, '0.2');
      expect(await sums()).toEqual(['0.2 + 0', '0.2 + 0']);
    });

    it('judges requests that come at the same moment one after the other', async () => {
      const { ledger, sums, settle } = await setUp();
      const limit = new Decimal('1');
      const people = Array.from({ length: 24 }, (_, index) => asId<UserId>(`person-${index % 5}`));
      const requests = people.map((userId) => planned('0.3', { userId }));
      const outcomes = await Promise.all(
        requests.map((request) =>
          ledger.open(request, ({ all }) => all.reservedUsd.lessThanOrEqualTo(limit)),
        ),
      );
      expect(outcomes.filter(({ isOpen }) => isOpen)).toHaveLength(3);
      const opened = requests.filter((_, index) => outcomes[index]?.isOpen);
      await Promise.all(opened.map((request) => settle(request, '0.1')));
      expect((await sums())[1]).toBe('0.3 + 0');
    });

    it('settles a request once, also when it is told twice', async () => {
      const { ledger, sums, settle } = await setUp();
      const request = planned('0.4');
      await ledger.open(request, ALWAYS);
      await settle(request, '0.1');
      await settle(request, '0.2');
      await ledger.cancel(request);
      expect(await sums()).toEqual(['0.1 + 0', '0.1 + 0']);
    });

    it('keeps no trace of a request that was never sent', async () => {
      const { ledger, sums, usage } = await setUp();
      const request = planned('0.4');
      await ledger.open(request, ALWAYS);
      await ledger.cancel(request);
      expect(await sums()).toEqual(['0 + 0', '0 + 0']);
      expect((await usage.sum({})).requestCount).toBe(0);
    });

    it('books the input of a request that nobody closed, and frees its reservation, once', async () => {
      const { ledger, sums, settle, usage } = await setUp();
      const [dead, alive] = [planned('0.4'), planned('0.3')];
      await ledger.open(dead, ALWAYS);
      await ledger.open(alive, ALWAYS);
      const isDead = (id: string, at: Temporal.Instant): boolean =>
        id === dead.entry.id && at.epochMilliseconds === AT.epochMilliseconds;
      expect(await ledger.releaseDead(isDead)).toBe(1);
      expect(await ledger.releaseDead(isDead)).toBe(0);
      expect(await sums()).toEqual(['0.002 + 0.3', '0.002 + 0.3']);
      await settle(dead, '5');
      expect(await sums()).toEqual(['0.002 + 0.3', '0.002 + 0.3']);
      expect(await usage.sum({})).toMatchObject({ requestCount: 2, inputTokens: 2_000 });
    });

    it('gives nobody a second budget for the day when their bookings get another name', async () => {
      const { ledger, sums, settle, storage } = await setUp();
      const [settled, underWay] = [planned('0.4'), planned('0.4')];
      await ledger.open(settled, ALWAYS);
      await settle(settled, '0.1');
      await ledger.open(underWay, ALWAYS);
      const code = storage.codes.erasedUserId(MINA.channelId, MINA.userId);
      await storage.db.updateTable('usage').set({ user_id: code }).execute();
      expect(await sums()).toEqual(['0.1 + 0.4', '0.1 + 0.4']);
      await settle(underWay, '0.2');
      expect((await sums())[0]).toBe('0.3 + 0');
      const names = await storage.db.selectFrom('usage').select('user_id').distinct().execute();
      expect(names).toEqual([{ user_id: code }]);
    });

    it('takes the sums of a day from the bookings once, where it has none', async () => {
      const { ledger, sums, usage, storage } = await setUp();
      await usage.book(cost('7'), AT.subtract({ hours: 24 }));
      await usage.book(cost('0.1'), AT);
      await usage.book(cost('0.2', { userId: storage.codes.erasedUserId(MINA.channelId, MINA.userId) }), AT);
      await usage.book(cost('0.4', { channelId: asId<ChannelId>('discord') }), AT);
      await usage.book(cost(null), AT);
      await Promise.all([ledger.seed(DAY, AT), ledger.seed(DAY, AT)]);
      expect(await sums()).toEqual(['0.3 + 0', '0.7 + 0']);
    });

    it('forgets the sums of days that are over', async () => {
      const { storage, ledger } = await setUp();
      for (const day of ['2026-11-09', '2026-11-12', DAY]) await ledger.seed(day, AT);
      const steps = createPurgeSteps(storage, { now: AT, limit: AT.subtract({ hours: 24 * 90 }) });
      for (const step of steps) await step();
      const left = await storage.db.selectFrom('budget_days').select('day').orderBy('day').execute();
      expect(left.map(({ day }) => day)).toEqual(['2026-11-12', DAY]);
    });
  });
};
