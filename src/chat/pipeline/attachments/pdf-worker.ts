import { isMainThread, parentPort, workerData } from 'node:worker_threads';

export interface PdfJob {
  readonly bytes: Uint8Array;
  readonly maxPages: number;
  readonly maxChars: number;
  /** For all large buffers together, over the lifetime of the thread. */
  readonly maxBufferBytes: number;
}

export type PdfReport =
  | {
      readonly status: 'read';
      /** The first pages; the last one may be truncated. */
      readonly pages: readonly string[];
      readonly pageCount: number;
      readonly isCut: boolean;
      /** Text is missing because its encoding is unknown. */
      readonly hasUnknownLetters: boolean;
    }
  | { readonly status: 'encrypted' | 'broken' | 'too-large' };

const LARGE_BUFFER_BYTES = 1_000_000;

/**
 * Limits decompressed data: a few kilobytes can unpack to gigabytes outside of the thread's heap limit. `isMet` tells
 * afterwards whether the limit was reached, because the parser continues without the part that it could not unpack.
 */
const limitBuffers = (maxBytes: number): { readonly isMet: () => boolean } => {
  let left = maxBytes;
  const limited = new Proxy(Uint8Array, {
    construct: (target, args: readonly unknown[], newTarget) => {
      const [size] = args;
      if (typeof size === 'number' && size > LARGE_BUFFER_BYTES) left -= size;
      if (left < 0) throw new RangeError('The file unpacks to more than is read');
      return Reflect.construct(target, args, newTarget) as Uint8Array;
    },
  });
  Object.defineProperty(globalThis, 'Uint8Array', { value: limited });
  // Without it the parser decompresses by itself, into buffers that are counted.
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
  return { isMet: () => left < 0 };
};

/** Old Korean, Chinese and Japanese fonts need character maps that are not bundled, so their text is missing. */
const missingTables = (): { readonly factory: object; readonly areAskedFor: () => boolean } => {
  let areAskedFor = false;
  class MissingTables {
    readonly fetch = async ({ kind }: { readonly kind: string }): Promise<never> => {
      if (kind === 'cMapUrl') areAskedFor = true;
      throw new Error('Character maps are not bundled');
    };
  }
  return { factory: MissingTables, areAskedFor: () => areAskedFor };
};

type Items = readonly ({ readonly str: string; readonly hasEOL: boolean } | { readonly type: string })[];

const textOf = (items: Items): string =>
  items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');

const isAboutPassword = (error: unknown): boolean =>
  error instanceof Error && error.name === 'PasswordException';

/** Reads page by page until a limit is reached. Never rejects, but may never end: the caller terminates the thread. */
const readPages = async ({ bytes, maxPages, maxChars, maxBufferBytes }: PdfJob): Promise<PdfReport> => {
  const buffers = limitBuffers(maxBufferBytes);
  const tables = missingTables();
  try {
    const { getDocumentProxy } = await import('unpdf');
    const pdf = await getDocumentProxy(bytes, {
      verbosity: 0,
      useSystemFonts: false,
      useWorkerFetch: false,
      BinaryDataFactory: tables.factory,
    });
    const pages: string[] = [];
    let left = maxChars;
    while (pages.length < Math.min(pdf.numPages, maxPages) && left > 0) {
      const page = await pdf.getPage(pages.length + 1);
      const words = textOf((await page.getTextContent()).items).trim();
      page.cleanup();
      pages.push(words.slice(0, left));
      left -= words.length;
    }
    if (buffers.isMet()) return { status: 'too-large' };
    const hasUnknownLetters = tables.areAskedFor();
    return { status: 'read', pages, pageCount: pdf.numPages, isCut: left < 0, hasUnknownLetters };
  } catch (error) {
    if (buffers.isMet()) return { status: 'too-large' };
    return { status: isAboutPassword(error) ? 'encrypted' : 'broken' };
  }
};

if (!isMainThread) parentPort?.postMessage(await readPages(workerData as PdfJob), []);
