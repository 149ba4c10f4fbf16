import { describe, expect, it } from 'vitest';
import { Decimal } from '#src/kernel/money.ts';
import { createDailyRateStore, type DailyRate } from '#src/features/portfolio/store/daily-rates.ts';
import type { TestStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const PAIR = { base: 'USD', quote: 'KRW' };
const FIRST = Temporal.PlainDate.from('2026-01-01');

const rateOf = (index: number, rate: string | undefined): DailyRate => {
  const day = FIRST.add({ days: index });
  const close = rate === undefined ? undefined : { rate: new Decimal(rate), day: day.subtract({ days: 1 }) };
  return { day, close, source: 'hand' };
};

export const describeDailyRatesContract = (name: string, open: () => Promise<TestStorage>): void => {
  describe(`daily rates on ${name}`, () => {
    it('a rate that is known never changes, and a missing one is filled in when there is one', async () => {
      const { storage } = await open();
      const clock = new ManualClock();
      const store = createDailyRateStore(storage, clock);
      const year = Array.from({ length: 365 }, (_, index) => rateOf(index, `14${index}.123456789012`));
      await store.keep(PAIR, [...year.slice(1), rateOf(0, undefined)]);
      const days = year.map(({ day }) => day);
      const none = days.slice(0, 1);
      expect((await store.read(PAIR, none)).get('2026-01-01')).toEqual(rateOf(0, undefined));
      await Promise.all([
        store.keep(
          PAIR,
          year.map((each) => ({ ...each, source: 'other' })),
        ),
        store.keep(PAIR, [rateOf(5, '1')]),
      ]);
      const read = await store.read(PAIR, [...days, ...days]);
      expect(read.size).toBe(365);
      expect(read.get('2026-01-01')).toEqual({ ...year[0], source: 'other' });
      expect(read.get('2026-01-06')).toEqual(year[5]);
      expect((await store.read({ base: 'KRW', quote: 'USD' }, days)).size).toBe(0);
    });

    it('that a source has none is believed for a day', async () => {
      const { storage } = await open();
      const clock = new ManualClock();
      const store = createDailyRateStore(storage, clock);
      await store.keep(PAIR, [rateOf(0, undefined)]);
      await clock.advance(23 * 3_600_000);
      expect((await store.read(PAIR, [FIRST])).size).toBe(1);
      await clock.advance(2 * 3_600_000);
      expect((await store.read(PAIR, [FIRST])).size).toBe(0);
    });
  });
};
