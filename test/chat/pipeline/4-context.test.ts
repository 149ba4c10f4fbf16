import { createMediaMemory } from '#src/platform/files/media-memory.ts';
import { describe, expect, it } from 'vitest';
import type {
  FinanceContextProvider,
  MarketSession,
  NewsItem,
  Portfolio,
} from '#src/kernel/market/finance.ts';
import { asId, type UserId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { createDailyBytes } from '#src/platform/files/daily-bytes.ts';
import { createReadPdf } from '#src/chat/pipeline/attachments/read-pdf.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import { enrichContext } from '#src/chat/pipeline/4-context.ts';
import { context } from '#src/chat/pipeline/4-context.ts';
import { acknowledged, NEVER_ABORTED } from '#test/chat/pipeline/support.ts';
import { TestChannel } from '#test/support/channel.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { pngOf } from '#test/support/pictures.ts';
import { markup } from '#test/support/markup.ts';

const SESSIONS: readonly MarketSession[] = [
  { market: 'XKRX', state: 'open', nextOpenAt: null, nextChange: null },
];
const NEWS: readonly NewsItem[] = [
  {
    title: 'Apple up',
    url: 'https://example.com/a',
    publisher: 'Example',
    publishedAt: Temporal.Instant.from('2026-11-13T06:00:00Z'),
    symbols: ['AAPL'],
  },
];
const portfolioOf = (name: string): Portfolio => ({
  name,
  baseCurrency: 'KRW',
  holdings: [],
});

/** All five sources; `asked` holds who was asked, in order. */
const provider = (overrides: Partial<FinanceContextProvider> = {}) => {
  const asked: string[] = [];
  const finance: FinanceContextProvider = {
    getMarketSession: async () => {
      asked.push('market session');
      return SESSIONS;
    },
    getRecentNews: async () => {
      asked.push('news');
      return NEWS;
    },
    getActiveAlerts: async ({ userId }) => {
      asked.push(`alerts of ${userId}`);
      return [];
    },
    getPortfolio: async ({ userId }) => {
      asked.push(`portfolio of ${userId}`);
      return portfolioOf(userId);
    },
    getWatchlist: async ({ userId }) => {
      asked.push(`watchlist of ${userId}`);
      return ['AAPL'];
    },
    ...overrides,
  };
  return { asked, finance };
};

const down = (): Promise<never> => Promise.reject(new Error('source is down'));
const hang = (): Promise<never> => new Promise(() => undefined);

const openingOf = async () => undefined;

const storedBytes = async () => ({ bytes: 0, pictures: 0, since: undefined });

const setUp = (overrides: Partial<FinanceContextProvider> = {}) => {
  const clock = new ManualClock();
  const { asked, finance } = provider(overrides);
  const { logger, records } = recordingLogger();
  const channel = new TestChannel({ maxMessageLength: 777 });
  const readPdf = createReadPdf({ clock })('ann');
  const registry = createCommandRegistry([]);
  const deps = {
    financeContextProvider: finance,
    readPdf,
    owner: 'ann',
    media: createMediaMemory(),
    takePicture: async () => true,
    storedToday: createDailyBytes({ clock, storedBytes }),
    registry,
    markup,
    openingOf,
    clock,
    logger,
  };
  const enrich = async (ctx: Partial<TurnContext> = {}, signal: AbortSignal = NEVER_ABORTED) =>
    enrichContext(await acknowledged({ ctx: msgContext(ctx) }), channel, deps, signal);
  return { clock, asked, records, channel, deps, enrich };
};

describe('enrichContext', () => {
  it('gathers everything that is known, for the agent that the message was routed to', async () => {
    const { enrich, channel } = setUp();
    const enriched = await enrich({ rawBody: '<@U1> see https://example.com' });
    expect(enriched).toMatchObject({
      agentId: 'main',
      channelCapabilities: channel.capabilities,
      marketSession: SESSIONS,
      newsContext: NEWS,
      activeAlerts: [],
      portfolioSnapshot: { name: 'mina' },
      watchlist: ['AAPL'],
      unavailable: [],
      attachments: [],
    });
  });

  it('brings what came with the message, beside the other sources', async () => {
    const { enrich, asked } = setUp();
    const media = [{ kind: 'file', mimeType: 'text/plain', name: 'a.txt', url: 'test:a' } as const];
    expect((await enrich({ media })).attachments).toEqual([
      { kind: 'unreadable', name: 'a.txt', reason: 'this channel does not hand over files' },
    ]);
    expect(asked).toContain('market session');
  });

  it('asks all sources at once', async () => {
    const { enrich, asked, clock } = setUp({ getMarketSession: hang, getRecentNews: hang });
    const result = enrich();
    await clock.advance(0);
    expect(asked).toEqual(['alerts of mina', 'portfolio of mina', 'watchlist of mina']);
    await clock.advance(3_000);
    await result;
  });

  it.each([
    { method: 'getMarketSession', field: 'marketSession', name: 'market session' },
    { method: 'getRecentNews', field: 'newsContext', name: 'news' },
    { method: 'getActiveAlerts', field: 'activeAlerts', name: 'alerts' },
    { method: 'getPortfolio', field: 'portfolioSnapshot', name: 'portfolio' },
    { method: 'getWatchlist', field: 'watchlist', name: 'watchlist' },
  ] as const)('does without $name when it fails, and names it', async ({ method, field, name }) => {
    const { enrich, records, clock } = setUp({ [method]: down });
    const enriched = await enrich();
    const fields = ['marketSession', 'newsContext', 'activeAlerts', 'portfolioSnapshot', 'watchlist'];
    expect(fields.filter((key) => key in enriched)).toEqual(fields.filter((key) => key !== field));
    expect(enriched.unavailable).toEqual([name]);
    expect(records()).toMatchObject([{ level: 'warn', source: name, error: { message: 'source is down' } }]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('does without a source that throws before it gives a promise', async () => {
    const { enrich, clock } = setUp({
      getMarketSession: () => {
        throw new Error('at once');
      },
    });
    const enriched = await enrich();
    expect(enriched).toMatchObject({ unavailable: ['market session'], newsContext: NEWS });
    expect(clock.pendingTimers).toBe(0);
  });

  it('waits three seconds for a deaf source, and no longer', async () => {
    const { enrich, clock } = setUp({ getRecentNews: hang });
    let isDone = false;
    const result = enrich().finally(() => {
      isDone = true;
    });
    await clock.advance(2_999);
    expect(isDone).toBe(false);
    await clock.advance(1);
    expect(isDone).toBe(true);
    const enriched = await result;
    expect(enriched.unavailable).toEqual(['news']);
    expect(enriched.marketSession).toEqual(SESSIONS);
    expect(enriched).not.toHaveProperty('newsContext');
  });

  it('tells the sources by their signal that time is up', async () => {
    const signals: AbortSignal[] = [];
    const { enrich, clock } = setUp({
      getMarketSession: (signal) => {
        signals.push(signal);
        return hang();
      },
    });
    const result = enrich();
    await clock.advance(2_999);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await clock.advance(1);
    await result;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it.each(['group', 'channel'] as const)('asks for nothing personal in a %s', async (chatType) => {
    const { enrich, asked } = setUp();
    const enriched = await enrich({ chatType });
    expect(asked).toEqual(['market session', 'news']);
    expect(enriched).toMatchObject({ marketSession: SESSIONS, newsContext: NEWS, unavailable: [] });
    for (const field of ['activeAlerts', 'portfolioSnapshot', 'watchlist']) {
      expect(enriched).not.toHaveProperty(field);
    }
  });

  it('keeps apart a person without a portfolio from a portfolio that was not asked for', async () => {
    const without = await setUp({ getPortfolio: async () => null }).enrich();
    expect(without.portfolioSnapshot).toBeNull();
    expect(without.unavailable).toEqual([]);
  });

  it('leaves out what no source exists for, without calling it unavailable', async () => {
    const { deps } = setUp();
    const enriched = await enrichContext(
      await acknowledged(),
      new TestChannel(),
      { ...deps, financeContextProvider: {} },
      NEVER_ABORTED,
    );
    expect(enriched.unavailable).toEqual([]);
    expect(enriched).not.toHaveProperty('marketSession');
  });

  it('rejects with the reason of the run when that is aborted, and logs no source for it', async () => {
    const controller = new AbortController();
    const { enrich, clock, records } = setUp({ getRecentNews: hang, getPortfolio: hang });
    const reason = new Error('stopped by the person');
    const rejected = expect(enrich({}, controller.signal)).rejects.toBe(reason);
    await clock.advance(1_000);
    controller.abort(reason);
    await clock.advance(0);
    await rejected;
    expect(records()).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('context stage', () => {
  it('adds the enriched context, with what the channel can do, and goes on', async () => {
    const { deps, channel } = setUp();
    const input = await acknowledged({ channel });
    const result = await context(deps).execute(input, NEVER_ABORTED);
    expect(result).toMatchObject({
      action: 'continue',
      data: {
        isAcknowledged: true,
        enriched: { marketSession: SESSIONS, channelCapabilities: { maxMessageLength: 777 } },
      },
    });
  });

  it('keeps some 40 MB of pictures of each person a day, and names the others in words', async () => {
    const { deps, clock } = setUp();
    const photo = pngOf(1, 1, { commentBytes: 3_700_000 });
    const channel = new TestChannel({ files: { photo } });
    const stage = context(deps);
    const media = [{ kind: 'image', mimeType: 'image/png', name: 'a.png', url: 'photo' } as const];
    const kinds = async (senderId: string, messages: number): Promise<readonly string[]> => {
      const seen: string[] = [];
      for (let index = 0; index < messages; index += 1) {
        const ctx = msgContext({ senderId: asId<UserId>(senderId), media });
        const result = await stage.execute(await acknowledged({ ctx, channel }), NEVER_ABORTED);
        const [file] = result.action === 'continue' ? result.data.enriched.attachments : [];
        seen.push(file?.kind === 'unreadable' ? file.reason : (file?.kind ?? 'none'));
      }
      return seen;
    };
    const seen = await kinds('eve', 12);
    expect(seen.slice(0, 11)).toEqual(Array(11).fill('image'));
    expect(seen[11]).toContain('as many pictures as are kept in a day');
    expect(await kinds('bob', 1)).toEqual(['image']);
    await clock.advance(24 * 60 * 60 * 1_000);
    expect(await kinds('eve', 1)).toEqual(['image']);
  });

  it('goes on also when every source fails', async () => {
    const { deps } = setUp({
      getMarketSession: down,
      getRecentNews: down,
      getActiveAlerts: down,
      getPortfolio: down,
      getWatchlist: down,
    });
    const result = await context(deps).execute(await acknowledged(), NEVER_ABORTED);
    expect(result).toMatchObject({
      action: 'continue',
      data: { enriched: { unavailable: ['market session', 'news', 'alerts', 'portfolio', 'watchlist'] } },
    });
  });

  it.each([
    { chatType: 'direct', unavailable: ['market session', 'news', 'alerts', 'portfolio', 'watchlist'] },
    { chatType: 'group', unavailable: ['market session', 'news'] },
  ] as const)('can go on with the message alone, naming what is missing ($chatType)', async (row) => {
    const { deps, channel, asked } = setUp();
    const media = [{ kind: 'file', mimeType: 'text/plain', name: 'a.txt', url: 'test:a' } as const];
    const rawBody = '<@U1> see https://example.com';
    const ctx = msgContext({ chatType: row.chatType, media, rawBody });
    const input = await acknowledged({ ctx, channel });
    const output = context(deps).degrade?.(input);
    expect(output).toEqual({
      ...input,
      enriched: {
        ...input.ctx,
        agentId: 'main',
        channelCapabilities: channel.capabilities,
        unavailable: row.unavailable,
        attachments: [{ kind: 'unreadable', name: 'a.txt', reason: 'it could not be read' }],
      },
    });
    expect(asked).toEqual([]);
  });

  it('names as missing only what there is a source for', async () => {
    const { deps } = setUp();
    const bare = context({ ...deps, financeContextProvider: {} }).degrade?.(await acknowledged());
    expect(bare?.enriched.unavailable).toEqual([]);
  });

  it('fails with CONTEXT_BUILD_FAILED where something else goes wrong than a source', async () => {
    const { deps } = setUp();
    const cause = new Error('a bug');
    const channel = new TestChannel();
    Object.defineProperty(channel, 'capabilities', {
      get: () => {
        throw cause;
      },
    });
    const failure = context(deps).execute(await acknowledged({ channel }), NEVER_ABORTED);
    await expect(failure).rejects.toMatchObject({ code: 'CONTEXT_BUILD_FAILED', cause });
  });

  it('rejects with the reason of the run when that is aborted', async () => {
    const { deps, clock } = setUp({ getRecentNews: hang });
    const controller = new AbortController();
    const reason = new Error('stopped by the person');
    const input = await acknowledged();
    const rejected = expect(context(deps).execute(input, controller.signal)).rejects.toBe(reason);
    await clock.advance(100);
    controller.abort(reason);
    await clock.advance(0);
    await rejected;
  });
});
