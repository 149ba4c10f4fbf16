import { describe, expect, it } from 'vitest';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { encodePng } from '#src/markets/charts/encode-png.ts';

const WIDTH = 300;
const HEIGHT = 200;

/** Encodes what was drawn, and decodes it with another decoder. */
const throughPng = async (draw: (context: ReturnType<typeof contextOf>) => void) => {
  const canvas = createCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, WIDTH, HEIGHT);
  draw(context);
  const before = Uint8Array.from(canvas.data());
  const image = await loadImage(Buffer.from(encodePng(before, WIDTH, HEIGHT)));
  const again = contextOf();
  again.drawImage(image, 0, 0);
  return { before, after: again.getImageData(0, 0, WIDTH, HEIGHT).data };
};

const contextOf = () => createCanvas(WIDTH, HEIGHT).getContext('2d');

describe('a PNG with a palette', () => {
  it('is exactly the picture where there are few colours', async () => {
    const { before, after } = await throughPng((context) => {
      for (const [index, colour] of ['#e0323c', '#1c6be0', '#edf0f4', '#161a22'].entries()) {
        context.fillStyle = colour;
        context.fillRect(index * 31, index * 17, 60, 40);
      }
    });
    expect(Buffer.from(after).equals(Buffer.from(before))).toBe(true);
  });

  it('keeps flat areas exact and other shades close where there are too many colours', async () => {
    const { before, after } = await throughPng((context) => {
      for (let x = 0; x < WIDTH; x += 1)
        for (let y = 0; y < 100; y += 10) {
          context.fillStyle = `rgb(${x % 256} ${y * 2} ${(x + y) % 256})`;
          context.fillRect(x, y, 1, 10);
        }
      context.fillStyle = '#e0323c';
      context.fillRect(0, 120, WIDTH, 60);
    });
    const red = (120 * WIDTH + 5) * 4;
    expect(Array.from(after.subarray(red, red + 3))).toEqual([0xe0, 0x32, 0x3c]);
    const off = after.map((value, index) => Math.abs(value - (before[index] ?? 0)));
    expect(Math.max(...off.slice(0, 1_000))).toBeLessThan(64);
    expect(off.reduce((sum, value) => sum + value, 0) / off.length).toBeLessThan(6);
  });
});
