import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Quote } from '#src/kernel/market/finance.ts';
import { type AccountId, asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import type { Bar, Market } from '#src/markets/sources/source.ts';
import { ratedPortfolios } from '#src/features/portfolio/rates/rated-portfolios.ts';
import { summaryAnswer } from '#src/features/portfolio/summary/summary.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { SCHEMA } from '#src/wiring/schema.ts';
import { openStorage } from '#src/platform/storage/database.ts';
import { createAccountStores, type AccountStores } from '#src/features/open/account-stores.ts';
import { summarize } from './statistics.ts';

const ENTRIES = 5_000;
const INSTRUMENTS = ['005930', '000660', 'AAPL', 'MSFT', 'NVDA', 'TSLA', '035420', '005380', 'AMZN', 'META'];
const RUNS = 15;
const BAR_MS = 50;

const channelId = asId<ChannelId>('bench');
const userId = asId<UserId>('mina');
const requester: Requester = {
  channelId,
  userId,
  name: 'Mina',
  locale: 'ko',
  timeZone: 'Asia/Seoul',
  isDirect: true,
  target: {
    channelId,
    accountId: asId<AccountId>('bot'),
    chatId: asId<ChatId>('mina'),
    recipientId: userId,
    isDirect: true,
  },
  requestId: 'bench',
};

const symbols = createSymbolSearch();
const instrumentOf = (name: string) => {
  const match = symbols.resolve(name);
  if (match.status !== 'found') throw new Error(`${name} is ${match.status}`);
  return match.instrument;
};

/** Three purchases and a sale, again and again, in two currencies; a third of the foreign ones came without a rate. */
const entryAt = (index: number): NewTransaction => {
  const instrument = instrumentOf(INSTRUMENTS[index % INSTRUMENTS.length] ?? 'AAPL');
  const isForeign = instrument.currency !== 'KRW';
  return {
    kind: index % 4 === 3 && index > 100 ? 'sell' : 'buy',
    instrument,
    clientId: `bench:${index}`,
    date: Temporal.PlainDate.from('2015-01-01').add({ days: Math.floor(index / 2) }),
    currency: instrument.currency,
    quantity: new Decimal(1 + (index % 7)),
    price: new Decimal(isForeign ? '123.45' : '71200').plus(index % 50),
    fee: new Decimal(isForeign ? '0.35' : '150'),
    tax: new Decimal(0),
    ...(isForeign && index % 3 !== 0 && { rate: new Decimal('1300').plus(index % 100) }),
  };
};

const quoteOf = (name: string): Quote => ({
  instrument: instrumentOf(name),
  price: new Decimal(250),
  previousClose: new Decimal(248),
  asOf: Temporal.Instant.from('2026-11-13T06:30:00Z'),
  source: 'bench',
  isSample: false,
  sessionState: 'closed',
  isStale: false,
});

const getDays: Market['getDays'] = async (instrument, { first, last }) => {
  const bars: Bar[] = [];
  const close = new Decimal(1_300);
  for (let day = first; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    const at = day.toZonedDateTime('UTC').toInstant();
    bars.push({ at, open: close, high: close, low: close, close, volume: new Decimal(0) });
  }
  const asOf = systemClock.now();
  const value = { instrument, timeZone: 'UTC', bars, actions: [], asOf, source: 'bench', isSample: false };
  return { status: 'ok', value };
};

/** What a summary of a long ledger costs of our own time: the market answers at once, and nothing is drawn. */
export const benchPortfolio = async (): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'finclaw-bench-'));
  const storage = await openStorage({ dataDir, schema: SCHEMA });
  try {
    const stores = createAccountStores(storage, systemClock);
    const ownerId = await stores.owners.ownerOf(requester);
    const portfolio = await stores.portfolios.create(requester, { name: 'main', baseCurrency: 'KRW' });
    if (!portfolio) throw new Error('no portfolio');
    const entries = Array.from({ length: ENTRIES }, (_, index) => entryAt(index));
    await stores.portfolios.record(ownerId, portfolio.id, ['bench'], function* () {
      yield;
      return { append: entries };
    });
    const rated = ({ owners, portfolios, dailyRates }: AccountStores) => ({
      owners,
      store: ratedPortfolios(portfolios, { market: { getDays }, symbols, clock: systemClock, dailyRates }),
    });
    const ask = async (deps: ReturnType<typeof rated>) => {
      const summary = summaryAnswer({
        ...deps,
        corporateActions: {
          since: async () => ({ status: 'ok', actions: [], source: 'bench' }),
          during: async () => ({ status: 'ok', actions: [], source: 'bench' }),
          lookAgain: async () => ({ status: 'ok', actions: [], source: 'bench' }),
        },
        market: {
          getDays: async () => ({ status: 'unavailable', reason: 'down' }),
          getQuotes: async (instruments) =>
            instruments.map(({ symbol }) => ({ status: 'ok', quote: quoteOf(symbol) })),
        },
        symbols,
        charts: { allocation: () => Promise.reject(new Error('not drawn here')) },
        clock: systemClock,
      });
      const startedAt = process.cpuUsage();
      const { found } = await summary({ isDrawn: false }, requester, new AbortController().signal);
      if (found === 0) throw new Error('no summary');
      const { user, system } = process.cpuUsage(startedAt);
      return (user + system) / 1_000;
    };
    const times = { anew: [] as number[], again: [] as number[] };
    const known = rated(stores);
    const first = await ask(known);
    for (let run = 0; run < RUNS; run += 1) {
      // A store that has read nothing yet takes the whole ledger from the disk.
      times.anew.push(await ask(rated(createAccountStores(storage, systemClock))));
      await ask(known);
      times.again.push(await ask(known));
    }
    console.log(
      `summary of ${ENTRIES} entries, CPU: ${summarize(times.again, 'ms')}, bar ${BAR_MS} ms; with the ledger read anew: ${summarize(times.anew, 'ms')}; the very first ${first.toFixed(0)} ms`,
    );
  } finally {
    await storage.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};
