import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance } from '#src/platform/text/edit-distance.ts';
import { codeFor, type Instrument, type SymbolMatch } from '#src/kernel/market/finance.ts';
import { loadSymbolIndex } from '#src/markets/symbols/symbol-index.ts';
import { codeKey } from '#src/markets/symbols/symbol-key.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { distanceWithin } from '#src/markets/symbols/typo-match.ts';
import { anyText } from '#test/support/any-text.ts';
import { everyRow } from '#test/support/every-row.ts';
import { MARKET_QUERIES } from './market-queries.ts';
import { SYMBOL_QUERIES } from './symbol-queries.ts';

const { resolve } = createSymbolSearch();

const listed = (match: SymbolMatch): readonly Instrument[] => {
  if (match.status === 'found') return [match.instrument];
  return match.status === 'ambiguous' ? match.choices : match.suggestions;
};

/** `found AAPL`, `ambiguous A B`, `unknown A`: one line to compare. */
const outcome = (query: string): string => {
  const match = resolve(query);
  return [match.status, ...listed(match).map(({ symbol }) => symbol)].join(' ');
};

const named = (symbol: string): Instrument => {
  const [instrument] = listed(resolve(`$${symbol}`));
  if (!instrument) throw new Error(`${symbol} is not in the index`);
  return instrument;
};

/** How it came out, and what is first. */
const firstOf = (query: string): string => outcome(query).split(' ').slice(0, 2).join(' ');

describe('everyday queries', () => {
  it('rank the intended instrument first in at least 95 of 100 cases', () => {
    expect(SYMBOL_QUERIES.length).toBeGreaterThanOrEqual(300);
    const missed = SYMBOL_QUERIES.filter(({ query, symbol }) => listed(resolve(query))[0]?.symbol !== symbol);
    expect(missed.length / SYMBOL_QUERIES.length, JSON.stringify(missed)).toBeLessThanOrEqual(0.05);
  });

  it('never resolve to another company', () => {
    const wrong = SYMBOL_QUERIES.filter(({ query, symbol }) => {
      const match = resolve(query);
      return match.status === 'found' && match.instrument.symbol !== symbol;
    });
    expect(wrong).toEqual([]);
  });

  everyRow(SYMBOL_QUERIES)('$query is $status: $symbol', ({ query, status, symbol }) => {
    expect(firstOf(query)).toBe(`${status} ${symbol}`);
  });
});

