import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import { isOrdinaryWord, isStopWord } from '#src/reading/name-words.ts';
import { stemsOf } from '#src/reading/particles.ts';
import { findNames, type FoundName, type NameReader } from '#src/reading/names.ts';
import { ANY_NOUN } from './vocabulary.ts';

/** Shared by all rules that try one text, so that no word is looked up twice. */
export interface Lookup {
  readonly symbols: SymbolSearch;
  readonly nameIn: NameReader;
}

export const RATE = '환율';

const SMALL_OR_HANGUL = /^[a-z\p{Script=Hangul}]/u;
/** Shorter words resemble too many names. */
const LONG_ENOUGH = /^(?:[a-z ]{5,}|.*\p{Script=Hangul}{4,})/u;
/** The limit of the tools. */
const MAX_NAME_LENGTH = 100;

/** The instrument of a name that is unambiguous. */
export const instrumentNamed = (
  name: string,
  symbols: Pick<SymbolSearch, 'resolve'>,
): Instrument | undefined => {
  const match = symbols.resolve(name);
  return match.status === 'found' ? match.instrument : undefined;
};

export const isSure = ({ kind }: FoundName): boolean => kind === 'known';
export const distinct = (of: readonly FoundName[]): readonly string[] => [
  ...new Set(of.map(({ text }) => text)),
];
/** An English word is a name only if it is capitalized within the text: `chart of Snap`, not `Good stock`. */
export const isWrittenAsName = ({ text: name }: FoundName, text: string): boolean =>
  !/^[a-z]/iu.test(name) || (/^\p{Lu}/u.test(name) && !text.startsWith(name));

/** Whether an unknown word looks like a name, or like a misspelt one. */
export const looksLikeName = ({ kind, text: name }: FoundName, { symbols }: Lookup): boolean => {
  if (kind === 'code' || !SMALL_OR_HANGUL.test(name)) return true;
  if (isOrdinaryWord(name)) return false;
  const match = symbols.resolve(name);
  return LONG_ENOUGH.test(name) && (match.status !== 'unknown' || match.suggestions.length > 0);
};

const NAMES_COIN = /([\p{L}\p{N}]{2,20}) (코인|토큰|coin|token)(?!s)/giu;
/** Kinds of coins; some of these words are also codes of coins. */
const KINDS_OF_COINS = /^(?:밈|알트|잡|스테이블|김치|대장|신규|meme|alt|stable|new|native)$/iu;
/** Ordinary words that name a coin when `coin` follows. */
const COIN_BEFORE = /^(?:trump|ape|baby|comp|leo|neo|\p{Script=Hangul}+)$/iu;

/** Joins the name of a coin such as 트럼프 코인, which would else read as a question about all coins. */
export const withCoinNames = (text: string, symbols: SymbolSearch): string =>
  text.replaceAll(NAMES_COIN, (written: string, name: string, noun: string) => {
    const isWord = isStopWord(name) || KINDS_OF_COINS.test(name);
    if (isWord || (isOrdinaryWord(name) && !COIN_BEFORE.test(name))) return written;
    return instrumentNamed(`${name}${noun}`, symbols)?.assetClass === 'crypto' ? `${name}${noun}` : written;
  });

/** Common words for markets that also name a company, or are too short to be looked up. */
const MARKET_WORDS: Readonly<Record<string, string>> = {
  gold: 'GC=F',
  'gold price': 'GC=F',
  금: 'GC=F',
  금값: 'GC=F',
  '국제 금값': 'GC=F',
  silver: 'SI=F',
  은: 'SI=F',
  은값: 'SI=F',
  oil: 'CL=F',
  'crude oil': 'CL=F',
  wti: 'CL=F',
  유가: 'CL=F',
  국제유가: 'CL=F',
  '국제 유가': 'CL=F',
  원유: 'CL=F',
  dow: '^DJI',
  'dow jones': '^DJI',
  다우: '^DJI',
  '10년물 금리': '^TNX',
  '미국 10년물 금리': '^TNX',
  '미국채 10년물 금리': '^TNX',
  '미국 국채 금리': '^TNX',
  '미국채 금리': '^TNX',
  '10 year treasury': '^TNX',
  '10 year yield': '^TNX',
  '10 year treasury yield': '^TNX',
  '10-year treasury yield': '^TNX',
  '10-year yield': '^TNX',
  'treasury yield': '^TNX',
  yen: 'USDJPY=X',
  euro: 'EURUSD=X',
  pound: 'GBPUSD=X',
};

/** The commodity, index or rate that a question names by a common word, if it names nothing else. */
export const marketWordIn = (text: string): string | undefined => {
  // `$GOLD` is a company.
  if (/\$\p{L}/u.test(text)) return undefined;
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}&'-]+/u)
    .filter((word) => word !== '' && (!isStopWord(word) || word === '은'));
  const named = MARKET_WORDS[words.join(' ')];
  return named ?? MARKET_WORDS[words.map((word) => stemsOf(word).at(-1) ?? word).join(' ')];
};

/** The names in a text; null if it has anything else. `isStrict` accepts known names only, not words that look like one. */
export const namesIn = (text: string, lookup: Lookup, isStrict = false): readonly string[] | null => {
  const marketWord = marketWordIn(text);
  if (marketWord !== undefined) return [marketWord];
  const found = findNames(text, lookup.nameIn);
  const isFine = (name: FoundName): boolean => {
    if (isSure(name)) return true;
    if (name.kind === 'unsure')
      return found.length === 1 || found.every(({ kind }) => kind === 'known' || kind === 'unsure');
    if (isStrict || name.kind === 'noise' || ANY_NOUN.test(name.text)) return false;
    if (name.kind === 'ordinary') return found.length === 1 && isWrittenAsName(name, text);
    if (found.length > 1) return name.isListed && found.some(isSure);
    return looksLikeName(name, lookup);
  };
  if (found.length === 0 && text.includes(RATE)) return [RATE];
  return found.every(isFine) ? distinct(found) : null;
};

/** Whether a name of an earlier call fits the tools; another model may have passed anything. */
export const isTakeable = (name: string): boolean => name !== '' && name.length <= MAX_NAME_LENGTH;
