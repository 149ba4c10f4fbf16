/** A picture as a terminal shows it. */
interface Shown {
  readonly width: number;
  readonly height: number;
  readonly colours: number;
  /** Red, green and blue from 0 to 255. Undefined where nothing was drawn. */
  readonly at: (x: number, y: number) => readonly number[] | undefined;
}

const FRAME = /^\u001bP[\d;]*q"1;1;(?<width>\d+);(?<height>\d+)(?<data>[^\u001b]*)\u001b\\$/;
const PIECES =
  /#(?<register>\d+);2;(?<parts>\d+;\d+;\d+)|#(?<place>\d+)|!(?<run>\d+)(?<repeated>[?-~])|(?<columns>[?-~])|(?<move>[$-])|(?<other>[^])/g;
const MAX_REGISTERS = 256;
const BAND_ROWS = 6;

/** Draws sixels as a terminal would, and refuses what a terminal may not understand. */
export const showSixels = (written: string): Shown => {
  const frame = FRAME.exec(written)?.groups;
  if (!frame) throw new Error('Not a sixel picture');
  const [width, height] = [Number(frame['width']), Number(frame['height'])];
  const registers = new Map<number, readonly number[]>();
  const pixels = new Map<number, readonly number[]>();
  let [x, top] = [0, 0];
  let colour: readonly number[] | undefined;
  const draw = (column: string, run: number): void => {
    const bits = column.charCodeAt(0) - 63;
    for (let times = 0; times < run; times += 1, x += 1)
      for (let row = 0; row < BAND_ROWS; row += 1) {
        if ((bits & (1 << row)) === 0) continue;
        if (!colour || x >= width || top + row >= height)
          throw new Error(`A pixel outside: ${x}, ${top + row}`);
        pixels.set((top + row) * width + x, colour);
      }
  };
  for (const { groups = {} } of (frame['data'] ?? '').matchAll(PIECES)) {
    const { register, parts, place, run, repeated, columns, move, other } = groups;
    if (other !== undefined) throw new Error(`Not a sixel: ${JSON.stringify(other)}`);
    if (register !== undefined) {
      const shares = (parts ?? '').split(';').map(Number);
      if (Number(register) >= MAX_REGISTERS || shares.some((share) => share > 100))
        throw new Error(`No such colour: #${register};2;${parts}`);
      registers.set(
        Number(register),
        shares.map((share) => (share * 255) / 100),
      );
    }
    if (place !== undefined) {
      colour = registers.get(Number(place));
      if (!colour) throw new Error(`Colour ${place} is not defined`);
    }
    if (repeated !== undefined) draw(repeated, Number(run));
    if (columns !== undefined) draw(columns, 1);
    if (move !== undefined) x = 0;
    if (move === '-') top += BAND_ROWS;
  }
  return { width, height, colours: registers.size, at: (column, row) => pixels.get(row * width + column) };
};
