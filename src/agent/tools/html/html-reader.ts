import type { TokenizerCallbacks } from 'htmlparser2';
import { joinInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';

const BLANKS = /[ \t\r\n\f\u00a0]+/g;
const MAX_LINK_CHARS = 300;

/** Lays out text as a browser would: blanks collapse, and a break is written only before further text. */
class TextWriter {
  readonly #pieces: string[] = [];
  #length = 0;
  #breaks = 0;
  #hasBlank = false;
  #prefix = '';
  #isLineStart = true;

  get length(): number {
    return this.#length;
  }

  /** A position between two pieces, for `between` and `link`. */
  get position(): number {
    return this.#pieces.length;
  }

  write(data: string): void {
    const words = data.replace(BLANKS, ' ');
    const body = words.trim();
    if (words.startsWith(' ')) this.#hasBlank = true;
    if (body === '') return;
    this.#flush();
    this.#push(body);
    this.#hasBlank = words.endsWith(' ');
  }

  /** Keeps blanks and line breaks. */
  writeAsIs(data: string): void {
    if (data === '') return;
    this.#flush();
    this.#push(data);
    this.#isLineStart = data.endsWith('\n');
  }

  blank(): void {
    this.#hasBlank = true;
  }

  /** One break starts a line; two add an empty line before it. */
  break(count: 1 | 2): void {
    this.#breaks = Math.max(this.#breaks, count);
  }

  /** Sets the beginning of the next line. Nothing is written if no line follows. */
  prefix(prefix: string): void {
    this.#prefix = prefix;
  }

  /** Writes the border between two cells of a row. */
  nextCell(): void {
    this.#hasBlank = false;
    const isLineStart = this.#breaks > 0 || this.#isLineStart;
    this.#flush();
    this.#push(isLineStart ? '| ' : ' | ');
    this.#isLineStart = true;
  }

  /** Turns the text since `position` into a link, unless it only repeats the address. */
  link(position: number, address: string): void {
    let first = position;
    while (this.#pieces[first]?.trim() === '') first += 1;
    if (first >= this.#pieces.length) return;
    let words = '';
    for (let next = first; next < this.#pieces.length; next += 1) {
      words += this.#pieces[next] ?? '';
      if (words.length > MAX_LINK_CHARS) return;
    }
    if (words.includes('\n')) return;
    if (!/\p{L}/u.test(words) || address.includes(words)) return;
    this.#pieces[first] = `[${this.#pieces[first] ?? ''}`;
    this.#push(`](${address})`);
  }

  between(from: number, to: number): Steps<string> {
    return joinInSteps(this.#pieces, from, to);
  }

  #push(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    this.#isLineStart = false;
  }

  #flush(): void {
    if (this.#breaks > 0 && this.#length > 0) {
      this.#push('\n'.repeat(this.#breaks));
      this.#isLineStart = true;
    } else if (this.#hasBlank && !this.#isLineStart) this.#push(' ');
    if (this.#prefix !== '' && this.#isLineStart) this.#push(this.#prefix);
    this.#breaks = 0;
    this.#hasBlank = false;
    this.#prefix = '';
  }
}

/** Elements whose content a reader of the page does not see or need. */
const DROPPED = new Set(
  'script style noscript nav svg template iframe object canvas audio video select button textarea noembed noframes dialog'.split(
    ' ',
  ),
);
/** Everything up to the end tag is their text, even if the start tag ends with a slash. */
const RAW = new Set(['script', 'style', 'iframe', 'textarea', 'noembed', 'noframes', 'title']);
/** Authors always close these, so a hidden one can be dropped up to its end tag. */
const CLOSED = new Set('div span section ul ol table form aside header footer a details'.split(' '));
/** Elements that start a new line. */
const LINES = new Set(
  'div section header footer aside figure figcaption form fieldset address li dt dd caption thead tbody tfoot summary details main article center hgroup legend menu br'.split(
    ' ',
  ),
);
/** Elements with an empty line before and after them. */
const PARAGRAPHS = new Set('p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre hr body html'.split(' '));
const INLINE = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i img input ins kbd label mark meta link base head q s samp small source span strike strong sub sup time tt u var wbr title table tr td th col colgroup area map meter progress picture rp rt ruby'.split(
    ' ',
  ),
);

export const isHtmlElement = (name: string): boolean =>
  LINES.has(name) || PARAGRAPHS.has(name) || INLINE.has(name) || DROPPED.has(name);

const isHidden = (attributes: ReadonlyMap<string, string>): boolean =>
  attributes.has('hidden') ||
  attributes.get('aria-hidden') === 'true' ||
  /display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden/i.test(attributes.get('style') ?? '');

const WEB_ADDRESS = /^https?:\/\/[^\s<>"]{1,300}$/i;
/** A longer cell is page layout, so its paragraphs are kept. */
const LONG_CELL_CHARS = 200;
/** An unclosed title would otherwise contain the whole page. */
const MAX_TITLE_CHARS = 1_000;
const MAX_RUN_CHARS = 8_192;

interface Table {
  cells: number;
  /** The length of the text before the open cell. */
  cellStart: number | undefined;
  /** Whether the last cell was longer than `LONG_CELL_CHARS`. */
  wasLong: boolean;
}

interface Region {
  depth: number;
  from: number;
  readonly parts: (readonly [from: number, to: number])[];
}

/**
 * Turns HTML tokens into text. It builds no tree, so a page with a million open tags takes no longer than any
 * other page of its size.
 */
export class HtmlReader implements TokenizerCallbacks {
  readonly writer = new TextWriter();
  readonly #html: string;
  /** In prose with some tags, line breaks are kept and unknown tags are text. */
  readonly #isProse: boolean;
  readonly #regions: Readonly<Record<'main' | 'article', Region>> = {
    main: { depth: 0, from: 0, parts: [] },
    article: { depth: 0, from: 0, parts: [] },
  };
  readonly #tables: Table[] = [];
  #title: string | undefined;
  #isInTitle = false;
  #preDepth = 0;
  #dropped: { readonly name: string; depth: number } | undefined;
  #link: { readonly address: string; readonly from: number } | undefined;
  #tag = { name: '', from: 0, attributes: new Map<string, string>() };
  #attribute = { name: '', value: '' };
  /** Unwritten text. The parser splits text at every `<`, and writing single characters would be slow. */
  #run = { from: 0, to: 0 };

  constructor(html: string, isProse: boolean) {
    this.#html = html;
    this.#isProse = isProse;
  }

  get title(): string {
    return (this.#title ?? '').replaceAll(/\s+/g, ' ').trim();
  }

  *region(name: 'main' | 'article'): Steps<string> {
    const texts: string[] = [];
    for (const [from, to] of this.#regions[name].parts) {
      if (texts.length > 0) texts.push('\n\n');
      texts.push(yield* this.writer.between(from, to));
      yield;
    }
    return yield* joinInSteps(texts);
  }

  ontext(start: number, end: number): void {
    if (start !== this.#run.to || end - this.#run.from > MAX_RUN_CHARS) this.#endRun();
    this.#run = { from: this.#run.from === this.#run.to ? start : this.#run.from, to: end };
  }

  ontextentity(codepoint: number): void {
    this.#endRun();
    this.#text(String.fromCodePoint(codepoint));
  }

  onopentagname(start: number, end: number): void {
    this.#endRun();
    this.#tag = { name: this.#html.slice(start, end).toLowerCase(), from: start - 1, attributes: new Map() };
  }

  onattribname(start: number, end: number): void {
    this.#attribute = { name: this.#html.slice(start, end).toLowerCase(), value: '' };
  }

  onattribdata(start: number, end: number): void {
    this.#attribute.value += this.#html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    this.#attribute.value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    const { name, value } = this.#attribute;
    if (name === 'href' || name === 'hidden' || name === 'style' || name === 'aria-hidden')
      this.#tag.attributes.set(name, value);
  }

  onopentagend(end: number): void {
    this.#open(end, false);
  }

  onselfclosingtag(end: number): void {
    this.#open(end, true);
  }

  onclosetag(start: number, end: number): void {
    this.#endRun();
    const name = this.#html.slice(start, end).toLowerCase();
    if (this.#dropped) {
      if (name === this.#dropped.name) this.#dropped.depth -= 1;
      if (this.#dropped.depth === 0 || name === 'body') this.#dropped = undefined;
      return;
    }
    if (this.#isProse && !isHtmlElement(name)) this.#text(`</${name}>`);
    else this.#close(name);
  }

  onend(): void {
    this.#endRun();
    for (const region of Object.values(this.#regions)) if (region.depth > 0) this.#leave(region);
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.#endRun();
    this.#text(this.#html.slice(start, end - endOffset));
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  /** Writes the pending text. Every token that is not text calls it first. */
  #endRun(): void {
    const { from, to } = this.#run;
    this.#run = { from: to, to };
    if (from < to) this.#text(this.#html.slice(from, to));
  }

  #text(data: string): void {
    if (this.#dropped) return;
    if (this.#isInTitle) this.#title = `${this.#title ?? ''}${data}`.slice(0, MAX_TITLE_CHARS);
    else if (this.#preDepth > 0 || this.#isProse) this.writer.writeAsIs(data);
    else this.writer.write(data);
  }

  #open(end: number, isSelfClosed: boolean): void {
    const { name, from, attributes } = this.#tag;
    const isEmpty = isSelfClosed && !RAW.has(name);
    if (this.#dropped) {
      // The main content also ends a dropped element that was never closed.
      if (name !== 'main' && name !== 'article') {
        if (name === this.#dropped.name && !isEmpty) this.#dropped.depth += 1;
        return;
      }
      this.#dropped = undefined;
    }
    if (this.#isProse && !isHtmlElement(name)) this.#text(this.#html.slice(from, end + 1));
    else if (DROPPED.has(name) || (CLOSED.has(name) && isHidden(attributes))) {
      if (!isEmpty) this.#dropped = { name, depth: 1 };
    } else if (name === 'title') this.#isInTitle = this.#title === undefined;
    else this.#begin(name, attributes);
  }

  #begin(name: string, attributes: ReadonlyMap<string, string>): void {
    const table = this.#tables.at(-1);
    if (name === 'table') {
      this.writer.break(2);
      this.#tables.push({ cells: 0, cellStart: undefined, wasLong: false });
    } else if (name === 'tr') {
      if (table) Object.assign(table, { cells: 0, cellStart: undefined, wasLong: false });
      this.writer.break(1);
    } else if (name === 'td' || name === 'th') this.#beginCell(table);
    else if (name === 'main' || name === 'article') this.#enter(this.#regions[name]);
    else if (name === 'a') this.#beginLink(attributes.get('href') ?? '');
    this.#breakAt(name);
    if (name === 'pre') this.#preDepth += 1;
    if (name === 'li') this.writer.prefix('- ');
    if (/^h[1-6]$/.test(name)) this.writer.prefix(`${'#'.repeat(Number(name[1]))} `);
  }

  #close(name: string): void {
    const table = this.#tables.at(-1);
    if (name === 'title') this.#isInTitle = false;
    else if (name === 'a') this.#endLink();
    else if (name === 'table') {
      this.#tables.pop();
      this.writer.break(2);
    } else if (name === 'tr' || name === 'td' || name === 'th') {
      if (table) this.#endCell(table);
      if (name === 'tr') this.writer.break(1);
    } else if (name === 'main' || name === 'article') {
      const region = this.#regions[name];
      if (region.depth === 1) this.#leave(region);
      region.depth = Math.max(0, region.depth - 1);
    } else if (name === 'pre') this.#preDepth = Math.max(0, this.#preDepth - 1);
    this.#breakAt(name);
  }

  /** A table row stays on one line, so a break inside a short cell becomes a blank. */
  #breakAt(name: string): void {
    const count = PARAGRAPHS.has(name) ? 2 : LINES.has(name) ? 1 : 0;
    if (count === 0) return;
    const start = this.#tables.at(-1)?.cellStart;
    if (start !== undefined && this.writer.length - start < LONG_CELL_CHARS) this.writer.blank();
    else this.writer.break(count);
  }

  #beginCell(table: Table | undefined): void {
    if (!table) {
      this.writer.break(1);
      return;
    }
    this.#endCell(table);
    if (table.wasLong) this.writer.break(1);
    else if (table.cells > 0) this.writer.nextCell();
    table.cells += 1;
    table.cellStart = this.writer.length;
    table.wasLong = false;
  }

  #endCell(table: Table): void {
    if (table.cellStart === undefined) return;
    table.wasLong = this.writer.length - table.cellStart >= LONG_CELL_CHARS;
    table.cellStart = undefined;
  }

  #beginLink(address: string): void {
    this.#endLink();
    if (WEB_ADDRESS.test(address)) this.#link = { address, from: this.writer.position };
  }

  #endLink(): void {
    if (this.#link && !this.#isInTitle)
      this.writer.link(this.#link.from, this.#link.address.replaceAll('(', '%28').replaceAll(')', '%29'));
    this.#link = undefined;
  }

  #enter(region: Region): void {
    if (region.depth === 0) region.from = this.writer.position;
    region.depth += 1;
  }

  #leave(region: Region): void {
    region.parts.push([region.from, this.writer.position]);
  }
}
