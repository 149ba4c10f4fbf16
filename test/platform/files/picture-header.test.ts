import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPictureHeader } from '#src/platform/files/picture-header.ts';
import { everyRow } from '#test/support/every-row.ts';
import { gifOf, jpegOf, PIXEL, pngOf, webpOf } from '#test/support/pictures.ts';

const SAMPLES: readonly (readonly [string, Buffer, string])[] = [
  ['PNG', pngOf(300, 200), 'image/png'],
  ['animated PNG, whose first picture is a whole one', pngOf(300, 200, { isAnimated: true }), 'image/png'],
  ['baseline JPEG', jpegOf(300, 200), 'image/jpeg'],
  ['progressive JPEG', jpegOf(300, 200, 0xc2), 'image/jpeg'],
  ['GIF', gifOf(300, 200), 'image/gif'],
  ['lossy WebP', webpOf.lossy(300, 200), 'image/webp'],
  ['lossless WebP', webpOf.lossless(300, 200), 'image/webp'],
  ['extended WebP', webpOf.extended(300, 200), 'image/webp'],
];

describe('readPictureHeader', () => {
  everyRow(SAMPLES)('reads type and size of a %s', (_, bytes, mimeType) => {
    expect(readPictureHeader(bytes)).toEqual({
      kind: 'picture',
      mimeType,
      width: 300,
      height: 200,
      isAnimated: false,
    });
  });

  it('reads the largest sizes that each format can tell', () => {
    const sides = [pngOf(2 ** 20, 1), jpegOf(65_535, 1), webpOf.lossless(16_384, 1)].map(readPictureHeader);
    expect(sides).toMatchObject([{ width: 2 ** 20 }, { width: 65_535 }, { width: 16_384 }]);
    expect(readPictureHeader(webpOf.extended(2 ** 24, 2 ** 23))).toMatchObject({
      width: 2 ** 24,
      height: 2 ** 23,
    });
  });

  it('tells what moves', () => {
    expect(readPictureHeader(gifOf(2, 2, 3))).toMatchObject({ isAnimated: true });
    expect(readPictureHeader(webpOf.extended(2, 2, true))).toMatchObject({ isAnimated: true });
  });

  it('takes the size of a GIF from its frame where that is larger than its screen', () => {
    const bytes = gifOf(10, 10);
    bytes.writeUInt16LE(9_000, bytes.indexOf(',\0\0\0\0') + 5);
    expect(readPictureHeader(bytes)).toMatchObject({ width: 9_000, height: 10 });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('x.png is no picture')],
    ['a bitmap', Buffer.from('BM6\0\0\0')],
    ['a sound in the same container as WebP', Buffer.from('RIFF\x24\0\0\0WAVEfmt ')],
  ])('says of %s that it is no picture', (_, bytes) => {
    expect(readPictureHeader(bytes)).toEqual({ kind: 'other' });
  });

  it.each([
    ['a signature alone', PIXEL.subarray(0, 8)],
    ['a PNG without pixels', Buffer.concat([PIXEL.subarray(0, 33), PIXEL.subarray(-12)])],
    ['a PNG of no width', pngOf(0, 1)],
    ['a JPEG whose height is told later', jpegOf(1, 0)],
    ['a JPEG without a frame', jpegOf(1, 1, 0xc4)],
    ['a GIF without a frame', gifOf(1, 1, 0)],
    ['a WebP of an unknown kind', Buffer.from(webpOf.lossy(1, 1)).fill('XXXX', 12, 16)],
  ])('calls %s damaged', (_, bytes) => {
    expect(readPictureHeader(bytes)).toEqual({ kind: 'damaged' });
  });

  it('never takes a picture for whole whose header was cut off, and never throws', () => {
    for (const [, bytes] of SAMPLES)
      for (let length = 0; length < bytes.length; length += 1) {
        const { kind } = readPictureHeader(bytes.subarray(0, length));
        // Behind the header of a JPEG or a GIF there may be an end that is missing.
        if (length < bytes.length - 14) expect(kind).not.toBe('picture');
      }
    const mutilated = fc
      .tuple(fc.constantFrom(...SAMPLES), fc.array(fc.tuple(fc.nat(80), fc.integer({ max: 255, min: 0 }))))
      .map(([[, bytes], changes]) => {
        const changed = Buffer.from(bytes);
        for (const [at, value] of changes) changed[at % changed.length] = value;
        return changed;
      });
    fc.assert(
      fc.property(mutilated, (bytes) =>
        ['picture', 'damaged', 'other'].includes(readPictureHeader(bytes).kind),
      ),
    );
  });
});
