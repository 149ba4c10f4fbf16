import type { AssetClass, Instrument } from '#src/core/finance.ts';
import { isSecondaryUs, isShellKr, preferredOf, readableUsName, spokenName } from './company-names.ts';
import { type CsvRow, readCsv } from './csv.ts';

/** An instrument as it goes into the index. */
export interface ListedSymbol {
  readonly instrument: Instrument;
  readonly aliases: readonly string[];
  /** Codes beside its symbol and ticker. */
  readonly codes: readonly string[];
  /** Stands behind all others: preferred shares, warrants, notes. */
  readonly isSecondary: boolean;
  /** Smaller is better known. */
  readonly rank: number;
  readonly file: string;
  readonly line: number;
}

type Report = (row: Pick<CsvRow<string>, 'file' | 'line'>, problem: string) => void;

/** Korea's and America's companies by size, one behind two; funds after the big ones. */
const KRX_STEP = 2;
const KRX_ETF_FROM = 400;
const OTHER_STEP = 4;

const KRX_ETN_FROM = 2_000;

const KRX_SUFFIX: Readonly<Record<string, string>> = {
  KOSPI: 'KS',
  KOSDAQ: 'KQ',
  ETF: 'KS',
  ETN: 'KS',
  KONEX: 'KN',
};
const KRX_CODE = /^[0-9A-Z]{6}$/;

export const readKrx = (file: string, text: string, report: Report): readonly ListedSymbol[] => {
  let stocks = 0;
  let funds = 0;
  let notes = 0;
  const rows = readCsv(file, text, ['code', 'market', 'name_ko', 'name_en', 'yahoo']);
  return rows.flatMap((row): readonly ListedSymbol[] => {
    const { code, market, name_ko: ko, name_en: listedEn, yahoo } = row.values;
    const suffix = KRX_SUFFIX[market];
    if (suffix === undefined) report(row, `unknown market "${market}"`);
    if (!KRX_CODE.test(code)) report(row, `"${code}" is no code of six letters and digits`);
    if (ko === '') report(row, 'the Korean name is missing');
    const symbol = `${code}.${suffix ?? ''}`;
    if (yahoo !== '' && yahoo !== symbol) report(row, `"${yahoo}" should be "${symbol}"`);
    const isNote = market === 'ETN';
    // Exchange-traded notes are traded and taxed as the funds are.
    const isEtf = market === 'ETF' || isNote;
    const preferred = isEtf ? undefined : preferredOf(code, ko);
    const en = listedEn === '' ? ko : `${listedEn}${preferred === undefined ? '' : ` (${preferred})`}`;
    const spoken = isEtf ? undefined : spokenName(ko);
    return [
      {
        instrument: {
          symbol,
          ticker: code,
          name: { ko, en },
          // Funds are listed on the main market.
          exchange: isEtf ? 'KOSPI' : market,
          assetClass: isEtf ? 'etf' : 'equity',
          currency: 'KRW',
          priceDecimals: 0,
        },
        aliases: spoken === undefined ? [] : [spoken],
        // Brokers write a Q before the code of a note, as they write an A before that of a share.
        codes: isNote ? [`Q${code}`] : [],
        isSecondary: preferred !== undefined || isShellKr(ko),
        rank: isNote
          ? KRX_ETN_FROM + OTHER_STEP * (notes += 1)
          : isEtf
            ? KRX_ETF_FROM + OTHER_STEP * (funds += 1)
            : KRX_STEP * (stocks += 1),
        file,
        line: row.line,
      },
    ];
  });
};

const US_EXCHANGES: Readonly<Record<string, string>> = {
  NASDAQ: 'NASDAQ',
  NYSE: 'NYSE',
  AMEX: 'NYSE American',
};
const US_TICKER = /^[A-Z]+(?:-[A-Z]+)?$/;

export const splitAliases = (text: string): readonly string[] =>
  text
    .split('|')
    .map((alias) => alias.trim())
    .filter((alias) => alias !== '');

