export interface SheetRow {
  /** The line number, from 1, as an editor or a spreadsheet program shows it. */
  readonly line: number;
  /** The position among all rows, empty ones included: neighbours have consecutive numbers. */
  readonly index: number;
  /** The cells without surrounding blanks. */
  readonly cells: readonly string[];
}

/** A whole text file, one sheet of a workbook, or the tables of a web page. */
export interface Sheet {
  /** Empty for a file without sheet names. */
  readonly name: string;
  /** Without empty rows. */
  readonly rows: readonly SheetRow[];
  /** The sheet is from a workbook, where a date may be a plain number. */
  readonly hasSerialDates: boolean;
  /** Single blanks separated the cells, so a row of another width than its heading cannot be trusted. */
  readonly isLoose: boolean;
}

export const SHEET_LIMITS = {
  bytes: 4_000_000,
  /** The limit for all sheets together. A record of some brokers takes three rows. */
  rows: 15_000,
  columns: 120,
  cellCharacters: 2_000,
  /** In all cells together. A text file has no more; in a workbook many cells may share one text. */
  characters: 4_000_000,
} as const;

export type SheetProblem =
  | { readonly kind: 'too-many-rows' }
  | { readonly kind: 'too-many-columns'; readonly line: number }
  | { readonly kind: 'long-cell'; readonly line: number }
  | { readonly kind: 'too-large' }
  /** A quotation mark is never closed, so the cells after it cannot be trusted. */
  | { readonly kind: 'open-quote'; readonly line: number }
  /** The workbook cannot be opened, or would take too much memory. */
  | { readonly kind: 'broken-workbook' };

export type ReadSheets<Problem = SheetProblem> =
  | { readonly status: 'ok'; readonly sheets: readonly Sheet[] }
  | { readonly status: 'refused'; readonly problem: Problem };

/** Characters that no editor shows. Tabs and line breaks stay. */
const INVISIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200b\ufeff]/gu;

export const cleanCell = (text: string): string => text.replaceAll(INVISIBLE, '').trim();

/** Collects the rows of one file within the limits. After the first problem no row is kept. */
export class RowCollector {
  readonly rows: SheetRow[] = [];
  problem: SheetProblem | undefined;
  #index = 0;
  #characters = 0;

  add(line: number, typed: readonly string[]): void {
    this.#index += 1;
    let width = typed.length;
    while (width > 0 && typed[width - 1] === '') width -= 1;
    if (width === 0) return;
    if (width > SHEET_LIMITS.columns) this.problem ??= { kind: 'too-many-columns', line };
    if (this.rows.length >= SHEET_LIMITS.rows) this.problem ??= { kind: 'too-many-rows' };
    for (const cell of typed) {
      if (cell.length > SHEET_LIMITS.cellCharacters) this.problem ??= { kind: 'long-cell', line };
      this.#characters += cell.length;
    }
    if (this.#characters > SHEET_LIMITS.characters) this.problem ??= { kind: 'too-large' };
    if (!this.problem) this.rows.push({ line, index: this.#index, cells: typed.slice(0, width) });
  }
}
