import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Currency } from '#src/kernel/money.ts';
import { coinIn } from '#src/markets/symbols/coin-pairs.ts';
import { hasKnownIsin, isIsin, symbolsOfIsin } from '#src/markets/symbols/isins.ts';
import type { RowProblem } from '../problems.ts';
import { lettersOf } from '../columns/column-headings.ts';

export interface NamedInFile {
  readonly code: string;
  readonly isin: string;
  readonly name: string;
  readonly currency: Currency | undefined;
}

export type FoundInstrument =
  | { readonly status: 'found'; readonly instrument: Instrument }
  | { readonly status: 'problem'; readonly problem: RowProblem };

/** Korean brokers write `A005930`. */
const PREFIXED = /^A([0-9A-Z]{6})$/u;
const KOREAN_ISIN = /^KR7([0-9A-Z]{6})00\d$/u;
/** A spreadsheet program dropped the leading zeros of a Korean code. */
const SHORTENED = /^\d{1,5}$/u;
/** A name with its code: `삼성전자(A005930)`. */
const NAME_AND_CODE = /^(.*\S)\s*\(([A-Za-z0-9.-]{1,12})\)$/u;
/** A class that is part of the name: `KODEX 은선물(H)`, `미래에셋코어테크(C)`. */
const NAME_AND_CLASS = /\([A-Za-z-]{1,2}\)$/u;
/** A name with its code without brackets: `KT&G033780`, `애플US0378331005`. */
const NAME_THEN_CODE = /^(.{1,60}?[^\d])(\d{6})$|^(.{1,60}?[^A-Z0-9])([A-Z]{2}[A-Z0-9]{9}\d)$/u;
/** Some files name the share class after the company. */
const ORDINARY_SHARES = /\s?보통주$/u;

const codesOf = (typed: string): readonly string[] => {
  const code = typed.normalize('NFKC').trim().toUpperCase();
  const korean = PREFIXED.exec(code)?.[1] ?? KOREAN_ISIN.exec(code)?.[1];
  if (korean !== undefined) return [korean, code];
  return SHORTENED.test(code) ? [code.padStart(6, '0')] : [code];
};

const nameKey = (text: string): string => lettersOf(text.toUpperCase());

const isCodeOf = ({ symbol, ticker }: Instrument, code: string): boolean =>
  symbol.toUpperCase() === code || nameKey(ticker) === nameKey(code);

/** The only instrument with exactly this code, in this currency if it is known. Never a guess. */
const byCode = (
  code: string,
  currency: Currency | undefined,
  symbols: Pick<SymbolSearch, 'resolve'>,
): Instrument | undefined => {
  const matches = [symbols.resolve(code), symbols.resolve(`$${code}`)];
  const all = matches.flatMap((match) => {
    if (match.status === 'found') return [match.instrument];
    return match.status === 'ambiguous' ? match.choices : [];
  });
  const exact = all.find(({ symbol }) => symbol.toUpperCase() === code && symbol.includes('.'));
  const own = all.filter((instrument) => isCodeOf(instrument, code));
  const inMoney = own.filter((instrument) => currency === undefined || instrument.currency === currency);
  const different = [...new Map(inMoney.map((instrument) => [instrument.symbol, instrument])).values()];
  return exact ?? (different.length === 1 ? different[0] : undefined);
};

const HANGUL = /[\uac00-\ud7af]/u;

/**
 * Another Korean instrument with exactly this name, which means that code and name of the line contradict each other.
 * Foreign names are not compared, because several share classes have the same name.
 */
const otherNamed = (
  { symbol, currency }: Instrument,
  typed: string,
  symbols: Pick<SymbolSearch, 'resolve'>,
): Instrument | undefined => {
  const name = nameKey(typed.replace(ORDINARY_SHARES, ''));
  const match = currency === 'KRW' && HANGUL.test(name) ? symbols.resolve(typed) : undefined;
  if (match?.status !== 'found' || match.instrument.symbol === symbol) return undefined;
  const { instrument } = match;
  const isSure = instrument.currency === 'KRW' && nameKey(instrument.name.ko) === name;
  return isSure ? instrument : undefined;
};

/** Words that say nothing about which company or fund it is. */
const COMMON: ReadonlySet<string> = new Set(
  'the inc corp corporation company co ltd limited plc ag sa nv se group holding holdings class common stock ordinary shares share adr ads trust etf fund ucits and of com new usd eur acc dist'.split(
    ' ',
  ),
);

const ownWords = (text: string): readonly string[] =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).filter((word) => word.length > 1 && !COMMON.has(word));

const MIN_BEGINNING = 3;
/** `JPMORGAN CHASE` begins like `JP Morgan`. */
const beginsLike = (first: readonly string[], second: readonly string[]): boolean => {
  const [word = ''] = first;
  return word.length >= MIN_BEGINNING && second.join('').startsWith(word);
};

const LATIN = /[A-Za-z]{2}/u;

/** Whether the name in the file may be that of the instrument. Names in other scripts are translations: not compared. */
const mayBeNamed = (
  instrument: Instrument,
  typed: string,
  symbols: Pick<SymbolSearch, 'resolve'>,
): boolean => {
  if (typed === '' || HANGUL.test(typed) || !LATIN.test(typed)) return true;
  const words = ownWords(typed);
  const known = [instrument.name.en, instrument.name.ko, instrument.ticker].map(ownWords);
  const isNamed = known.some(
    (own) => own.some((word) => words.includes(word)) || beginsLike(words, own) || beginsLike(own, words),
  );
  if (isNamed) return true;
  const match = symbols.resolve(typed);
  return match.status === 'found' && match.instrument.symbol === instrument.symbol;
};

