import type { Steps } from '#src/platform/cooperative-tasks.ts';
import type { IndexedPicture } from './png.ts';

/** Three bytes a pixel: red, green, blue. */
interface ColourPicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** A terminal keeps no more colours of a picture, and xterm shows no more pixels in either direction. */
const MAX_COLOURS = 256;
const MAX_SIDE = 1_000;
/** Colours closer than this, as a sum of squares over red, green and blue, look the same. */
const SAME_COLOUR = 48;

/** The pixels of the source that lie below one pixel of the result, along one side, and how much of it each covers. */
interface Cover {
  readonly first: number;
  readonly weights: readonly number[];
}

const coversOf = (from: number, to: number): readonly Cover[] => {
  const scale = from / to;
  return Array.from({ length: to }, (_none, index) => {
    const [start, end] = [index * scale, Math.min((index + 1) * scale, from)];
    const first = Math.floor(start);
    const count = Math.max(1, Math.ceil(end - 1e-9) - first);
    const weights = Array.from(
      { length: count },
      (_each, at) => (Math.min(first + at + 1, end) - Math.max(first + at, start)) / (end - start),
    );
    return { first, weights };
  });
};

/** Each pixel has the mean colour of what it covers, so that thin lines and letters stay. */
const scaled = function* (
  { width: fromWidth, height: fromHeight, palette, pixels }: IndexedPicture,
  width: number,
  height: number,
): Steps<ColourPicture> {
  const rgb = new Uint8Array(width * height * 3);
  const columns = coversOf(fromWidth, width);
  let to = 0;
  for (const row of coversOf(fromHeight, height)) {
    for (const column of columns) {
      let [red, green, blue] = [0.5, 0.5, 0.5];
      for (let y = 0; y < row.weights.length; y += 1) {
        const start = (row.first + y) * fromWidth + column.first;
        for (let x = 0; x < column.weights.length; x += 1) {
          const weight = (row.weights[y] ?? 0) * (column.weights[x] ?? 0);
          const colour = (pixels[start + x] ?? 0) * 3;
          red += weight * (palette[colour] ?? 0);
          green += weight * (palette[colour + 1] ?? 0);
          blue += weight * (palette[colour + 2] ?? 0);
        }
      }
      rgb[to] = red;
      rgb[to + 1] = green;
      rgb[to + 2] = blue;
      to += 3;
    }
    yield;
  }
  return { width, height, rgb };
};

type Colour = readonly [red: number, green: number, blue: number];

