import type { AssetClass, Instrument } from '#src/kernel/market/finance.ts';
import { spellInKorean } from '../hangul.ts';
import { type CsvRow, readCsv } from './csv.ts';

/** Makes listed names readable: the security type is dropped, distinguishing words stay. */

const TRAILING_THE = /^(.*?) \(The\)(.*)/;
const DEPOSITARY = /,? american deposit[ao]ry (?:shares?|receipts?).*/i;
const PLAIN_SHARE = /,? (?:(?:common|capital) (?:stock|shares?)|ordinary shares?)(?: \([^(]*\))?\.?$/i;

const readableUsName = (raw: string): string =>
  raw
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(TRAILING_THE, 'The $1$2')
    .replace(DEPOSITARY, ' ADS')
    .replace(PLAIN_SHARE, '');

/** Securities that are not ordinary shares: debt, rights, preferred shares and shell companies. */
const NON_SHARE_PATTERNS = [
  /\b(?:warrants?|rights?|debentures?|notes|preferred|preference)\b|%|\btangible equity units?\b/i,
  /(?<!common )(?<!partner )\bunits?\.?$/i,
  /\b(?:acquisitions?|spac|strats|zones)\b/i,
  /(?<!american )(?<!global )\bdeposit[ao]ry (?:shares|interests)\b/i,
  /\b(?:funds?|bdc)\b/i,
];

const FUND_WORD =
  /\b(?:municipal|muni\w*|income|term|securities|opportunit\w+|credit|dividend|return|strateg\w+)\b/i;
/** True for closed-end funds. A real-estate trust is a company. */
const isFundTrust = (name: string): boolean => {
  const from = name.search(FUND_WORD);
  return from >= 0 && /\btrust\b/i.test(name.slice(from));
};

/** True for warrants, rights, notes, shell companies and funds: a company's name never means these. */
const isSecondaryUs = (name: string): boolean =>
  isFundTrust(name) || NON_SHARE_PATTERNS.some((pattern) => pattern.test(name));

/** Korean SPACs, such as `하나34호스팩` and `엘에스스팩1호`. */
const isKoreanSpac = (nameKo: string): boolean => /스팩(?:제?\d+호)?$/u.test(nameKo);

const PREFERRED = /^(?<company>.+?)(?<series>\d?)우(?<form>[A-Z]?)(?:\([^(]*\))?$/u;
const ORDINALS = ['', '', '2nd ', '3rd ', '4th ', '5th '];

/** Labels preferred shares (`삼성전자우`), because the lists give both classes one English name. */
const preferredLabel = (code: string, nameKo: string): string | undefined => {
  const { company, series = '', form = '' } = PREFERRED.exec(nameKo)?.groups ?? {};
  // Codes of common shares end in 0.
  if (company === undefined || code.endsWith('0')) return undefined;
  return `${ORDINALS[Number(series)] ?? `${series}th `}Preferred${form === '' ? '' : ` ${form}`}`;
};

const LETTERS_FIRST = /^(?:[A-Z]{2,4}(?=[가-힣 ])|[A-Z]{3,4}$)/;

/**
 * The spoken spelling of a name with Latin letters: `LG전자` is also 엘지전자. 엘지 alone means the group, not the company
 * `LG`.
 */
const spokenName = (nameKo: string): string | undefined => {
  const [letters] = LETTERS_FIRST.exec(nameKo) ?? [];
  return letters === undefined ? undefined : spellInKorean(letters) + nameKo.slice(letters.length);
};

/** An index entry. */
export interface ListedSymbol {
  readonly instrument: Instrument;
  readonly aliases: readonly string[];
  /** Codes in addition to symbol and ticker. */
  readonly codes: readonly string[];
  /** Ranked after all others: preferred shares, warrants, notes. */
  readonly isSecondary: boolean;
  /** Lower is better known. */
  readonly rank: number;
  readonly file: string;
  readonly line: number;
}

type Report = (row: Pick<CsvRow<string>, 'file' | 'line'>, problem: string) => void;

/** Korean and US companies are interleaved by size, one to two, and funds follow the largest. */
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
    if (!KRX_CODE.test(code)) report(row, `"${code}" is not a code of six letters and digits`);
    if (ko === '') report(row, 'the Korean name is missing');
    const symbol = `${code}.${suffix ?? ''}`;
    if (yahoo !== '' && yahoo !== symbol) report(row, `"${yahoo}" should be "${symbol}"`);
    const isNote = market === 'ETN';
    // Exchange-traded notes trade and are taxed like funds.
    const isEtf = market === 'ETF' || isNote;
    const preferred = isEtf ? undefined : preferredLabel(code, ko);
    const en = listedEn === '' ? ko : `${listedEn}${preferred === undefined ? '' : ` (${preferred})`}`;
    const spoken = isEtf ? undefined : spokenName(ko);
    return [
      {
        instrument: {
          symbol,
          ticker: code,
          name: { ko, en },
          // Funds are listed on KOSPI.
          exchange: isEtf ? 'KOSPI' : market,
          assetClass: isEtf ? 'etf' : 'equity',
          currency: 'KRW',
          priceDecimals: 0,
        },
        aliases: spoken === undefined ? [] : [spoken],
        // Brokers prefix the code of a note with Q, as they prefix a share's with A.
        codes: isNote ? [`Q${code}`] : [],
        isSecondary: preferred !== undefined || isKoreanSpac(ko),
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

/** A US listing, quoted in dollars and cents. Its first Korean alias is its Korean name. */
const usListing = (
  { values, file, line }: CsvRow<'ticker' | 'alias_ko'>,
  en: string,
  rest: Pick<Instrument, 'exchange' | 'assetClass'> & Pick<ListedSymbol, 'isSecondary' | 'rank'>,
  report: Report,
): ListedSymbol => {
  const { ticker, alias_ko: aliasKo } = values;
  const { exchange, assetClass, isSecondary, rank } = rest;
  if (!US_TICKER.test(ticker)) report({ file, line }, `"${ticker}" is not a ticker`);
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
    if (!/^\d+$/.test(cap)) report(row, `"${cap}" is not a market capitalisation in whole dollars`);
    const isSecondary = isSecondaryUs(listedEn);
    const rest = { exchange: exchange ?? '', assetClass: 'equity', isSecondary, rank: index + 1 } as const;
    return usListing(row, readableUsName(listedEn), rest, report);
  });
};

/** `US`: the list does not name the exchange. */
const FUND_EXCHANGES: ReadonlySet<string> = new Set(['NYSE Arca', 'NASDAQ', 'Cboe', 'US']);
const FUNDS_FROM = 590;

/** US funds and notes, best known first. */
export const readFunds = (file: string, text: string, report: Report): readonly ListedSymbol[] =>
  readCsv(file, text, ['ticker', 'exchange', 'name_en', 'alias_ko']).map((row, index): ListedSymbol => {
    const { exchange, name_en: en } = row.values;
    if (!FUND_EXCHANGES.has(exchange)) report(row, `unknown exchange "${exchange}"`);
    const rank = FUNDS_FROM + OTHER_STEP * index;
    return usListing(row, en, { exchange, assetClass: 'etf', isSecondary: false, rank }, report);
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
 * Other spellings of a coin: `KRW-BTC`, `BTC원`, `비트코인 원`, `BTC-USD`. A coin's names are aliases, so that they win
 * over companies of the same name and mean the coin in dollars. A coin traded only in won is found by its bare name.
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
  // A coin without a name of its own has only its code, which may be a ticker elsewhere.
  const names = ko === coin ? [] : [ko, `${ko}코인`, ...(en === coin ? [] : [en])];
  return { codes: [`KRW${coin}`, ...(coin.length > 2 ? [coin] : [])], aliases: [...inWon, ...names] };
};

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
    report(row, `"${decimals}" is not a number of decimals from 0 to ${MAX_DECIMALS}`);
  return { assetClass: isAssetClass(assetClass) ? assetClass : 'equity', priceDecimals };
};

const FOREIGN_FROM = 1_000;
const FOREIGN_SYMBOL = /^[0-9A-Z-]+\.(?:T|HK|L)$/;

/** Shares of Tokyo, Hong Kong and London, whose codes carry the exchange's suffix. */
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
    if (!FOREIGN_SYMBOL.test(symbol)) report(row, `"${symbol}" is not a code of Tokyo, Hong Kong or London`);
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
