import type { Fact } from '#src/kernel/market/fact.ts';
import { describe, expect, it } from 'vitest';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { MarketQueries } from '#src/features/open/market-queries.ts';
import type { AlertService } from '#src/kernel/people/alerts.ts';
import type { BriefingService } from '#src/kernel/people/briefings.ts';
import type { ChatNoticeService } from '#src/kernel/people/chat-notices.ts';
import type { PortfolioService } from '#src/features/portfolio/service.ts';
import type { WatchlistService } from '#src/kernel/people/watchlist.ts';
import { createFinanceTools, FINANCE_TOOL_NAMES } from '#src/features/open/tools.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const picture = { kind: 'image', mimeType: 'image/png', name: 'a.png', url: 'file:///a.png' } as const;
const fact: Fact = {
  entity: 'AAPL',
  metric: 'price',
  value: '1',
  unit: 'USD',
  asOf: '2026-11-13T06:30:00Z',
  source: 'test',
  isSample: false,
};

/** Every question to every desk gets the same answer, and is remembered by its name. */
const desksOf = (answer: MarketAnswer) => {
  const asked: [question: string, request: unknown][] = [];
  const serviceNamed = <Service extends object>(name: string): Service =>
    new Proxy({} as Service, {
      get: (_target, question: string) => async (request: unknown) => {
        asked.push([`${name}${question}`, request]);
        return answer;
      },
    });
  return {
    markets: serviceNamed<MarketQueries>(''),
    portfolio: serviceNamed<PortfolioService>('portfolio '),
    alerts: serviceNamed<AlertService>('alerts '),
    watchlist: serviceNamed<WatchlistService>('watchlist '),
    briefings: serviceNamed<BriefingService>('briefings '),
    chatNotices: serviceNamed<ChatNoticeService>('chat notices '),
    symbols,
    clock: new ManualClock('2026-11-13T06:30:00Z'),
    asked,
  };
};

const INPUTS: readonly (readonly [tool: string, input: unknown, question: string])[] = [
  ['compare', { symbols: ['AAPL', 'TSLA'] }, 'compare'],
  ['convert_currency', { amount: '100', from: 'USD', to: 'KRW' }, 'convert'],
  ['get_earnings_calendar', { symbols: ['AAPL'] }, 'earnings'],
  ['get_fundamentals', { symbol: 'AAPL' }, 'fundamentals'],
  ['get_history', { symbol: 'AAPL' }, 'history'],
  ['get_indicators', { symbol: 'AAPL' }, 'indicators'],
  ['get_market_hours', {}, 'hours'],
  ['get_market_overview', {}, 'overview'],
  ['get_news', { symbol: 'AAPL' }, 'news'],
  ['get_quote', { symbols: ['AAPL'] }, 'quotes'],
  ['make_chart', { symbols: ['AAPL'] }, 'chart'],
  ['search_symbol', { query: 'apple' }, 'search'],
];

const PERSONAL: typeof INPUTS = [
  ['analyze_portfolio', {}, 'portfolio analyse'],
  ['get_portfolio', {}, 'portfolio summary'],
  ['get_tax_report', { year: 2025 }, 'portfolio tax'],
  ['list_alerts', {}, 'alerts list'],
  ['manage_watchlist', { action: 'add', names: ['AAPL'] }, 'watchlist add'],
  ['plan_rebalance', { new_money: '1000000 KRW' }, 'portfolio rebalance'],
  [
    'record_transaction',
    { kind: 'buy', symbol: 'AAPL', quantity: '10', price: '180', date: '2026-01-05' },
    'portfolio record',
  ],
  ['remove_alert', { which: 'AAPL' }, 'alerts remove'],
  ['set_alert', { symbol: 'AAPL', condition: 'above', value: '200' }, 'alerts set'],
  ['set_briefing', { action: 'set', time: '08:30' }, 'briefings set'],
  ['undo_transaction', { number: 3 }, 'portfolio undo'],
];

const invoke = async (name: string, input: unknown, answer: MarketAnswer) => {
  const { asked, ...desks } = desksOf(answer);
  const tool = createFinanceTools(desks).find(({ definition }) => definition.name === name);
  const result = await tool?.invoke(input, toolContextOf({ locale: 'en' }), new AbortController().signal);
  return { result, asked };
};

describe('the tools of markets', () => {
  const tools = createFinanceTools(desksOf({ content: '', facts: [], found: 0 }));

  it('are these, in the order of their names: it is part of the cached prompt', () => {
    expect(tools.map(({ definition }) => definition.name)).toEqual(FINANCE_TOOL_NAMES);
    expect([...new Set(FINANCE_TOOL_NAMES)].toSorted()).toEqual(FINANCE_TOOL_NAMES);
  });

  it('are all in one group, and tell the model what they are for', () => {
    for (const { definition } of tools) {
      expect(definition).toMatchObject({ group: 'finance', requiresApproval: false });
      expect(definition.description.length).toBeGreaterThan(80);
    }
  });

  const named = (isSuch: (definition: (typeof tools)[number]['definition']) => boolean): readonly string[] =>
    tools
      .map(({ definition }) => definition)
      .filter(isSuch)
      .map(({ name }) => name);

  it('are about what is a person’s own where they say so; only recording and undoing a trade change it for good', () => {
    const personal = named((definition) => definition.accessesSensitiveData);
    expect(personal).toEqual(expect.arrayContaining(PERSONAL.map(([name]) => name)));
    expect(INPUTS.filter(([name]) => personal.includes(name))).toEqual([]);
    expect(named((definition) => definition.isTransactional)).toEqual([
      'record_transaction',
      'undo_transaction',
    ]);
  });

  everyRow([...INPUTS, ...PERSONAL])(
    '%s with %j asks the desk for %s, and passes on words, facts and pictures',
    async (name, input, question) => {
      const answer = { content: 'words', facts: [fact], found: 1, media: [picture] };
      const { result, asked } = await invoke(name, input, answer);
      expect(asked.map(([of]) => of)).toEqual([question]);
      expect(result).toMatchObject({ content: 'words', isError: false, facts: [fact], media: [picture] });
    },
  );

  everyRow([...INPUTS, ...PERSONAL])(
    '%s with %j is an error where nothing was found',
    async (name, input) => {
      const { result } = await invoke(name, input, { content: 'why', facts: [], found: 0 });
      expect(result).toMatchObject({ content: 'why', isError: true });
    },
  );

  it('fence the words of strangers', async () => {
    const answer = { content: 'words', facts: [], found: 1, isUntrusted: true };
    expect((await invoke('get_news', {}, answer)).result).toMatchObject({ isUntrusted: true });
    expect(
      (await invoke('get_quote', { symbols: ['A'] }, { ...answer, isUntrusted: false })).result,
    ).not.toHaveProperty('isUntrusted');
  });

  everyRow(tools.map((tool) => [tool.definition.name, tool] as const))(
    '%s says what it does, in both languages',
    (name, tool) => {
      const [, input = { expression: '1+1' }] = [...INPUTS, ...PERSONAL].find(([of]) => of === name) ?? [];
      for (const locale of ['ko', 'en'] as const) {
        const said = tool.progress(input, locale);
        expect(said).toMatch(/…$/);
        expect(said).not.toContain(name);
        expect(/[가-힣]/.test(said)).toBe(locale === 'ko');
      }
    },
  );
});
