import { mainOnes, ownersOf } from './instruments-found.ts';
import type { SymbolIndex } from './symbol-index.ts';
import { codeKey, isLatin, keyLetters, nameWords, queryForms } from './symbol-key.ts';
import { distanceWithin } from './typo-match.ts';

/** `KRX:005930`, `NASDAQ:AAPL`, as charts write it. */
const WITH_MARKET = /^\s*([\p{L}&][\p{L}& ]*):([^:]+)$/u;
/** `AAPL US`, `005930 KS Equity`, as terminals write it. */
const WITH_COUNTRY = /^\s*([A-Z0-9]+(?:[./-][A-Z]+)?) (US|UW|UN|UQ|KS|KP|KQ|JP|JT|HK|LN)(?: Equity)?\s*$/;
/** `^GSPC`, `CL=F`, `NG.L`: the signs count, `CLF` and `NGL` are others. */
const SIGNED = /^\^[A-Z0-9]+$|^[A-Z0-9]+=[A-Z]$|^[0-9A-Z-]+\.(?:T|HK|L)$/;
/** Hong Kong writes codes with any number of zeros in front: `700.HK`, `00700.HK`. */
const HONG_KONG = /^0*(\d{1,4})\.HK$/;
const HONG_KONG_DIGITS = 4;

/** The market as a place of its own, without blanks and in capitals. */
const marketKey = (market: string): string => market.replaceAll(' ', '').toUpperCase();

const KOREA = ['KOSPI', 'KOSDAQ', 'KONEX', 'KRX'];
const AMERICA = ['NASDAQ', 'NYSE', 'NYSE American', 'NYSE Arca', 'Cboe', 'US'];
const AMERICAN = new Set([...AMERICA.map(marketKey), 'AMEX', 'BATS', 'CBOEBZX']);
/** Names of markets that are written in another way, or stand for several. */
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
/** Markets whose codes are kept with a suffix. */
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

/** As the index has it. */
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
    // Of some funds it is only known that they are listed in America.
    return wanted.has(exchange) || (exchange === 'US' && AMERICAN.has(marketKey(market)));
  });
};

interface WrittenCode {
  readonly instruments: readonly number[];
}

interface LabelMatch extends WrittenCode {
  /** Only the code points to them. */
  readonly isHint: boolean;
}

/** Null where it is not written like one; nothing where it is and there is none: a mistake in a code is another code. */
export const writtenCode = (index: SymbolIndex, query: string): WrittenCode | null => {
  const text = query.normalize('NFKC').trim();
  const code = fullCode(text.replace(/^\$/, '').toUpperCase());
  const own = codesOf(index, code).filter((each) => index.instrumentAt(each).symbol === code);
  // `$` and a symbol are that very one, whatever else is called so.
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

/** `삼성전자 (005930, KOSPI)`, as it stands in our answers. */
const readLabel = (query: string): Label | undefined => {
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
/** Shorter names are beginnings of too many. */
const MIN_FITTING = { latin: 3, other: 4 };
const MIN_LETTERS_FOR_MISTAKE = 5;

const isLong = (letters: string): boolean =>
  letters.length >= (isLatin(letters) ? MIN_FITTING.latin : MIN_FITTING.other);

/** Whether a name is one of this instrument's: a beginning of it, the same with more behind, or one with a mistake. */
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

/** Fewer letters in brackets are a class of shares, or say that a fund is hedged. */
const MIN_HINT = 3;

/**
 * What a label names: by its code, where the name is one of that instrument. A code of another instrument than the name
 * is a question. Behind a name that nobody knows a code is a hint at most: `(H)` is a hedged fund, not Hyatt Hotels.
 */
export const labelMatch = (index: SymbolIndex, query: string): LabelMatch | null => {
  const label = readLabel(query);
  if (!label) return null;
  const { name, code, market } = label;
  const coded = codesOf(index, code, market);
  const called = queryForms(name).flatMap(({ letters }) => ownersOf(index, index.exactKeys(letters)));
  const both = coded.filter((each) => called.includes(each));
  const fitting = both.length > 0 ? both : coded.filter((each) => fitsName(index, name, each));
  if (fitting.length > 0) return { instruments: fitting, isHint: false };
  // A market or a code of Korea makes it plain that a code is meant.
  const isPlain = market !== undefined || KRX_CODE.test(code);
  if (coded.length === 0 || (!isPlain && code.length < MIN_HINT)) return null;
  const isHint = !isPlain && called.length === 0;
  return { instruments: [...new Set([...coded, ...mainOnes(index, called)])], isHint };
};
