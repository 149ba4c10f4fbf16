import { describe, expect, it } from 'vitest';
import type { Instrument, SymbolMatch } from '#src/kernel/market/finance.ts';
import type { Market } from '#src/markets/sources/source.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { quotesAnswer } from '#src/features/quotes/quotes.ts';
import { resolveNames } from '#src/markets/answers/resolve-names.ts';
import { quotesDown, sampleMarket, symbols } from '#test/support/sample-market.ts';

const ask = (
  queries: readonly string[],
  locale: Locale = 'ko',
  market: Pick<Market, 'getQuotes'> = sampleMarket,
) =>
  quotesAnswer({ market, symbols })(
    queries,
    { locale, timeZone: 'Asia/Seoul' },
    new AbortController().signal,
  );

describe('quote look-up', () => {
  it('draws a quote as a card that says what the text says', async () => {
    const { content, cards } = await ask(['삼전']);
    expect(cards).toEqual({
      items: [
        {
          title: '삼성전자 (005930)',
          url: 'https://finance.naver.com/item/main.naver?code=005930',
          headline: expect.stringMatching(/^₩102,300 [▲▼] [+-]₩[\d,]+ \([+-]\d\.\d\d%\)$/) as string,
          fields: [
            { name: '당일', value: expect.stringMatching(/^₩[\d,]+~₩[\d,]+$/) as string },
            { name: '52주', value: expect.stringMatching(/^₩[\d,]+~₩[\d,]+$/) as string },
            { name: '거래량', value: expect.stringMatching(/^[\d,]+$/) as string },
          ],
          footer: '11/13 종가 · 샘플',
          tone: expect.stringMatching(/^(?:up|down)$/) as string,
        },
      ],
      text: '',
    });
    const [card] = cards?.items ?? [];
    const pieces = [
      card?.title,
      card?.headline,
      ...(card?.fields ?? []).map(({ value }) => value),
      card?.footer,
    ];
    for (const piece of pieces) expect(content).toContain(piece);
  });

  it('names the fields of a card in English, and no volume where there is none', async () => {
    const { cards } = await ask(['USD/KRW'], 'en');
    expect(cards?.items[0]?.fields.map(({ name }) => name)).toEqual(['Day', '52 weeks']);
    expect(cards?.items[0]?.footer).toMatch(/ · sample$/);
  });

  it('draws each quote once, and says beside the cards what has none', async () => {
    const { cards, content } = await ask(['애플', 'qwertz', 'AAPL', 'TSLA'], 'en');
    expect(cards?.items.map(({ title }) => title)).toEqual(['Apple (AAPL)', 'Tesla (TSLA)']);
    expect(cards?.text).toMatch(/^I don't know "qwertz"\.[^\n]*$/);
    expect(content).toContain(cards?.text);
  });

  it('draws nothing where nothing was found', async () => {
    const nothing = await ask(['AAPL'], 'ko', quotesDown);
    expect(nothing).not.toHaveProperty('cards');
    expect(nothing).not.toHaveProperty('choices');
  });

  it('offers each company that an ambiguous name may mean, and what a misspelt one may', async () => {
    const ambiguous = await ask(['삼성']);
    expect(ambiguous.choices?.[0]).toEqual({
      label: '삼성전자 (005930, KOSPI)',
      command: '/price 005930.KS',
      answers: 'pick',
    });
    expect(ambiguous.choices?.length).toBeGreaterThan(1);
    expect((await ask(['삼송전자'])).choices).toContainEqual(ambiguous.choices?.[0]);
    expect(await ask(['qwertz', 'AAPL'])).not.toHaveProperty('choices');
  });
});

const named = (symbol: string, en: string): Instrument => ({
  symbol,
  ticker: symbol,
  name: { ko: en, en },
  exchange: 'X',
  assetClass: 'equity',
  currency: 'USD',
  priceDecimals: 2,
});

const choicesOf = async (choices: readonly Instrument[]) => {
  const match: SymbolMatch = { status: 'ambiguous', choices };
  const symbols = { resolve: () => match };
  const { signal } = new AbortController();
  return (await resolveNames(['x'], symbols, 'en', (symbol) => `/price ${symbol}`, signal)).choices;
};

describe('choices', () => {
  it('are at most eight, each once, with labels that fit on a button', async () => {
    const many = Array.from({ length: 12 }, (_, index) => named(`S${index}`, `Name ${index}`));
    expect((await choicesOf([named('S0', 'Name 0'), ...many])).map(({ command }) => command)).toEqual(
      many.slice(0, 8).map(({ symbol }) => `/price $${symbol}`),
    );
    const [long] = await choicesOf([named('L', `${'n'.repeat(78)}😀`)]);
    expect(long?.label).toBe(`${'n'.repeat(78)}😀…`);
  });
});

describe('a name that is none', () => {
  it.each([
    ['[Win free](https://evil.example)', '"Win free (https //evil.example)"'],
    ['<!channel> **x** `y`', '"!channel x y"'],
  ])('is repeated as words: %j makes no link and no mention', async (typed, shown) => {
    expect((await ask([typed], 'en')).content).toContain(`I don't know ${shown}`);
  });

  it('with a hundred marks on each letter stays short', async () => {
    const { content } = await ask([`a${'\u0301'.repeat(400)}`.repeat(2)], 'en');
    expect(content.length).toBeLessThan(300);
  });
});

describe('where there is no price', () => {
  it.each([
    ['ko', '시세 제공처에 연결할 수 없어'],
    ['en', 'cannot be reached'],
  ] as const)(
    'one sentence says that the source is down, and nothing is made up (%s)',
    async (locale, words) => {
      const answer = await ask(['AAPL'], locale, quotesDown);
      expect(answer).toMatchObject({ facts: [], found: 0 });
      expect(answer.content).toContain(words);
      expect(answer.content).not.toMatch(/[$₩]\d/);
    },
  );

  it('a company that the sample lacks is named, and told apart from one that does not exist', async () => {
    const { content } = await ask(['케이카', 'qwertz']);
    expect(content).toMatch(/케이카 \(381970, KOSPI\).*샘플 데이터에는 없어요/);
    expect(content).toContain('"qwertz" 종목을 찾지 못했어요');
  });
});
