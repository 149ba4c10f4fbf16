import {
  FORMAT_VERSION,
  type IndexHeader,
  type InstrumentKind,
  formatInstrumentLine,
  KEY,
  NEXT_KIND,
  WORD,
} from '../symbol-index.ts';
import { codeKey, keyLetters, nameWords, dropAnd } from '../symbol-key.ts';
import { type CsvRow, readCsv, SymbolDataError } from './csv.ts';
import {
  type ListedSymbol,
  readForeign,
  readFunds,
  readKrx,
  readOthers,
  readUs,
  splitAliases,
} from './listed-symbols.ts';

/** The source files of the index, by name. */
export const SYMBOL_FILES = {
  krx: 'krx-symbols.csv',
  us: 'us-symbols.csv',
  funds: 'us-funds.csv',
  foreign: 'foreign-symbols.csv',
  others: 'other-symbols.csv',
  aliases: 'aliases.csv',
  bestKnown: 'best-known.csv',
} as const;
export type SymbolFiles = Readonly<Record<keyof typeof SYMBOL_FILES, string>>;

/** Instrument and key numbers are stored in two bytes. */
const MAX_COUNT = 65_534;
const SEPARATOR = new RegExp(`[${KEY}${NEXT_KIND}]`);
const TRAILING = new RegExp(`(?<!${NEXT_KIND})${NEXT_KIND}+$`);
const KEY_LETTERS = /^[a-z0-9A-Z!#$%&()]+$/;

const wordsKey = (name: string): string => nameWords(name).map(keyLetters).join(WORD);

/** Shorter spellings collide with other codes: `F&F` must not match `FF`. */
const MIN_WITHOUT_AND = 4;

/** `S&P 500` is also typed `SP 500`. */
const spellings = (name: string): readonly string[] => {
  const plain = dropAnd(name);
  const isTyped = plain !== name && wordsKey(plain).replaceAll(WORD, '').length >= MIN_WITHOUT_AND;
  return isTyped ? [wordsKey(name), wordsKey(plain)] : [wordsKey(name)];
};

/** Keys of names without separators, except those in `others`. */
const nameKeys = (names: readonly string[], others: ReadonlySet<string>): ReadonlyMap<string, string> =>
  new Map(
    names
      .flatMap(spellings)
      .map((key) => [key.replaceAll(WORD, ''), key] as const)
      .filter(([compared]) => !others.has(compared)),
  );

const keysLine = ({ instrument, codes, aliases }: ListedSymbol): string => {
  const { symbol, ticker, name } = instrument;
  const codeKeys = new Set([symbol, ticker, ...codes].map(codeKey));
  // An alias that equals the name counts as an alias, so it wins over the same name of another instrument.
  const nicknames = nameKeys(aliases, codeKeys);
  const names = nameKeys([name.ko, name.en], new Set([...codeKeys, ...nicknames.keys()]));
  const kinds = [[...codeKeys], [...names.values()], [...nicknames.values()]];
  return kinds
    .map((keys) => keys.join(KEY))
    .join(NEXT_KIND)
    .replace(TRAILING, '');
};

const bySymbol = (all: readonly ListedSymbol[], report: Report): ReadonlyMap<string, ListedSymbol> => {
  const known = new Map<string, ListedSymbol>();
  for (const listed of all) {
    const { symbol, name } = listed.instrument;
    const other = known.get(symbol);
    if (other) report(listed, `${symbol} is already at ${other.file}:${other.line}`);
    else known.set(symbol, listed);
    const isReadable = [name.ko, name.en].every((each) =>
      KEY_LETTERS.test(wordsKey(each).replaceAll(WORD, '')),
    );
    if (!isReadable) report(listed, `a name of ${symbol} has letters that nobody could type`);
  }
  return known;
};

type Report = (row: Pick<CsvRow<string>, 'file' | 'line'>, problem: string) => void;

/** Aliases by symbol. Reports an alias that two symbols claim, because it could never be resolved. */
const readAliases = (
  text: string,
  known: ReadonlyMap<string, ListedSymbol>,
  report: Report,
): ReadonlyMap<string, readonly string[]> => {
  const rows = readCsv(SYMBOL_FILES.aliases, text, ['symbol', 'aliases']);
  const claims = [...known.values()].flatMap(({ instrument, aliases, file, line }) =>
    aliases.map((alias) => ({ alias, symbol: instrument.symbol, file, line })),
  );
  const added = rows.flatMap((row) => {
    const { symbol, aliases } = row.values;
    const names = splitAliases(aliases);
    if (!known.has(symbol)) report(row, `there is no symbol "${symbol}"`);
    if (names.length === 0) report(row, `no alias for ${symbol}`);
    return names.map((alias) => ({ alias, symbol, file: row.file, line: row.line }));
  });
  const claimed = new Map<string, (typeof claims)[number]>();
  for (const claim of [...claims, ...added]) {
    const key = wordsKey(claim.alias).replaceAll(WORD, '');
    const other = claimed.get(key);
    if (!KEY_LETTERS.test(key)) report(claim, `"${claim.alias}" has letters that nobody could type`);
    if (other && other.symbol !== claim.symbol)
      report(claim, `"${claim.alias}" is already an alias of ${other.symbol} at ${other.file}:${other.line}`);
    claimed.set(key, other ?? claim);
  }
  const grouped = Map.groupBy(added, ({ symbol }) => symbol);
  return new Map([...grouped].map(([symbol, list]) => [symbol, list.map(({ alias }) => alias)]));
};

const readBestKnown = (
  text: string,
  known: ReadonlyMap<string, ListedSymbol>,
  report: Report,
): readonly string[] =>
  readCsv(SYMBOL_FILES.bestKnown, text, ['symbol']).map((row) => {
    if (!known.has(row.values.symbol)) report(row, `there is no symbol "${row.values.symbol}"`);
    return row.values.symbol;
  });

const indexText = (ordered: readonly ListedSymbol[]): string => {
  const kinds = new Map<string, readonly [number, InstrumentKind]>();
  const lines = ordered.map(({ instrument }) => {
    const { exchange, assetClass, currency, priceDecimals } = instrument;
    const kind: InstrumentKind = [exchange, assetClass, currency, priceDecimals];
    const id = kind.join(' ');
    const [number] = kinds.get(id) ?? [kinds.size];
    kinds.set(id, [number, kind]);
    return formatInstrumentLine(instrument, number);
  });
  const keys = ordered.map(keysLine);
  const keyCount = keys.reduce((sum, line) => sum + line.split(SEPARATOR).length, 0);
  if (keyCount > MAX_COUNT) throw new SymbolDataError([`more than ${MAX_COUNT} keys: the index has no room`]);
  const header: IndexHeader = {
    version: FORMAT_VERSION,
    instruments: ordered.length,
    keys: keyCount,
    firstSecondary: ordered.filter(({ isSecondary }) => !isSecondary).length,
    kinds: Array.from(kinds.values(), ([, kind]) => kind),
  };
  return `${[JSON.stringify(header), ...lines, '', ...keys].join('\n')}\n`;
};

/** Builds the index text, deterministically. Throws a `SymbolDataError` that names every invalid line. */
export const buildSymbolIndex = (texts: SymbolFiles): string => {
  const problems: string[] = [];
  const report: Report = ({ file, line }, problem) => problems.push(`${file}:${line}: ${problem}`);
  const listed = [
    ...readKrx(SYMBOL_FILES.krx, texts.krx, report),
    ...readUs(SYMBOL_FILES.us, texts.us, report),
    ...readFunds(SYMBOL_FILES.funds, texts.funds, report),
    ...readForeign(SYMBOL_FILES.foreign, texts.foreign, report),
    ...readOthers(SYMBOL_FILES.others, texts.others, report),
  ];
  const known = bySymbol(listed, report);
  const aliases = readAliases(texts.aliases, known, report);
  const bestKnown = readBestKnown(texts.bestKnown, known, report);
  if (problems.length > 0) throw new SymbolDataError(problems);

  const placeOf = ({ instrument, rank, isSecondary }: ListedSymbol): number => {
    const best = bestKnown.indexOf(instrument.symbol);
    if (best !== -1) return best - bestKnown.length;
    return isSecondary ? MAX_COUNT + rank : rank;
  };
  const ordered = listed
    .map((each) => ({ ...each, aliases: [...each.aliases, ...(aliases.get(each.instrument.symbol) ?? [])] }))
    .map((each) => ({ each, place: placeOf(each) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ each }) => each);
  return indexText(ordered);
};
