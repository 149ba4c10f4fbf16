import { describe, expect, it } from 'vitest';
import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import { type AlertId, asId } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import {
  averageNow,
  type DailySeries,
  daysOver,
  rsiNow,
} from '#src/features/alerts/watching/daily-series.ts';
import { createAlertEvaluation, evaluateNews } from '#src/features/alerts/watching/evaluate-alerts.ts';
import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { rsi, sma } from '#src/markets/indicators/indicators.ts';
import { createMarket } from '#src/markets/sources/market.ts';
import { resilient } from '#src/markets/sources/resilient.ts';
import type { EvaluationOutcome } from '#src/features/alerts/store-types.ts';
import { createLiveSource, instrumentOf, quoteOf } from '#test/markets/sources/market-fixtures.ts';
import { APPLE, newAlert } from '#test/features/alerts/alerts-fixture.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { NO_ACTIONS, OPEN, signal } from './alerts-support.ts';
import type { NewsItem } from '#src/kernel/market/finance.ts';

describe('the evaluation of many alerts', () => {
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
      saveObservations: async (outcomes: readonly EvaluationOutcome[]) => void seen.push(...outcomes),
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
      computed: new Map(),
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

const at = (time: string) => Temporal.Instant.from(`2026-11-16T${time}:00Z`);
const headline = (title: string, publishedAt: Temporal.Instant): NewsItem => ({
  title,
  url: '',
  publisher: 'Reuters',
  publishedAt,
  symbols: [],
});

/** A repeating alert on recalls, set at three, that is looked at again and again. */
const createAlert = () => {
  const terms = {
    instrument: APPLE,
    condition: { kind: 'news', keyword: 'recall' },
    isRepeating: true,
    cooldownMinutes: 60,
    usesExtendedHours: false,
  } as const;
  let state: Parameters<typeof evaluateNews>[1] = { side: 'unknown', memory: '{}', createdAt: at('15:00') };
  return (now: Temporal.Instant, items: readonly NewsItem[]): readonly string[] => {
    const outcome = evaluateNews(terms, state, items, now);
    if (outcome.kind === 'same') return [];
    const { memory } = outcome;
    if (outcome.kind === 'quiet') state = { ...state, side: outcome.side, memory };
    else state = { ...state, side: 'met', memory, lastFiredAt: now };
    return (outcome.headlines ?? []).map(({ title }) => title);
  };
};

describe('headlines with the words of an alert', () => {
  it('are each told of once: those that come together, that waited for the cooldown, and that are listed late', () => {
    const look = createAlert();
    const items = [headline('Recall of phones', at('15:01')), headline('Recall of chargers', at('15:02'))];
    expect(look(at('15:05'), items)).toEqual(['Recall of chargers', 'Recall of phones']);
    items.unshift(headline('Recall of cars', at('15:10')), headline('A shop opens', at('15:11')));
    expect(look(at('15:15'), items)).toEqual([]);
    items.push(headline('Recall of toys', at('15:00').add({ seconds: 1 })));
    expect(look(at('16:05'), items)).toEqual(['Recall of cars', 'Recall of toys']);
    expect(look(at('18:00'), items)).toEqual([]);
  });

  it('are not told of where they came before it, are of a time to come, or are a week old', () => {
    const look = createAlert();
    const items = [headline('Recall before', at('15:00')), headline('Recall of tonight', at('23:00'))];
    expect(look(at('15:05'), items)).toEqual([]);
    expect(look(at('23:30'), items)).toEqual(['Recall of tonight']);
    const late = at('15:05').add({ hours: 8 * 24 });
    expect(look(late, [headline('Old recall', at('15:04'))])).toEqual([]);
  });
});
