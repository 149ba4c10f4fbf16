import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyLedger, RUNS, same, sum } from '../ledger/ledger-arbitrary.ts';
import { APPLE, buy, sell, split, stateOf } from '../ledger/ledger-entries.ts';

it('has disposals that add up to the realised gain, and lots that add up to the cost of each sale', () => {
  fc.assert(
    fc.property(anyLedger, ({ entries, rules }) => {
      const { positions, disposals } = stateOf(entries, rules);
      for (const { instrument, realised } of positions) {
        const own = disposals.filter(({ entry }) => entry.instrument.symbol === instrument.symbol);
        same(realised.local, sum(own.map(({ gain }) => gain.local)));
        same(realised.base?.total, sum(own.map(({ gain }) => gain.base?.total)));
        for (const { lots, cost, quantity, value, gain } of own) {
          same(cost.local, sum(lots.map((lot) => lot.cost.local)));
          same(cost.base, sum(lots.map((lot) => lot.cost.base)));
          same(quantity, sum(lots.map((lot) => lot.quantity)));
          same(gain.local, value.local.minus(cost.local));
        }
      }
    }),
    RUNS,
  );
});

it('dates the purchases behind a sale, across a split', () => {
  const entries = [
    buy('2025-03-03', APPLE, '10', '100', { rate: '1400' }),
    split('2025-06-02', APPLE, '4'),
    buy('2025-07-01', APPLE, '8', '30', { rate: '1350' }),
    sell('2025-09-01', APPLE, '44', '40', { rate: '1390' }),
  ];
  const lotsBy = (method: 'fifo' | 'average') =>
    stateOf(entries, { method }).disposals.flatMap(({ lots }) =>
      lots.map(({ first, last, quantity, cost }) => [first, last, quantity, cost.local].join(' ')),
    );
  expect(lotsBy('fifo')).toEqual(['2025-03-03 2025-03-03 40 1000', '2025-07-01 2025-07-01 4 120']);
  // 1,240 × 44 / 48
  expect(lotsBy('average')).toEqual(['2025-03-03 2025-07-01 44 1136.666666666666666666']);
});
