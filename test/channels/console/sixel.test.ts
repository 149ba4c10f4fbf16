import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { describe, expect, it, onTestFinished } from 'vitest';
import { decodePng } from '#channels/console/png.ts';
import { sixelsOf } from '#channels/console/sixel.ts';
import { atOnce } from '#src/platform/cooperative-tasks.ts';
import { encodePng } from '#src/markets/charts/encode-png.ts';
import { pngOf } from '#test/support/pictures.ts';
import { showSixels } from '#test/support/sixel.ts';
import { CTRL_D, openTerminal, shown } from './terminal-support.ts';

type Context = ReturnType<ReturnType<typeof createCanvas>['getContext']>;

/** A PNG as the charts are stored. */
const drawn = (width: number, height: number, draw: (context: Context) => void): Buffer => {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  draw(context);
  return Buffer.from(encodePng(Uint8Array.from(canvas.data()), width, height));
};

const stripes = (width: number, height: number): Buffer =>
  drawn(width, height, (context) => {
    for (const [index, colour] of ['#ff0000', '#00ff00', '#0000ff', '#333333'].entries()) {
      context.fillStyle = colour;
      context.fillRect((index * width) / 4, 0, width / 4, height / 2);
    }
  });

const stored = (png: Buffer) => {
  const folder = mkdtempSync(join(tmpdir(), 'finclaw-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'chart.png');
  writeFileSync(path, png);
  const url = pathToFileURL(path).href;
  return [{ kind: 'image', mimeType: 'image/png', name: 'chart.png', url } as const];
};

const SHOWS_SIXELS = '\u001b[?62;4;22c';
const QUESTIONS = '\u001b[16t\u001b[c';
const SIXELS = /\u001bP[^\u001b]*\u001b\\/;

/** A terminal that answers what it was asked. */
const openFor = async (answers: string, columns = 100) => {
  const opened = await openTerminal({ pictures: 'ask', columns });
  await opened.type(answers);
  opened.screen.take();
  const see = async (png: Buffer) => {
    await opened.answer('Here.', { media: stored(png) });
    const sixels = SIXELS.exec(opened.screen.take())?.[0];
    return sixels === undefined ? undefined : showSixels(sixels);
  };
  return { ...opened, see };
};

/** Colours are given in hundredths, so that they may be off by one. */
const expectNear = (is: readonly number[] | undefined, wanted: readonly number[], off = 2): void => {
  expect(is).toHaveLength(3);
  for (const [part, value] of (is ?? []).entries())
    expect(
      Math.abs(value - (wanted[part] ?? 0)),
      `${String(is)} is not ${String(wanted)}`,
    ).toBeLessThanOrEqual(off);
};

describe('a picture in sixels', () => {
  it('has the colours of the picture, each in its place', async () => {
    const { see } = await openFor(SHOWS_SIXELS);
    const picture = await see(stripes(400, 200));
    if (!picture) throw new Error('no picture');
    expect([picture.width, picture.height, picture.colours]).toEqual([400, 200, 5]);
    expectNear(picture.at(50, 10), [255, 0, 0]);
    expectNear(picture.at(150, 99), [0, 255, 0]);
    expectNear(picture.at(250, 0), [0, 0, 255]);
    expectNear(picture.at(399, 99), [0x33, 0x33, 0x33]);
    expectNear(picture.at(0, 100), [255, 255, 255]);
    // 200 rows are no whole bands of six.
    expectNear(picture.at(399, 199), [255, 255, 255]);
  });

  it('looks like the chart that it shows, in 256 colours at most', async () => {
    const file = readFileSync(join(import.meta.dirname, '../../../docs/images/chart-candles-ko-dark.png'));
    const { see } = await openFor(SHOWS_SIXELS);
    const picture = await see(file);
    if (!picture) throw new Error('no picture');
    expect(picture.width).toBe(800);
    expect(picture.colours).toBeLessThanOrEqual(256);
    const context = createCanvas(picture.width, picture.height).getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(await loadImage(file), 0, 0, picture.width, picture.height);
    const wanted = context.getImageData(0, 0, picture.width, picture.height).data;
    let off = 0;
    for (let y = 0; y < picture.height; y += 1)
      for (let x = 0; x < picture.width; x += 1) {
        const [from, is] = [(y * picture.width + x) * 4, picture.at(x, y)];
        if (!is) throw new Error(`no pixel at ${x}, ${y}`);
        const parts = is.map((value, part) => Math.abs(value - (wanted[from + part] ?? 0)));
        if (Math.max(...parts) > 48) off += 1;
      }
    // Edges of letters differ by the way of scaling.
    expect(off / (picture.width * picture.height)).toBeLessThan(0.02);
  });

  it('keeps a single pixel of its own colour where scaling makes more than a terminal has', () => {
    const [width, height, rare] = [400, 200, 255];
    const palette = Uint8Array.from({ length: 256 * 3 }, (_none, at) => {
      const colour = Math.floor(at / 3);
      const step = Math.floor(colour / 6 ** (at % 3)) % 6;
      return colour === rare ? 255 : step * 30;
    });
    // Neighbours are far apart, so that their means are many new colours.
    const pixels = Uint8Array.from(
      { length: width * height },
      (_none, at) => (Math.imul(at, 2654435761) >>> 8) % rare,
    );
    for (const y of [100, 101]) pixels.fill(rare, y * width + 200, y * width + 202);
    const picture = showSixels(atOnce(sixelsOf({ width, height, palette, pixels }, width / 2)));
    expect([picture.width, picture.height]).toEqual([200, 100]);
    expect(picture.colours).toBeLessThanOrEqual(256);
    expectNear(picture.at(100, 50), [255, 255, 255]);
    const mean = [0, 1, 2].map((part) => {
      const places = [0, 1, width, width + 1].map((at) => pixels[at] ?? 0);
      return places.reduce((sum, place) => sum + (palette[place * 3 + part] ?? 0), 0) / 4;
    });
    expectNear(picture.at(0, 0), mean, 20);
  });

  it.each([
    ['is as wide as 80 characters of the size that the terminal names', 100, '\u001b[6;18;9t', 720],
    ['is as wide as 80 characters of ten pixels where it names none', 100, '', 800],
    ['is as wide as a narrow terminal', 40, '\u001b[6;18;9t', 360],
    ['has no more pixels than xterm shows', 100, '\u001b[6;60;30t', 1000],
    ['is not confused by a size of nothing', 100, '\u001b[6;0;0t', 800],
  ])('%s', async (_what, columns, size, width) => {
    const { see } = await openFor(size + SHOWS_SIXELS, columns);
    const picture = await see(stripes(1600, 800));
    expect([picture?.width, picture?.height]).toEqual([width, width / 2]);
    expectNear(picture?.at(Math.floor(width * 0.3), 5), [0, 255, 0]);
  });

  it('is no larger than it was drawn, and no taller than xterm shows', async () => {
    const { see } = await openFor(SHOWS_SIXELS);
    expect((await see(stripes(40, 7)))?.width).toBe(40);
    const tall = await see(stripes(400, 2000));
    expect([tall?.width, tall?.height]).toEqual([200, 1000]);
  });

  it('is made in many small steps, between which others have their turn', async () => {
    const picture = await decodePng(stripes(1600, 800));
    if (!picture) throw new Error('not read');
    const steps = [...sixelsOf(picture, 800)].length;
    // Rows to scale, rows to count, and bands.
    expect(steps).toBeGreaterThan(400 + 400 + 66);
  });

  it.each([
    ['is not drawn by the program', pngOf(20, 20)],
    ['is broken', stripes(400, 200).subarray(0, 300)],
    ['has fewer rows than it says', Buffer.from(stripes(40, 40)).fill(200, 23, 24)],
    ['is no PNG at all', Buffer.from('a chart')],
  ])('is a path where the file %s', async (_why, png) => {
    const { see, screen } = await openFor(SHOWS_SIXELS);
    expect(await see(png)).toBeUndefined();
    expect(screen.lines.join('\n')).toContain('📎 chart.png: ');
  });
});

describe('asking a terminal whether it shows sixels', () => {
  it('comes after keys are read one by one, so that the answer is not shown', async () => {
    const { screen } = await openTerminal({ pictures: 'ask' });
    const written = screen.take();
    expect(written).toContain(QUESTIONS);
    expect(written.indexOf(QUESTIONS)).toBeGreaterThan(written.indexOf('\u001b[?2004h'));
  });

  it.each([
    ['kitty is known', { pictures: 'kitty' }],
    ['iTerm2 is known', { pictures: 'iterm' }],
    ['no picture can be shown', {}],
    ['the terminal is dumb', { pictures: 'ask', canRedraw: false }],
    ['nobody types', { pictures: 'ask', isTTY: { input: false, output: true } }],
    ['nobody looks', { pictures: 'ask', isTTY: { input: true, output: false } }],
  ] as const)('does not happen where %s', async (_why, options) => {
    const { screen } = await openTerminal(options);
    expect(screen.take()).not.toContain('\u001b[c');
  });

  it.each([
    ['says nothing', ''],
    ['does not name them', '\u001b[?62;1;22c'],
    ['is of class 4', '\u001b[?4;6c'],
    ['is a Linux console', '\u001b[?6c'],
  ])('shows the path where the terminal %s', async (_what, answers) => {
    const { see, screen } = await openFor(answers);
    expect(await see(stripes(40, 40))).toBeUndefined();
    expect(screen.lines.join('\n')).toContain('📎 chart.png: ');
  });

  it('leaves nothing of the answer in the typed line, wherever it is cut and however late it comes', async () => {
    const answers = `\u001b[6;18;9t${SHOWS_SIXELS}`;
    for (let cut = 0; cut <= answers.length; cut += 1) {
      const { type, host, clock, screen, answer } = await openTerminal({ pictures: 'ask' });
      await clock.advance(3_000);
      await type(`/price 삼성${answers.slice(0, cut)}`);
      await clock.advance(20);
      await type(`${answers.slice(cut)}전자\r`);
      expect(host.bodies).toEqual(['/price 삼성전자']);
      screen.take();
      await answer('Here.', { media: stored(stripes(40, 40)) });
      expect(SIXELS.test(screen.take())).toBe(true);
    }
  });

  it('passes on every other key, also where a character comes in pieces', async () => {
    const { type, host, clock } = await openTerminal({ pictures: 'ask' });
    const word = Buffer.from('한글');
    await type(word.subarray(0, 2));
    await type(word.subarray(2));
    await type('\r');
    // The arrow up brings back the last line, whole or in pieces.
    await type('\u001b[A\r');
    await type('\u001b');
    await type('[A\r');
    // Escape alone is held for a moment only.
    await type('\u001b');
    await clock.advance(100);
    await type('ab\u001b[6~c\r');
    expect(host.bodies).toEqual(['한글', '한글', '한글', expect.stringMatching(/bc$/)]);
  });

  it('is over once it was answered, or nothing came for long', async () => {
    const { type, clock, host, screen } = await openTerminal({ pictures: 'ask' });
    await type(SHOWS_SIXELS);
    expect(clock.pendingTimers).toBe(0);
    screen.take();
    await type(CTRL_D);
    expect(shown(screen)).toContain('Goodbye.');
    expect(host.shutdowns).toBe(1);

    const silent = await openTerminal({ pictures: 'ask' });
    await silent.clock.advance(10_000);
    expect(silent.clock.pendingTimers).toBe(0);
    await silent.type('hello\r');
    expect(silent.host.bodies).toEqual(['hello']);
  });
});
