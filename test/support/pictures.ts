import { crc32, deflateSync } from 'node:zlib';

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
};

interface PngOptions {
  /** So many bytes more, in a comment. */
  readonly commentBytes?: number;
  readonly isAnimated?: boolean;
}

/** A whole black picture, one bit a pixel. */
export const pngOf = (
  width: number,
  height: number,
  { commentBytes = 0, isAnimated = false }: PngOptions = {},
): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const pixels = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(isAnimated ? [chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))] : []),
    ...(commentBytes > 0 ? [chunk('tEXt', Buffer.alloc(commentBytes, 0x61))] : []),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const segment = (marker: number, data: readonly number[]): Buffer =>
  Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff, ...data]);

const big = (value: number): readonly number[] => [value >> 8, value & 0xff];
const little = (value: number): readonly number[] => [value & 0xff, (value >> 8) & 0xff];

/** Its headers, with a few bytes where the pixels would be. `frame` is the marker of the frame header. */
export const jpegOf = (width: number, height: number, frame = 0xc0): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xc4, [0, 0, 0]),
    Buffer.from([0xff]),
    segment(frame, [8, ...big(height), ...big(width), 1, 1, 0x11, 0]),
    segment(0xda, [1, 1, 0, 0, 63, 0]),
    Buffer.from([0x12, 0x34, 0xff, 0xd9]),
  ]);

export const gifOf = (width: number, height: number, frames = 1): Buffer =>
  Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    Buffer.from([...little(width), ...little(height), 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    Buffer.from([0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0', 'latin1'), 3, 1, 0, 0, 0]),
    ...Array.from({ length: frames }, () =>
      Buffer.from([0x2c, 0, 0, 0, 0, ...little(width), ...little(height), 0, 2, 2, 0x44, 0x01, 0]),
    ),
    Buffer.from([0x3b]),
  ]);

const riff = (type: string, data: readonly number[]): Buffer => {
  const padded = data.length < 10 ? [...data, ...Array.from({ length: 10 - data.length }, () => 0)] : data;
  const content = Buffer.concat([
    Buffer.from(`WEBP${type}`, 'latin1'),
    Buffer.from([...little(padded.length), 0, 0]),
    Buffer.from(padded),
  ]);
  return Buffer.concat([
    Buffer.from('RIFF', 'latin1'),
    Buffer.from([...little(content.length), 0, 0]),
    content,
  ]);
};

const three = (value: number): readonly number[] => [...little(value), (value >> 16) & 0xff];

/** The three kinds that there are. */
export const webpOf = {
  lossy: (width: number, height: number): Buffer =>
    riff('VP8 ', [0x10, 0, 0, 0x9d, 0x01, 0x2a, ...little(width), ...little(height)]),
  lossless: (width: number, height: number): Buffer => {
    const bits = Buffer.alloc(4);
    bits.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0);
    return riff('VP8L', [0x2f, ...bits]);
  },
  extended: (width: number, height: number, isAnimated = false): Buffer =>
    riff('VP8X', [isAnimated ? 2 : 0, 0, 0, 0, ...three(width - 1), ...three(height - 1)]),
};

/** The smallest picture, and as it goes over the wire. */
export const PIXEL = pngOf(1, 1);
export const PIXEL_BASE64 = PIXEL.toString('base64');
