import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { CellValue } from 'hucre/xlsx';
import { Decimal } from '#src/kernel/money.ts';

export interface WorkbookJob {
  readonly bytes: Uint8Array;
  readonly maxRows: number;
  readonly maxColumns: number;
  readonly maxCellCharacters: number;
}

export type WorkbookReport =
  | {
      readonly status: 'read';
      /** Rows as text, empty ones as empty lists. */
      readonly sheets: readonly { readonly name: string; readonly rows: readonly (readonly string[])[] }[];
    }
  | { readonly status: 'broken' };

/** Digits that a spreadsheet program keeps: what is beyond them is noise of binary numbers. */
const DIGITS = 15;

const numberText = (value: number): string =>
  Number.isFinite(value) ? new Decimal(value.toPrecision(DIGITS)).toFixed() : '';

/** `2026-03-02`, `2026-03-02 10:30:01`; a time of day without a day is `10:30:01`. */
const dayText = (value: Date): string => {
  if (Number.isNaN(value.getTime())) return '';
  // Binary parts of a day are off by some milliseconds.
  const iso = new Date(Math.round(value.getTime() / 1_000) * 1_000).toISOString();
  const [day, time] = [iso.slice(0, 10), iso.slice(11, 19)];
  if (value.getUTCFullYear() < 1905) return time;
  return time === '00:00:00' ? day : `${day} ${time}`;
};

const textOf = (value: CellValue | undefined, maxCharacters: number): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.slice(0, maxCharacters);
  if (typeof value === 'number') return numberText(value);
  if (value instanceof Date) return dayText(value);
  return typeof value === 'boolean' ? String(value).toUpperCase() : '';
};

const read = async ({
  bytes,
  maxRows,
  maxColumns,
  maxCellCharacters,
}: WorkbookJob): Promise<WorkbookReport> => {
  try {
    const { readXlsx } = await import('hucre/xlsx');
    const { sheets } = await readXlsx(bytes, {
      maxRows: maxRows + 1,
      sheets: ({ hidden, veryHidden }) => !hidden && !veryHidden,
    });
    let left = maxRows + 1;
    return {
      status: 'read',
      sheets: sheets.map(({ name, rows }) => ({
        name,
        rows: rows.slice(0, left).map((row) => {
          const filled = row.findLastIndex((cell) => cell !== null && cell !== '') + 1;
          if (filled > 0) left -= 1;
          // One too many of anything, so that it is refused and not cut.
          return row
            .slice(0, Math.min(filled, maxColumns + 1))
            .map((cell) => textOf(cell, maxCellCharacters + 1));
        }),
      })),
    };
  } catch {
    return { status: 'broken' };
  }
};

if (!isMainThread) parentPort?.postMessage(await read(workerData as WorkbookJob), []);
