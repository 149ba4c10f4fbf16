import { primaryListings, ownersOf, type SymbolIndex } from './symbol-index.ts';
import { codeKey, isLatin, keyLetters, nameWords, queryForms } from './symbol-key.ts';
import { distanceWithin } from './typo-match.ts';

/** `KRX:005930`, `NASDAQ:AAPL`, as charting sites write it. */
const WITH_MARKET = /^\s*([\p{L}&][\p{L}& ]*):([^:]+)$/u;
/** `AAPL US`, `005930 KS Equity`, as terminals write it. */
const WITH_COUNTRY = /^\s*([A-Z0-9]+(?:[./-][A-Z]+)?) (US|UW|UN|UQ|KS|KP|KQ|JP|JT|HK|LN)(?: Equity)?\s*$/;
/** In `^GSPC`, `CL=F` and `NG.L` the signs count: `CLF` and `NGL` are other instruments. */
const SIGNED = /^\^[A-Z0-9]+$|^[A-Z0-9]+=[A-Z]$|^[0-9A-Z-]+\.(?:T|HK|L)$/;
/** Hong Kong codes are written with any number of leading zeros: `700.HK`, `00700.HK`. */
const HONG_KONG = /^0*(\d{1,4})\.HK$/;
const HONG_KONG_DIGITS = 4;

const marketKey = (market: string): string => market.replaceAll(' ', '').toUpperCase();

const KOREA = ['KOSPI', 'KOSDAQ', 'KONEX', 'KRX'];
const AMERICA = ['NASDAQ', 'NYSE', 'NYSE American', 'NYSE Arca', 'Cboe', 'US'];
const AMERICAN = new Set([...AMERICA.map(marketKey), 'AMEX', 'BATS', 'CBOEBZX']);
/** Other spellings of markets, and names that cover several. */
const MARKETS: Readonly<Record<string, readonly string[]>> = {
  KRX: KOREA,
  KS: KOREA,
  KP: KOREA,
  KQ: KOREA,
  US: AMERICA,
  'US-LISTED': AMERICA,
  미국상장: AMERICA,
  UW: AMERICA,
  UN: AMERICA,
  UQ: AMERICA,
  AMEX: ['NYSE American', 'NYSE Arca'],
  NYSEARCA: ['NYSE Arca'],
  NYSEAMERICAN: ['NYSE American'],
  UPBIT: ['Crypto'],
};
/** Markets whose codes the index stores with a suffix. */
const SUFFIX: Readonly<Record<string, string>> = {
  TSE: 'T',
  TYO: 'T',
  TOKYO: 'T',
  JP: 'T',
  JT: 'T',
  HKEX: 'HK',
  SEHK: 'HK',
  HKG: 'HK',
  HK: 'HK',
  LSE: 'L',
  LON: 'L',
  LN: 'L',
};

/** The code as the index stores it. */
const withSuffix = (code: string, market: string): string => {
  const suffix = SUFFIX[marketKey(market)];
  return suffix === undefined || code.endsWith(`.${suffix}`) ? code : `${code}.${suffix}`;
};

const fullCode = (code: string): string => {
  const [, digits] = HONG_KONG.exec(code) ?? [];
  return digits === undefined ? code : `${digits.padStart(HONG_KONG_DIGITS, '0')}.HK`;
};

const codesOf = (index: SymbolIndex, typed: string, market?: string): readonly number[] => {
  const code = market === undefined ? typed : fullCode(withSuffix(typed.toUpperCase(), market));
  const instruments = ownersOf(index, index.exactKeys(codeKey(code)).filter(index.isCode));
  if (market === undefined || SUFFIX[marketKey(market)] !== undefined) return instruments;
  const wanted = new Set((MARKETS[marketKey(market)] ?? [market]).map(marketKey));
  return instruments.filter((instrument) => {
    const exchange = marketKey(index.instrumentAt(instrument).exchange);
    // The list marks some funds only as listed in the United States.
    return wanted.has(exchange) || (exchange === 'US' && AMERICAN.has(marketKey(market)));
  });
};

interface CodeMatch {
  readonly instruments: readonly number[];
}

interface LabelMatch extends CodeMatch {
  /** True if only the code matched. */
  readonly isHint: boolean;
}

/**
 * Null if the query is not written as a code; empty if no instrument has the code. Codes are never corrected,
 * because a typo gives another code.
 */
