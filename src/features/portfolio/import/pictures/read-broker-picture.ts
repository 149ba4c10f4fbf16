import type { PersonRef, SessionKey } from '#src/kernel/ids.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { ReadPicture } from '#src/kernel/agent/picture-task.ts';
import type { FileProblem } from '../problems.ts';
import type { PictureSource } from '../files/read-source.ts';
import { cleanCell, type Sheet, type SheetRow } from '../sheet.ts';
import { dateIn } from '../columns/cells.ts';
import type { CheckedRow, Doubt } from './check-rows.ts';
import { checkPicture, type CheckedPicture } from './check-totals.ts';
import {
  PICTURE_FORM,
  PICTURE_INSTRUCTION,
  type PictureForm,
  type PictureRow,
  readForm,
} from './picture-form.ts';

/** A screenshot as the import reads it: a table of entries, and what is wrong with its rows. */
export interface BrokerPicture extends Pick<CheckedPicture, 'findings' | 'cash'> {
  readonly kind: 'holdings' | 'trades';
  readonly sheet: Sheet;
  readonly rowCount: number;
  /** The day on which positions are recorded. */
  readonly date: Temporal.PlainDate;
  readonly isDateShown: boolean;
  /** By line. */
  readonly doubts: ReadonlyMap<number, readonly Doubt[]>;
  /** The current prices on the picture, by line. */
  readonly prices: ReadonlyMap<number, Decimal>;
}

type PictureResult =
  | { readonly status: 'ok'; readonly picture: BrokerPicture }
  | {
      readonly status: 'refused';
      readonly problem: FileProblem;
    };

const HEADINGS = [
  'date',
  'kind',
  'symbol',
  'name',
  'quantity',
  'price',
  'fee',
  'tax',
  'currency',
  'amount',
] as const;
/** Without a column for taxes, the tax of a Korean sale is computed. */
const CHARGES = ['fee', 'tax'] as const;

type Cells = Readonly<Partial<Record<(typeof HEADINGS)[number], string>>>;

const textOf = (written: string | null | undefined): string => cleanCell(written ?? '');

/** A number as checked, else its text, which the import refuses with a reason. */
const numberCell = (value: Decimal | undefined, written: string | null | undefined): string =>
  value?.toFixed() ?? textOf(written);

const tradeCells = (row: PictureRow, { price, currency, row: numbers }: CheckedRow): Cells => ({
  date: textOf(row.date),
  kind: textOf(row.side),
  symbol: textOf(row.code),
  name: textOf(row.name),
  quantity: numberCell(numbers.quantity?.value.abs(), row.quantity),
  price: numberCell(price?.abs(), row.price),
  fee: numberCell(numbers.fee?.value.abs(), row.fee),
  tax: numberCell(numbers.tax?.value.abs(), row.tax),
  currency: currency ?? '',
  // Only a row without a quantity, such as a dividend, is read by its amount.
  amount: numbers.quantity ? '' : numberCell((numbers.settled ?? numbers.value)?.value.abs(), row.value),
});

const holdingCells = (row: PictureRow, checked: CheckedRow, date: Temporal.PlainDate): Cells => {
  const { price, currency, row: numbers } = checked;
  return {
    date: date.toString(),
    kind: 'opening',
    symbol: textOf(row.code),
    name: textOf(row.name),
    quantity: numberCell(numbers.quantity?.value, row.quantity),
    price: numberCell(price, row.averagePrice),
    currency: currency ?? '',
  };
};

const sheetOf = (form: PictureForm, rows: readonly CheckedRow[], date: Temporal.PlainDate): Sheet => {
  const lines = form.rows.flatMap((row, index) => {
    const checked = rows[index];
    if (!checked) return [];
    const cells = form.kind === 'trades' ? tradeCells(row, checked) : holdingCells(row, checked, date);
    return [{ line: index + 1, cells }];
  });
  const headings = HEADINGS.filter(
    (name) =>
      !CHARGES.some((charge) => charge === name) || lines.some(({ cells }) => (cells[name] ?? '') !== ''),
  );
  const all: readonly Omit<SheetRow, 'index'>[] = [
    { line: 0, cells: headings },
    ...lines.map(({ line, cells }) => ({ line, cells: headings.map((name) => cells[name] ?? '') })),
  ];
  return {
    name: '',
    rows: all.map((row, index) => ({ ...row, index })),
    hasSerialDates: false,
    isLoose: false,
  };
};

/** The price of one unit now: as shown, else from the value. */
const currentPrice = ({ row: { price, value, quantity }, currency }: CheckedRow): Decimal | undefined => {
  if (price) return price.currency === currency ? price.value : undefined;
  const isUsable = value && quantity && value.currency === currency && quantity.value.greaterThan(0);
  return isUsable ? value.value.dividedBy(quantity.value) : undefined;
};

const byLine = <T>(
  rows: readonly CheckedRow[],
  of: (row: CheckedRow) => T | undefined,
): ReadonlyMap<number, T> =>
  new Map(
    rows.flatMap((row, index) => {
      const found = of(row);
      return found === undefined ? [] : [[index + 1, found] as const];
    }),
  );

/** Turns what a model read into a table of entries, and checks its numbers against each other. */
export const pictureOf = (form: PictureForm, today: Temporal.PlainDate): BrokerPicture => {
  const { rows, findings, cash } = checkPicture(form);
  const shownDate = dateIn(textOf(form.asOf), 'year-first');
  const isDateShown = shownDate !== undefined && Temporal.PlainDate.compare(shownDate, today) <= 0;
  const date = isDateShown ? shownDate : today;
  const kind = form.kind === 'trades' ? 'trades' : 'holdings';
  return {
    kind,
    findings,
    cash,
    sheet: sheetOf(form, rows, date),
    rowCount: rows.length,
    date,
    isDateShown,
    doubts: byLine(rows, ({ doubts }) => (doubts.length > 0 ? doubts : undefined)),
    prices: kind === 'holdings' ? byLine(rows, currentPrice) : new Map(),
  };
};

interface PictureContext {
  readonly person: PersonRef;
  readonly sessionKey: SessionKey | undefined;
  readonly today: Temporal.PlainDate;
}

/** Has a model read a screenshot. The picture is sent and forgotten: nothing here stores or logs it. */
export const readBrokerPicture = async (
  { mimeType, base64 }: PictureSource,
  { person: { channelId, userId }, sessionKey, today }: PictureContext,
  readPicture: ReadPicture,
  signal: AbortSignal,
): Promise<PictureResult> => {
  if (sessionKey === undefined) return { status: 'refused', problem: { kind: 'picture-no-model' } };
  const read = await readPicture(
    {
      picture: { mimeType, base64 },
      instruction: PICTURE_INSTRUCTION,
      form: PICTURE_FORM,
      person: { channelId, userId },
      sessionKey,
    },
    signal,
  );
  if (read.status !== 'read') return { status: 'refused', problem: { kind: `picture-${read.status}` } };
  const form = readForm(read.form);
  if (!form) return { status: 'refused', problem: { kind: 'picture-unread' } };
  if (form.kind === 'other' || form.rows.length === 0)
    return { status: 'refused', problem: { kind: 'picture-other' } };
  return { status: 'ok', picture: pictureOf(form, today) };
};
