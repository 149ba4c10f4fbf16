import type { Currency } from '#src/kernel/money.ts';
import { type Money, moneyNamed } from './money-names.ts';
import { type Column, CONTINENTAL, type Format, FORMATS, HEADINGS, JAPANESE } from './headings.ts';

/** Columns that hold only numbers. */
export const NUMBER_COLUMNS: readonly Column[] = [
  'quantity',
  'price',
  'amount',
  'net',
  'fee',
  'feePart',
  'tax',
  'taxPart',
  'deposit',
  'withdrawal',
  'balance',
];
export const RATE_COLUMNS: readonly Column[] = ['rate', 'accountRate'];

/** Headings of US brokers, who write the month first, count in dollars and state totals after fees. */
const AMERICAN: ReadonlySet<string> = new Set(
  'rundate transcode activitydate feescomm activitytradedate transactiondate commissionsandfees commissionfees filledtime'.split(
    ' ',
  ),
);
const HANGUL = /[\uac00-\ud7af]/u;

interface Known {
  readonly column: Column;
  readonly rank: number;
  readonly language: 'continental' | 'japanese' | undefined;
}

const BY_HEADING: ReadonlyMap<string, Known> = new Map(
  ([HEADINGS, CONTINENTAL, JAPANESE] as const)
    .flatMap((headings, index) =>
      Object.entries(headings).flatMap(([column, names]) =>
        names.split(' ').map((name, rank): readonly [string, Known] => {
          const language = ([undefined, 'continental', 'japanese'] as const)[index];
          return [name, { column: column as Column, rank, language }];
        }),
      ),
    )
    .toReversed(),
);

/** Letters and digits alone. */
export const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');

/** No heading is longer than this. */
const MAX_HEADING = 60;
const BRACKETS = /[([〔【]([^()[\]〔〕【】]{0,20})[)\]〕】]/gu;

interface Heading {
  readonly key: string;
  /** The money that it names: `Total EUR`, `수수료(원)`, `単価［USドル］`, `Price (pence)`. */
  readonly money?: Money | undefined;
}

/** Compares `Fees & Comm` and `수 량` by their letters alone, `Price ($)` and `Totaal EUR` without the currency. */
const readHeading = (heading: string): Heading => {
  if (heading === '' || heading.length > MAX_HEADING) return { key: '' };
  const text = heading.normalize('NFKC').toLowerCase();
  const whole = lettersOf(text);
  if (BY_HEADING.has(whole)) return { key: whole };
  const inside = [...text.matchAll(BRACKETS)].map(([, word = '']) => moneyNamed(word));
  const words = text.replaceAll(BRACKETS, ' ').trim().split(/\s+/u);
  const last = words.length > 1 ? moneyNamed(words.at(-1) ?? '') : undefined;
  const named = last && words.at(-2) === 'in' ? words.slice(0, -2) : last ? words.slice(0, -1) : words;
  return { key: lettersOf(named.join('')), money: last ?? inside.find((money) => money !== undefined) };
};

/** A line with a number cannot be a heading line, which rules most lines out quickly. */
const BEGINS_WITH_DIGIT = /^[^\p{L}]{0,3}\d/u;

const knownHeadings = (cells: readonly string[]): readonly string[] =>
  cells.some((cell) => BEGINS_WITH_DIGIT.test(cell))
    ? []
    : cells.map((cell) => readHeading(cell).key).filter((key) => BY_HEADING.has(key));

/** Whether three cells of a line, or at least half of them, are headings. */
export const isHeadingLine = (cells: readonly string[]): boolean => {
  const known = knownHeadings(cells).length;
  return known >= 3 || (known === 2 && cells.filter((cell) => cell !== '').length <= 4);
};

/** The number of different columns that a line names. */
export const columnsIn = (cells: readonly string[]): number => new Set(knownHeadings(cells)).size;

/** A column whose heading names a currency, and says nothing else that is known. */
export interface MoneyColumn {
  readonly index: number;
  readonly heading: string;
  /** The column whose currency it states, as in `Currency (Withholding tax)`; undefined if the heading names none. */
  readonly of: number | undefined;
}

export interface Header {
  /** The positions of each column, the best heading first. */
  readonly columns: ReadonlyMap<Column, readonly number[]>;
  /** The money that the heading of a column names, by its position. */
  readonly money: ReadonlyMap<number, Money>;
  readonly otherMoney: readonly MoneyColumn[];
  /** Dates have the month first, amounts are in dollars, and totals are after fees. */
  readonly isAmerican: boolean;
  /** The headings are Korean: amounts are in won unless the file says otherwise. */
  readonly isKorean: boolean;
  readonly isJapanese: boolean;
  /** The headings are of a country or a broker whose files do not say by themselves which currency they are in. */
  readonly leavesMoneyUnsaid: boolean;
  /** The table is our own export. */
  readonly isOwn: boolean;
  /** Some column states taxes. */
  readonly tellsTaxes: boolean;
  /** Some column states fees. */
  readonly tellsFees: boolean;
}

