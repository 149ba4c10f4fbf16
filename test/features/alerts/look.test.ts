import { describe, expect, it } from 'vitest';
import type { AlertRecord } from '#src/kernel/alert.ts';
import { type AlertId, asId } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { averageNow, type DailySeries, daysOver, rsiNow } from '#src/features/alerts/daily-series.ts';
import { createAlertEvaluation } from '#src/features/alerts/evaluate-alerts.ts';
import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { rsi, sma } from '#src/markets/indicators/indicators.ts';
import { createMarket } from '#src/markets/sources/market.ts';
import { resilient } from '#src/markets/sources/resilient.ts';
import type { EvaluationOutcome } from '#src/features/alerts/store-types.ts';
import { createLiveSource, instrumentOf, quoteOf } from '#test/markets/sources/market-fixtures.ts';
import { newAlert } from '#test/platform/storage/alerts-fixture.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { NO_ACTIONS, OPEN, signal } from './alerts-support.ts';

describe('a look at many alerts', () => {
  it('asks for 500 symbols in batches of 50, each once', async () => {
    const clock = new ManualClock(OPEN);
    const { logger } = recordingLogger();
    const { source, asked } = createLiveSource({
      getQuotes: async (wanted) => wanted.map((each) => quoteOf(each, { asOf: clock.now() })),
    });
    const calendar = { sessionOf, lastCloseBefore };
    const sources = [resilient(source, { calendar, clock, logger }).source];
    const market = createMarket({ sources, calendar, clock, logger });
    const alerts = Array.from({ length: 1_000 }, (_, index): AlertRecord => ({
      ...newAlert({
        instrument: instrumentOf(`S${index % 500}`),
        condition: { kind: 'crosses-above', price: new Decimal(50) },
      }),
      id: asId<AlertId>(`a${index}`),
      status: 'active',
      side: 'unknown',
      memory: '{}',
      firedCount: 0,
      createdAt: clock.now(),
      version: 1,
    }));
    const seen: EvaluationOutcome[] = [];
    const store = {
      expire: async () => 0,
      due: async () => alerts,
      fire: async () => [],
      end: async () => false,
      revise: async () => false,
      look: async (outcomes: readonly EvaluationOutcome[]) => void seen.push(...outcomes),
    };
    await createAlertEvaluation({
      store,
      market,
      clock,
      logger,
      wake: () => undefined,
      membership: async () => 'member',
      corporateActions: NO_ACTIONS,
      directTarget: async () => undefined,
    })(signal);
    expect(asked.map(({ length }) => length)).toEqual(Array<number>(10).fill(50));
    expect(new Set(seen.map(({ alert, side }) => `${alert.id} ${side}`)).size).toBe(1_000);
  });
});

describe('indicators of the moment', () => {
  it('are those of the whole series with the price as its last close', () => {
    const closes = Array.from({ length: 80 }, (_, day) => 100 + 10 * Math.sin(day));
    const daily: DailySeries = {
      closes,
      volumes: [],
      high: 110,
      low: 90,
      lastDay: '2026-11-16',
      timeZone: 'UTC',
      isSample: false,
      reckoned: new Map(),
    };
    for (const [at, before] of [
      ['2026-11-16T15:00:00Z', closes.slice(0, -1)],
      ['2026-11-17T15:00:00Z', closes],
    ] as const) {
      const over = daysOver(daily, Temporal.Instant.from(at));
      for (const price of [95, 123.4]) {
        expect(rsiNow(daily, over, 14, price)).toBeCloseTo(rsi([...before, price]).at(-1) ?? 0, 9);
        expect(averageNow(daily, over, 20, price)).toBeCloseTo(sma([...before, price], 20).at(-1) ?? 0, 9);
      }
      expect(averageNow(daily, over, 200, 95)).toBeUndefined();
    }
  });
});
