import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { SheetRow } from '../sheet.ts';

/** Both are control characters, which `cleanCell` removes from every cell. */
const [CELL_END, ROW_END] = ['\u001f', '\u001e'];
const ROW_END_BYTE = 0x1e;

/** Rows of one sheet as bytes, which a thread hands over without a copy. */
export const packRows = (rows: readonly SheetRow[]): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(rows.map(({ line, cells }) => [line, ...cells].join(CELL_END) + ROW_END).join(''));

/** The rows of a workbook's sheet, whose position is their line. */
export const unpackRows = function* (packed: Uint8Array): Steps<readonly SheetRow[]> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true });
  const rows: SheetRow[] = [];
  for (let at = 0; at < packed.length;) {
    const end = packed.indexOf(ROW_END_BYTE, at);
    const [first, ...cells] = text.decode(packed.subarray(at, end)).split(CELL_END);
    const line = Number(first);
    rows.push({ line, index: line, cells });
    at = end + 1;
    yield;
  }
  return rows;
};
