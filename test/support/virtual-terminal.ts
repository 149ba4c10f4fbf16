import { displayWidth } from '#src/platform/text/display-width.ts';

/** A character, or an escape sequence by which a program controls a terminal. */
const PIECES =
  // oxlint-disable-next-line no-control-regex -- escape sequences begin with one
  /\u001b\[(?<mode>\?)?(?<numbers>[\d;]*)(?<code>[A-Za-z])|\u001b[\]_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[^\u001b]/gsu;

/** The right half of a wide character. */
const RIGHT_HALF = '';

/** A terminal as a person sees it: what was printed, overwritten and cleared, with what scrolled away above. */
export class VirtualTerminal {
  readonly columns: number;
  readonly rows: number;
  #cells: string[][] = [[]];
  #row = 0;
  #column = 0;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  /** All lines without the empty ones at the end; the cursor is not shown. */
  get lines(): readonly string[] {
    const lines = this.#cells.map((cells) =>
      Array.from(cells, (cell) => cell ?? ' ')
        .join('')
        .trimEnd(),
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }

  get cursor(): { readonly row: number; readonly column: number } {
    return { row: this.#row, column: this.#column };
  }

  readonly write = (text: string): void => {
    for (const { 0: piece, groups = {} } of text.matchAll(PIECES)) {
      const { code, mode, numbers = '' } = groups;
      if (code !== undefined) {
        if (mode === undefined) this.#apply(code, numbers);
      } else if (!piece.startsWith('\u001b')) this.#put(piece);
    }
  };

  get #top(): number {
    return Math.max(0, this.#cells.length - this.rows);
  }

  #put(character: string): void {
    if (character === '\r') this.#column = 0;
    else if (character === '\n') this.#newLine();
    else this.#draw(character);
  }

  #newLine(): void {
    this.#row += 1;
    this.#column = 0;
    this.#cells[this.#row] ??= [];
  }

  #draw(character: string): void {
    const width = displayWidth(character);
    if (width === 0) return;
    if (this.#column + width > this.columns) this.#newLine();
    const cells = (this.#cells[this.#row] ??= []);
    while (cells.length < this.#column) cells.push(' ');
    cells[this.#column] = character;
    if (width === 2) cells[this.#column + 1] = RIGHT_HALF;
    this.#column += width;
  }

  #apply(code: string, numbers: string): void {
    const number = Number(numbers.split(';')[0] || 0);
    const steps = Math.max(1, number);
    switch (code) {
      case 'A':
        this.#row = Math.max(this.#top, this.#row - steps);
        break;
      case 'B':
        this.#row = Math.min(this.#cells.length - 1, this.#row + steps);
        break;
      case 'C':
        this.#column = Math.min(this.columns - 1, this.#column + steps);
        break;
      case 'D':
        this.#column = Math.max(0, this.#column - steps);
        break;
      case 'G':
        this.#column = steps - 1;
        break;
      case 'J':
        this.#cells.length = this.#row + 1;
        this.#cells[this.#row]?.splice(this.#column);
        break;
      case 'K':
        this.#cells[this.#row]?.splice(number === 2 ? 0 : this.#column);
        break;
      default:
    }
  }
}
