import { describe, expect, it } from 'vitest';
import { earnings } from '#src/features/earnings/index.ts';
import { coins, overview } from '#src/features/overview/index.ts';
import { news } from '#src/features/news/index.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { everyRow } from '#test/support/every-row.ts';
import { runCommand } from '../support.ts';

const symbols: Pick<SymbolSearch, 'resolve'> = {
  resolve: (query) =>
    ['SK hynix', 'bitcoin cash', 'S&P 500'].includes(query)
      ? { status: 'found', instrument: {} as never }
      : { status: 'unknown', suggestions: [] },
};

const setUp = (answer: Partial<MarketAnswer> = {}) => {
  const asked: unknown[] = [];
  const ask = async (request: unknown): Promise<MarketAnswer> => {
    asked.push(request);
    return { content: 'x', facts: [], found: 1, ...answer };
  };
  const deps = { markets: { news: ask, earnings: ask, overview: ask }, symbols };
  const commands = {
    news: news.command.create(deps),
    earnings: earnings.command.create(deps),
    market: overview.command.create(deps),
    crypto: coins.command.create(deps),
  };
  return { asked, commands };
};

describe('/news, /earnings, /market and /crypto', () => {
  everyRow([
    ['news', '', { limit: 5 }],
    ['news', '삼성전자', { query: '삼성전자', limit: 5 }],
    ['news', '삼성전자 10', { query: '삼성전자', limit: 10 }],
    ['news', 'SK hynix 3', { query: 'SK hynix', limit: 3 }],
    ['news', '99', { limit: 10 }],
    ['news', 'S&P 500', { query: 'S&P 500', limit: 5 }],
    ['news', 'S&P 500 3', { query: 'S&P 500', limit: 3 }],
    ['news', '삼성전자 7개', { query: '삼성전자', limit: 7 }],
    ['news', 'AAPL 100', { query: 'AAPL', limit: 10 }],
    ['news', 'AAPL -3', { query: 'AAPL', limit: 1 }],
    ['news', '0', { limit: 1 }],
    ['news', '005930', { query: '005930', limit: 5 }],
    ['earnings', '', { queries: [] }],
    ['earnings', 'NVDA SK hynix', { queries: ['NVDA', 'SK hynix'] }],
    ['earnings', 'NVDA, 애플', { queries: ['NVDA', '애플'] }],
    ['market', 'whatever', { of: 'markets' }],
    ['crypto', '', { of: 'crypto', names: [] }],
    ['crypto', 'KRW', { of: 'crypto', currency: 'KRW', names: [] }],
    ['crypto', '달러', { of: 'crypto', currency: 'USD', names: [] }],
    ['crypto', 'BTC bitcoin cash usd', { of: 'crypto', currency: 'USD', names: ['BTC', 'bitcoin cash'] }],
    ['crypto', '원화 BTC', { of: 'crypto', currency: 'KRW', names: ['BTC'] }],
  ] as const)('/%s %s asks the desk for %j', async (name, typed, request) => {
    const { asked, commands } = setUp();
    const result = await runCommand(commands[name], typed === '' ? [] : typed.split(' '));
    expect(asked).toEqual([request]);
    expect(result).toEqual({ content: 'x', facts: [], ephemeral: false });
  });

  it('answer the requester alone where nothing was found', async () => {
    const { commands } = setUp({ content: 'none', found: 0 });
    expect(await runCommand(commands.news, ['qwertz'])).toMatchObject({ content: 'none', ephemeral: true });
  });

  it('take ten names at once, and no more', async () => {
    const { asked, commands } = setUp();
    const eleven = Array<string>(11).fill('X');
    const t = marketTexts('en');
    expect((await runCommand(commands.earnings, eleven)).content).toBe(t.earnings.tooMany({ limit: 10 }));
    expect((await runCommand(commands.crypto, eleven)).content).toBe(t.overview.tooMany({ limit: 10 }));
    expect(asked).toEqual([]);
  });
});
