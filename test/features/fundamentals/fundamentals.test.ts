import { describe, expect, it } from 'vitest';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import { fundamentalsAnswer } from '#src/features/fundamentals/fundamentals.ts';
import type { FundamentalFigure, Fundamentals, MarketResult } from '#src/markets/sources/source.ts';
import { APPLE, en, ko, marketOf, SAMSUNG, signal, symbols } from '../news/news-support.ts';

const FIGURES: readonly FundamentalFigure[] = [
  { metric: 'sector', value: 'Technology', unit: 'text' },
  { metric: 'industry', value: '**Consumer** <@1> Electronics', unit: 'text' },
  { metric: 'marketCap', value: '3591234567890', unit: 'USD' },
  { metric: 'peTrailing', value: '34.567', unit: 'x' },
  { metric: 'beta', value: '1.094', unit: 'x' },
  { metric: 'epsTrailing', value: '-6.08', unit: 'USD' },
  { metric: 'revenueGrowth', value: '6.1', unit: '%' },
  { metric: 'sharesOutstanding', value: '15115823000', unit: 'shares' },
];

const fundamentals = (more: Partial<Fundamentals> = {}): MarketResult<Fundamentals> => ({
  status: 'ok',
  value: {
    instrument: APPLE,
    figures: FIGURES,
    asOf: Temporal.Instant.from('2026-11-13T06:30:00Z'),
    source: 'Yahoo Finance',
    isSample: false,
    ...more,
  },
});
const answerWith = (result: MarketResult<Fundamentals>) =>
  fundamentalsAnswer({ market: marketOf({ getFundamentals: async () => result }), symbols });

describe('fundamentals', () => {
  it('are grouped and labelled, large money short, and what is absent left out', async () => {
    const { content } = await answerWith(fundamentals())({ query: 'AAPL' }, en, signal);
    expect(content).toBe(
      [
        '**Key figures: Apple (AAPL)**',
        '**Valuation**\n- Market cap: $3.59T\n- P/E (trailing): 34.57x\n- Beta: 1.09',
        '**Per share and dividend**\n- EPS (trailing): -$6.08',
        '**Business**\n- Revenue growth (last quarter, yoy): +6.1%',
        '**Company**\n- Sector: Technology\n- Industry: \\*\\*Consumer\\*\\* ‹@\u20601› Electronics\n- Shares outstanding: 15.1B shares',
        '2026-11-13 01:30 EST · Yahoo Finance',
      ].join('\n\n'),
    );
  });

  it('read the same in Korean, in Korean units', async () => {
    const figures: readonly FundamentalFigure[] = [
      { metric: 'marketCap', value: '412351234567890', unit: 'KRW' },
      { metric: 'priceToBook', value: '1.4', unit: 'x' },
      { metric: 'freeCashFlow', value: '412351234567', unit: 'KRW' },
      { metric: 'sector', value: 'Technology', unit: 'text' },
    ];
    const answer = answerWith(fundamentals({ instrument: SAMSUNG, figures, isSample: true }));
    const { content, facts } = await answer({ query: '삼성전자' }, ko, signal);
    for (const line of [
      '시가총액: ₩412.4조',
      'PBR: 1.4배',
      '잉여현금흐름 (최근 12개월): ₩4,124억',
      '섹터: 기술',
      '11/13 종가 · 샘플',
    ])
      expect(content).toContain(line);
    expect(content).not.toContain('PER');
    expect(facts.every(({ isSample }) => isSample)).toBe(true);
  });

  it.each(['constructor', '__proto__'])('take a sector called %s for what it is called', async (value) => {
    const figures = [{ metric: 'sector', value, unit: 'text' }] as const;
    const { content } = await answerWith(fundamentals({ figures }))({ query: 'AAPL' }, en, signal);
    expect(content.replaceAll('\\', '')).toContain(`- Sector: ${value}`);
  });

  it('name the period of what a company earned', () => {
    for (const [locale, period] of [
      ['en', /\(TTM\)$/u],
      ['ko', /\(최근 12개월\)$/u],
    ] as const) {
      const { metrics } = marketTexts(locale).fundamentals;
      for (const metric of [
        'revenue',
        'grossMargin',
        'operatingMargin',
        'profitMargin',
        'returnOnEquity',
      ] as const)
        expect(metrics[metric]).toMatch(period);
    }
  });

  it('have their exact value in the facts', async () => {
    const { facts } = await answerWith(fundamentals())({ query: 'AAPL' }, en, signal);
    expect(facts).toHaveLength(FIGURES.length);
    expect(facts).toContainEqual({
      entity: 'AAPL',
      metric: 'marketCap',
      value: '3591234567890',
      unit: 'USD',
      asOf: '2026-11-13T06:30:00Z',
      source: 'Yahoo Finance',
      isSample: false,
    });
  });

  it.each([
    { query: 'SPY', kind: 'etf' },
    { query: 'BTC', kind: 'crypto' },
    { query: '^KS11', kind: 'index' },
    { query: 'USDKRW=X', kind: 'fx' },
    { query: '^TNX', kind: 'rate' },
  ] as const)('are not asked for of what is no company: $query', async ({ query, kind }) => {
    const answer = fundamentalsAnswer({ market: marketOf({}), symbols });
    for (const audience of [ko, en]) {
      const { content, found } = await answer({ query }, audience, signal);
      expect(found).toBe(0);
      expect(content).toBe(
        marketTexts(audience.locale).fundamentals.notCompany[kind]({
          name: content.slice(0, content.indexOf(')') + 1),
        }),
      );
    }
  });

  it('are missing in the sample, which does not lack the company', async () => {
    const answer = answerWith({ status: 'unavailable', reason: 'not-in-sample' });
    const { content, found } = await answer({ query: 'AAPL' }, en, signal);
    expect(found).toBe(0);
    expect(content).toContain('The sample data has no key figures of Apple');
  });

  it('are nothing, with the reason, where the source has none or cannot be reached', async () => {
    const down = await answerWith({ status: 'unavailable', reason: 'down' })({ query: 'AAPL' }, en, signal);
    expect(down).toMatchObject({ found: 0, facts: [] });
    expect(down.content).toContain('cannot be reached');
    const none = await answerWith(fundamentals({ figures: [] }))({ query: 'AAPL' }, en, signal);
    expect(none).toMatchObject({ found: 0, facts: [] });
    expect(none.content).toContain('has nothing on Apple Inc.');
    expect((await answerWith(fundamentals())({ query: 'qwertz' }, en, signal)).found).toBe(0);
  });
});
