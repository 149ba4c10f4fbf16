import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asId, type ChannelId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import { NO_USAGE } from '#src/kernel/agent/model.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { UsageSnapshot } from '#src/kernel/agent/usage.ts';
import { newId } from '#src/platform/ids.ts';
import { createSessionSettings } from '#src/agent/store/session-settings.ts';
import { ERASED_SESSION } from '#src/platform/storage/person-codes.ts';
import { openUsage, type UsageEntry, type UsageFilter } from '#src/agent/store/usage.ts';
import type { TestStorage } from '#test/support/database.ts';
import { MINA, readable, usageEntry, usageSnapshot, usageLedger } from '#test/support/usage.ts';
import { AT, LATER } from '../../platform/storage/contract-fixture.ts';

const PICO = new Decimal('1e-12');
/** 2^53 + 1: the first integer that a float cannot hold. */
const ABOVE_FLOATS = '9007.199254740993';

const tokens = fc.nat({ max: 2_000_000_000 });
const entryArbitrary = fc.record({
  model: fc.constantFrom('claude-opus-5-5', 'gpt-5.4', '이름 없는 모델'),
  outcome: fc.constantFrom<UsageEntry['outcome']>('ok', 'failed'),
  usage: fc.record({
    inputTokens: tokens,
    outputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
  }),
  costUsd: fc.option(fc.bigInt({ min: 0n, max: 10n ** 16n }).map((pico) => new Decimal(`${pico}e-12`))),
});

const added = (one: UsageSnapshot, other: UsageSnapshot): UsageSnapshot => ({
  requestCount: one.requestCount + other.requestCount,
  failedCount: one.failedCount + other.failedCount,
  unpricedCount: one.unpricedCount + other.unpricedCount,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
  cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
  costUsd: one.costUsd.plus(other.costUsd),
});

