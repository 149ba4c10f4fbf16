/** Image types that every provider accepts. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

export interface PictureHeader {
  readonly kind: 'picture';
  readonly mimeType: PictureType;
  readonly width: number;
  readonly height: number;
  /** Has more than one frame. False for an animated PNG, whose first frame is a complete PNG. */
  readonly isAnimated: boolean;
}

/** Providers refuse the whole request if a picture is larger, before base64 adds a third. */
export const MAX_PICTURE_BYTES = 3_750_000;
export const MAX_PICTURE_SIDE_PX = 8_000;

/** `damaged`: starts like an image, but is invalid or truncated. */
export type PictureReading = PictureHeader | { readonly kind: 'damaged' } | { readonly kind: 'other' };

const DAMAGED: PictureReading = { kind: 'damaged' };
const OTHER: PictureReading = { kind: 'other' };

type Shape = Omit<PictureHeader, 'kind' | 'mimeType'>;

const hasText = (bytes: Uint8Array, at: number, text: string): boolean =>
  bytes.length >= at + text.length &&
  Array.from(text).every((letter, index) => bytes[at + index] === letter.charCodeAt(0));

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const PNG_SIGNATURE = '\u0089PNG\r\n\u001A\n';
const PNG_HEADER_BYTES = 13;
/** Length, type and checksum of a chunk. */
const PNG_CHUNK_FRAME = 12;
/** Chunk types as numbers. */
const IHDR = 0x49_48_44_52;
const IDAT = 0x49_44_41_54;
const IEND = 0x49_45_4e_44;

/** Reads chunks up to `IEND`, which a truncated file lacks. Undefined if damaged. */
const pngShape = (bytes: Uint8Array): Shape | undefined => {
  const view = viewOf(bytes);
  let size: Pick<Shape, 'width' | 'height'> | undefined;
  let hasPixels = false;
  for (let at = PNG_SIGNATURE.length; at + PNG_CHUNK_FRAME <= bytes.length;) {
    const length = view.getUint32(at);
    const type = view.getUint32(at + 4);
    if (at + PNG_CHUNK_FRAME + length > bytes.length) return undefined;
    if (!size) {
      if (type !== IHDR || length !== PNG_HEADER_BYTES) return undefined;
      size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    } else if (type === IDAT) hasPixels = true;
    else if (type === IEND) return hasPixels ? { ...size, isAnimated: false } : undefined;
    at += PNG_CHUNK_FRAME + length;
  }
  return undefined;
};

/** Markers without a length: restarts and the start of the image. */
const isBareMarker = (marker: number): boolean => (marker >= 0xd0 && marker <= 0xd8) || marker === 0x01;
/** The frame header; C4, C8 and CC are tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** Reads segments up to the first scan, which contains the pixels. */
const jpegShape = (bytes: Uint8Array): Shape | undefined => {
  const view = viewOf(bytes);
  let found: Shape | undefined;
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // Any number of FF bytes may precede a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === START_OF_SCAN) return found;
    if (marker === END_OF_IMAGE) return undefined;
    if (isBareMarker(marker)) {
      at += 2;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) return undefined;
    if (isFrame(marker)) {
      if (length < 8) return undefined;
      found = { height: view.getUint16(at + 5), width: view.getUint16(at + 7), isAnimated: false };
    }
    at += 2 + length;
  }
  return undefined;
};

const GIF_HEADER_BYTES = 13;
const colorTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** Skips length-prefixed blocks up to the empty one. */
const skipGifBlocks = (bytes: Uint8Array, from: number): number => {
  let at = from;
  while ((bytes[at] ?? 0) > 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
};

/** A frame may be larger than the screen in the header: the largest counts. */
const gifShape = (bytes: Uint8Array): Shape | undefined => {
  if (bytes.length < GIF_HEADER_BYTES) return undefined;
  const view = viewOf(bytes);
  let width = view.getUint16(6, true);
  let height = view.getUint16(8, true);
  let frames = 0;
  for (let at = GIF_HEADER_BYTES + colorTableBytes(view.getUint8(10)); at < bytes.length && frames < 2;) {
    const block = bytes[at];
    if (block === 0x21) at = skipGifBlocks(bytes, at + 2);
    else if (block === 0x2c && at + 10 < bytes.length) {
      frames += 1;
      width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true));
      height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true));
      at = skipGifBlocks(bytes, at + 11 + colorTableBytes(view.getUint8(at + 9)));
      // Truncated within its only frame.
      if (frames === 1 && at > bytes.length) return undefined;
    } else break;
  }
  return frames === 0 ? undefined : { width, height, isAnimated: frames > 1 };
};

const WEBP_HEADER_BYTES = 30;

const webpShape = (bytes: Uint8Array): Shape | undefined => {
  const view = viewOf(bytes);
  // The length excludes the first eight bytes.
  if (bytes.length < WEBP_HEADER_BYTES || view.getUint32(4, true) + 8 > bytes.length) return undefined;
  if (hasText(bytes, 12, 'VP8X')) {
    const sideAt = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 2 ** 16 + 1;
    return { width: sideAt(24), height: sideAt(27), isAnimated: (view.getUint8(20) & 0x02) !== 0 };
  }
  if (hasText(bytes, 12, 'VP8L')) {
    if (bytes[20] !== 0x2f) return undefined;
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, isAnimated: false };
  }
  if (!hasText(bytes, 12, 'VP8 ') || !hasText(bytes, 23, '\u009D\u0001\u002A')) return undefined;
  return {
    width: view.getUint16(26, true) & 0x3fff,
    height: view.getUint16(28, true) & 0x3fff,
    isAnimated: false,
  };
};

const FORMATS: readonly {
  readonly mimeType: PictureType;
  readonly isBegun: (bytes: Uint8Array) => boolean;
  readonly shapeOf: (bytes: Uint8Array) => Shape | undefined;
}[] = [
  { mimeType: 'image/png', isBegun: (bytes) => hasText(bytes, 0, PNG_SIGNATURE), shapeOf: pngShape },
  {
    mimeType: 'image/jpeg',
    isBegun: (bytes) => hasText(bytes, 0, '\u00FF\u00D8\u00FF'),
    shapeOf: jpegShape,
  },
  {
    mimeType: 'image/gif',
    isBegun: (bytes) => hasText(bytes, 0, 'GIF87a') || hasText(bytes, 0, 'GIF89a'),
    shapeOf: gifShape,
  },
  {
    mimeType: 'image/webp',
    isBegun: (bytes) => hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, 'WEBP'),
    shapeOf: webpShape,
  },
];

/**
 * Detects the type and the dimensions of an image from its bytes, whatever its name. It reads headers only, so an image
 * with broken pixels still counts as one. Never throws.
 */
export const readPictureHeader = (bytes: Uint8Array): PictureReading => {
  const format = FORMATS.find(({ isBegun }) => isBegun(bytes));
  if (!format) return OTHER;
  const shape = format.shapeOf(bytes);
  if (!shape || shape.width === 0 || shape.height === 0) return DAMAGED;
  return { kind: 'picture', mimeType: format.mimeType, ...shape };
};
