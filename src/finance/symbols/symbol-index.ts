import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Instrument } from '#src/core/finance.ts';
import { FORMAT_VERSION, INDEX_FILE, type IndexHeader, instrumentOf } from './index-format.ts';
import { readKeys, type SymbolKeys } from './symbol-keys.ts';

/**
 * Fourteen thousand instruments without an object for each: numbers in arrays, keys in one string, and the lines of the
 * file as bytes. An instrument is made when it is asked for. They are numbered as in the file, the better known first.
 */
export interface SymbolIndex extends SymbolKeys {
  readonly instruments: number;
  /** From this number on: preferred shares, warrants, notes. */
  readonly firstSecondary: number;
  readonly instrumentAt: (instrument: number) => Instrument;
}

const INDEX_PATH = join(import.meta.dirname, '..', 'data', INDEX_FILE);
const NEW_LINE = 10;

/** Where each of the lines of the instruments begins, and where they end. */
const lineStarts = (file: Buffer, from: number, count: number): Uint32Array => {
  const starts = new Uint32Array(count + 1);
  let place = from;
  starts[0] = from;
  for (let line = 1; line <= count; line += 1) {
    place = file.indexOf(NEW_LINE, place) + 1;
    if (place === 0) throw new Error(`${INDEX_FILE} ends too early. Run: npm run data:symbols`);
    starts[line] = place;
  }
  return starts;
};

/** Reads the file. Takes some milliseconds, once. */
export const loadSymbolIndex = (): SymbolIndex => {
  const file = readFileSync(INDEX_PATH);
  const headerEnd = file.indexOf(NEW_LINE);
  const header = JSON.parse(file.toString('utf8', 0, headerEnd)) as IndexHeader;
  if (header.version !== FORMAT_VERSION)
    throw new Error(`${INDEX_FILE} is of another version. Run: npm run data:symbols`);
  const lines = lineStarts(file, headerEnd + 1, header.instruments);
  const linesEnd = lines[header.instruments] ?? 0;
  // What is kept of the file: the keys are elsewhere then.
  const records = Buffer.from(file.subarray(0, linesEnd));
  return {
    ...readKeys(file.subarray(linesEnd + 1), header.keys),
    instruments: header.instruments,
    firstSecondary: header.firstSecondary,
    instrumentAt: (instrument) => {
      const line = records.toString('utf8', lines[instrument], (lines[instrument + 1] ?? 0) - 1);
      return instrumentOf(line, header.kinds);
    },
  };
};