describe('funds, notes, coins, futures, nicknames and foreign names', () => {
  it('resolve as people write them, and collisions are ambiguous', () => {
    expect(MARKET_QUERIES.length).toBeGreaterThanOrEqual(500);
    const wrong = MARKET_QUERIES.flatMap(({ query, outcome: expected }) => {
      const match = resolve(query);
      const found = listed(match).map(({ symbol }) => symbol);
      const isRight =
        match.status === 'found'
          ? found[0] === expected
          : match.status === 'ambiguous' &&
            expected.split(' or ').every((each) => found.includes(each)) &&
            expected.includes(' or ');
      return isRight ? [] : [`${query}: ${match.status} ${found.join(' ')}, not ${expected}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe('an ambiguous name', () => {
  it.each([
    ['of listings at home and abroad, the home first', 'SK hynix', '000660.KS SKHY'],
    ['of a code there and a name here', 'KT', '030200.KS KT'],
    ['of a coin and a company', 'SUI', 'SUI20947-USD SUI'],
    ['of a nickname and a code', 'coke', 'KO COKE'],
    ['of two classes of shares', 'Berkshire Hathaway', 'BRK-B BRK-A'],
    ['of the first word of several', 'ecopr', '086520.KQ 247540.KQ 450080.KS 383310.KQ'],
  ])('%s: %s', (_what, query, symbols) => {
    expect(outcome(query)).toBe(`ambiguous ${symbols}`);
  });

  it.each(['삼성', '현대', '롯데', 'SK', 'LG', 'American'])('%s has exactly eight choices', (query) => {
    const match = resolve(query);
    expect(match.status).toBe('ambiguous');
    expect(listed(match)).toHaveLength(8);
  });

  everyRow([
    ['vertex', 'VRTX'],
    ['russell', '^RUT'],
    ['mirae', '006800.KS'],
    ['citizens', 'CFG'],
    ['union', 'UNP'],
    ['SM', '041510.KQ'],
    ['NC', '036570.KS'],
    ['HL', '204320.KS'],
    ['LX', '108320.KS'],
    ['KG', '003620.KS'],
    ['SNT', '003570.KS'],
    ['엘지', '003550.KS'],
    ['씨제이', '001040.KS'],
    ['지에스', '078930.KS'],
    ['엘에스', '006260.KS'],
    ['GOLD', 'GOLD'],
  ])('%s is ambiguous and %s is one of the choices', (query, symbol) => {
    const match = resolve(query);
    expect(match.status).toBe('ambiguous');
    expect(listed(match).map((each) => each.symbol)).toContain(symbol);
  });

  it('is resolved by the code of each choice', () => {
    const { instruments, instrumentAt } = loadSymbolIndex();
    const lost = Array.from({ length: instruments }, (_, number) => instrumentAt(number)).filter((each) => {
      const match = resolve(codeFor(each, { resolve }));
      return match.status !== 'found' || match.instrument.symbol !== each.symbol;
    });
    expect(lost).toEqual([]);
    expect(['GS', 'AAPL', 'LTC', 'LTC-USD'].map((code) => codeFor(named(code), { resolve }))).toEqual([
      '$GS',
      'AAPL',
      '$LTC',
      'LTC-USD',
    ]);
  });

  it('never offers preferred shares, warrants or notes', () => {
    expect(outcome('현대차')).toBe('found 005380.KS');
    expect(outcome('Hyundai Motor')).toBe('found 005380.KS');
    expect(outcome('현대차우')).toBe('found 005385.KS');
    expect(outcome('Samsung Electronics Preferred')).toBe('found 005935.KS');
    expect(listed(resolve('삼성')).map(({ symbol }) => symbol)).not.toContain('005935.KS');
  });
});

describe('a Korean note', () => {
  it('is suggested by some words of its name, in which ETN is not a ticker', () => {
    const expected = {
      '신한 레버리지 WTI ETN': 'unknown 500093.KS',
      '삼성 인버스 2X 코스닥 ETN': 'unknown 530107.KS',
      '신한 은 선물 ETN': 'ambiguous 500030.KS 500029.KS',
      '삼성 인버스 2X 코스닥150 선물 ETN': 'found 530107.KS',
      ETN: 'found ETN',
    };
    expect(Object.fromEntries(Object.keys(expected).map((query) => [query, outcome(query)]))).toEqual(
      expected,
    );
  });
});

describe('brackets behind a name', () => {
  it('are a code only if the name fits that instrument', () => {
    const expected = {
      '코덱스 은선물(H)': 'found 144600.KS',
      '코덱스 미국S&P500(H)': 'found 449180.KS',
      'KINDEX 미국30년국채액티브(H)': 'found 453850.KS',
      'TIGER 미국S&P500TR(H)': 'unknown',
      '신한 레버리지 WTI원유 선물 ETN(H)': 'unknown 500093.KS',
      '미래에셋코어테크(C)': 'unknown',
      '미래에셋코어테크(A)': 'unknown',
      '미래에셋코어테크(T)': 'unknown',
      '미래에셋코어테크(Ae)': 'unknown',
      '삼성전자(C)': 'unknown 005930.KS 005935.KS',
      '우리 반도체 펀드 (SOXL)': 'unknown SOXL',
      '삼성전자 (AAPL)': 'ambiguous AAPL 005930.KS',
      'Hyatt (H)': 'found H',
      'Hyatt Hotels (H, NYSE)': 'found H',
      'AT&T (T)': 'found T',
      'Appel (AAPL)': 'found AAPL',
      'Apple Computer (AAPL)': 'found AAPL',
      // The name may be a former one that nobody knows.
      '옛날전자 (005930)': 'found 005930.KS',
    };
    expect(Object.fromEntries(Object.keys(expected).map((query) => [query, outcome(query)]))).toEqual(
      expected,
    );
  });

  it('select the hedged fund in every spelling of its brand', () => {
    const { instruments, instrumentAt } = loadSymbolIndex();
    const brands = { KODEX: '코덱스', TIGER: '타이거', ACE: 'KINDEX', RISE: 'KBSTAR', KIWOOM: 'KOSEF' };
    const hedged = Array.from({ length: instruments }, (_, number) => instrumentAt(number)).flatMap(
      (each) => {
        const brand = Object.entries(brands).find(([written]) => each.name.ko.startsWith(`${written} `));
        return brand && each.name.ko.endsWith('(H)')
          ? [{ query: each.name.ko.replace(...brand), symbol: each.symbol }]
          : [];
      },
    );
    expect(hedged.length).toBeGreaterThan(40);
    expect(hedged.filter(({ query, symbol }) => outcome(query) !== `found ${symbol}`)).toEqual([]);
  });
});

describe('codes and names', () => {
  it('that were replaced resolve to their successors, and a ticker wins over the name of a small company', () => {
    const expected = {
      BONK: 'found BONK-USD',
      'hype coin': 'found HYPE32196-USD',
      FB: 'found META',
      SQ: 'found XYZ',
      SPLG: 'found SPYM',
      // Another company has taken it over.
      PARA: 'ambiguous PSKY PARA',
      VXX: 'found VXX',
      'KODEX 미국S&P500TR': 'found 379800.KS',
      '코덱스 미국나스닥100TR': 'found 379810.KS',
      '에이스 금현물': 'found 411060.KS',
      쌍용차: 'found 003620.KS',
      클라르나: 'found KLAR',
      달바: 'found 483650.KS',
      '솔 조선': 'unknown 466920.KS 0080Y0.KS 0141S0.KS',
      '타임폴리오 나스닥': 'unknown 426030.KS 0019K0.KS',
      'Roundhill Space & Technology ETF (MARS, US-listed)': 'found MARS',
      '아무 이름 (MARS, 미국 상장)': 'found MARS',
    };
    expect(Object.fromEntries(Object.keys(expected).map((query) => [query, outcome(query)]))).toEqual(
      expected,
    );
  });
});

describe('part of a name', () => {
  it('resolves only to a single, well-known company', () => {
    expect(outcome('palantir')).toBe('found PLTR');
    expect(firstOf('bridgewater')).toBe('unknown BWB');
    expect(firstOf('stock')).toBe('unknown SYBT');
  });

  it('of two or three letters resolves only as a first word', () => {
    expect(firstOf('NH')).toBe('ambiguous 005940.KS');
    expect(firstOf('how')).toBe('unknown HWM');
  });

  it('is never joined with another by `and` into a code', () => {
    expect(firstOf('BA and C')).not.toContain('BAC');
    expect(firstOf('BA & C')).not.toContain('BAC');
    expect(outcome('AAPL and')).toBe('unknown');
  });

  it('inside a name is only a hint', () => {
    expect(firstOf('전자')).toBe('unknown 005930.KS');
    expect(firstOf('원화')).toBe('unknown BTC-KRW');
    // In the middle of a word it is none.
    expect(outcome('icrosoft corp')).toBe('unknown MSFT');
    expect(outcome('alantir')).toBe('unknown PLTR');
  });
});

describe('an unknown name has no suggestions', () => {
  everyRow([
    ['nothing', ''],
    ['white space', ' \t\n'],
    ['an emoji', '🚀🌙'],
    ['punctuation', '$...'],
    ['a legal form', 'Inc.'],
    ['an article', 'the'],
    ['one syllable', '삼'],
    ['an answer', '네'],
    ['syllables that are the keys of a ticker (EBAY)', '듀묘'],
    ['laughter', 'ㅋㅋㅋ'],
    ['tears', 'ㅠㅠ'],
    ['two wrong letters in a short word', 'aplpee'],
    ['part of a code', '0059'],
    ['part of a code with letters', '0126Z'],
    ['an unlisted code', '999999'],
    ['a code at the wrong market', 'NYSE:AAPL'],
    ['an unlisted code with its market', 'KOSPI:005931'],
    ['an unlisted code with a sign', 'ZZ=F'],
    ['an unlisted code of Tokyo', '0001.T'],
    ['a company that is not listed here', 'siemens'],
    ['a company that is not listed any more', 'twitter'],
    ['a number', '2026'],
    ['another word', '날씨'],
    ['another script', '東京電力'],
    ['a lone surrogate', '\ud83d'],
    ['signs that stand for letters in the index', '(&!$%#)|~_'],
    ['a page of text', '삼성전자'.repeat(10_000)],
  ])('%s: %s', (_what, query) => {
    expect(outcome(query)).toBe('unknown');
  });

  it('every query is found, ambiguous or unknown', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (query) => {
        expect(['found', 'ambiguous', 'unknown']).toContain(resolve(query).status);
      }),
    );
  });
});

describe('the loaded index', () => {
  it('is read once, on the first query', () => {
    let reads = 0;
    const search = createSymbolSearch(() => {
      reads += 1;
      return loadSymbolIndex();
    });
    expect(reads).toBe(0);
    search.resolve('AAPL');
    search.suggest('애플', 3);
    expect(reads).toBe(1);
  });

  it('has every instrument under its own symbol, with the fields of a quote', () => {
    const index = loadSymbolIndex();
    expect(index.instruments).toBeGreaterThan(14_000);
    const bad: string[] = [];
    for (let number = 0; number < index.instruments; number += 1) {
      const { symbol, ticker, name, currency, priceDecimals } = index.instrumentAt(number);
      const keys = index.exactKeys(codeKey(symbol));
      const isKnown = keys.some((key) => index.owners[key] === number);
      const isWhole = [ticker, name.ko, name.en, currency].every((text) => text !== '');
      if (!isKnown || !isWhole || (currency === 'KRW' && /\.K[SQN]$/.test(symbol) && priceDecimals !== 0))
        bad.push(symbol);
    }
    expect(bad).toEqual([]);
  });

  it('stays below 2 MB', () => {
    const { keys, starts, owners, masks, headMasks, byLength, byHeadLength } = loadSymbolIndex();
    const arrays = [starts, owners, masks, headMasks, byLength.order, byHeadLength.order];
    expect(arrays.reduce((sum, { byteLength }) => sum + byteLength, keys.length)).toBeLessThan(2e6);
  });

  everyRow([
    ['005930.KS', { exchange: 'KOSPI', assetClass: 'equity', currency: 'KRW', priceDecimals: 0 }],
    ['069500.KS', { exchange: 'KOSPI', assetClass: 'etf', currency: 'KRW', priceDecimals: 0 }],
    ['176590.KN', { exchange: 'KONEX', assetClass: 'equity', ticker: '176590' }],
    ['KO', { name: { ko: '코카콜라', en: 'The Coca-Cola Company' }, exchange: 'NYSE', priceDecimals: 2 }],
    ['SPY', { exchange: 'NYSE Arca', assetClass: 'etf', currency: 'USD' }],
    ['NIO', { name: { ko: '니오', en: 'NIO Inc. ADS' } }],
    ['UUUU', { exchange: 'NYSE American', name: { ko: 'Energy Fuels Inc', en: 'Energy Fuels Inc' } }],
    ['BTC-USD', { ticker: 'BTC', exchange: 'Crypto', assetClass: 'crypto', priceDecimals: 2 }],
    ['SHIB-KRW', { ticker: 'SHIB/KRW', currency: 'KRW', priceDecimals: 5 }],
    ['JPYKRW=X', { ticker: 'JPY/KRW', exchange: 'FX', assetClass: 'fx', priceDecimals: 4 }],
    ['^KQ11', { exchange: 'KRX', assetClass: 'index', currency: 'points' }],
    ['^TNX', { assetClass: 'rate', currency: '%', priceDecimals: 3 }],
    ['GC=F', { exchange: 'COMEX', assetClass: 'commodity', currency: 'USD', priceDecimals: 2 }],
    ['NQ=F', { exchange: 'CME', assetClass: 'index', currency: 'points' }],
    // Notes are funds to the tax on trades: they pay none.
    ['530031.KS', { exchange: 'KOSPI', assetClass: 'etf', currency: 'KRW', ticker: '530031' }],
    ['7203.T', { exchange: 'TSE', assetClass: 'equity', currency: 'JPY', ticker: '7203.T' }],
    ['0700.HK', { exchange: 'HKEX', currency: 'HKD', name: { ko: '텐센트', en: 'Tencent Holdings' } }],
    [
      'HSBA.L',
      { exchange: 'LSE', currency: 'GBP', name: { ko: 'HSBC (런던)', en: 'HSBC Holdings (London)' } },
    ],
    ['CONL', { exchange: 'NASDAQ', assetClass: 'etf', name: { ko: '그래닛셰어즈 코인베이스 2배' } }],
    ['HG=F', { exchange: 'COMEX', assetClass: 'commodity', currency: 'USD', priceDecimals: 4 }],
  ])('describes %s', (symbol, expected) => {
    expect(listed(resolve(symbol))[0]).toMatchObject({ symbol, ...expected });
  });
});

it('the fast edit distance equals the plain one', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.constantFrom(1, 2), (left, right, limit) => {
      expect(distanceWithin(left, right, limit)).toBe(editDistance(left, right, limit));
    }),
    { numRuns: 2_000 },
  );
});
