import { Worker } from 'node:worker_threads';
import { withDeadline } from '#src/infra/abort.ts';
import type { Clock } from '#src/infra/clock.ts';
import { Semaphore } from '#src/infra/semaphore.ts';
import { cleanCell, type ReadSheets, RowCollector, SHEET_LIMITS, type Sheet } from './sheet.ts';
import type { WorkbookJob, WorkbookReport } from './workbook-worker.ts';
import { isBoundedZip } from './zip-bounds.ts';

const TIMEOUT_MS = 10_000;
const MAX_HEAP_MB = 192;
/** It takes a thread and its memory. */
const MAX_AT_ONCE = 1;

const broken: ReadSheets = { status: 'refused', problem: { kind: 'broken-workbook' } };

/**
 * In a thread of its own, which is gone with all that it loaded when this settles: a large sheet takes a second without
 * a pause, and a hostile one might take all memory there is.
 */
const runWorker = async (bytes: Uint8Array, signal: AbortSignal): Promise<WorkbookReport> => {
  const job: WorkbookJob = {
    bytes,
    maxRows: SHEET_LIMITS.rows,
    maxColumns: SHEET_LIMITS.columns,
    maxCellCharacters: SHEET_LIMITS.cellCharacters,
  };
  const worker = new Worker(new URL('./workbook-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 16 },
    // It needs no settings and no keys, and what it prints is nobody's business.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  const end = (): void => void worker.terminate();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await new Promise<WorkbookReport>((resolve) => {
      worker.once('message', (report: WorkbookReport) => resolve(report));
      worker.once('error', () => resolve({ status: 'broken' }));
      worker.once('exit', () => resolve({ status: 'broken' }));
    });
  } finally {
    signal.removeEventListener('abort', end);
    await worker.terminate();
  }
};

/** Throws on abort alone, or when it takes too long. */
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
