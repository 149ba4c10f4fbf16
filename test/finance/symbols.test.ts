import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SAMPLE_INSTRUMENTS } from '#src/finance/market/sample-instruments.ts';
import { createSymbolSearch } from '#src/finance/symbols.ts';
import { anyText } from '#test/support/any-text.ts';

const { resolve } = createSymbolSearch(SAMPLE_INSTRUMENTS);

/** `found AAPL`, `ambiguous A B`, `unknown A`: one line to compare. */
const outcome = (query: string): string => {
  const match = resolve(query);
  const listed =
    match.status === 'found'
      ? [match.instrument]
      : match.status === 'ambiguous'
        ? match.choices
        : match.suggestions;
  return [match.status, ...listed.map(({ symbol }) => symbol)].join(' ');
};

describe('a name or a code is found', () => {
  it.each([
    ['the ticker', 'AAPL', 'AAPL'],
    ['the ticker in lower case', 'aapl', 'AAPL'],
    ['the ticker with a dollar sign', '$TSLA', 'TSLA'],
    ['the ticker in full-width letters', 'ＡＡＰＬ', 'AAPL'],
    ['the ticker with spaces around', '  nvda\n', 'NVDA'],
    ['a ticker of two letters', 'KO', 'KO'],
    ['the Korean code', '005930', '005930.KS'],
    ['the Korean code with its market', '005930.KS', '005930.KS'],
    ['a KOSDAQ code with its market in lower case', '247540.kq', '247540.KQ'],
    ['the Korean name', '삼성전자', '005930.KS'],
    ['the Korean name with a space', '삼성 전자', '005930.KS'],
    ['the Korean name in decomposed letters', '삼성전자'.normalize('NFD'), '005930.KS'],
    ['the Korean name with its legal form', '㈜카카오', '035720.KS'],
    ['the Korean name with its legal form in brackets', '삼성전자(주)', '005930.KS'],
    ['a Korean nickname', '삼전', '005930.KS'],
    ['another Korean nickname', '하이닉스', '000660.KS'],
    ['a name in two scripts', 'sk하이닉스', '000660.KS'],
    ['a name of two syllables', '기아', '000270.KS'],
    ['a name that begins another name', '에코프로', '086520.KQ'],
    ['the longer of the two', '에코프로비엠', '247540.KQ'],
    ['the Korean name of an American company', '애플', 'AAPL'],
    ['its former name', '페이스북', 'META'],
    ['the name of a product', '구글', 'GOOGL'],
    ['the English name', 'Samsung Electronics', '005930.KS'],
    ['the English name as it is registered', 'Samsung Electronics Co., Ltd.', '005930.KS'],
    ['the English name with another legal form', 'apple corporation', 'AAPL'],
    ['the English name with a comma', 'Apple, Inc.', 'AAPL'],
    ['an English nickname', 'HYNIX', '000660.KS'],
    ['a name with a hyphen', 'coca-cola', 'KO'],
    ['the same name without the hyphen', 'Coca Cola', 'KO'],
    ['a name with an ampersand', 'S&P 500', '^GSPC'],
    ['an index in Korean', '코스피', '^KS11'],
    ['a coin in Korean', '비트코인', 'BTC-USD'],
    ['a coin in English', 'bitcoin', 'BTC-USD'],
    ['the ticker of a coin', 'btc', 'BTC-USD'],
    ['a coin in won', 'BTC/KRW', 'BTC-KRW'],
    ['a currency pair', 'USD/KRW', 'USDKRW=X'],
    ['a currency pair written together', 'usdkrw', 'USDKRW=X'],
    ['the symbol of a currency pair', 'USDKRW=X', 'USDKRW=X'],
    ['a currency', '달러', 'USDKRW=X'],
    ['the rate as such', '환율', 'USDKRW=X'],
    ['the yen', '엔화', 'JPYKRW=X'],
    ['a ticker next to an emoji', 'AAPL 🚀', 'AAPL'],
    ['the beginning of one Korean name only', '삼성바', '207940.KS'],
    ['the beginning of one English name only', 'Micros', 'MSFT'],
    ['half of a Korean name', '마이크로', 'MSFT'],
    ['the first word of a Latin name', 'Euro', 'EURUSD=X'],
    ['the first words of a Latin name', 'SPDR S&P', 'SPY'],
    ['a currency by its country', 'us dollar', 'USDKRW=X'],
    ['an ETF by its index', 'S&P 500 ETF', 'SPY'],
    ['the ticker with its market', 'NASDAQ:AAPL', 'AAPL'],
    ['the ticker with its market in lower case', 'nyse:ko', 'KO'],
    ['the Korean code with the exchange', 'KRX:005930', '005930.KS'],
    ['the KOSDAQ code with the exchange', 'KRX:247540', '247540.KQ'],
    ['the Korean code with the letter of the exchange', 'A005930', '005930.KS'],
  ])('by %s: %s', (_, query, symbol) => {
    expect(outcome(query)).toBe(`found ${symbol}`);
  });

  it('by each of its codes, names and aliases', () => {
    const missed = SAMPLE_INSTRUMENTS.flatMap(({ instrument, aliases }) =>
      [instrument.symbol, instrument.ticker, instrument.name.ko, instrument.name.en, ...aliases].filter(
        (query) => outcome(query) !== `found ${instrument.symbol}`,
      ),
    );
    expect(missed).toEqual([]);
  });
});

