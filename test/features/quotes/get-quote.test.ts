import { describe, expect, it } from 'vitest';
import type { Market } from '#src/markets/sources/source.ts';
import type { ToolExecutionContext } from '#src/kernel/agent/tool.ts';
import { quotesAnswer } from '#src/features/quotes/quotes.ts';
import { quotes } from '#src/features/quotes/index.ts';
import { toolOf } from '#test/support/tool-of.ts';
import { quotesDown, sampleMarket, symbols } from '#test/support/sample-market.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const contextOf = (locale: 'ko' | 'en'): ToolExecutionContext =>
  toolContextOf({ locale, timeZone: locale === 'ko' ? 'Asia/Seoul' : 'America/New_York' });

const toolWith = (market: Pick<Market, 'getQuotes'>) =>
  toolOf(quotes, 'get_quote', {
    markets: { quotes: quotesAnswer({ market, symbols }), fundamentals: () => expect.unreachable() },
  });
const invoke = (input: unknown, locale: 'ko' | 'en', quotes: Pick<Market, 'getQuotes'> = sampleMarket) =>
  toolWith(quotes).invoke(input, contextOf(locale), new AbortController().signal);

describe('get_quote', () => {
  it('tells the model when to use it, and policy what it is', () => {
    const { definition } = toolWith(sampleMarket);
    expect(definition).toMatchObject({
      group: 'finance',
      isExternal: true,
      isTransactional: false,
      requiresApproval: false,
      inputSchema: { type: 'object', required: ['symbols'] },
    });
    expect(definition.description).toContain('as-of');
    expect(definition.description).toContain('source');
  });

  it('answers in Korean with name, code, price, as-of in the zone of the sender, and source', async () => {
    const result = await invoke({ symbols: ['삼전'] }, 'ko');
    expect(result.isError).toBe(false);
    expect(result.content).toContain('**삼성전자 (005930)**');
    expect(result.content).toContain('₩102,300');
    expect(result.content).toContain('11/13 종가 · 샘플');
  });

  it('answers the same in English', async () => {
    const result = await invoke({ symbols: ['삼전'] }, 'en');
    expect(result.content).toContain('**Samsung Electronics (005930)**');
    expect(result.content).toContain('Nov 13 close · sample');
  });

  it('gives the numbers as facts that are marked as sample', async () => {
    const { facts = [] } = await invoke({ symbols: ['AAPL'] }, 'en');
    expect(facts).toContainEqual({
      entity: 'AAPL',
      names: ['애플', 'Apple Inc.', 'Apple', 'AAPL'],
      metric: 'price',
      value: '304.12',
      unit: 'USD',
      asOf: '2026-11-13T21:00:00Z',
      source: 'sample data',
      isSample: true,
    });
    expect(facts.every(({ entity, isSample }) => entity === 'AAPL' && isSample)).toBe(true);
  });

  it('shows an index in points and a rate with its decimals', async () => {
    const { content } = await invoke({ symbols: ['코스피', 'EUR/USD'] }, 'ko');
    expect(content).toMatch(/ 4,011\.57 포인트 [▲▼]/);
    expect(content).toContain(' $1.1584 ');
  });

  it('keeps the order asked, with a sentence for each name that has no quote', async () => {
    const result = await invoke({ symbols: ['TSLA', 'qwertz', '삼성', '삼송전자', 'AAPL'] }, 'en');
    const paragraphs = result.content.split('\n\n');
    expect(paragraphs).toHaveLength(5);
    expect(paragraphs[0]).toContain('Tesla (TSLA)');
    expect(paragraphs[1]).toMatch(/^I don't know "qwertz"\. Check/);
    expect(paragraphs[2]).toMatch(/^"삼성" could be several: Samsung Electronics .*, Samsung Biologics /);
    expect(paragraphs[3]).toMatch(/^I don't know "삼송전자"\. Did you mean Samsung Electronics/);
    expect(paragraphs[4]).toContain('Apple (AAPL)');
    expect(result.isError).toBe(false);
    expect(new Set(result.facts?.map(({ entity }) => entity))).toEqual(new Set(['TSLA', 'AAPL']));
  });

  it('gives one quote for two names of one company', async () => {
    const result = await invoke({ symbols: ['애플', 'AAPL'] }, 'ko');
    expect(result.content.match(/애플 \(AAPL\)/g)).toHaveLength(1);
    expect(result.facts?.filter(({ metric }) => metric === 'price')).toHaveLength(1);
  });

  it.each([
    ['unknown', 'qwertz', '"qwertz" 종목을 찾지 못했어요'],
    ['ambiguous', '삼성', '"삼성", 여러 개가 있어요: 삼성전자 (005930, KOSPI), 삼성바이오로직스'],
    ['misspelt', '삼송전자', '혹시 삼성전자 (005930, KOSPI)'],
  ])('is an error without facts when the only name is %s', async (_, query, sentence) => {
    const result = await invoke({ symbols: [query] }, 'ko');
    expect(result).toMatchObject({ isError: true, facts: [] });
    expect(result.content).toContain(sentence);
  });

  it('repeats a strange name short and on one line', async () => {
    const { content } = await invoke({ symbols: [`x\n\u202e${'👩‍👩‍👧'.repeat(10)}${'y'.repeat(12)} zz`] }, 'en');
    expect(content.split('\n')).toHaveLength(1);
    expect(content).toContain(`"x ${'👩‍👩‍👧'.repeat(10)}${'y'.repeat(12)} zz"`);
    const long = await invoke({ symbols: ['q'.repeat(100)] }, 'en');
    expect(long.content).toContain(`"${'q'.repeat(40)}…"`);
  });

  it('says that a price is missing when the source is down', async () => {
    const result = await invoke({ symbols: ['AAPL'] }, 'ko', quotesDown);
    expect(result).toMatchObject({ isError: true, facts: [] });
    expect(result.content).toContain('시세 제공처에 연결할 수 없어서 애플 (AAPL, NASDAQ)');
  });

  it.each([
    ['no input', undefined],
    ['a list instead of an object', ['AAPL']],
    ['no symbols', {}],
    ['an empty list', { symbols: [] }],
    ['an empty name', { symbols: [''] }],
    ['a name that is no text', { symbols: [5930] }],
    ['a name as long as a page', { symbols: ['x'.repeat(101)] }],
    ['more than ten', { symbols: Array.from({ length: 11 }, () => 'AAPL') }],
  ])('refuses %s with an error result', async (_, input) => {
    const result = await invoke(input, 'en');
    expect(result.isError).toBe(true);
    expect(result.content).toMatch(/^Invalid input for get_quote/);
  });

  it('throws when the run was aborted', async () => {
    const aborted = AbortSignal.abort(new Error('stopped'));
    await expect(
      toolWith(sampleMarket).invoke({ symbols: ['AAPL'] }, contextOf('en'), aborted),
    ).rejects.toThrow('stopped');
  });
});
