import type { Instrument, SymbolSearch } from '#src/kernel/finance.ts';
import type { Currency } from '#src/kernel/money.ts';
import { coinIn } from '#src/markets/symbols/coin-pairs.ts';
import type { RowProblem } from '../problems.ts';
import { lettersOf } from '../tables/column-headings.ts';

export interface NamedInFile {
  readonly code: string;
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
const ISIN = /^[A-Z]{2}[A-Z0-9]{9}\d$/u;
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

const find = (
  { code, name, currency }: NamedInFile,
  symbols: Pick<SymbolSearch, 'resolve'>,
): FoundInstrument => {
  const parts = NAME_AND_CLASS.test(name) ? null : (NAME_AND_CODE.exec(name) ?? NAME_THEN_CODE.exec(name));
  const [before, inside] = (parts ?? []).slice(1).filter((part) => part !== undefined);
  const codes = [code, inside ?? ''].filter((each) => each !== '').flatMap(codesOf);
  for (const each of codes) {
    const instrument = byCode(each, currency, symbols);
    const other = instrument && otherNamed(instrument, before ?? name, symbols);
    if (other)
      return {
        status: 'problem',
        problem: { kind: 'ambiguous', typed: `${each} ${name}`, choices: [instrument, other] },
      };
    if (instrument) return { status: 'found', instrument };
  }
  const typed = (before ?? (name === '' ? code : name)).replace(ORDINARY_SHARES, '');
  if (typed === '') return { status: 'problem', problem: { kind: 'no-name' } };
  if (ISIN.test(typed)) return { status: 'problem', problem: { kind: 'unknown-name', typed, choices: [] } };
  const match = symbols.resolve(typed);
  if (match.status === 'found')
    return { status: 'found', instrument: coinIn(match.instrument, currency, symbols) };
  const inMoney =
    match.status === 'ambiguous' ? match.choices.filter((each) => each.currency === currency) : [];
  if (inMoney.length === 1 && inMoney[0]) return { status: 'found', instrument: inMoney[0] };
  if (match.status === 'ambiguous')
    return { status: 'problem', problem: { kind: 'ambiguous', typed, choices: match.choices } };
  return { status: 'problem', problem: { kind: 'unknown-name', typed, choices: match.suggestions } };
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
    const key = JSON.stringify([named.code, named.name, named.currency]);
    const before = known.get(key);
    if (before) return before;
    const typed = named.name === '' ? named.code : named.name;
    if (misses >= MAX_MISSES) return { status: 'problem', problem: { kind: 'unchecked-name', typed } };
    const found = find(named, symbols);
    if (found.status === 'problem') misses += 1;
    known.set(key, found);
    return found;
  };
};
