import { withDeadline } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import { runInThread } from '#src/platform/run-in-thread.ts';
import { Semaphore } from '#src/platform/semaphore.ts';
import { cleanCell, type ReadSheets, RowCollector, type Sheet, SHEET_LIMITS } from './sheet.ts';
import type { WorkbookJob, WorkbookReport } from './workbook-worker.ts';

/**
 * What a zip says about itself, before anything of it is unpacked. The library that unpacks it holds each part to the
 * size that is told here, so that a part cannot become larger than it says.
 */
const MAX_PARTS = 300;
const MAX_UNPACKED_BYTES = 40_000_000;
/** Sheets of nothing but equal cells shrink to a hundredth; bombs to a thousandth. */
const MAX_RATIO = 400;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
/** Stands for "see elsewhere": larger than any file that is taken. */
const ZIP64 = 0xff_ff_ff_ff;
/** An empty part packs to two bytes. */
const EMPTY_PACKED = 2;

const endOf = (view: DataView): number | undefined => {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at -= 1)
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  return undefined;
};

/** The sizes in the header of a part: either nothing, where they follow behind it, or the same as in the directory. */
const isSameInHeader = (view: DataView, at: number, packed: number, unpacked: number): boolean => {
  if (at + LOCAL_BYTES > view.byteLength || view.getUint32(at, true) !== LOCAL_HEADER) return false;
  const sizes = [view.getUint32(at + 18, true), view.getUint32(at + 22, true)];
  return sizes.every((size) => size === 0) || (sizes[0] === packed && sizes[1] === unpacked);
};

/** False for what is no zip, or one that would unpack to more than is read. */
export const isBoundedZip = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  if (end === undefined) return false;
  const count = view.getUint16(end + 10, true);
  if (count === 0 || count > MAX_PARTS || view.getUint16(end + 8, true) !== count) return false;
  let at = view.getUint32(end + 16, true);
  let total = 0;
  for (let part = 0; part < count; part += 1) {
    if (at + ENTRY_BYTES > end || view.getUint32(at, true) !== DIRECTORY_ENTRY) return false;
    const packed = view.getUint32(at + 20, true);
    const unpacked = view.getUint32(at + 24, true);
    const header = view.getUint32(at + 42, true);
    if ([packed, unpacked, header].includes(ZIP64)) return false;
    if (unpacked === 0 ? packed > EMPTY_PACKED : packed === 0) return false;
    if (!isSameInHeader(view, header, packed, unpacked)) return false;
    total += unpacked;
    at += ENTRY_BYTES + [28, 30, 32].reduce((sum, field) => sum + view.getUint16(at + field, true), 0);
  }
  return total <= Math.min(MAX_UNPACKED_BYTES, bytes.length * MAX_RATIO);
};

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