const distance = (a: Colour, b: Colour): number =>
  (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;

/** The place of the colour that is nearest, and how far it is. */
const nearest = (colour: Colour, among: readonly Colour[]): { readonly at: number; readonly far: number } => {
  let [best, least] = [0, Infinity];
  for (let at = 0; at < among.length; at += 1) {
    const far = distance(colour, among[at] ?? colour);
    if (far >= least) continue;
    best = at;
    least = far;
  }
  return { at: best, far: least };
};

/** Five bits of red, six of green and five of blue: colours that share them look the same. */
const SHADES = 2 ** 16;
const shadeAt = (rgb: Uint8Array, at: number): number =>
  (((rgb[at] ?? 0) & 0xf8) << 8) | (((rgb[at + 1] ?? 0) & 0xfc) << 3) | ((rgb[at + 2] ?? 0) >> 3);

interface Reduced {
  readonly colours: readonly Colour[];
  /** The place of a shade among the colours. */
  readonly placeOf: Uint8Array;
}

/**
 * As many as a terminal keeps, the first ones first. Those near to one that is taken give way; how near depends on how many
 * there are. So a colour of its own is kept however rare it is.
 */
const apart = function* (all: readonly Colour[]): Steps<readonly Colour[]> {
  for (let near = SAME_COLOUR; ; near *= 2) {
    const taken: Colour[] = [];
    for (const colour of all) {
      if (nearest(colour, taken).far >= near) taken.push(colour);
      if (taken.length > MAX_COLOURS) break;
      yield;
    }
    if (taken.length <= MAX_COLOURS) return taken;
  }
};

/** The colours of the picture, the most frequent first. */
const reduced = function* ({ rgb, width }: ColourPicture): Steps<Reduced> {
  const counts = new Uint32Array(SHADES);
  const sums = new Float64Array(SHADES * 3);
  for (let at = 0; at < rgb.length; at += 3) {
    const shade = shadeAt(rgb, at);
    counts[shade] = (counts[shade] ?? 0) + 1;
    const sum = shade * 3;
    sums[sum] = (sums[sum] ?? 0) + (rgb[at] ?? 0);
    sums[sum + 1] = (sums[sum + 1] ?? 0) + (rgb[at + 1] ?? 0);
    sums[sum + 2] = (sums[sum + 2] ?? 0) + (rgb[at + 2] ?? 0);
    if (at % (width * 3) === 0) yield;
  }
  const found: number[] = [];
  for (let shade = 0; shade < SHADES; shade += 1) if (counts[shade] !== 0) found.push(shade);
  const shades = found
    .toSorted((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0))
    .map((shade) => {
      const mean = (part: number): number => (sums[shade * 3 + part] ?? 0) / (counts[shade] ?? 1);
      return { shade, colour: [mean(0), mean(1), mean(2)] as const };
    });
  yield;
  const all = shades.map(({ colour }) => colour);
  const colours = all.length <= MAX_COLOURS ? all : yield* apart(all);
  const placeOf = new Uint8Array(SHADES);
  for (const { shade, colour } of shades) {
    placeOf[shade] = nearest(colour, colours).at;
    yield;
  }
  return { colours, placeOf };
};

const BAND_ROWS = 6;
/** The character for a column of six pixels that are all left out. */
const NO_PIXELS = 63;
/** Shorter runs are as short without their count. */
const LEAST_RUN = 4;

/** Columns of one colour in a band, with equal ones as a count. */
const runsOf = (columns: Uint8Array): string => {
  let written = '';
  let end = columns.length;
  while (end > 0 && columns[end - 1] === 0) end -= 1;
  for (let at = 0; at < end;) {
    const column = columns[at] ?? 0;
    let next = at + 1;
    while (next < end && columns[next] === column) next += 1;
    const character = String.fromCharCode(NO_PIXELS + column);
    const run = next - at;
    written += run < LEAST_RUN ? character.repeat(run) : `!${run}${character}`;
    at = next;
  }
  return written;
};

/** Bands of six rows; in each, the columns of every colour that it has. */
const bandsOf = function* ({ width, height, rgb }: ColourPicture, placeOf: Uint8Array): Steps<string> {
  const columns = new Uint8Array(MAX_COLOURS * width);
  const bands: string[] = [];
  for (let top = 0; top < height; top += BAND_ROWS) {
    const used = new Set<number>();
    for (let row = top; row < Math.min(top + BAND_ROWS, height); row += 1)
      for (let x = 0; x < width; x += 1) {
        const place = placeOf[shadeAt(rgb, (row * width + x) * 3)] ?? 0;
        const at = place * width + x;
        used.add(place);
        columns[at] = (columns[at] ?? 0) | (1 << (row - top));
      }
    const band = [...used].map((place) => {
      const own = columns.subarray(place * width, (place + 1) * width);
      const runs = runsOf(own);
      own.fill(0);
      return `#${place}${runs}`;
    });
    bands.push(band.join('$'));
    yield;
  }
  return bands.join('-');
};

const percent = (part: number): number => Math.round((part * 100) / 255);

/** A picture as sixels, no wider than `maxWidth` pixels and never larger than it is. */
export const sixelsOf = function* (picture: IndexedPicture, maxWidth: number): Steps<string> {
  const { width, height } = picture;
  const scale = Math.min(1, Math.min(maxWidth, MAX_SIDE) / width, MAX_SIDE / height);
  const [across, down] = [width, height].map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ];
  const shown = yield* scaled(picture, across, down);
  const { colours, placeOf } = yield* reduced(shown);
  const registers = colours.map((colour, place) => `#${place};2;${colour.map(percent).join(';')}`);
  const bands = yield* bandsOf(shown, placeOf);
  return `\u001bP0;1q"1;1;${across};${down}${registers.join('')}${bands}\u001b\\`;
};
