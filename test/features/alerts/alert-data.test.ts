import { describe, expect, it } from 'vitest';
import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import type { CorporateActions } from '#src/kernel/market/corporate-action.ts';
import type { NewsItem } from '#src/kernel/market/finance.ts';
import { type AlertId, asId, type OwnerId } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { createAlertData } from '#src/features/alerts/watching/alert-data.ts';
import { createAlertEvaluation } from '#src/features/alerts/watching/evaluate-alerts.ts';
import { instrumentOf, quoteOf } from '#test/markets/sources/market-fixtures.ts';
import { newAlert } from '#test/features/alerts/alerts-fixture.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { NO_ACTIONS, OPEN, signal } from './alerts-support.ts';

const alertOn = (
  symbol: string,
  owner: string,
  condition: AlertRecord['condition'],
  at: Temporal.Instant,
): AlertRecord => ({
  ...newAlert({ instrument: instrumentOf(symbol), condition }),
  id: asId<AlertId>(`${owner} ${symbol}`),
  ownerId: asId<OwnerId>(owner),
  status: 'active',
  side: 'unknown',
  memory: '{}',
  firedCount: 0,
  createdAt: at,
  version: 1,
});

/** So many looks, one a minute; how often each symbol was asked for. */
const askedIn = async (minutes: number, alertsAt: (at: Temporal.Instant) => readonly AlertRecord[]) => {
  const clock = new ManualClock(OPEN);
  const { logger } = recordingLogger();
  const asked = new Map<string, number>();
  const note = (symbol: string): void => void asked.set(symbol, (asked.get(symbol) ?? 0) + 1);
  const alerts = alertsAt(clock.now());
  const look = createAlertEvaluation({
    store: {
      expire: async () => 0,
      due: async () => alerts,
      fire: async () => [],
      saveObservations: async () => undefined,
      end: async () => false,
      revise: async () => false,
    },
    membership: async () => 'member',
    corporateActions: NO_ACTIONS,
    directTarget: async () => undefined,
    market: {
      getQuotes: async (wanted) =>
        wanted.map((each) => {
          const quote = {
            ...quoteOf(each, { asOf: clock.now() }),
            sessionState: 'open',
            isStale: false,
          } as const;
          return { status: 'ok', quote };
        }),
      getNews: async ({ instrument }) => {
        note(instrument?.symbol ?? '');
        return { status: 'ok', value: [] };
      },
      getHistory: async (instrument) => {
        note(instrument.symbol);
        return { status: 'unavailable', reason: 'no-data' };
      },
    },
    clock,
    logger,
    wake: () => undefined,
  });
  for (let minute = 0; minute < minutes; minute += 1) {
    await look(signal);
    await clock.advance(60_000);
  }
  return asked;
};

const NEWS = { kind: 'news', keyword: 'recall' } as const;
const RSI = { kind: 'rsi', side: 'below', level: new Decimal(30), period: 14 } as const;

describe.each([
  ['news', NEWS],
  ['daily bars', RSI],
] as const)('%s of more symbols than can be asked for at once', (_what, condition) => {
  it('are asked for all in turn, none much more often than another', async () => {
    const count = 300;
    const asked = await askedIn(60, (at) =>
      Array.from({ length: count }, (_, index) => alertOn(`S${1_000 + index}`, 'ann', condition, at)),
    );
    expect(asked.size).toBe(count);
    const times = [...asked.values()];
    expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(1);
  });

  it('do not keep somebody waiting who watches one', async () => {
    const asked = await askedIn(60, (at) => [
      ...Array.from({ length: 300 }, (_, index) =>
        alertOn(`S${1_000 + index}`, index % 2 === 0 ? 'ann' : 'bob', condition, at),
      ),
      alertOn('ZZZ', 'cem', condition, at),
    ]);
    // Once every five minutes, which is as often as anything is asked for.
    expect(asked.get('ZZZ')).toBe(12);
    expect(asked.size).toBe(301);
  });
});

it('leaves out sample headlines: no order of outages makes an alert ring for what is made up', async () => {
  const clock = new ManualClock(OPEN);
  const live: NewsItem = {
    title: 'A recall',
    url: '',
    publisher: 'Test',
    publishedAt: clock.now(),
    symbols: ['AAPL'],
  };
  const data = createAlertData({
    market: {
      getNews: async () => ({
        status: 'ok',
        value: [{ ...live, title: 'Sample recall', isSample: true }, live],
      }),
      getHistory: async () => ({ status: 'unavailable', reason: 'no-data' }),
    },
    corporateActions: NO_ACTIONS,
    clock,
  });
  const wanted = [{ instrument: instrumentOf('AAPL'), owners: [asId<OwnerId>('ann')] }];
  const found = await data.news(wanted, signal);
  expect(found.get('AAPL')?.map(({ title }) => title)).toEqual(['A recall']);
});

it('asks about a few splits in each evaluation, first about those of alerts that would fire, which wait for one evaluation only', async () => {
  const clock = new ManualClock(OPEN);
  const { logger } = recordingLogger();
  const alerts = Array.from({ length: 40 }, (_, index) =>
    alertOn(
      `S${index}`,
      'ann',
      { kind: 'above', price: new Decimal(index < 20 ? 1_000_000 : 1) },
      clock.now(),
    ),
  );
  const [asked, fired]: [string[], string[]] = [[], []];
  const ask: CorporateActions['since'] = async ({ symbol }) => {
    asked.push(symbol);
    return { status: 'unavailable' };
  };
  const look = createAlertEvaluation({
    store: {
      expire: async () => 0,
      due: async () => alerts.filter(({ id }) => !fired.includes(id)),
      fire: async (firings) => {
        fired.push(...firings.map(({ alert }) => alert.id));
        return [];
      },
      saveObservations: async () => undefined,
      end: async () => false,
      revise: async () => false,
    },
    membership: async () => 'member',
    corporateActions: { since: ask, lookAgain: ask },
    directTarget: async () => undefined,
    market: {
      getQuotes: async (wanted) =>
        wanted.map((each) => ({
          status: 'ok',
          quote: { ...quoteOf(each, { asOf: clock.now() }), sessionState: 'open', isStale: false },
        })),
      getNews: async () => ({ status: 'unavailable', reason: 'no-data' }),
      getHistory: async () => ({ status: 'unavailable', reason: 'no-data' }),
    },
    clock,
    logger,
    wake: () => undefined,
  });
  await look(signal);
  const atFirst = new Set(asked);
  expect(atFirst.size).toBe(15);
  const waiting = alerts.slice(20).filter(({ instrument }) => !atFirst.has(instrument.symbol));
  expect(fired).toHaveLength(20 - waiting.length);
  await clock.advance(60_000);
  await look(signal);
  expect(asked.slice(15, 15 + waiting.length)).toEqual(waiting.map(({ instrument }) => instrument.symbol));
  expect(fired).toHaveLength(20);
});
