import { asWords } from './number-labels.ts';

const delimiterOf = (line: string): string => {
  if (line.includes('|')) return '|';
  if (line.includes('\t')) return '\t';
  return line.split(',').length > 2 ? ',' : '';
};

/** `|---|---:|`: the line above it is the heading, whatever stood before. */
const RULE = /^[\s|:]*-[\s|:-]*$/;

/**
 * What stands over a number in a table (Markdown, tabs, commas). The first of the lines that are divided in
 * the same way is the heading. To be asked from the beginning of the text to its end: every line is read once.
 */
export class TableHeadings {
  readonly #text: string;
  #lineEnd = -1;
  #delimiter = '';
  #headings: readonly string[] = [];
  #previous: readonly string[] = [];
  #isHeading = false;
  #cursor = 0;
  #column = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The heading of the column; empty outside of tables and in the heading itself. */
  at(index: number): string {
    while (this.#lineEnd < index) this.#nextLine();
    if (this.#isHeading || this.#delimiter === '') return '';
    for (; this.#cursor < index; this.#cursor += 1)
      if (this.#text[this.#cursor] === this.#delimiter) this.#column += 1;
    return asWords((this.#headings[this.#column] ?? '').trim());
  }

  #nextLine(): void {
    const start = this.#lineEnd + 1;
    const end = this.#text.indexOf('\n', start);
    this.#lineEnd = end === -1 ? this.#text.length : end;
    const line = this.#text.slice(start, this.#lineEnd);
    const delimiter = delimiterOf(line);
    this.#isHeading = delimiter !== this.#delimiter;
    const cells = delimiter === '' ? [] : line.split(delimiter);
    if (delimiter === '|' && RULE.test(line)) this.#headings = this.#previous;
    else if (this.#isHeading) this.#headings = cells;
    this.#previous = cells;
    this.#delimiter = delimiter;
    this.#cursor = start;
    this.#column = 0;
  }
}