const describeLedger = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage, reopen } = await open();
    const ledger = usageLedger(storage);
    const bookAll = async (costs: readonly (string | Decimal)[]): Promise<void> => {
      for (const cost of costs) await ledger.book(usageEntry({ costUsd: new Decimal(cost) }), AT);
    };
    const cost = async (): Promise<string> => (await ledger.sum({})).costUsd.toFixed();
    return { storage, reopen, ledger, bookAll, cost };
  };

  describe(`usage ledger on ${name}`, () => {
    it('has zeros where nothing was booked', async () => {
      const { ledger } = await setUp();
      expect(await ledger.sum({})).toStrictEqual(usageSnapshot());
      expect(await ledger.sumByModel({})).toEqual([]);
    });

    it('adds up what was booked: each kind of token, the cost, and how the requests ended', async () => {
      const { ledger } = await setUp();
      await ledger.book(usageEntry(), AT);
      await ledger.book(usageEntry({ costUsd: new Decimal('0.0025') }), AT);
      await ledger.book(usageEntry({ outcome: 'failed', usage: NO_USAGE, costUsd: new Decimal(0) }), AT);
      await ledger.book(usageEntry({ outcome: 'failed' }), AT);
      expect(readable(await ledger.sum({}))).toEqual({
        requestCount: 4,
        failedCount: 2,
        unpricedCount: 0,
        inputTokens: 300,
        outputTokens: 60,
        cacheReadTokens: 900,
        cacheWriteTokens: 12,
        costUsd: '0.0225',
      });
    });

    it('books the same id once, also when it comes many times at once, and keeps the first', async () => {
      const { ledger, cost } = await setUp();
      const entry = usageEntry();
      await ledger.book(entry, AT);
      const again = { ...entry, costUsd: new Decimal(5), model: 'another' };
      await Promise.all([1, 2, 3, 4].map(() => ledger.book(again, LATER)));
      expect(await cost()).toBe('0.01');
      expect((await ledger.sum({})).requestCount).toBe(1);
      expect((await ledger.sumByModel({})).map(({ model }) => model)).toEqual([entry.model]);
    });

    it.each([
      { what: 'what floats get wrong', costs: ['0.1', '0.2'], sum: '0.3' },
      {
        what: 'a thousand tiny ones',
        costs: Array<string>(1_000).fill('0.000000000001'),
        sum: '0.000000001',
      },
      { what: 'one above 2^53 units', costs: [ABOVE_FLOATS], sum: ABOVE_FLOATS },
      { what: 'a sum above 2^53 units', costs: [ABOVE_FLOATS, PICO, PICO], sum: '9007.199254740995' },
      { what: 'millions and a millionth', costs: ['4000000', '0.000001', '5000000'], sum: '9000000.000001' },
      { what: 'nothing', costs: ['0', '0'], sum: '0' },
    ])('adds costs exactly: $what', async ({ costs, sum }) => {
      const { bookAll, cost } = await setUp();
      await bookAll(costs);
      expect(await cost()).toBe(sum);
    });

    it.each([
      ['0.0000000000005', '0.000000000001'],
      ['0.00000000000049999999999999999999999999', '0'],
      ['0.0000000000014', '0.000000000001'],
      ['1234567.0000000000015', '1234567.000000000002'],
      ['1e-30', '0'],
    ])('keeps %s to a millionth of a millionth, half a unit up', async (usd, kept) => {
      const { bookAll, cost } = await setUp();
      await bookAll([usd]);
      expect(await cost()).toBe(kept);
    });

    it('counts requests whose price is unknown, unless they failed before they used anything', async () => {
      const { ledger } = await setUp();
      await ledger.book(usageEntry(), AT);
      await ledger.book(usageEntry({ costUsd: null }), AT);
      await ledger.book(usageEntry({ costUsd: null, usage: NO_USAGE }), AT);
      await ledger.book(usageEntry({ costUsd: null, outcome: 'failed' }), AT);
      await ledger.book(usageEntry({ costUsd: null, outcome: 'failed', usage: NO_USAGE }), AT);
      await ledger.book(usageEntry({ costUsd: new Decimal(0), model: 'free' }), AT);
      expect(readable(await ledger.sum({}))).toMatchObject({
        requestCount: 6,
        failedCount: 2,
        unpricedCount: 3,
        costUsd: '0.01',
      });
    });

    it.each<[string, UsageFilter, number]>([
      ['nothing', {}, 7],
      ['the channel', { channelId: MINA.channelId }, 6],
      ['the person', { userId: MINA.userId }, 6],
      ['the person on one channel', MINA, 5],
      ['the conversation', { sessionKey: asId<SessionKey>("o'brien") }, 1],
      ['the provider', { provider: 'openai' }, 1],
      ['all of it', { ...MINA, provider: 'openai', since: AT }, 1],
      ['what does not go together', { provider: 'openai', since: LATER }, 0],
      ['a moment on', { since: LATER }, 1],
      ['a time without an end', { since: AT }, 7],
      ['empty names', { sessionKey: asId<SessionKey>('') }, 0],
    ])('narrows to %s', async (_what, filter, requestCount) => {
      const { ledger } = await setUp();
      await ledger.book(usageEntry(), AT);
      await ledger.book(usageEntry({ channelId: asId<ChannelId>('discord') }), AT);
      await ledger.book(usageEntry({ userId: asId<UserId>('jun') }), AT);
      await ledger.book(usageEntry({ sessionKey: asId<SessionKey>("o'brien") }), AT);
      await ledger.book(usageEntry({ provider: 'openai', model: 'gpt-5.4' }), AT);
      await ledger.book(usageEntry({ profileId: 'profile-2' }), AT);
      await ledger.book(usageEntry(), LATER);
      expect((await ledger.sum(filter)).requestCount).toBe(requestCount);
      const parts = await ledger.sumByModel(filter);
      expect(parts.reduce((sum, { usage }) => sum + usage.requestCount, 0)).toBe(requestCount);
    });

    it('gives over the models together what it gives in total', async () => {
      const { ledger } = await setUp();
      await fc.assert(
        fc.asyncProperty(fc.array(entryArbitrary, { maxLength: 12 }), async (entries) => {
          const sessionKey = newId<SessionKey>();
          for (const entry of entries) await ledger.book(usageEntry({ ...entry, sessionKey }), AT);
          const parts = await ledger.sumByModel({ sessionKey });
          expect(parts.map(({ model }) => model).toSorted()).toEqual(
            [...new Set(entries.map(({ model }) => model))].toSorted(),
          );
          const together = parts.map(({ usage }) => usage).reduce(added, usageSnapshot());
          const whole = readable(await ledger.sum({ sessionKey }));
          expect(whole).toEqual(readable(together));
          const cost = entries.reduce((sum, { costUsd }) => sum.plus(costUsd ?? 0), new Decimal(0));
          expect(whole.costUsd).toBe(cost.toFixed());
        }),
        { numRuns: 25 },
      );
    });

    it('lists the requests of a conversation by time, with the names that the provider gave them', async () => {
      const { ledger } = await setUp();
      const { sessionKey } = usageEntry();
      const ids = { requestId: 'req_1', responseId: 'msg_1' };
      await ledger.book(usageEntry({ ids }), AT);
      await ledger.book(usageEntry({ outcome: 'failed', ids: { requestId: 'req_2' }, model: 'm' }), LATER);
      await ledger.book(usageEntry({ sessionKey: asId<SessionKey>('another') }), AT);
      expect(await ledger.requests(sessionKey, AT, LATER)).toEqual([
        { model: 'claude-sonnet-5-5', outcome: 'ok', ...ids },
        { model: 'm', outcome: 'failed', requestId: 'req_2' },
      ]);
      expect(await ledger.requests(sessionKey, AT, AT)).toHaveLength(1);
    });

    it('keeps no names of a request whose person had their data deleted while it was under way', async () => {
      const { ledger, storage } = await setUp();
      const entry = usageEntry();
      await storage.write((tx) => openUsage(tx, entry, AT, new Decimal(1)));
      const erased = asId<SessionKey>(ERASED_SESSION);
      await storage.db.updateTable('usage').set({ session_key: erased }).execute();
      await ledger.book({ ...entry, ids: { requestId: 'req_1', responseId: 'msg_1' } }, AT);
      expect(await ledger.requests(erased, AT, AT)).toEqual([{ model: entry.model, outcome: 'ok' }]);
    });

    it('still has it after a restart', async () => {
      const { storage, reopen, bookAll } = await setUp();
      await bookAll([ABOVE_FLOATS]);
      await storage.close();
      const again = usageLedger(await reopen());
      expect((await again.sum({})).costUsd.toFixed()).toBe(ABOVE_FLOATS);
    });
  });
};

