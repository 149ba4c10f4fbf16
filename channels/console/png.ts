import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

/** Rows of places in a palette, one byte each. */
export interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each colour. */
  readonly palette: Uint8Array;
  readonly pixels: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Eight bits a pixel, a palette, the usual compression and filters, and rows from top to bottom. */
const KIND = Buffer.from([8, 3, 0, 0, 0]);
const FILTERS = { none: 0, up: 2 };
const MAX_PIXELS = 8_000_000;

const inflated = promisify(inflate);

/** The chunks of the file by type. Those of one type are one piece of data. */
const chunksOf = (png: Buffer): ReadonlyMap<string, Buffer> => {
  const chunks = new Map<string, Buffer>();
  for (let at = SIGNATURE.length; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    chunks.set(type, Buffer.concat([chunks.get(type) ?? Buffer.alloc(0), data]));
    at += 12 + length;
  }
  return chunks;
};

/** Takes the filter away from rows, each of which starts with its type. Undefined for a filter that our pictures do not have. */
const unfiltered = (rows: Uint8Array, width: number, height: number): Uint8Array | undefined => {
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const filter = rows[row * (width + 1)];
    if (filter !== FILTERS.none && filter !== FILTERS.up) return undefined;
    const from = row * (width + 1) + 1;
    const to = row * width;
    pixels.set(rows.subarray(from, from + width), to);
    if (filter === FILTERS.none || row === 0) continue;
    for (let column = to; column < to + width; column += 1)
      pixels[column] = (pixels[column] ?? 0) + (pixels[column - width] ?? 0);
  }
  return pixels;
};

/** A picture as the charts are stored. Undefined for any other PNG; rejects if the data is broken. */
export const decodePng = async (png: Buffer): Promise<IndexedPicture | undefined> => {
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const chunks = chunksOf(png);
  const [header, palette, data] = [chunks.get('IHDR'), chunks.get('PLTE'), chunks.get('IDAT')];
  if (!header || !palette || !data || !header.subarray(8).equals(KIND)) return undefined;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) return undefined;
  const size = (width + 1) * height;
  const rows = await inflated(data, { maxOutputLength: size });
  if (rows.length !== size) return undefined;
  const pixels = unfiltered(rows, width, height);
  return pixels && { width, height, palette, pixels };
};