/** Only our own export has both columns. */
const OWN: readonly Column[] = ['baseCurrency', 'toRate'];
const SIDES: readonly Column[] = ['buyQuantity', 'sellQuantity'];

const MONEY_WORD = /currency|währung|devise|valuta|divisa|moneda|munt|通貨|통화/iu;
const OF_COLUMN = /\(([^()]{1,40})\)/u;

const formatOf = (keys: readonly string[]): Format | undefined =>
  FORMATS.find(({ when }) => when.split(' ').every((key) => keys.includes(key)));

const knownAs = (column: Column | undefined): Known | undefined =>
  column && { column, rank: 0, language: undefined };

const meaningsOf = (keys: readonly string[], format: Format | undefined): readonly (Known | undefined)[] => {
  return keys.map((key, index) => {
    const { unnamed, columns } = format ?? {};
    if (key === '') return knownAs(unnamed?.[keys[index - 1] ?? '']);
    const usual = BY_HEADING.get(key);
    const own = columns?.[key];
    return own ? { rank: 0, language: usual?.language, column: own } : usual;
  });
};

const otherMoneyIn = (headings: readonly string[], keys: readonly string[], isKnown: readonly boolean[]) =>
  headings.flatMap((heading, index): readonly MoneyColumn[] => {
    if (isKnown[index] || !MONEY_WORD.test(heading)) return [];
    const named = OF_COLUMN.exec(heading)?.[1];
    const of = named === undefined ? undefined : keys.indexOf(readHeading(named).key);
    // The currency of a column that is not used does not matter.
    if (of !== undefined && (of < 0 || !isKnown[of])) return [];
    return [{ index, heading, of }];
  });

/** Undefined if the headings are not those of transactions. */
export const headerOf = (headings: readonly string[]): Header | undefined => {
  const read = headings.map(readHeading);
  const keys = read.map(({ key }) => key);
  const format = formatOf(keys);
  const meanings = meaningsOf(keys, format);
  const found = meanings
    .flatMap((known, index) => (known && known.column !== 'ignored' ? [{ ...known, index }] : []))
    .toSorted((a, b) => a.rank - b.rank || a.index - b.index);
  const columns = new Map(
    [...Map.groupBy(found, ({ column }) => column)].map(([column, all]) => [
      column,
      all.map(({ index }) => index),
    ]),
  );
  // Without a date column, the time column has the date too: 체결시간 of Upbit.
  const times = columns.get('time');
  if (!columns.has('date') && times) columns.set('date', times);
  const hasAny = (...names: readonly Column[]): boolean => names.some((name) => columns.has(name));
  const isTable =
    columns.has('date') &&
    hasAny('kind', 'code', 'name', 'note', 'description') &&
    hasAny('quantity', 'amount', 'net', 'deposit', 'withdrawal', ...SIDES);
  if (!isTable) return undefined;
  // Brokers who put purchases and sales on one line mean the position by 보유수량.
  if (SIDES.every((side) => columns.has(side))) columns.delete('quantity');
  const isIn = (language: Known['language']): boolean => found.some((known) => known.language === language);
  return {
    columns,
    money: new Map(read.flatMap(({ money }, index) => (money ? [[index, money] as const] : []))),
    otherMoney: otherMoneyIn(
      headings,
      keys,
      meanings.map((known) => known !== undefined),
    ),
    isAmerican: keys.some((key) => AMERICAN.has(key)),
    isKorean: headings.some((heading, index) => HANGUL.test(heading) && meanings[index] !== undefined),
    isJapanese: isIn('japanese'),
    leavesMoneyUnsaid: isIn('continental') || format?.leavesMoneyUnsaid === true,
    isOwn: OWN.every((column) => columns.has(column)),
    tellsTaxes: hasAny('tax', 'taxPart', 'feeAndTax', 'foreignTax'),
    tellsFees: hasAny('fee', 'feePart', 'signedFee', 'feeAndTax', 'foreignFee'),
  };
};

/** The currency that the heading of a column names. */
export const headingCurrency = ({ columns, money }: Header, column: Column): Currency | undefined =>
  money.get(columns.get(column)?.[0] ?? -1)?.currency;
