import { describe, expect, it } from 'vitest';
import { METRICS } from '#src/kernel/market/fact-metrics.ts';

describe('the names of metrics', () => {
  it.each(['ko', 'en'] as const)('tell metrics of one kind apart (%s)', (locale) => {
    // Those of another kind are told apart by their unit: `ATR 4.21` and `ATR 1.5%`.
    const named = Map.groupBy(Object.entries(METRICS), ([, { kind, words }]) =>
      `${words[locale][0] ?? ''} (${kind})`.toLowerCase(),
    );
    const shared = [...named].filter(([, metrics]) => metrics.length > 1);
    expect(shared.map(([name, metrics]) => [name, metrics.map(([id]) => id)])).toEqual([]);
  });
});
