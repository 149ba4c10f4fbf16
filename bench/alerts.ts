import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AlertCondition } from '#src/kernel/people/alerts.ts';
import type { CorporateActions } from '#src/kernel/market/corporate-action.ts';
import type { Instrument, SourceQuote } from '#src/kernel/market/finance.ts';
import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type OwnerId,
  type UserId,
} from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { createAlertWatch } from '#src/features/alerts/watching/alert-watch.ts';
import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { createMarket } from '#src/markets/sources/market.ts';
import { resilient } from '#src/markets/sources/resilient.ts';
import type { Bar, MarketSource } from '#src/markets/sources/source.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { ConcurrencyLaneManager } from '#src/platform/concurrency/concurrency-lane.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { createAlertStore } from '#src/features/alerts/store.ts';
import { SCHEMA } from '#src/wiring/schema.ts';
import { openStorage } from '#src/platform/storage/database.ts';
import { median, summarize } from './statistics.ts';

const ALERTS = 10_000;
const SYMBOLS = 500;
const TICKS = 20;
/** Until all histories and splits have been asked for: a few per evaluation. */
const WARM_UPS = 36;
const BAR_MS = 250;
const BARS = 250;
const TICK_MS = 60_000;
const AT_ONCE = 2_000;
/** A Monday with New York open. */
const STARTS_AT = Temporal.Instant.from('2026-11-16T15:00:00Z');

const noActions: CorporateActions['since'] = async () => ({ status: 'ok', actions: [], source: 'bench' });

const instrumentAt = (index: number): Instrument => {
  const symbol = `S${index}`;
  return {
    symbol,
    ticker: symbol,
    name: { ko: symbol, en: symbol },
    exchange: 'NASDAQ',
    assetClass: 'equity',
    currency: 'USD',
    priceDecimals: 2,
  };
};

/** Some of every kind; none comes true, as on an ordinary minute. */
const CONDITIONS: readonly AlertCondition[] = [
  { kind: 'above', price: new Decimal('200') },
  { kind: 'below', price: new Decimal('50') },
  { kind: 'crosses-above', price: new Decimal('150.5') },
  { kind: 'change', percent: new Decimal(9), direction: 'either', since: 'day' },
  { kind: 'change', percent: new Decimal(20), direction: 'down', since: 'set', basePrice: new Decimal(100) },
  { kind: 'year-high' },
  { kind: 'rsi', period: 14, side: 'above', level: new Decimal(99) },
  { kind: 'ma-cross', fast: 20, slow: 200, direction: 'up' },
];

const day = (index: number): Bar => {
  const close = new Decimal(100 - (index % 3));
  const at = STARTS_AT.subtract({ hours: 24 * (BARS - index) });
  return { at, open: close, high: close, low: close, close, volume: new Decimal(1_000) };
};
const DAYS = Array.from({ length: BARS }, (_, index) => day(index));

/** What one look at 10,000 alerts over 500 symbols costs, with the database and the market's own machinery. */
export const benchAlerts = async (): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'finclaw-bench-'));
  const logger = createLogger({
    level: 'error',
    pretty: true,
    secrets: [],
    write: (line) => process.stderr.write(line),
  });
  let minutes = 0;
  const clock: Clock = {
    now: () => STARTS_AT.add({ minutes }),
    monotonicMs: () => minutes * TICK_MS,
    after: (delayMs, callback) => {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
  };
  let batches = 0;
  const quoteOf = (instrument: Instrument): SourceQuote => ({
    instrument,
    price: new Decimal(100).plus((minutes % 7) / 10),
    previousClose: new Decimal('99.5'),
    yearRange: { low: new Decimal(60), high: new Decimal(180) },
    asOf: clock.now(),
    source: 'bench',
    isSample: false,
  });
  const source: MarketSource = {
    name: 'bench',
    isSample: false,
    supports: () => true,
    getQuotes: async (wanted) => {
      batches += 1;
      return wanted.map(quoteOf);
    },
    getHistory: async (instrument, range) => ({
      instrument,
      range,
      interval: '1d',
      timeZone: 'America/New_York',
      bars: DAYS,
      asOf: clock.now(),
      source: 'bench',
      isSample: false,
    }),
  };
  const calendar = { sessionOf, lastCloseBefore };
  const market = createMarket({
    sources: [resilient(source, { calendar, clock, logger }).source],
    calendar,
    clock,
    logger,
  });
  const storage = await openStorage({ dataDir, schema: SCHEMA });
  const store = createAlertStore(storage, clock);
  const person = { channelId: asId<ChannelId>('bench'), userId: asId<UserId>('u') };
  const target = {
    channelId: person.channelId,
    accountId: asId<AccountId>('bot'),
    chatId: asId<ChatId>('u'),
    recipientId: person.userId,
    isDirect: true,
  } as const;
  const add = (index: number) =>
    store.add(
      {
        ownerId: asId<OwnerId>(`owner-${index % 200}`),
        instrument: instrumentAt(index % SYMBOLS),
        condition: CONDITIONS[Math.floor(index / SYMBOLS) % CONDITIONS.length] ?? { kind: 'year-low' },
        isRepeating: false,
        cooldownMinutes: 60,
        usesExtendedHours: false,
        target,
        setByName: 'Bench',
        locale: 'ko',
        timeZone: 'Asia/Seoul',
      },
      person,
      `request-${index}`,
      ALERTS,
    );
  try {
    for (let from = 0; from < ALERTS; from += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => add(from + index)));
    const lanes = new ConcurrencyLaneManager(clock);
    const watch = createAlertWatch({
      store,
      market,
      clock,
      lanes,
      wake: () => undefined,
      membership: async () => 'member',
      corporateActions: { since: noActions, lookAgain: noActions },
      directTarget: async () => undefined,
      logger,
    });
    const cpuMs: number[] = [];
    for (let tick = 0; tick < WARM_UPS + TICKS; tick += 1) {
      minutes += 1;
      batches = 0;
      const before = process.cpuUsage();
      await watch.tick();
      const { user, system } = process.cpuUsage(before);
      if (tick >= WARM_UPS) cpuMs.push((user + system) / 1_000);
    }
    console.log(
      `alerts: ${ALERTS} over ${SYMBOLS} symbols in ${summarize(cpuMs, 'ms')} of CPU per evaluation (bar ${BAR_MS}, ${median(cpuMs) <= BAR_MS ? 'met' : 'NOT MET'}), ${batches} upstream batches (bar ${SYMBOLS / 50})`,
    );
  } finally {
    await storage.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};
