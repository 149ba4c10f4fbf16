import { mainOnes, ownersOf } from './instruments-found.ts';
import type { SymbolIndex } from './symbol-index.ts';
import { codeKey, queryForms } from './symbol-key.ts';

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

/** What a label of ours names: by its code, where the name does not say otherwise. Then both may be meant. */
export const labelMatch = (index: SymbolIndex, query: string): WrittenCode | null => {
  const label = readLabel(query);
  if (!label) return null;
  const { name, code, market } = label;
  const coded = codesOf(index, code, market);
  if (coded.length === 0) return null;
  const called = queryForms(name).flatMap(({ letters }) => ownersOf(index, index.exactKeys(letters)));
  const both = coded.filter((each) => called.includes(each));
  return { instruments: both.length > 0 ? both : [...new Set([...coded, ...mainOnes(index, called)])] };
};