const exactly = (symbol: string, symbols: Pick<SymbolSearch, 'resolve'>): readonly Instrument[] => {
  const matches = [symbols.resolve(symbol), symbols.resolve(`$${symbol}`)];
  const found = matches.flatMap((match) => (match.status === 'found' ? [match.instrument] : []));
  return found.filter((instrument) => instrument.symbol === symbol).slice(0, 1);
};

const problem = (
  kind: 'ambiguous' | 'unknown-name' | 'disagree',
  typed: string,
  choices: readonly Instrument[] = [],
): FoundInstrument => ({ status: 'problem', problem: { kind, typed, choices } });

const found = (instrument: Instrument): FoundInstrument => ({ status: 'found', instrument });

/**
 * Finds what an ISIN, a code and a name mean together. An ISIN is never a coin's, and what it means must not be
 * contradicted by the code; an unknown one needs a code and a name that agree.
 */
const byIsin = (
  isin: string,
  name: string,
  coded: Instrument | undefined,
  currency: Currency | undefined,
  symbols: Pick<SymbolSearch, 'resolve'>,
): FoundInstrument => {
  const typed = [coded?.ticker ?? '', name, isin].filter((part) => part !== '').join(' · ');
  const listed = symbolsOfIsin(isin).flatMap((symbol) => exactly(symbol, symbols));
  const own = listed.find((instrument) => instrument.currency === currency) ?? listed[0];
  if (own && coded && !listed.some(({ symbol }) => symbol === coded.symbol)) {
    // A ticker may have passed to another company; the name then decides.
    const isOwn = name !== '' && mayBeNamed(own, name, symbols) && !mayBeNamed(coded, name, symbols);
    return isOwn ? found(own) : problem('disagree', typed, [own, coded]);
  }
  if (own) {
    const match = coded || HANGUL.test(name) ? undefined : symbols.resolve(name);
    const other = match?.status === 'found' && !mayBeNamed(own, name, symbols) ? match.instrument : undefined;
    return other ? problem('disagree', typed, [own, other]) : found(coded ?? own);
  }
  if (!coded) return problem('unknown-name', [name, isin].filter((part) => part !== '').join(' · '));
  const isSure = name === '' ? !hasKnownIsin(coded.symbol) : mayBeNamed(coded, name, symbols);
  return coded.assetClass === 'crypto' || !isSure ? problem('disagree', typed, [coded]) : found(coded);
};

const find = (named: NamedInFile, symbols: Pick<SymbolSearch, 'resolve'>): FoundInstrument => {
  const { code, name, currency } = named;
  const parts = NAME_AND_CLASS.test(name) ? null : (NAME_AND_CODE.exec(name) ?? NAME_THEN_CODE.exec(name));
  const [before, inside] = (parts ?? []).slice(1).filter((part) => part !== undefined);
  const written = [named.isin, code, inside ?? ''].map((each) => each.normalize('NFKC').trim().toUpperCase());
  const isin = written.find((each) => isIsin(each) && !each.startsWith('KR'));
  const codes = [code, inside ?? '', named.isin].filter((each) => each !== '').flatMap(codesOf);
  const label = before ?? name;
  for (const each of codes) {
    if (each === isin) continue;
    const instrument = byCode(each, currency, symbols);
    if (!instrument) continue;
    if (isin !== undefined) return byIsin(isin, label, instrument, currency, symbols);
    const other = otherNamed(instrument, label, symbols);
    if (other) return problem('ambiguous', `${each} ${name}`, [instrument, other]);
    return mayBeNamed(instrument, label, symbols)
      ? found(instrument)
      : problem('disagree', `${each} · ${label}`, [instrument]);
  }
  if (isin !== undefined) return byIsin(isin, label, undefined, currency, symbols);
  const typed = (before ?? (name === '' ? code : name)).replace(ORDINARY_SHARES, '');
  if (typed === '')
    return named.isin === ''
      ? { status: 'problem', problem: { kind: 'no-name' } }
      : problem('unknown-name', named.isin);
  if (isIsin(typed)) return problem('unknown-name', typed);
  const match = symbols.resolve(typed);
  if (match.status === 'found') return found(coinIn(match.instrument, currency, symbols));
  const inMoney =
    match.status === 'ambiguous' ? match.choices.filter((each) => each.currency === currency) : [];
  if (inMoney.length === 1 && inMoney[0]) return found(inMoney[0]);
  return match.status === 'ambiguous'
    ? problem('ambiguous', typed, match.choices)
    : problem('unknown-name', typed, match.suggestions);
};

/** Suggestions for an unknown name take milliseconds, so a file of unknown names is not searched to its end. */
const MAX_MISSES = 100;

/** Caches results, because the lines of a file are about few instruments. */
export const createInstrumentFinder = (
  symbols: Pick<SymbolSearch, 'resolve'>,
): ((named: NamedInFile) => FoundInstrument) => {
  const known = new Map<string, FoundInstrument>();
  let misses = 0;
  return (named) => {
    const key = JSON.stringify([named.code, named.isin, named.name, named.currency]);
    const before = known.get(key);
    if (before) return before;
    const typed = named.name || named.code || named.isin;
    if (misses >= MAX_MISSES) return { status: 'problem', problem: { kind: 'unchecked-name', typed } };
    const result = find(named, symbols);
    if (result.status === 'problem') misses += 1;
    known.set(key, result);
    return result;
  };
};
