import type { ReadAttachment } from '#src/kernel/agent/execution.ts';
import { withDeadline } from '#src/platform/concurrency/abort.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { runInThread } from '#src/platform/concurrency/run-in-thread.ts';
import { Semaphore } from '#src/platform/concurrency/semaphore.ts';
import type { PdfJob, PdfReport } from './pdf-worker.ts';

const MAX_PAGES = 50;
const MAX_CHARS = 60_000;
const TIMEOUT_MS = 8_000;
/** Each file takes a thread with its memory. */
const MAX_AT_ONCE = 2;
/** A person with many large files must not block others. */
const MAX_PER_OWNER = 1;
const MAX_HEAP_MB = 128;
const MAX_BUFFER_BYTES = 128_000_000;

/** The text of a PDF, or why there is none. Rejects on abort and on timeout. */
export type ReadPdf = (name: string, bytes: Uint8Array, signal: AbortSignal) => Promise<ReadAttachment>;

const REASONS = {
  encrypted: 'the PDF is locked with a password; it can be sent again without one',
  broken: 'it is not a sound PDF',
  'too-large': 'the PDF unpacks to more than is read',
  unknownLetters:
    'the letters of the PDF are in an old encoding that is not read; its pages can be sent as images instead',
  scanned: 'the PDF has no text, only pictures of its pages; these can be sent as images instead',
} as const;

const WORKER = new URL('./pdf-worker.ts', import.meta.url);

const runWorker = async (bytes: Uint8Array, signal: AbortSignal): Promise<PdfReport> => {
  const job: PdfJob = { bytes, maxPages: MAX_PAGES, maxChars: MAX_CHARS, maxBufferBytes: MAX_BUFFER_BYTES };
  const outcome = await runInThread<PdfReport>(WORKER, job, { maxHeapMb: MAX_HEAP_MB }, signal);
  switch (outcome.status) {
    case 'reported':
      return outcome.report;
    case 'out-of-memory':
      return { status: 'too-large' };
    case 'failed':
      throw outcome.error;
    case 'ended':
      return { status: 'broken' };
  }
  return outcome satisfies never;
};

const describePages = ({
  pages,
  pageCount,
  isCut,
  hasUnknownLetters,
}: Extract<PdfReport, { readonly status: 'read' }>): string => {
  const shown = pages.map((words, index) =>
    words === '' ? `[page ${index + 1}: no text]` : `[page ${index + 1}]\n${words}`,
  );
  const notes = [
    ...(hasUnknownLetters ? ['[words in an old encoding are missing from this text]'] : []),
    ...(isCut ? [`[the rest of page ${pages.length} is left out]`] : []),
    ...(pageCount > pages.length ? [`[pages ${pages.length + 1} to ${pageCount} are left out]`] : []),
  ];
  return [...shown, ...notes].join('\n\n');
};

const late = (): Error => new Error('it took too long to read');

/**
 * Reads the files of one owner. Waiting for a free place counts against the caller's deadline, not against the file's own
 * time limit.
 */
export const createReadPdf = ({ clock }: { readonly clock: Clock }): ((owner: string) => ReadPdf) => {
  const places = new Semaphore(MAX_AT_ONCE, MAX_PER_OWNER);
  const read = async (owner: string, bytes: Uint8Array, parent: AbortSignal): Promise<PdfReport> => {
    const leave = await places.acquire(owner, parent);
    using limit = withDeadline(parent, TIMEOUT_MS, clock, late);
    try {
      return await runWorker(bytes, limit.signal);
    } finally {
      leave();
    }
  };
  return (owner) => async (name, bytes, signal) => {
    const unreadable = (reason: string): ReadAttachment => ({ kind: 'unreadable', name, reason });
    const report = await read(owner, bytes, signal);
    if (report.status !== 'read') return unreadable(REASONS[report.status]);
    if (report.pages.some((words) => words !== ''))
      return { kind: 'text', name, text: describePages(report) };
    return unreadable(report.hasUnknownLetters ? REASONS.unknownLetters : REASONS.scanned);
  };
};
