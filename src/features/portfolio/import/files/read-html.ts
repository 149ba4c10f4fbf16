import type * as HtmlParser from 'htmlparser2';
import { createRequire } from 'node:module';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { cleanCell, type ReadSheets, RowCollector, SHEET_LIMITS } from '../sheet.ts';

/** A table of transactions has no larger spans. */
const MAX_COLUMN_SPAN = SHEET_LIMITS.columns;
const MAX_ROW_SPAN = 1_000;
/** Layouts nest tables less deep than this. */
const MAX_DEPTH = 20;
const READ_CHARS = 8_192;

/** Excel's old XML format has other names for these tags. */
const SAME_AS: Readonly<Record<string, string>> = { row: 'tr', cell: 'td', th: 'td', worksheet: 'table' };
const HIDDEN_TAGS: ReadonlySet<string> = new Set(['script', 'style', 'title', 'head', 'styles']);

interface Row {
  readonly cells: string[];
  /** The text of the open cell. */
  cell: string | undefined;
  columnSpan: number;
  rowSpan: number;
}

interface Table {
  /** By column, the number of rows that a cell above still covers. */
  readonly taken: Map<number, number>;
  row: Row | undefined;
}

const spanOf = (typed: string, most: number): number => {
  const span = Number(typed);
  return Number.isInteger(span) && span > 1 ? Math.min(span, most) : 1;
};

/** Reads tokens without building a tree, so a million open tags take no longer than other text of that size. */
class TableReader implements HtmlParser.TokenizerCallbacks {
  readonly rows = new RowCollector();
  readonly #html: string;
  readonly #tables: Table[] = [];
  #line = 0;
  #tag = '';
  #attribute = '';
  #value = '';
  /** The open tag whose text is not shown. */
  #hidden: string | undefined;
  #spans = { columns: 1, rows: 1, index: 0 };

  constructor(html: string) {
    this.#html = html;
  }

  ontext(start: number, end: number): void {
    this.#text(this.#html.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.#text(String.fromCodePoint(codepoint));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.#text(this.#html.slice(start, end - endOffset));
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#nameAt(start, end);
    this.#spans = { columns: 1, rows: 1, index: 0 };
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#nameAt(start, end);
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (end - start < 10) this.#value += this.#html.slice(start, end);
  }

  onattribentity(): void {}

  onattribend(): void {
    if (this.#attribute === 'colspan') this.#spans.columns = spanOf(this.#value, MAX_COLUMN_SPAN);
    else if (this.#attribute === 'rowspan') this.#spans.rows = spanOf(this.#value, MAX_ROW_SPAN);
    else if (this.#attribute === 'mergeacross')
      this.#spans.columns = spanOf(`${Number(this.#value) + 1}`, MAX_COLUMN_SPAN);
    else if (this.#attribute === 'index') this.#spans.index = spanOf(this.#value, MAX_COLUMN_SPAN) - 1;
  }

  onopentagend(): void {
    this.#open(this.#tag);
  }

  onselfclosingtag(): void {
    this.#open(this.#tag);
    this.#close(this.#tag);
  }

  onclosetag(start: number, end: number): void {
    this.#close(this.#nameAt(start, end));
  }

  onend(): void {
    while (this.#tables.length > 0) this.#endTable();
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  /** The name without its XML namespace. */
  #nameAt(start: number, end: number): string {
    const name = this.#html.slice(start, Math.min(end, start + 20)).toLowerCase();
    const plain = name.slice(name.indexOf(':') + 1);
    return SAME_AS[plain] ?? plain;
  }

  #text(text: string): void {
    const row = this.#tables.at(-1)?.row;
    if (this.#hidden !== undefined || row?.cell === undefined) return;
    // One character over the limit is enough to refuse the row.
    const room = SHEET_LIMITS.cellCharacters + 1 - row.cell.length;
    if (room > 0) row.cell += text.slice(0, room);
  }

  #open(name: string): void {
    if (this.#hidden !== undefined) return;
    const table = this.#tables.at(-1);
    if (HIDDEN_TAGS.has(name)) this.#hidden = name;
    else if (name === 'table') {
      if (this.#tables.length < MAX_DEPTH) this.#tables.push({ taken: new Map(), row: undefined });
    } else if (name === 'tr') {
      if (!table) return;
      this.#endRow(table);
      table.row = { cells: [], cell: undefined, columnSpan: 1, rowSpan: 1 };
    } else if (name === 'td') this.#beginCell(table);
    else this.#text(' ');
  }

  #close(name: string): void {
    if (this.#hidden !== undefined) {
      if (name === this.#hidden || name === 'body') this.#hidden = undefined;
      return;
    }
    const table = this.#tables.at(-1);
    if (!table) return;
    if (name === 'table') this.#endTable();
    else if (name === 'tr') this.#endRow(table);
    else if (name === 'td') this.#endCell(table);
  }

  #beginCell(table: Table | undefined): void {
    if (!table) return;
    table.row ??= { cells: [], cell: undefined, columnSpan: 1, rowSpan: 1 };
    this.#endCell(table);
    const { row, taken } = table;
    while (row.cells.length < this.#spans.index) row.cells.push('');
    while ((taken.get(row.cells.length) ?? 0) > 0) row.cells.push('');
    Object.assign(row, { cell: '', columnSpan: this.#spans.columns, rowSpan: this.#spans.rows });
  }

  #endCell({ row, taken }: Table): void {
    if (row?.cell === undefined) return;
    // A row that is too wide is refused later, so the rest of it is dropped.
    for (let span = 0; span < row.columnSpan && row.cells.length <= SHEET_LIMITS.columns; span += 1) {
      // `#endRow` counts this row too.
      if (row.rowSpan > 1) taken.set(row.cells.length, row.rowSpan);
      row.cells.push(span === 0 ? cleanCell(row.cell.replaceAll(/\s+/gu, ' ')) : '');
    }
    row.cell = undefined;
  }

  #endRow(table: Table): void {
    this.#endCell(table);
    const { row, taken } = table;
    if (!row) return;
    this.#line += 1;
    this.rows.add(this.#line, row.cells);
    for (const [column, left] of taken) {
      if (left > 1) taken.set(column, left - 1);
      else taken.delete(column);
    }
    table.row = undefined;
  }

  #endTable(): void {
    const table = this.#tables.pop();
    if (!table) return;
    this.#endRow(table);
    // An empty row keeps a record from continuing below an inner table.
    this.rows.add(this.#line, []);
    this.#text(' ');
  }
}

/** Loads the parser with the first web page, because most bots never see one. */
const load = createRequire(import.meta.url);

/** Reads the tables of a web page, which some brokers call `.xls`, in time proportional to its length. */
export const readHtml = function* (html: string): Steps<ReadSheets> {
  const reader = new TableReader(html);
  const { Tokenizer } = load('htmlparser2') as typeof HtmlParser;
  const tokenizer = new Tokenizer({}, reader);
  for (let at = 0; at < html.length && !reader.rows.problem; at += READ_CHARS) {
    tokenizer.write(html.slice(at, at + READ_CHARS));
    yield;
  }
  if (!reader.rows.problem) tokenizer.end();
  const { problem, rows } = reader.rows;
  return problem
    ? { status: 'refused', problem }
    : { status: 'ok', sheets: [{ name: '', rows, hasSerialDates: false, isLoose: false }] };
};
