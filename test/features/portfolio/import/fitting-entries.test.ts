import { describe, expect, it } from 'vitest';
import { heldAfter } from '#src/features/portfolio/import/build/reconcile.ts';
import { keepFittingEntries } from '#src/features/portfolio/import/fitting-entries.ts';
import type { ShareTransfer } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { APPLE, buy, SAMSUNG, sell, split, withdrawal } from '../ledger/ledger-entries.ts';

/** The CPU time of this thread alone, so that the load of the machine does not count. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

describe('entries that do not fit into a ledger', () => {
  const rules = { baseCurrency: 'KRW', method: 'average', allowsShort: false } as const;

  it('are found even if they break a later recorded entry', () => {
    const existing = [buy('2026-01-01', APPLE, '5', '1'), sell('2026-01-05', APPLE, '5', '1')];
    const [late, early] = [buy('2026-01-03', APPLE, '1', '1'), sell('2026-01-02', APPLE, '3', '1')];
    const { kept, refused } = atOnce(keepFittingEntries(existing, [late, early], rules));
    expect(kept).toEqual([late]);
    expect(refused.get(early)).toMatchObject({ kind: 'breaks-later', date: existing[1]?.date });
  });

  it('are found quickly in a file of which nothing fits', () => {
    const entries = Array.from({ length: 3_000 }, (_, index) =>
      sell('2026-01-02', index % 2 ? APPLE : SAMSUNG, String(1 + (index % 9)), String(index + 1)),
    );
    const started = cpuMs();
    const { kept, refused } = atOnce(
      keepFittingEntries([buy('2026-01-01', APPLE, '5', '1')], entries, rules),
    );
    expect(cpuMs() - started).toBeLessThan(2_000);
    expect(kept.length + refused.size).toBe(3_000);
    expect(kept.length).toBeGreaterThan(0);
  });

  const recorded = Array.from({ length: 3_000 }, (_, index) =>
    buy('2026-01-05', APPLE, '1', String(index + 1)),
  );

  it('are found quickly in a file of splits without holdings', () => {
    const splits = Array.from({ length: 2_000 }, (_, index) =>
      split('2026-02-02', { ...APPLE, symbol: `X${index}` }, '2'),
    );
    const started = cpuMs();
    const { kept, refused } = atOnce(
      keepFittingEntries(recorded, [...splits, split('2026-02-02', APPLE, '2')], rules),
    );
    expect(cpuMs() - started).toBeLessThan(500);
    expect([kept.length, refused.size]).toEqual([1, 2_000]);
  });

  it('are the whole file if too little of it fits', () => {
    const taken = Array.from({ length: 2_000 }, (_, index) =>
      withdrawal(index % 2 ? '2026-02-02' : '2026-02-03', String(index + 1), 'KRW'),
    );
    const started = cpuMs();
    const { kept, refused } = atOnce(
      keepFittingEntries(recorded, [...taken, buy('2026-02-02', APPLE, '1', '1')], rules),
    );
    expect(cpuMs() - started).toBeLessThan(2_000);
    expect([kept.length, refused.size]).toEqual([0, 2_001]);
    expect([...refused.values()].at(-1)).toEqual({ kind: 'unchecked-line' });
  });

  it.each([0, 1])('are the last sales before a recorded split or sale that they break (%i)', (ofSplit) => {
    const existing = [
      buy('2026-01-01', APPLE, '5', '1'),
      ofSplit ? split('2026-01-05', APPLE, '2') : sell('2026-01-05', APPLE, '1', '1'),
    ];
    const sales = ['2', '2', '1'].map((quantity, index) =>
      sell(`2026-01-0${index + 2}`, APPLE, quantity, '1'),
    );
    const { kept, refused } = atOnce(keepFittingEntries(existing, sales, rules));
    expect(kept).toEqual(sales.slice(0, 2));
    expect([...refused]).toEqual([[sales[2], { kind: 'breaks-later', date: existing[1]?.date }]]);
  });
});

it('counts the shares that an import moves in and out in the direction in which they move', () => {
  const { kind: _bought, price: _of, fee: _no, tax: _none, ...moved } = buy('2026-01-02', APPLE, '5', '1');
  const afterOne = (kind: ShareTransfer['kind']): string =>
    heldAfter(new Decimal(10), { ...moved, kind, link: 'l', lots: [] } as unknown as ShareTransfer).toFixed();
  expect([afterOne('transfer-in'), afterOne('transfer-out')]).toEqual(['15', '5']);
});