describe('a name that fits several is a question', () => {
  it.each([
    ['삼성', '005930.KS 207940.KS'],
    ['samsung', '005930.KS 207940.KS'],
    ['LG', '373220.KS 066570.KS'],
    ['엘지', '373220.KS 066570.KS'],
    ['전자', '005930.KS 066570.KS'],
    ['코인', 'BTC-USD BTC-KRW'],
    ['s&p', 'SPY ^GSPC'],
    ['ecopr', '086520.KQ 247540.KQ'],
  ])('%s', (query, symbols) => {
    expect(outcome(query)).toBe(`ambiguous ${symbols}`);
  });

  it('also when the names are equal', () => {
    const [samsung] = SAMPLE_INSTRUMENTS;
    if (!samsung) throw new Error('no samples');
    const preferred = {
      aliases: [],
      instrument: { ...samsung.instrument, symbol: '005935.KS', ticker: '005935' },
    };
    const search = createSymbolSearch([samsung, preferred]);
    expect(search.resolve('Samsung Electronics').status).toBe('ambiguous');
    expect(search.resolve('005935')).toEqual({ status: 'found', instrument: preferred.instrument });
  });

  it('offers at most eight', () => {
    const [samsung] = SAMPLE_INSTRUMENTS;
    if (!samsung) throw new Error('no samples');
    const many = Array.from({ length: 30 }, (_, index) => ({
      aliases: [],
      instrument: { ...samsung.instrument, symbol: `S${index}`, ticker: `S${index}` },
    }));
    const match = createSymbolSearch(many).resolve('삼성');
    expect(match.status === 'ambiguous' && match.choices.map(({ symbol }) => symbol)).toEqual(
      many.slice(0, 8).map(({ instrument }) => instrument.symbol),
    );
  });
});

describe('a mistake is never guessed at', () => {
  it.each([
    ['a wrong letter', 'aaple', 'AAPL'],
    ['two letters swapped', 'appel', 'AAPL'],
    ['a swapped ticker', 'TLSA', 'TSLA'],
    ['a missing letter', 'nvdia', 'NVDA'],
    ['a letter too many', 'nettflix', 'NFLX'],
    ['a wrong vowel', '삼송전자', '005930.KS'],
    ['a wrong vowel in a short name', '테술라', 'TSLA'],
    ['a missing final consonant', '셀트리오', '068270.KS'],
    ['two wrong letters', '앤비디야', 'NVDA'],
    ['another company with a near name', '삼성전기', '005930.KS'],
    ['a mistake in a name of two scripts', 'SK하이닉수', '000660.KS'],
    ['what may be the ticker of a company that is not listed here', 'MET', 'META'],
    ['the name of a group of which one company is listed here', 'SK', '000660.KS'],
    ['a word inside one English name', 'morgan', 'JPM'],
    ['a word inside one English name that means more', 'energy', '373220.KS'],
    ['another such word', 'motor', '005380.KS'],
    ['a word at the end of one English name', 'trust', 'SPY'],
    ['the end of one Korean name', '바이오로직스', '207940.KS'],
    ['a currency inside the name of a coin', '원화', 'BTC-KRW'],
    ['a word inside the name of an index', '종합', '^IXIC'],
    ['less than half of a Latin name, and no whole word of it', 'Japan', 'JPYKRW=X'],
  ])('%s: %s', (_, query, symbol) => {
    expect(outcome(query)).toBe(`unknown ${symbol}`);
  });
});

describe('what nobody knows has no suggestion', () => {
  it.each([
    ['nothing', ''],
    ['white space', ' \t\n'],
    ['an emoji', '🚀🌙'],
    ['punctuation', '$...'],
    ['a legal form', 'Inc.'],
    ['one letter', 'a'],
    ['one syllable', '삼'],
    ['two wrong letters in a short word', 'aplpee'],
    ['a mistake in two syllables', '에플'],
    ['a mistake in three letters', 'btx'],
    ['part of a code', '0059'],
    ['an unlisted code', '999999'],
    ['a code at the wrong market', 'NYSE:AAPL'],
    ['an unlisted code with its market', 'KOSPI:005931'],
    ['a number', '2026'],
    ['another word', '날씨'],
    ['a lone surrogate', '\ud83d'],
    ['a page of text', '삼성전자'.repeat(10_000)],
  ])('%s', (_, query) => {
    expect(outcome(query)).toBe('unknown');
  });

  it('whatever is typed, the answer is one of the three', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (query) => {
        expect(['found', 'ambiguous', 'unknown']).toContain(resolve(query).status);
      }),
    );
  });
});
