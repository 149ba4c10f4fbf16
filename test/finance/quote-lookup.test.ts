import { describe, expect, it } from 'vitest';
import type { Instrument, Quotes } from '#src/core/finance.ts';
import type { Locale } from '#src/core/i18n.ts';
import { createQuotes } from '#src/finance/market/quotes.ts';
import { SAMPLE_INSTRUMENTS } from '#src/finance/market/sample-instruments.ts';
import { createSampleSource } from '#src/finance/market/sample-source.ts';
import { quoteChoices } from '#src/finance/quote-card.ts';
import { createQuoteLookup } from '#src/finance/quote-lookup.ts';
import { createSymbolSearch } from '#src/finance/symbols.ts';

const silent = (): void => undefined;
const logger = { debug: silent, info: silent, warn: silent, error: silent, hide: silent };
const symbols = createSymbolSearch(SAMPLE_INSTRUMENTS);
const sampleQuotes = createQuotes({ sources: [createSampleSource()], logger });

const ask = (queries: readonly string[], locale: Locale = 'ko', quotes: Quotes = sampleQuotes) =>
  createQuoteLookup({ quotes, symbols })(queries, locale, 'Asia/Seoul', new AbortController().signal);

describe('quote look-up', () => {
  it('draws a quote as a card that says what the text says', async () => {
    const { content, cards } = await ask(['삼전']);
    expect(cards).toEqual({
      items: [
        {
          title: '삼성전자 (005930, KOSPI)',
          headline: expect.stringMatching(/^₩102,300 {2}[▲▼] [+-]₩[\d,]+ \([+-]\d\.\d\d%\)$/) as string,
          fields: [
            { name: '당일', value: expect.stringMatching(/^₩[\d,]+ – ₩[\d,]+$/) as string },
            { name: '52주', value: expect.stringMatching(/^₩[\d,]+ – ₩[\d,]+$/) as string },
            { name: '거래량', value: expect.stringMatching(/^[\d,]+$/) as string },
            { name: '장 상태', value: '장 마감' },
          ],
          footer: '기준 2026-11-13 15:30 GMT+9 · 출처: 샘플 데이터',
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
    expect(cards?.items[0]?.fields.map(({ name }) => name)).toEqual(['Day', '52 weeks', 'Session']);
    expect(cards?.items[0]?.footer).toMatch(/^as of .* · source: sample data$/);
  });

  it('draws each quote once, and says beside the cards what has none', async () => {
    const { cards, content } = await ask(['애플', 'qwertz', 'AAPL', 'TSLA'], 'en');
    expect(cards?.items.map(({ title }) => title)).toEqual([
      'Apple Inc. (AAPL, NASDAQ)',
      'Tesla Inc. (TSLA, NASDAQ)',
    ]);
    expect(cards?.text).toMatch(/^I do not know "qwertz"\.[^\n]*$/);
    expect(content).toContain(cards?.text);
  });

  it('draws nothing where nothing was found', async () => {
    const nothing = await ask(['AAPL'], 'ko', createQuotes({ sources: [], logger }));
    expect(nothing).not.toHaveProperty('cards');
    expect(nothing).not.toHaveProperty('choices');
  });

  it('offers each company that an ambiguous name may mean, and what a misspelt one may', async () => {
    const ambiguous = await ask(['삼성']);
    expect(ambiguous.choices?.[0]).toEqual({
      label: '삼성전자 (005930, KOSPI)',
      command: '/price 005930.KS',
    });
    expect(ambiguous.choices?.length).toBeGreaterThan(1);
    expect((await ask(['삼송전자'])).choices).toContainEqual(ambiguous.choices?.[0]);
    expect(await ask(['qwertz', 'AAPL'])).not.toHaveProperty('choices');
  });

  it('understands every choice that it offers', () => {
    for (const { symbol } of SAMPLE_INSTRUMENTS.map((entry) => entry.instrument)) {
      expect(symbols.resolve(symbol)).toMatchObject({ status: 'found', instrument: { symbol } });
    }
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

describe('quoteChoices', () => {
  it('gives at most eight, each once, with labels that fit on a button', () => {
    const many = Array.from({ length: 12 }, (_, index) => named(`S${index}`, `Name ${index}`));
    const choices = quoteChoices([named('S0', 'Name 0'), ...many], 'en');
    expect(choices.map(({ command }) => command)).toEqual(
      many.slice(0, 8).map(({ symbol }) => `/price ${symbol}`),
    );
    const [long] = quoteChoices([named('L', `${'n'.repeat(78)}😀`)], 'en');
    expect(long?.label).toBe(`${'n'.repeat(78)}…`);
  });
});
