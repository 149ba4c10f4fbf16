import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildSymbolIndex, SYMBOL_FILES, type SymbolFiles } from '#src/markets/symbols/build/build-index.ts';
import { SymbolDataError } from '#src/markets/symbols/build/csv.ts';
import { INDEX_FILE } from '#src/markets/symbols/symbol-index.ts';
import { everyRow } from '#test/support/every-row.ts';

const DATA = join(import.meta.dirname, '..', '..', '..', 'src', 'markets', 'data');
const read = (file: string): string => readFileSync(join(DATA, file), 'utf8');

const SMALL: SymbolFiles = {
  krx: 'code,market,name_ko,name_en,yahoo\n005930,KOSPI,삼성전자,"Samsung Electronics Co., Ltd.",005930.KS\n',
  us: 'ticker,exchange,name_en,alias_ko,market_cap_usd\nAAPL,NASDAQ,Apple Inc.,애플|사과,1\n',
  funds: 'ticker,exchange,name_en,alias_ko\n',
  foreign: 'symbol,name_ko,name_en,exchange,asset_class,currency,price_decimals\n',
  others:
    'symbol,ticker,name_ko,name_en,exchange,asset_class,currency,price_decimals\n^KS11,KOSPI,코스피,KOSPI,KRX,index,points,2\n',
  aliases: 'symbol,aliases\n005930.KS,삼전\n',
  bestKnown: 'symbol\nAAPL\n',
};

const problemsWith = (changed: Partial<SymbolFiles>): readonly string[] => {
  try {
    buildSymbolIndex({ ...SMALL, ...changed });
    return [];
  } catch (error) {
    if (error instanceof SymbolDataError) return error.message.split('\n');
    throw error;
  }
};

describe('the symbol index', () => {
  it('is up to date with its sources (run `npm run data:symbols`)', () => {
    const made = buildSymbolIndex({
      krx: read(SYMBOL_FILES.krx),
      us: read(SYMBOL_FILES.us),
      funds: read(SYMBOL_FILES.funds),
      foreign: read(SYMBOL_FILES.foreign),
      others: read(SYMBOL_FILES.others),
      aliases: read(SYMBOL_FILES.aliases),
      bestKnown: read(SYMBOL_FILES.bestKnown),
    });
    // Not `toBe` on the texts: nobody wants to see where two of 800 KB differ.
    expect(made === read(INDEX_FILE)).toBe(true);
  });

  it('ranks the best known first and secondary listings last', () => {
    const text = buildSymbolIndex({
      ...SMALL,
      krx: `${SMALL.krx}005935,KOSPI,삼성전자우,"Samsung Electronics Co., Ltd.",005935.KS\n`,
    });
    const symbols = text.split('\n').slice(1, 5);
    expect(symbols.map((line) => line.split('\t')[0])).toEqual(['AAPL', '005930.KS', '^KS11', '005935.KS']);
    expect(text).toContain('Samsung Electronics Co., Ltd. (Preferred)');
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ instruments: 4, firstSecondary: 3 });
  });
});

describe('problems in the source files', () => {
  it('are none in the small example', () => {
    expect(problemsWith({})).toEqual([]);
  });

  everyRow<[string, Partial<SymbolFiles>, string]>([
    [
      'a column that nobody knows',
      { aliases: 'symbol,aliases,note\n005930.KS,삼전,x\n' },
      'aliases.csv:1: the columns must be "symbol,aliases", not "symbol,aliases,note"',
    ],
    [
      'a value too many',
      { us: `${SMALL.us}MSFT,NASDAQ,Microsoft,Corp,,1\n` },
      'us-symbols.csv:3: expected 5 values',
    ],
    [
      'an open quote',
      { us: `${SMALL.us}MSFT,NASDAQ,"Microsoft,,1\n` },
      'us-symbols.csv:3: expected 5 values',
    ],
    [
      'a symbol that is there twice',
      { us: `${SMALL.us}AAPL,NASDAQ,Apple Again,,1\n` },
      'us-symbols.csv:3: AAPL is already at us-symbols.csv:2',
    ],
    [
      'a symbol that is in two files',
      {
        others: `${SMALL.others}AAPL,AAPL,애플,Apple,NASDAQ,equity,USD,2\n`,
      },
      'other-symbols.csv:3: AAPL is already at us-symbols.csv:2',
    ],
    [
      'an alias of nothing',
      { aliases: `${SMALL.aliases}NOPE,없음\n` },
      'aliases.csv:3: there is no symbol "NOPE"',
    ],
    [
      'an alias that two claim',
      { aliases: `${SMALL.aliases}^KS11,삼 전\n` },
      'aliases.csv:3: "삼 전" is already an alias of 005930.KS at aliases.csv:2',
    ],
    [
      'an alias that another list has given away',
      { aliases: '005930.KS,사과\n'.replace(/^/, 'symbol,aliases\n') },
      'aliases.csv:2: "사과" is already an alias of AAPL at us-symbols.csv:2',
    ],
    [
      'an alias that nobody could type',
      { aliases: 'symbol,aliases\nAAPL,苹果\n' },
      'aliases.csv:2: "苹果" has letters that nobody could type',
    ],
    [
      'a best known that is unknown',
      { bestKnown: 'symbol\nX\n' },
      'best-known.csv:2: there is no symbol "X"',
    ],
    [
      'a market that nobody knows',
      { krx: `${SMALL.krx}000001,OTC,가나,,\n` },
      'krx-symbols.csv:3: unknown market "OTC"',
    ],
    [
      'a fund without its exchange',
      { us: `${SMALL.us}SPY,ETF,SPDR,,0\n` },
      'us-symbols.csv:3: unknown exchange "ETF"',
    ],
    [
      'decimals that no price has',
      { others: `${SMALL.others}X,X,엑스,X,FX,fx,USD,12\n` },
      'other-symbols.csv:3: "12" is not a number of decimals',
    ],
    [
      'a kind that nobody knows',
      { others: `${SMALL.others}X,X,엑스,X,FX,bond,USD,2\n` },
      'other-symbols.csv:3: unknown asset class "bond"',
    ],
  ])('%s', (_what, changed, problem) => {
    const problems = problemsWith(changed);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  it('are all reported at once', () => {
    const problems = problemsWith({
      aliases: 'symbol,aliases\nNOPE,없음\nAAPL,\n',
      bestKnown: 'symbol\nX\n',
    });
    expect(problems.map((problem) => problem.split(': ')[0])).toEqual([
      'aliases.csv:2',
      'aliases.csv:3',
      'best-known.csv:2',
    ]);
  });
});
