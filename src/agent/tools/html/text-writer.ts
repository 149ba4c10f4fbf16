import { joinInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';

const BLANKS = /[ \t\r\n\f\u00a0]+/g;
const MAX_LINK_CHARS = 300;

/** Lays out text as a browser would: blanks collapse, and a break is written only before further text. */
export class TextWriter {
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
