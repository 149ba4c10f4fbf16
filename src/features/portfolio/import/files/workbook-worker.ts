import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { CellValue } from 'hucre/xlsx';
import { Decimal } from '#src/kernel/money.ts';
import { packRows } from './packed-rows.ts';
import { cleanCell, RowCollector, SHEET_LIMITS, type SheetProblem } from '../sheet.ts';

/** What the thread hands over: bytes, which cross without a copy and stay within `SHEET_LIMITS.characters`. */
export type WorkbookReport =
  | { readonly status: 'refused'; readonly problem: SheetProblem }
  | { readonly status: 'ok'; readonly sheets: readonly PackedSheet[] };

interface PackedSheet {
  readonly name: string;
  readonly rows: Uint8Array<ArrayBuffer>;
}

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

/** Spreadsheet programs allow 31. */
const MAX_NAME_CHARACTERS = 100;

const read = async (bytes: Uint8Array): Promise<WorkbookReport> => {
  const { readXlsx } = await import('hucre/xlsx');
  const { sheets } = await readXlsx(bytes, {
    // One row over the limit, so that the sheet is refused and not cut.
    maxRows: SHEET_LIMITS.rows + 1,
    sheets: ({ hidden, veryHidden }) => !hidden && !veryHidden,
  });
  const packed: PackedSheet[] = [];
  const collected = new RowCollector();
  for (const { name, rows } of sheets) {
    const from = collected.rows.length;
    for (const [index, row] of rows.entries()) {
      const filled = row.findLastIndex((cell) => cell !== null && cell !== '') + 1;
      // One column over the limit, for the same reason.
      const cells = row.slice(0, Math.min(filled, SHEET_LIMITS.columns + 1));
      collected.add(
        index + 1,
        cells.map((cell) => cleanCell(textOf(cell))),
      );
      if (collected.problem) return { status: 'refused', problem: collected.problem };
    }
    const kept = collected.rows.slice(from);
    if (kept.length > 0) packed.push({ name: name.slice(0, MAX_NAME_CHARACTERS), rows: packRows(kept) });
  }
  return { status: 'ok', sheets: packed };
};

if (!isMainThread) {
  const report = await read(workerData as Uint8Array);
  const owned = report.status === 'ok' ? report.sheets.map(({ rows }) => rows.buffer) : [];
  parentPort?.postMessage(report, owned);
}
