import { withDeadline } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import { runInThread } from '#src/platform/run-in-thread.ts';
import { Semaphore } from '#src/platform/semaphore.ts';
import { cleanCell, type ReadSheets, RowCollector, SHEET_LIMITS, type Sheet } from './sheet.ts';
import type { WorkbookJob, WorkbookReport } from './workbook-worker.ts';
import { isBoundedZip } from './zip-bounds.ts';

const TIMEOUT_MS = 10_000;
const MAX_HEAP_MB = 192;
/** It takes a thread and its memory. */
const MAX_AT_ONCE = 1;

const broken: ReadSheets = { status: 'refused', problem: { kind: 'broken-workbook' } };

const WORKER = new URL('./workbook-worker.ts', import.meta.url);

const runWorker = async (bytes: Uint8Array, signal: AbortSignal): Promise<WorkbookReport> => {
  const job: WorkbookJob = {
    bytes,
    maxRows: SHEET_LIMITS.rows,
    maxColumns: SHEET_LIMITS.columns,
    maxCellCharacters: SHEET_LIMITS.cellCharacters,
  };
  const outcome = await runInThread<WorkbookReport>(WORKER, job, { maxHeapMb: MAX_HEAP_MB }, signal);
  return outcome.status === 'reported' ? outcome.report : { status: 'broken' };
};

/** Throws on abort alone; what takes too long is a broken workbook. */
export type ReadWorkbook = (bytes: Uint8Array, owner: string, signal: AbortSignal) => Promise<ReadSheets>;

const late = (): Error => new Error('it took too long to read');

/** What reads the sheets of xlsx files, those that are not hidden. */
export const createReadWorkbook = (clock: Clock): ReadWorkbook => {
  const places = new Semaphore(MAX_AT_ONCE);
  return async (bytes, owner, parent) => {
    if (!isBoundedZip(bytes)) return broken;
    const leave = await places.acquire(owner, parent);
    const { signal, clear } = withDeadline(parent, TIMEOUT_MS, clock, late);
    let report: WorkbookReport;
    try {
      report = await runWorker(bytes, signal);
    } catch {
      parent.throwIfAborted();
      return broken;
    } finally {
      clear();
      leave();
    }
    parent.throwIfAborted();
    if (report.status === 'broken') return broken;
    const sheets: Sheet[] = [];
    let taken = 0;
    for (const { name, rows } of report.sheets) {
      const collected = new RowCollector(taken);
      for (const [index, row] of rows.entries()) collected.add(index + 1, row.map(cleanCell));
      if (collected.problem) return { status: 'refused', problem: collected.problem };
      taken += collected.rows.length;
      sheets.push({ name, rows: collected.rows, hasSerialDates: true, isLoose: false });
    }
    return { status: 'ok', sheets };
  };
};
