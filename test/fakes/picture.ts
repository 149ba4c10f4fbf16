/** What a provider finds when it opens a picture; read without any code of the program. */
export interface OpenedPicture {
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/** Looks for what does not belong there: a pattern over millions of characters would run out of stack. */
export const isBase64 = (data: string): boolean => {
  const padding = data.indexOf('=');
  const end = padding === -1 ? data.length : padding;
  return end > 0 && !/[^A-Za-z0-9+/]/.test(data.slice(0, end)) && /^={0,2}$/.test(data.slice(end));
};

const latin = (bytes: Buffer, from: number, to: number): string =>
  bytes.subarray(from, to).toString('latin1');

const openPng = (bytes: Buffer): OpenedPicture | undefined => {
  if (latin(bytes, 12, 16) !== 'IHDR' || !bytes.includes('IDAT') || latin(bytes, -8, -4) !== 'IEND')
    return undefined;
  return { mimeType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), frames: 1 };
};

const sideOf = (text = ''): number => Buffer.from(text, 'latin1').readUInt16BE();

const openJpeg = (bytes: Buffer): OpenedPicture | undefined => {
  const frame = /\xff[\xc0-\xc2]\x00[\s\S]\x08([\s\S]{2})([\s\S]{2})/.exec(bytes.toString('latin1'));
  return frame
    ? { mimeType: 'image/jpeg', height: sideOf(frame[1]), width: sideOf(frame[2]), frames: 1 }
    : undefined;
};

const openGif = (bytes: Buffer): OpenedPicture | undefined => {
  const frames = bytes.toString('latin1').split(',\0\0\0\0').length - 1;
  return frames === 0
    ? undefined
    : { mimeType: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), frames };
};

const openWebp = (bytes: Buffer): OpenedPicture | undefined => {
  const kind = latin(bytes, 12, 16);
  const opened = (width: number, height: number): OpenedPicture => ({
    mimeType: 'image/webp',
    width,
    height,
    frames: kind === 'VP8X' && ((bytes[20] ?? 0) & 2) === 2 ? 2 : 1,
  });
  if (kind === 'VP8X') return opened(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (kind === 'VP8 ') return opened(bytes.readUInt16LE(26), bytes.readUInt16LE(28));
  const bits = kind === 'VP8L' ? bytes.readUInt32LE(21) : undefined;
  return bits === undefined ? undefined : opened((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
};

/** Undefined for what cannot be opened. */
export const openPicture = (base64: string): OpenedPicture | undefined => {
  const bytes = Buffer.from(base64, 'base64');
  try {
    if (bytes.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))) return openPng(bytes);
    if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return openJpeg(bytes);
    if (latin(bytes, 0, 4) === 'GIF8') return openGif(bytes);
    return latin(bytes, 0, 4) === 'RIFF' ? openWebp(bytes) : undefined;
  } catch {
    // It ends before its header does.
    return undefined;
  }
};
