import { withDeadline } from '#src/platform/concurrency/abort.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { runInThread, type ThreadOutcome } from '#src/platform/concurrency/run-in-thread.ts';
import { Semaphore } from '#src/platform/concurrency/semaphore.ts';
import { unpackRows } from './packed-rows.ts';
import type { ReadSheets, Sheet } from '../sheet.ts';
import type { WorkbookReport } from './workbook-worker.ts';

/**
 * Limits on the sizes that a zip states, checked before it is unpacked. The unpacking library holds each part to its
 * stated size, so a part cannot become larger.
 */
const MAX_PARTS = 300;
const MAX_UNPACKED_BYTES = 40_000_000;
/** A sheet of equal cells shrinks to a hundredth, a zip bomb to a thousandth. */
const MAX_RATIO = 400;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
/** Marks a size in an extra field, which only zips above the accepted size need. */
const ZIP64 = 0xff_ff_ff_ff;
/** The packed size of an empty part in bytes. */
const EMPTY_PACKED = 2;

/** The position of the end-of-directory record. */
const endOf = (view: DataView): number | undefined => {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at -= 1)
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  return undefined;
};

/** A part's header states zero sizes if they follow the part, else the sizes of the directory. */
const isSameInHeader = (view: DataView, at: number, packed: number, unpacked: number): boolean => {
  if (at + LOCAL_BYTES > view.byteLength || view.getUint32(at, true) !== LOCAL_HEADER) return false;
  const sizes = [view.getUint32(at + 18, true), view.getUint32(at + 22, true)];
  return sizes.every((size) => size === 0) || (sizes[0] === packed && sizes[1] === unpacked);
};

/** False if the bytes are not a zip, or one that would unpack to more than the limits allow. */
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
/** Each workbook takes a thread and its memory. */
const MAX_AT_ONCE = 1;

const broken: ReadSheets = { status: 'refused', problem: { kind: 'broken-workbook' } };

const WORKER = new URL('./workbook-worker.ts', import.meta.url);

/** Reads the visible sheets of an xlsx file. A workbook that takes too long is broken. Throws on abort alone. */
export type ReadWorkbook = (bytes: Uint8Array, owner: string, signal: AbortSignal) => Promise<ReadSheets>;

const late = (): Error => new Error('the workbook took too long to read');

export const createReadWorkbook = (clock: Clock): ReadWorkbook => {
  const places = new Semaphore(MAX_AT_ONCE);
  return async (bytes, owner, parent) => {
    if (!isBoundedZip(bytes)) return broken;
    const leave = await places.acquire(owner, parent);
    const { signal, clear } = withDeadline(parent, TIMEOUT_MS, clock, late);
    let outcome: ThreadOutcome<WorkbookReport>;
    try {
      outcome = await runInThread<WorkbookReport>(WORKER, bytes, { maxHeapMb: MAX_HEAP_MB }, signal);
    } catch {
      parent.throwIfAborted();
      return broken;
    } finally {
      clear();
      leave();
    }
    parent.throwIfAborted();
    if (outcome.status !== 'reported') return broken;
    if (outcome.report.status === 'refused') return outcome.report;
    const sheets: Sheet[] = [];
    for (const { name, rows } of outcome.report.sheets)
      sheets.push({
        name,
        rows: await byTime(unpackRows(rows), parent),
        hasSerialDates: true,
        isLoose: false,
      });
    return { status: 'ok', sheets };
  };
};
