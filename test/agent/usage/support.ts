import { UsageAggregator } from '#src/agent/usage/usage-reports.ts';
import { Decimal } from '#src/kernel/money.ts';
import { type UsageEntry } from '#src/agent/store/usage.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { usageEntry, usageLedger } from '#test/support/usage.ts';

/** An aggregator over a real database; `at` is what the clock shows, and can be set anew. */
export const setUpUsage = async (at = '2026-11-13T06:30:00Z') => {
  const { storage } = await sqliteStorage();
  const ledger = usageLedger(storage);
  const clock = new ManualClock(at);
  const bookAt = (time: string, costUsd: string, overrides: Partial<UsageEntry> = {}): Promise<boolean> =>
    ledger.book(usageEntry({ costUsd: new Decimal(costUsd), ...overrides }), Temporal.Instant.from(time));
  return { storage, ledger, clock, aggregator: new UsageAggregator({ ledger }), bookAt };
};

/**
 * The first and the last moment of a day (`at` lies in it), in zones and on days that go wrong: Seoul's midnight is
 * not UTC's, New York's days have 23 and 25 hours, and in Cairo the clocks went from midnight to one.
 */
export const DAYS = [
  {
    timeZone: 'Asia/Seoul',
    at: '2026-11-13T06:30:00Z',
    start: '2026-11-12T15:00:00Z',
    end: '2026-11-13T15:00:00Z',
  },
  {
    timeZone: 'Asia/Seoul',
    at: '2026-11-13T15:00:00Z',
    start: '2026-11-13T15:00:00Z',
    end: '2026-11-14T15:00:00Z',
  },
  {
    timeZone: 'Asia/Seoul',
    at: '2026-12-31T15:30:00Z',
    start: '2026-12-31T15:00:00Z',
    end: '2027-01-01T15:00:00Z',
  },
  {
    timeZone: 'America/New_York',
    at: '2026-03-08T20:00:00Z',
    start: '2026-03-08T05:00:00Z',
    end: '2026-03-09T04:00:00Z',
  },
  {
    timeZone: 'America/New_York',
    at: '2026-11-01T20:00:00Z',
    start: '2026-11-01T04:00:00Z',
    end: '2026-11-02T05:00:00Z',
  },
  {
    timeZone: 'America/New_York',
    at: '2026-11-02T04:59:59.999Z',
    start: '2026-11-01T04:00:00Z',
    end: '2026-11-02T05:00:00Z',
  },
  {
    timeZone: 'Africa/Cairo',
    at: '2026-04-24T10:00:00Z',
    start: '2026-04-23T22:00:00Z',
    end: '2026-04-24T21:00:00Z',
  },
  {
    timeZone: 'Africa/Cairo',
    at: '2026-04-23T10:00:00Z',
    start: '2026-04-22T22:00:00Z',
    end: '2026-04-23T22:00:00Z',
  },
] as const;
