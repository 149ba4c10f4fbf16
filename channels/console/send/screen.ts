import type { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from '#src/platform/text/display-width.ts';

export type TerminalOutput = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** The line that is being typed below everything else. */
export interface TypedLine {
  /** On how many rows above the cursor it stands. */
  readonly rowsAbove: () => number;
  /** Writes it again at the cursor. */
  readonly redraw: () => void;
}

/**
 * The screen of a person: what was printed, below it what changes while an answer is generated, and at the bottom the line
 * that is being typed.
 */
export type Screen = ReturnType<typeof createScreen>;

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
/** A terminal that knows these signs shows all that is written between them at once, and others ignore them. */
const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';

/** The rows of a line that a terminal wraps by itself. A wide character that has no room moves to the next row whole. */
const rowsOf = (line: string, columns: number): number => {
  const plain = stripVTControlCharacters(line);
  const width = displayWidth(plain);
  if (width <= columns) return 1;
  let rows = 1;
  let used = 0;
  for (const character of plain) {
    const wide = displayWidth(character);
    if (used + wide > columns) {
      rows += 1;
      used = 0;
    }
    used += wide;
  }
  return rows;
};

export const write = (output: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** To the first column of a row so many rows above, and clears the screen from there. */
const clearFrom = (rowsAbove: number): string =>
  `\u001b[1G${rowsAbove > 0 ? `\u001b[${rowsAbove}A` : ''}\u001b[0J`;

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

export const createScreen = (output: TerminalOutput, typed: TypedLine) => {
  /** What changes, as it was written last. */
  let shown: readonly string[] = [];
  const columns = (): number => output.columns || DEFAULT_COLUMNS;
  const rowsOfAll = (lines: readonly string[]): number =>
    lines.reduce((sum, line) => sum + rowsOf(line, columns()), 0);

  /** The typed line moves down by the rows on which it will be found. */
  const redrawTyped = (rowsAbove: number): void => {
    if (rowsAbove > 0) output.write('\n'.repeat(rowsAbove));
    typed.redraw();
  };

  return {
    columns,
    rows: (): number => output.rows || DEFAULT_ROWS,
    /** Prints above all that changes. Rejects if the output takes nothing any more. */
    print: async (text: string) => {
      const rowsAbove = typed.rowsAbove();
      output.write(BEGIN + clearFrom(rowsAbove + rowsOfAll(shown)));
      const printed = write(output, `${text}\n`);
      if (shown.length > 0) {
        output.write(BEGIN + textOf(shown));
        redrawTyped(rowsAbove);
      } else if (rowsAbove > 0) output.write('\n'.repeat(rowsAbove));
      output.write(END);
      await printed;
    },
    /** Replaces what changes. The lines are no wider than the screen, or wrap. */
    show: (lines: readonly string[]) => {
      const isSame = (line: string, index: number): boolean => line === shown[index];
      const firstChange = lines.findIndex((line, index) => !isSame(line, index));
      const kept = firstChange === -1 ? lines.length : firstChange;
      if (kept === lines.length && lines.length === shown.length) return;
      const rowsAbove = typed.rowsAbove();
      const changed = rowsOfAll(shown.slice(kept));
      shown = lines;
      output.write(BEGIN + clearFrom(rowsAbove + changed) + textOf(lines.slice(kept)));
      redrawTyped(rowsAbove);
      output.write(END);
    },
    /** The person ended a line, which stands below what changes: it moves above. */
    entered: (line: string) => {
      if (shown.length === 0) return;
      const above = rowsOf(line, columns()) + rowsOfAll(shown);
      output.write(BEGIN + clearFrom(above) + textOf([line, ...shown]));
      typed.redraw();
      output.write(END);
    },
  };
};
