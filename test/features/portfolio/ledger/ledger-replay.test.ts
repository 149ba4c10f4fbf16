import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { deriveLedger } from '#src/features/portfolio/ledger/derive-ledger.ts';
import type { LedgerRules, LedgerState } from '#src/features/portfolio/ledger/ledger-state.ts';
import { anyEntries, anyLedger, anyRules, dayOf, recorded, RUNS } from './ledger-arbitrary.ts';
import { stateOf } from './ledger-entries.ts';

const bytesOf = (entries: readonly NewTransaction[], rules: LedgerRules): string =>
  JSON.stringify(atOnce(deriveLedger(entries, rules)));

/** Both sides of an exchange, because either can give its value. */
const without = (entry: NewTransaction): NewTransaction => {
  const { rate: _rate, ...rest } = entry;
  return (rest.kind === 'fx' ? { ...rest, toRate: undefined } : rest) as NewTransaction;
};
const figures = (state: LedgerState): readonly (readonly [string, string | undefined])[] =>
  [
    ...state.positions.flatMap(({ cost, realised, dividends }) => [
      [cost.local, cost.base] as const,
      [realised.local, realised.base?.total] as const,
      [realised.local, realised.base?.fromPrice] as const,
      [dividends.local, dividends.base] as const,
    ]),
    ...state.cash.flatMap(({ amount, costBase, realisedFx }) => [
      [amount, costBase] as const,
      [amount, realisedFx] as const,
    ]),
    ...state.flows.map(({ amount, base }) => [amount, base] as const),
    ...[...state.fees, ...state.taxes].map(({ total }) => [total.local, total.base] as const),
  ].map(([local, base]) => [local.toFixed(), base?.toFixed()]);

describe('a ledger', () => {
  it('comes to the same bytes in whatever order its recorded entries are handed over, refused ones too', () => {
    const shuffled = anyEntries.chain((entries) => {
      // The same said twice, as far as it counts.
      const all = [
        ...entries,
        ...entries.slice(0, 3).map((entry) => ({ ...entry, clientId: `${entry.clientId}-again` })),
      ].map((entry, index) => ({ ...entry, number: index + 1 }));
      return fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }));
    });
    fc.assert(
      fc.property(shuffled, anyRules, ([entries, others], rules) => {
        expect(bytesOf(others, rules)).toBe(bytesOf(entries, rules));
        const kept = recorded(entries, rules);
        const asArrived = others.filter((entry) => kept.includes(entry));
        expect(bytesOf(asArrived, rules)).toBe(bytesOf(kept, rules));
        expect(bytesOf(kept, rules)).toBe(bytesOf(kept, rules));
      }),
      RUNS,
    );
  });

  it('was valid at the end of each of its days', () => {
    fc.assert(
      fc.property(anyLedger, ({ entries, rules }) => {
        for (const day of new Set(entries.map(dayOf)))
          expect(
            atOnce(
              deriveLedger(
                entries.filter((entry) => dayOf(entry) <= day),
                rules,
              ),
            ).status,
          ).toBe('ok');
      }),
      RUNS,
    );
  });

  it('without some of its rates says less, and nothing else', () => {
    fc.assert(
      fc.property(
        anyLedger,
        fc.infiniteStream(fc.integer({ min: 0, max: 4 })),
        ({ entries, rules }, picks) => {
          const poorer = entries.map((entry) => (picks.next().value === 0 ? without(entry) : entry));
          const full = figures(stateOf(entries, rules));
          const partial = figures(stateOf(poorer, rules));
          expect(partial.map(([local]) => local)).toEqual(full.map(([local]) => local));
          expect(partial.map(([, base], index) => base ?? full[index]?.[1])).toEqual(
            full.map(([, base]) => base),
          );
        },
      ),
      RUNS,
    );
  });
});