export const matchCode = (index: SymbolIndex, query: string): CodeMatch | null => {
  const text = query.normalize('NFKC').trim();
  const code = fullCode(text.replace(/^\$/, '').toUpperCase());
  const own = codesOf(index, code).filter((each) => index.instrumentAt(each).symbol === code);
  // `$` or a sign in the code selects exactly this symbol.
  if (own.length > 0 && (text.startsWith('$') || SIGNED.test(code))) return { instruments: own };
  if (SIGNED.test(code)) {
    const names = queryForms(code)
      .flatMap(({ letters }) => index.exactKeys(letters))
      .filter((key) => !index.isCode(key));
    const indices = codesOf(index, code).filter(
      (each) => code.startsWith('^') && index.instrumentAt(each).symbol.startsWith('^'),
    );
    return { instruments: [...ownersOf(index, names), ...indices] };
  }
  const [, market, listed] = WITH_MARKET.exec(text) ?? [];
  if (market !== undefined && listed !== undefined)
    return { instruments: codesOf(index, listed.trim(), market) };
  const [, ticker, country] = WITH_COUNTRY.exec(text) ?? [];
  const there = ticker === undefined ? [] : codesOf(index, ticker, country);
  return there.length > 0 ? { instruments: there } : null;
};

interface Label {
  readonly name: string;
  readonly code: string;
  readonly market: string | undefined;
}

/** Parses the bot's own labels, such as `삼성전자 (005930, KOSPI)`. */
const parseLabel = (query: string): Label | undefined => {
  const text = query.normalize('NFKC').trim();
  const open = text.lastIndexOf('(');
  const name = text.slice(0, Math.max(open, 0)).trim();
  const inside = text.slice(open + 1, -1);
  if (name === '' || !text.endsWith(')') || inside.includes(')')) return undefined;
  const comma = inside.indexOf(',');
  const code = (comma < 0 ? inside : inside.slice(0, comma)).trim();
  const market = comma < 0 ? undefined : inside.slice(comma + 1).trim();
  return code === '' || market === '' ? undefined : { name, code, market };
};

const KRX_CODE = /^\d[0-9A-Z]{5}$/i;
/** Shorter names are a prefix of too many others. */
const MIN_FITTING = { latin: 3, other: 4 };
const MIN_LETTERS_FOR_MISTAKE = 5;

const isLong = (letters: string): boolean =>
  letters.length >= (isLatin(letters) ? MIN_FITTING.latin : MIN_FITTING.other);

/** True if a name fits the instrument: a prefix, an extension, or within one typo. */
const fitsName = (index: SymbolIndex, name: string, instrument: number): boolean => {
  const [whole = ''] = queryForms(name).map(({ letters }) => letters);
  const first = keyLetters(nameWords(name)[0] ?? '');
  const keys: string[] = [];
  for (let key = index.owners.indexOf(instrument); index.owners[key] === instrument; key += 1)
    if (!index.isCode(key)) keys.push(index.keys.slice(index.starts[key], (index.starts[key + 1] ?? 0) - 1));
  return keys.some(
    (key) =>
      (isLong(first) && key.startsWith(first)) ||
      (isLong(key) && whole.startsWith(key)) ||
      (whole.length >= MIN_LETTERS_FOR_MISTAKE && distanceWithin(whole, key, 1) <= 1),
  );
};

/** Fewer letters in brackets are a share class or mark a hedged fund. */
const MIN_HINT = 3;

/**
 * Resolves a label by its code if the name fits. A code and a name of different instruments are ambiguous. After an
 * unknown name a code is only a hint: `(H)` is a hedged fund, not Hyatt Hotels.
 */
export const matchLabel = (index: SymbolIndex, query: string): LabelMatch | null => {
  const label = parseLabel(query);
  if (!label) return null;
  const { name, code, market } = label;
  const coded = codesOf(index, code, market);
  const called = queryForms(name).flatMap(({ letters }) => ownersOf(index, index.exactKeys(letters)));
  const both = coded.filter((each) => called.includes(each));
  const fitting = both.length > 0 ? both : coded.filter((each) => fitsName(index, name, each));
  if (fitting.length > 0) return { instruments: fitting, isHint: false };
  // A market or a Korean code makes clear that a code is meant.
  const isPlain = market !== undefined || KRX_CODE.test(code);
  if (coded.length === 0 || (!isPlain && code.length < MIN_HINT)) return null;
  const isHint = !isPlain && called.length === 0;
  return { instruments: [...new Set([...coded, ...primaryListings(index, called)])], isHint };
};
