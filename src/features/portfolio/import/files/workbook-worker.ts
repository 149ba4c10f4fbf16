import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { CellValue } from 'hucre/xlsx';
import { Decimal } from '#src/kernel/money.ts';
import { SHEET_LIMITS } from './sheet.ts';

/** The sheets as text; an empty row is an empty list. */
export type WorkbookReport = readonly {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}[];

/** A spreadsheet program keeps this many digits; the rest is binary rounding noise. */
const DIGITS = 15;

const numberText = (value: number): string =>
  Number.isFinite(value) ? new Decimal(value.toPrecision(DIGITS)).toFixed() : '';

/** `2026-03-02`, `2026-03-02 10:30:01`; a time of day without a day is `10:30:01`. */
const dayText = (value: Date): string => {
  if (Number.isNaN(value.getTime())) return '';
  // A fraction of a day in binary is off by some milliseconds.
  const iso = new Date(Math.round(value.getTime() / 1_000) * 1_000).toISOString();
  const [day, time] = [iso.slice(0, 10), iso.slice(11, 19)];
  if (value.getUTCFullYear() < 1905) return time;
  return time === '00:00:00' ? day : `${day} ${time}`;
};

const textOf = (value: CellValue | undefined): string => {
  if (value === null || value === undefined) return '';
  // One character over the limit, so that the cell is refused and not cut.
  if (typeof value === 'string') return value.slice(0, SHEET_LIMITS.cellCharacters + 1);
  if (typeof value === 'number') return numberText(value);
  if (value instanceof Date) return dayText(value);
  return typeof value === 'boolean' ? String(value).toUpperCase() : '';
};

const read = async (bytes: Uint8Array): Promise<WorkbookReport> => {
  const { readXlsx } = await import('hucre/xlsx');
  // One row and one column over the limits, so that the sheet is refused and not cut.
  const maxRows = SHEET_LIMITS.rows + 1;
  const { sheets } = await readXlsx(bytes, {
    maxRows,
    sheets: ({ hidden, veryHidden }) => !hidden && !veryHidden,
  });
  let left = maxRows;
  return sheets.map(({ name, rows }) => ({
    name,
    rows: rows.slice(0, left).map((row) => {
      const filled = row.findLastIndex((cell) => cell !== null && cell !== '') + 1;
      if (filled > 0) left -= 1;
      return row.slice(0, Math.min(filled, SHEET_LIMITS.columns + 1)).map(textOf);
    }),
  }));
};

if (!isMainThread) parentPort?.postMessage(await read(workerData as Uint8Array), []);
