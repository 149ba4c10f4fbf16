/** One row of a table, and where it stood. */
export interface SheetRow {
  /** Counted from 1, in the file as an editor or a spreadsheet program shows it. */
  readonly line: number;
  /** Counted with empty rows: what follows each other has numbers that follow each other. */
  readonly index: number;
  /** As they stand there, blanks around them left out. */
  readonly cells: readonly string[];
}

/** A whole text file, one sheet of a workbook, or the tables of a web page. */
export interface Sheet {
  /** Empty where it has none. */
  readonly name: string;
  /** Rows without any content are left out. */
  readonly rows: readonly SheetRow[];
  /** From a workbook, where a day may be a plain number. */
  readonly hasSerialDates: boolean;
  /** Cells were parted by single blanks: a row of another width than its heading cannot be trusted. */
  readonly isLoose: boolean;
}

export const SHEET_LIMITS = {
  bytes: 4_000_000,
  /** Of all sheets together. A record of some brokers takes three of them. */
  rows: 15_000,
  columns: 120,
  cellCharacters: 2_000,
} as const;

export type SheetProblem =
  | { readonly kind: 'too-many-rows' }
  | { readonly kind: 'too-many-columns'; readonly line: number }
  | { readonly kind: 'long-cell'; readonly line: number }
  /** A quotation mark that nothing closes: from there on nothing can be trusted. */
  | { readonly kind: 'open-quote'; readonly line: number }
  /** Not a workbook that can be opened, or one made to take too much memory. */
  | { readonly kind: 'broken-workbook' };

export type ReadSheets =
  | { readonly status: 'ok'; readonly sheets: readonly Sheet[] }
  | { readonly status: 'refused'; readonly problem: SheetProblem };

/** What no editor shows; a tab or a line break inside of a cell is a blank. */
const INVISIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200b\ufeff]/gu;

export const cleanCell = (text: string): string => text.replaceAll(INVISIBLE, '').trim();

/** Gathers rows within the limits. Where one is not kept, nothing more is taken. */
export class RowCollector {
  readonly rows: SheetRow[] = [];
  problem: SheetProblem | undefined;
  #index = 0;
  readonly #taken: number;

  /** `taken`: rows of the sheets before this one. */
  constructor(taken = 0) {
    this.#taken = taken;
  }

  add(line: number, typed: readonly string[]): void {
    this.#index += 1;
    let width = typed.length;
    while (width > 0 && typed[width - 1] === '') width -= 1;
    if (width === 0) return;
    if (width > SHEET_LIMITS.columns) this.problem ??= { kind: 'too-many-columns', line };
    if (this.rows.length + this.#taken >= SHEET_LIMITS.rows) this.problem ??= { kind: 'too-many-rows' };
    if (typed.some((cell) => cell.length > SHEET_LIMITS.cellCharacters))
      this.problem ??= { kind: 'long-cell', line };
    if (!this.problem) this.rows.push({ line, index: this.#index, cells: typed.slice(0, width) });
  }
}
