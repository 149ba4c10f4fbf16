import { Lexer, type Token } from 'marked';
import { describe, expect, it } from 'vitest';
import type { NewsItem } from '#src/kernel/market/finance.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import { distinctNews } from '#src/markets/answers/distinct-news.ts';
import { newsAnswer } from '#src/features/news/news.ts';
import type { MarketResult, NewsQuery } from '#src/markets/sources/source.ts';
import { formatResponse } from '#src/chat/delivery/response-formatter.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { APPLE, en, ko, marketOf, newsItem, signal, symbols } from './news-support.ts';

const at = (time: string): { readonly publishedAt: Temporal.Instant } => ({
  publishedAt: Temporal.Instant.from(`2026-11-13T${time}Z`),
});

const setUp = (result: MarketResult<readonly NewsItem[]>) => {
  const asked: NewsQuery[] = [];
  const market = marketOf({
    getNews: async (query) => {
      asked.push(query);
      return result;
    },
  });
  return { asked, answer: newsAnswer({ market, symbols, clock: new ManualClock() }) };
};
const withItems = (...items: readonly NewsItem[]) => setUp({ status: 'ok', value: items });

const titles = (...items: readonly NewsItem[]) => distinctNews(items).map(({ title }) => title);

const inlineTokens = (tokens: readonly Token[]): readonly Token[] =>
  tokens.flatMap((token) => [
    token,
    ...inlineTokens('tokens' in token ? (token.tokens ?? []) : []),
    ...inlineTokens('items' in token ? (token.items as readonly Token[]) : []),
  ]);

describe('headlines', () => {
  it('come once each: by link, by words, and by words behind which a publisher stands', () => {
    expect(
      titles(
        newsItem('Apple rises', at('05:00:00')),
        newsItem('APPLE RISES!', { ...at('04:00:00'), url: 'https://other.example/1' }),
        newsItem('Apple rises - Bloomberg', { ...at('03:00:00'), url: 'https://other.example/2' }),
        newsItem('Apple climbs', {
          ...at('02:00:00'),
          url: 'https://news.example/Apple%20rises?utm_source=x#top',
        }),
        newsItem('Tesla falls - Reuters', { ...at('01:00:00') }),
        newsItem('“Tesla” falls', { ...at('00:30:00'), publisher: 'AP' }),
      ),
    ).toEqual(['Apple rises', 'Tesla falls']);
  });

  it('stay two where only what stands behind a dash differs', () => {
    const two = ['삼성전자 - 3분기 실적 호조', '삼성전자 - 4분기 전망 하향'];
    expect(titles(...two.map((title) => newsItem(title)))).toEqual(two);
  });

  it('come newest first, whatever order the source has', () => {
    expect(
      titles(newsItem('a', at('01:00:00')), newsItem('b', at('03:00:00')), newsItem('c', at('02:00:00'))),
    ).toEqual(['b', 'c', 'a']);
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://bank.example@evil.example/',
    'not an address',
    `https://a.example/${'x'.repeat(600)}`,
  ])('have no link to %s', (url) => {
    expect(distinctNews([newsItem('a', { url })])).toMatchObject([{ title: 'a', url: '' }]);
  });
});

describe('news', () => {
  it('says what, by whom, when, and where, and counts as words of strangers', async () => {
    const { asked, answer } = withItems(newsItem('[단독] 애플, 신제품 공개', at('04:30:00')));
    const { content, facts, found, isUntrusted } = await answer({ query: '애플', limit: 5 }, ko, signal);
    expect(asked[0]?.instrument).toBe(APPLE);
    expect(content.split('\n').slice(0, 5)).toEqual([
      '**애플 (AAPL) 뉴스**',
      '',
      '1. **[단독] 애플, 신제품 공개**',
      '   Reuters · 2시간 전',
      '   <https://news.example/%5B%EB%8B%A8%EB%8F%85%5D%20%EC%95%A0%ED%94%8C%2C%20%EC%8B%A0%EC%A0%9C%ED%92%88%20%EA%B3%B5%EA%B0%9C>',
    ]);
    expect({ found, isUntrusted }).toEqual({ found: 1, isUntrusted: true });
    expect(facts).toEqual([
      {
        entity: 'AAPL',
        names: ['애플', 'Apple Inc.', 'Apple', 'AAPL'],
        metric: 'headline',
        value: '[단독] 애플, 신제품 공개',
        unit: 'text',
        asOf: '2026-11-13T04:30:00Z',
        source: 'Reuters',
        isSample: false,
      },
    ]);
  });

  it('lets no headline format, link, mention or break out of its line', async () => {
    const hostile = [
      '**b** _i_ ~~s~~ `c` ||x|| [click](https://evil.example) ![p](https://evil.example/p)',
      'a\n# Title\n\u2028> quote\u202e <@123> <!channel> <#1> @everyone <https://evil.example|x> http://evil.example',
      '[x]: https://evil.example\\',
    ];
    const { answer } = withItems(
      ...hostile.map((title, index) =>
        newsItem(title, { url: `https://news.example/${index}`, publisher: '**P**' }),
      ),
    );
    const { content } = await answer({ limit: 5 }, en, signal);
    const tokens = inlineTokens(new Lexer({ gfm: true }).lex(content));
    const links = tokens.flatMap((token) =>
      token.type === 'link' ? [String((token as { href?: string }).href)] : [],
    );
    expect(links.toSorted()).toEqual([0, 1, 2].map((index) => `https://news.example/${index}`));
    expect(
      tokens.filter(({ type }) =>
        ['em', 'del', 'codespan', 'image', 'html', 'heading', 'def', 'blockquote'].includes(type),
      ),
    ).toEqual([]);
    // The title of the answer, and the headlines themselves.
    expect(tokens.filter(({ type }) => type === 'strong')).toHaveLength(4);
    expect(content).not.toMatch(/<[@!#]|\|\||@everyone|\u202e|\u2028/);
    expect(content.match(/^\d\. /gm)).toHaveLength(3);
    const options = { maxLength: 20_000, supportsMarkdown: false, supportsTables: false };
    const [terminal] = formatResponse(content, options);
    expect(terminal).toContain('**b** _i_ ~~s~~ ˋcˋ');
  });

  it('shows as many as asked for, ten at most, and asks for the same number whoever asks', async () => {
    const items = Array.from({ length: 15 }, (_none, index) => newsItem(`story ${index}`));
    const { asked, answer } = withItems(...items);
    expect((await answer({ limit: 2 }, en, signal)).found).toBe(2);
    expect((await answer({ limit: 99 }, en, signal)).found).toBe(10);
    expect(asked[0]).toEqual(asked[1]);
  });

  it.each(['ko', 'en'] as const)('says why there are none (%s)', async (locale) => {
    const t = marketTexts(locale).news;
    const said = async (result: MarketResult<readonly NewsItem[]>, query?: string) => {
      const request = { ...(query !== undefined && { query }), limit: 5 };
      const answer = await setUp(result).answer(request, { ...ko, locale }, signal);
      expect(answer).toMatchObject({ facts: [], found: 0 });
      return answer.content;
    };
    expect(await said({ status: 'unavailable', reason: 'not-in-sample' })).toBe(t.sample());
    expect(await said({ status: 'unavailable', reason: 'down' })).toBe(t.down());
    expect(await said({ status: 'unavailable', reason: 'no-data' })).toBe(t.none());
    expect(await said({ status: 'ok', value: [] }, 'AAPL')).toContain('AAPL');
    expect(await said({ status: 'ok', value: [newsItem('a')] }, 'qwertz')).toContain('qwertz');
  });
});
