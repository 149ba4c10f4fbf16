import { describe, expect, it } from 'vitest';
import type { CorporateAction } from '#src/kernel/market/corporate-action.ts';
import { Decimal } from '#src/kernel/money.ts';
import { createCorporateActionStore } from '#src/features/portfolio/store/corporate-actions.ts';
import type { TestStorage } from '#test/support/database.ts';

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const split = (date: string, ratio: string): CorporateAction => ({
  kind: 'split',
  date: day(date),
  ratio: new Decimal(ratio),
});
const dividend = (date: string, amount: string, priceBefore?: string): CorporateAction => ({
  kind: 'dividend',
  date: day(date),
  amount: new Decimal(amount),
  currency: 'USD',
  ...(priceBefore !== undefined && { priceBefore: new Decimal(priceBefore) }),
});

/** The part of the contract about splits and dividends. */
export const describeCorporateActionsContract = (name: string, open: () => Promise<TestStorage>): void => {
  describe(`corporate actions on ${name}`, () => {
    it('hold what the source said last of each day, and which days it was asked about', async () => {
      const { storage } = await open();
      const store = createCorporateActionStore(storage);
      expect(await store.read('NVDA')).toBeUndefined();
      const gap = { date: day('2024-03-01'), previousClose: new Decimal('80'), open: new Decimal('40.5') };
      const old = dividend('2024-03-05', '0.004', '85.25');
      const whole = { first: day('2024-01-01'), last: day('2024-06-20'), source: 'hand' };
      const facts = { actions: [old, split('2024-06-10', '9')], gaps: [gap] };
      await store.replace('NVDA', whole, facts, at('2024-06-20T00:00:00Z'));
      expect(await store.read('NVDA')).toEqual({
        ...whole,
        ...facts,
        lookedAt: at('2024-06-20T00:00:00Z'),
        wholeLookedAt: at('2024-06-20T00:00:00Z'),
      });

      // A corrected ratio, and a dividend that was not one; older days stay.
      const recent = { first: day('2024-06-01'), last: day('2024-06-25'), source: 'hand' };
      const corrected = { actions: [split('2024-06-10', '10')], gaps: [] };
      await store.replace('NVDA', recent, corrected, at('2024-06-25T00:00:00Z'));
      expect(await store.read('NVDA')).toEqual({
        first: day('2024-01-01'),
        last: day('2024-06-25'),
        source: 'hand',
        actions: [old, split('2024-06-10', '10')],
        gaps: [gap],
        lookedAt: at('2024-06-25T00:00:00Z'),
        wholeLookedAt: at('2024-06-20T00:00:00Z'),
      });
      const seen = await storage.db.selectFrom('corporate_actions').select('first_seen_at').execute();
      expect(new Set(seen.map(({ first_seen_at }) => first_seen_at))).toEqual(
        new Set(['2024-06-20T00:00:00.000Z']),
      );
      expect(await store.read('AAPL')).toBeUndefined();
    });
  });
};