/** What is listed in America, in dollars and cents. The first of its Korean names is its name. */
const listedInAmerica = (
  { values, file, line }: CsvRow<'ticker' | 'alias_ko'>,
  en: string,
  rest: Pick<Instrument, 'exchange' | 'assetClass'> & Pick<ListedSymbol, 'isSecondary' | 'rank'>,
  report: Report,
): ListedSymbol => {
  const { ticker, alias_ko: aliasKo } = values;
  const { exchange, assetClass, isSecondary, rank } = rest;
  if (!US_TICKER.test(ticker)) report({ file, line }, `"${ticker}" is no ticker`);
  if (en === '') report({ file, line }, 'the English name is missing');
  const [ko = en, ...aliases] = splitAliases(aliasKo);
  return {
    instrument: {
      symbol: ticker,
      ticker,
      name: { ko, en },
      exchange,
      assetClass,
      currency: 'USD',
      priceDecimals: 2,
    },
    aliases,
    codes: [],
    isSecondary,
    rank,
    file,
    line,
  };
};

export const readUs = (file: string, text: string, report: Report): readonly ListedSymbol[] => {
  const rows = readCsv(file, text, ['ticker', 'exchange', 'name_en', 'alias_ko', 'market_cap_usd']);
  return rows.map((row, index): ListedSymbol => {
    const { exchange: listedAt, name_en: listedEn, market_cap_usd: cap } = row.values;
    const exchange = US_EXCHANGES[listedAt];
    if (exchange === undefined)
      report(row, `unknown exchange "${listedAt}"; a fund goes into us-funds.csv with its exchange`);
    if (!/^\d+$/.test(cap)) report(row, `"${cap}" is no market capitalisation in whole dollars`);
    const isSecondary = isSecondaryUs(listedEn);
    const rest = { exchange: exchange ?? '', assetClass: 'equity', isSecondary, rank: index + 1 } as const;
    return listedInAmerica(row, readableUsName(listedEn), rest, report);
  });
};

/** `US`: one of the American exchanges, which of them the list does not say. */
const FUND_EXCHANGES: ReadonlySet<string> = new Set(['NYSE Arca', 'NASDAQ', 'Cboe', 'US']);
const FUNDS_FROM = 590;

/** Funds and notes listed in America, the better known first. */
export const readFunds = (file: string, text: string, report: Report): readonly ListedSymbol[] =>
  readCsv(file, text, ['ticker', 'exchange', 'name_en', 'alias_ko']).map((row, index): ListedSymbol => {
    const { exchange, name_en: en } = row.values;
    if (!FUND_EXCHANGES.has(exchange)) report(row, `unknown exchange "${exchange}"`);
    const rank = FUNDS_FROM + OTHER_STEP * index;
    return listedInAmerica(row, en, { exchange, assetClass: 'etf', isSecondary: false, rank }, report);
  });

const ASSET_CLASSES: readonly string[] = [
  'equity',
  'etf',
  'crypto',
  'fx',
  'index',
  'rate',
  'commodity',
] satisfies readonly AssetClass[];
const isAssetClass = (text: string): text is AssetClass => ASSET_CLASSES.includes(text);
const MAX_DECIMALS = 8;
const IN_WON = / \(원화\)$/;

const IN_WON_EN = / \(in won\)$/;

/**
 * How else a coin is written: `KRW-BTC`, `BTC원`, `비트코인 원`; `BTC-USD` also where the symbol is another. Who says
 * the name means the coin in dollars, not a company that calls itself so: its names are aliases, too. A coin that is
 * traded in won only is meant by its bare name.
 */
