import type { CommandFlags } from '#src/kernel/chat/command-definition.ts';
import type { TransactionKind } from '#src/kernel/market/ledger.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { shortened } from '#src/kernel/text.ts';
import { amountsIn, readAmount } from '#src/reading/amounts.ts';
import { type EntryFields, type EntryText, readEntryText } from '#src/reading/entries.ts';
import type { SplitDirection } from '#src/reading/ratios.ts';
import { readExchangeText } from '#src/reading/share-exchanges.ts';
import { readTransferText } from '#src/reading/transfers.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { taxTexts } from '../texts/tax.ts';
import { leftOver, type PortfolioLine, textOf } from './line.ts';
import { FULL_YEAR } from './reports.ts';

/** The kind of entry that a verb records, and what else the verb says about it. */
export interface EntryMeaning {
  readonly kind: TransactionKind;
  readonly isOpening?: boolean;
  readonly direction?: SplitDirection;
  readonly price?: string;
  readonly isRefund?: boolean;
  /** The verb may also ask for the report of a year. */
  readonly mayBeYear?: boolean;
}

/** Reads the typed words and the options of an entry. A text is what is wrong with them. */
export const readTypedEntry = (meaning: EntryMeaning, line: PortfolioLine): RecordRequest | string => {
  const { kind, price, isRefund, isOpening } = meaning;
  const { words, named, flags, portfolio, symbols } = line;
  const t = portfolioTexts(line.ctx.locale);
  if (TURNED_NUMBER.test(line.ctx.rawBody)) return t.turnedNumber();
  const given = fieldsOf(flags);
  if (meaning.mayBeYear && given.amount === undefined && isUnclearYear(line))
    return taxTexts(line.ctx.locale).unclear({ typed: shortened(words.join(' ')) });
  const others =
    kind === 'transfer-out' ? [] : named.filter((name) => name !== portfolio).map((name) => `@${name}`);
  const lost = [...lostFlags(flags), ...words.filter((word) => word.startsWith('--')), ...others];
  if (lost.length > 0) return leftOver(lost.join(' '), kind, line);
  if (kind === 'transfer-out') {
    const sides = { from: portfolio, to: textOf(line, 'to') ?? named[1] };
    const read = readTransferText(words, sides, symbols, given);
    return read.status === 'ok'
      ? { kind, ...read.fields, ...given, portfolio: read.from, toPortfolio: read.to }
      : refusalOf(read, kind, line);
  }
  const fields = { ...(price !== undefined && { price }), ...given };
  const read = entryOf(meaning, words.join(' '), fields, line);
  return read.status === 'ok'
    ? { kind, isRefund, isOpening, ...read.fields, portfolio, isSure: line.isSure || undefined }
    : refusalOf(read, kind, line);
};

const refusalOf = (
  { status, typed }: Exclude<EntryText, { readonly status: 'ok' }>,
  kind: TransactionKind,
  line: PortfolioLine,
): string => {
  const t = portfolioTexts(line.ctx.locale);
  switch (status) {
    case 'portion':
      return t.portion({ typed: shortened(typed), example: t.examples[kind] });
    case 'fraction-or-day':
      return t.fractionOrDay({ typed: shortened(typed) });
    case 'left-over':
      return leftOver(typed, kind, line);
  }
  return status satisfies never;
};

/** A number after a character that reverses the direction of text. Normalizing removes it, but the person saw the number with it. */
const TURNED_NUMBER = /[\u202a\u202b\u202d\u202e\u2066-\u2068][^\u202a-\u202e\u2066-\u2069]*\p{Nd}/u;

/** A number without a currency: a year beside a name (`tax AAPL 2026`), or any number without one (`tax 50`). */
const isUnclearYear = ({ words, symbols }: PortfolioLine): boolean => {
  const isNamed = words.some((word) => !/^\d/u.test(word) && symbols.resolve(word).status !== 'unknown');
  const amounts = amountsIn(words.join(' ')).map(({ value }) => value);
  return (
    amounts.every(({ currency }) => currency === undefined) &&
    (isNamed
      ? words.some((word) => FULL_YEAR.test(word)) && amounts.length < 2
      : words.every((word) => /^\d/u.test(word)))
  );
};

const FIELDS =
  'name quantity price total amount currency fee tax date time ratio rate toName toQuantity percent toAmount toCurrency note'.split(
    ' ',
  ) as readonly (keyof EntryFields)[];

const flagOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The fields that were given as options: `--price=190`. */
const fieldsOf = (flags: CommandFlags): EntryFields =>
  Object.fromEntries(
    FIELDS.map((field) => [field, textOf({ flags }, flagOf(field))]).filter(
      ([, value]) => value !== undefined,
    ),
  );

const ENTRY_FLAGS: ReadonlySet<string> = new Set([...FIELDS.map(flagOf), 'in', 'to', 'portfolio', 'yes']);

/** Options that an entry cannot use: `--fees=5`, and `--fee 5`, whose number would be read as something else. */
const lostFlags = (flags: CommandFlags): readonly string[] =>
  [...flags].flatMap(([name, value]) => {
    if (ENTRY_FLAGS.has(name) && (name === 'yes' || typeof value === 'string')) return [];
    return [value === true ? `--${name}` : `--${name}=${value}`];
  });

/** Discord's form puts the rest of a line into these options. */
const WITH_MORE = ['quantity', 'price', 'amount'] as const satisfies readonly (keyof EntryFields)[];

/** An option that holds more than its own number, as in `amount: 12 USD tax 1.8`, is read like typed text. */
const fieldsWithMore = (given: EntryFields): readonly (keyof EntryFields)[] =>
  WITH_MORE.filter((field) => {
    const value = given[field]?.trim() ?? '';
    return /\s/u.test(value) && readAmount(value) === null;
  });

/** Reads the typed text and the options as one entry; options win. */
const entryOf = (
  { kind, direction }: EntryMeaning,
  typed: string,
  given: EntryFields,
  { symbols }: PortfolioLine,
): EntryText => {
  const withGiven = (read: EntryText, fields = given): EntryText =>
    read.status === 'ok' ? { ...read, fields: { ...read.fields, ...fields } } : read;
  if (kind === 'spin-off' || kind === 'merger') return withGiven(readExchangeText(typed, symbols, given));
  const more = fieldsWithMore(given);
  if (more.length > 0) {
    const kept = Object.fromEntries(
      Object.entries(given).filter(([field]) => !more.some((each) => each === field)),
    );
    const text = [typed, ...more.map((field) => given[field])].join(' ').trim();
    const whole = readEntryText(kind, text, symbols, kept, direction);
    if (whole.status === 'ok' && more.every((field) => whole.fields[field] !== undefined))
      return withGiven(whole, kept);
  }
  return withGiven(readEntryText(kind, typed, symbols, given, direction));
};