const describeSettings = (name: string, open: () => Promise<TestStorage>): void => {
  const ONE = asId<SessionKey>("agent:main:slack:T1:group:'C1'");
  const OTHER = asId<SessionKey>('agent:main:slack:T1:group:C2');

  describe(`session settings on ${name}`, () => {
    it('knows the model that was chosen last, for that conversation alone', async () => {
      const settings = createSessionSettings((await open()).storage);
      expect(await settings.getModel(ONE)).toBeUndefined();
      await settings.setModel(ONE, { id: 'claude-opus-5-5', isByAdmin: false }, AT);
      await settings.setModel(ONE, { id: 'gpt-5.4', isByAdmin: false }, LATER);
      expect(await settings.getModel(ONE)).toEqual({ id: 'gpt-5.4', isByAdmin: false });
      expect(await settings.getModel(OTHER)).toBeUndefined();
    });

    it('forgets the choice when it is taken back, also one never made', async () => {
      const { storage } = await open();
      const settings = createSessionSettings(storage);
      await settings.setModel(ONE, { id: 'gpt-5.4', isByAdmin: false }, AT);
      await settings.setModel(ONE, null, LATER);
      await settings.setModel(OTHER, null, LATER);
      expect([await settings.getModel(ONE), await settings.getModel(OTHER)]).toEqual([undefined, undefined]);
      const rows = await storage.db.selectFrom('session_settings').select('updated_at').execute();
      expect(rows.map((row) => row.updated_at)).toEqual(Array<string>(2).fill('2026-11-13T06:30:05.000Z'));
    });

    it('still knows it after a restart', async () => {
      const { storage, reopen } = await open();
      await createSessionSettings(storage).setModel(ONE, { id: '모델 "1"', isByAdmin: true }, AT);
      await storage.close();
      expect(await createSessionSettings(await reopen()).getModel(ONE)).toEqual({
        id: '모델 "1"',
        isByAdmin: true,
      });
    });
  });
};

/** The ledger's and the settings' part of the contract. */
export const describeUsageContract = (name: string, open: () => Promise<TestStorage>): void => {
  describeLedger(name, open);
  describeSettings(name, open);
};