const coinNames = (
  { ticker, currency, name }: Instrument,
  inDollars: ReadonlySet<string>,
): Pick<ListedSymbol, 'aliases' | 'codes'> => {
  const coin = ticker.replace('/KRW', '');
  if (currency === 'USD')
    return {
      codes: [`${coin}USD`, `${coin}USDT`],
      aliases: [name.ko, name.en, `${coin}코인`, ...(name.ko.endsWith('코인') ? [] : [`${name.ko}코인`])],
    };
  const [ko, en] = [name.ko.replace(IN_WON, ''), name.en.replace(IN_WON_EN, '')];
  const inWon = [`${coin}원`, `${coin}원화`, `${ko}원`];
  if (inDollars.has(coin)) return { codes: [`KRW${coin}`], aliases: inWon };
  // Without a name of its own there is only the code, which may be a ticker elsewhere.
  const names = ko === coin ? [] : [ko, `${ko}코인`, ...(en === coin ? [] : [en])];
  return { codes: [`KRW${coin}`, ...(coin.length > 2 ? [coin] : [])], aliases: [...inWon, ...names] };
};

/** The price decimals of a row, and its asset class. */
const readKind = (
  row: CsvRow<'asset_class' | 'price_decimals'>,
  report: Report,
): Pick<Instrument, 'assetClass' | 'priceDecimals'> => {
  const { asset_class: assetClass, price_decimals: decimals } = row.values;
  for (const [column, value] of Object.entries(row.values))
    if (value === '') report(row, `${column} is missing`);
  if (!isAssetClass(assetClass)) report(row, `unknown asset class "${assetClass}"`);
  const priceDecimals = Number(decimals);
  if (!/^\d$/.test(decimals) || priceDecimals > MAX_DECIMALS)
    report(row, `"${decimals}" is no number of decimals from 0 to ${MAX_DECIMALS}`);
  return { assetClass: isAssetClass(assetClass) ? assetClass : 'equity', priceDecimals };
};

const FOREIGN_FROM = 1_000;
const FOREIGN_SYMBOL = /^[0-9A-Z-]+\.(?:T|HK|L)$/;

/** Shares of Tokyo, Hong Kong and London: their codes are written with the suffix of the exchange. */
export const readForeign = (file: string, text: string, report: Report): readonly ListedSymbol[] =>
  readCsv(file, text, [
    'symbol',
    'name_ko',
    'name_en',
    'exchange',
    'asset_class',
    'currency',
    'price_decimals',
  ]).map((row, index): ListedSymbol => {
    const { symbol, name_ko: ko, name_en: en, exchange, currency } = row.values;
    if (!FOREIGN_SYMBOL.test(symbol)) report(row, `"${symbol}" is no code of Tokyo, Hong Kong or London`);
    return {
      instrument: {
        symbol,
        ticker: symbol,
        name: { ko, en },
        exchange,
        currency,
        ...readKind(row, report),
      },
      aliases: [],
      codes: [],
      isSecondary: false,
      rank: FOREIGN_FROM + OTHER_STEP * index,
      file,
      line: row.line,
    };
  });

export const readOthers = (file: string, text: string, report: Report): readonly ListedSymbol[] => {
  const rows = readCsv(file, text, [
    'symbol',
    'ticker',
    'name_ko',
    'name_en',
    'exchange',
    'asset_class',
    'currency',
    'price_decimals',
  ]);
  const inDollars = new Set(
    rows.flatMap(({ values }) =>
      values.asset_class === 'crypto' && values.currency === 'USD' ? [values.ticker] : [],
    ),
  );
  return rows.map((row, index): ListedSymbol => {
    const { symbol, ticker, name_ko: ko, name_en: en, exchange, currency } = row.values;
    const instrument: Instrument = {
      symbol,
      ticker,
      name: { ko, en },
      exchange,
      currency,
      ...readKind(row, report),
    };
    return {
      instrument,
      ...(instrument.assetClass === 'crypto' ? coinNames(instrument, inDollars) : { codes: [], aliases: [] }),
      isSecondary: false,
      rank: OTHER_STEP * (index + 1),
      file,
      line: row.line,
    };
  });
};
