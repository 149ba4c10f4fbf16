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
