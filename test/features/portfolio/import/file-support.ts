import { readFileSync } from 'node:fs';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import { instrumentOf, type NewTransaction } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { readEntries } from '#src/features/portfolio/import/build/read-entries.ts';
import { createReadWorkbook } from '#src/features/portfolio/import/files/read-workbook.ts';
import { readSource } from '#src/features/portfolio/import/files/read-source.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';

const { signal } = new AbortController();
const today = Temporal.PlainDate.from('2026-11-13');
const SAMPLES = new URL('samples/', import.meta.url);
const readWorkbook = createReadWorkbook(new ManualClock());
const place = { channelId: asId<ChannelId>('test'), owner: 'owner' };

const readAll = async (bytes: Uint8Array, recorded: readonly NewTransaction[] = []) => {
  const files = [{ kind: 'file', mimeType: 'text/csv', name: 'a', url: 'a' }] as const;
  const deps = { readMedia: async () => bytes, readWorkbook, logger: recordingLogger().logger };
  const source = await readSource({ text: '', files }, place, deps, signal);
  if (source.status === 'refused') return source;
  if (source.status === 'picture') throw new Error('The file is a picture');
  return readEntries(source.sheets, { symbols, baseCurrency: 'KRW', today, recorded }, signal);
};

const fileOf = async (bytes: Uint8Array, recorded?: readonly NewTransaction[]) => {
  const result = await readAll(bytes, recorded);
  if (result.status === 'refused') throw new Error(result.problem.kind);
  return result.file;
};

export const textFile = (text: string, recorded?: readonly NewTransaction[]) =>
  fileOf(new TextEncoder().encode(text), recorded);
export const read = (text: string) => readAll(new TextEncoder().encode(text));
export const sample = (name: string) => fileOf(readFileSync(new URL(name, SAMPLES)));

const FIELDS = [
  ['quantity', ''],
  ['price', '@'],
  ['amount', ''],
  ['fee', '-'],
  ['tax', '-'],
  ['ratio', '×'],
  ['toAmount', '→'],
] as const;

/** All recorded fields on one short line. */
export const short = (entry: NewTransaction): string => {
  const numbers = FIELDS.flatMap(([field, sign]) => {
    const value: unknown = entry[field as keyof NewTransaction];
    const isShown = value instanceof Decimal && !((field === 'fee' || field === 'tax') && value.isZero());
    return isShown ? [`${sign}${value.toDecimalPlaces(6).toFixed()}`] : [];
  });
  const rate = entry.rate && !entry.rate.equals(1) ? [`x${entry.rate.toFixed()}`] : [];
  const time = entry.time ? [entry.time.toString()] : [];
  const to = entry.kind === 'fx' ? [entry.toCurrency] : [];
  const of = instrumentOf(entry);
  return [
    entry.kind,
    ...(of ? [of.symbol] : []),
    ...numbers,
    ...to,
    entry.currency,
    entry.date.toString().slice(5),
    ...time,
    ...rate,
  ].join(' ');
};

type File = Awaited<ReturnType<typeof fileOf>>;

/** After `=` the last balance and the number of compared lines; after `?` the first difference. `≠`: not used. */
const cashOf = ({ checks }: File): readonly string[] =>
  checks.cash.map(({ currency, end, compared, first, unread, isProven }) =>
    [
      `${isProven ? '=' : '≠'} ${end.toFixed()} ${currency} (${compared})`,
      ...(first ? [`? ${first.line}: ${first.reported.toFixed()}, not ${first.computed.toFixed()}`] : []),
      ...unread.map(({ line, amount }) => `line ${line}: ${amount.toFixed()}`),
    ].join(' '),
  );

export const linesOf = (file: File): readonly string[] => [
  ...file.entries.map(({ entry }) => short(entry)),
  ...file.errors.map(({ line, problem }) => `! ${line} ${problem.kind}`),
  ...cashOf(file),
  ...file.checks.holdings.map(
    ({ instrument, opening, first }) =>
      `held ${instrument.symbol}${opening.isZero() ? '' : ` from ${opening.toFixed()}`}${first ? ` ? ${first.line}` : ''}`,
  ),
];
