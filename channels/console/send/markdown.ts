import type { Locale } from '#src/kernel/locale.ts';
import { stripControlCharacters } from '#src/kernel/text.ts';
import { withVisibleLinks } from '#src/platform/text/visible-links.ts';
import { displayWidth } from '#src/platform/text/display-width.ts';
import { paint, span, type Spans, wrapSpans, textOf, widthOf, type StyledSpan, type Style } from './spans.ts';
import { isNumeric } from '#src/platform/text/numeric-cells.ts';

/** Korean readers expect red for a rise and blue for a fall; others expect green and red. */
export const COLOURS: Readonly<Record<Locale, { readonly up: Style; readonly down: Style }>> = {
  ko: { up: 'red', down: 'blueBright' },
  en: { up: 'green', down: 'red' },
};

const AMOUNT = String.raw`\d+(?:,\d+)*(?:\.\d+)?`;
const UNIT = '(?:%p?|원|달러|엔|유로|위안|포인트)';
const CURRENCY = String.raw`(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3} ?)`;

/**
 * An arrow with its amount, a line of blocks before its arrow, or a signed amount of money, percent or points: `▲ 300`,
 * `▁▄█ ▲`, `+₩1,200`, `-0.59%`. Not the dashes of
 * `2026-11-13`, `UTC+9` and `3–5`, and not a bare number, which may be a level (`-0.13`) or a day (`(+1)`).
 */
const MOVES = new RegExp(
  [
    String.raw`(?<![▁-█])[▁-█]{1,64} [▲▼]`,
    String.raw`[▲▼](?: ?\p{Sc}?${AMOUNT}${UNIT}?)?`,
    String.raw`(?<=[▲▼] ?)[+\-−]${CURRENCY}?${AMOUNT}${UNIT}?`,
    String.raw`(?<![\p{L}\p{N}.,)\]])[+\-−](?:${CURRENCY}${AMOUNT}${UNIT}?|${AMOUNT}${UNIT})`,
  ].join('|'),
  'gu',
);
const IS_UP = /^(?:[▁-█]+ )?[▲+]/u;
const IS_SOMETHING = /[▲▼]$|[1-9]/u;

/** Gives rises and falls their colours. Nothing has changed where the amount is zero. */
const withMoves = ({ text, styles }: StyledSpan, locale: Locale): Spans => {
  const spans: StyledSpan[] = [];
  let from = 0;
  for (const { 0: move, index } of text.matchAll(MOVES)) {
    if (!IS_SOMETHING.test(move)) continue;
    if (index > from) spans.push({ text: text.slice(from, index), styles });
    const { up, down } = COLOURS[locale];
    spans.push({ text: move, styles: [...styles, IS_UP.test(move) ? up : down] });
    from = index + move.length;
  }
  if (from < text.length) spans.push({ text: text.slice(from), styles });
  return spans;
};

/** In this order: an escaped sign, code, an address, bold, struck out, italic. */
const MARKED =
  /\\(?<escaped>[!-/:-@[-`{-~])|`(?<code>[^`]+)`|<(?<address>https?:\/\/[^\s<>]{1,2048})>|\*\*(?!\s)(?<bold>[^*]+)(?<!\s)\*\*|~~(?!\s)(?<struck>[^~]+)(?<!\s)~~|(?<![\w\p{L}])_(?<low>[^_]+)_(?![\w\p{L}])|(?<![\w*])\*(?![\s*])(?<star>[^*]+)(?<!\s)\*(?![\w*])/gu;

const STYLES = { bold: 'bold', struck: 'strikethrough', low: 'italic', star: 'italic' } as const;
/** Marks within marks within marks are text. */
const MAX_DEPTH = 3;

const readMarked = (text: string, styles: readonly Style[], locale: Locale, depth: number): Spans => {
  const spans: StyledSpan[] = [];
  let plain = '';
  const release = (): void => {
    if (plain !== '') spans.push(...withMoves({ text: plain, styles }, locale));
    plain = '';
  };
  let from = 0;
  for (const { 0: whole, index, groups = {} } of text.matchAll(MARKED)) {
    plain += text.slice(from, index);
    from = index + whole.length;
    const { escaped, code, address } = groups;
    if (escaped !== undefined) {
      plain += escaped;
      continue;
    }
    release();
    if (code !== undefined) spans.push({ text: code, styles: [...styles, 'cyan'] });
    else if (address !== undefined) spans.push({ text: address, styles: [...styles, 'underline'] });
    for (const [name, style] of Object.entries(STYLES)) {
      const inner = groups[name];
      if (inner === undefined) continue;
      const within = [...styles, style];
      spans.push(
        ...(depth < MAX_DEPTH
          ? readMarked(inner, within, locale, depth + 1)
          : [{ text: inner, styles: within }]),
      );
    }
  }
  plain += text.slice(from);
  release();
  return spans;
};

/** One line of Markdown as styled pieces. */
const readInline = (markdown: string, locale: Locale, styles: readonly Style[] = []): Spans =>
  readMarked(markdown, styles, locale, 0);

export interface MarkdownSheet {
  /** Screen columns. */
  readonly width: number;
  readonly hasColour: boolean;
  /** The reader's language, which decides on the colours of rises and falls. */
  readonly locale: Locale;
}

const FENCE = /^ {0,12}(?:```|~~~)/;
const HEADING = /^ {0,3}(#{1,6}) +(?<title>\S.*)$/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})$/;
const QUOTE = /^ {0,3}> ?(?<rest>.*)$/;
const ITEM = /^(?<indent> {0,24})(?:[-*+]|(?<number>\d{1,9}[.)])) (?<rest>.*)$/;
const INDENTED = /^(?<indent> {0,40})(?<rest>.*)$/;
const MAX_RULE = 40;
const MAX_INDENT = 24;
/** The least that is left for words beside an indent. */
const LEAST_WIDTH = 16;

/** The first line behind `mark`, the others below its words. */
const hanging = (mark: Spans, markWidth: number, words: Spans, width: number): readonly Spans[] =>
  wrapSpans(words, Math.max(LEAST_WIDTH, width - markWidth)).map((line, index) => [
    ...(index === 0 ? mark : [span(' '.repeat(markWidth))]),
    ...line,
  ]);

const drawLine = (line: string, { width, locale }: MarkdownSheet): readonly Spans[] => {
  const heading = HEADING.exec(line);
  if (heading)
    return wrapSpans(readInline(heading.groups?.['title'] ?? '', locale, ['bold', 'underline']), width);
  if (RULE.test(line)) return [[span('─'.repeat(Math.min(width, MAX_RULE)), 'dim')]];
  const quote = QUOTE.exec(line);
  if (quote) {
    const words = readInline(quote.groups?.['rest'] ?? '', locale);
    return wrapSpans(words, Math.max(LEAST_WIDTH, width - 2)).map((each) => [span('│ ', 'dim'), ...each]);
  }
  const item = ITEM.exec(line)?.groups;
  const { indent = '', rest = '' } = item ?? INDENTED.exec(line)?.groups ?? {};
  const before = indent.slice(0, MAX_INDENT);
  const bullet = item ? `${item['number'] ?? '•'} ` : '';
  const mark = [...(before === '' ? [] : [span(before)]), ...(bullet === '' ? [] : [span(bullet, 'dim')])];
  return hanging(mark, displayWidth(before + bullet), readInline(rest.trimEnd(), locale), width);
};

/** Markdown as lines of a screen, wrapped at its width. Code stays as it is. */
export const drawMarkdown = (text: string, sheet: MarkdownSheet): readonly string[] => {
  // Control characters are removed, because a terminal obeys escape sequences in untrusted text.
  const lines = withVisibleLinks(stripControlCharacters(text)).replaceAll('\t', '    ').split('\n');
  const drawn: Spans[] = [];
  let isCode = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (FENCE.test(line)) {
      isCode = !isCode;
      continue;
    }
    const found = isCode ? undefined : tableAt(lines, at);
    if (isCode) drawn.push([span(line, 'dim')]);
    else if (found) {
      drawn.push(...drawTable(found.table, sheet.width, sheet.locale));
      at += found.length - 1;
    } else drawn.push(...drawLine(line, sheet));
  }
  return drawn.map((spans) => paint(spans, sheet.hasColour));
};

type Side = 'left' | 'right' | 'centre';

interface Table {
  readonly header: readonly string[];
  readonly sides: readonly (Side | undefined)[];
  readonly rows: readonly (readonly string[])[];
}

/** `\|` is a sign of the cell. */
const cellsOf = (line: string): readonly string[] => {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim());
};

const DELIMITER = /^:?-+:?$/;
/** A wider one fits no screen, and would only take time. */
const MAX_COLUMNS = 40;

const sideOf = (delimiter: string): Side | undefined => {
  if (!delimiter.endsWith(':')) return delimiter.startsWith(':') ? 'left' : undefined;
  return delimiter.startsWith(':') ? 'centre' : 'right';
};

/** The table that begins with this line, and how many lines it has. Undefined if none does. */
const tableAt = (
  lines: readonly string[],
  at: number,
): { readonly table: Table; readonly length: number } | undefined => {
  const first = lines[at] ?? '';
  const second = lines[at + 1] ?? '';
  if (!first.includes('|') || !second.includes('-')) return undefined;
  const header = cellsOf(first);
  const delimiters = cellsOf(second);
  if (header.length > MAX_COLUMNS) return undefined;
  if (header.length !== delimiters.length || !delimiters.every((cell) => DELIMITER.test(cell)))
    return undefined;
  let end = at + 2;
  while (lines[end]?.includes('|')) end += 1;
  const rows = lines.slice(at + 2, end).map((line) => cellsOf(line));
  return { table: { header, sides: delimiters.map(sideOf), rows }, length: end - at };
};

interface Column {
  readonly side: Side;
  readonly natural: number;
  /** Narrower than this, its words would be cut. */
  readonly least: number;
}

/** A longer word may be cut. */
const MAX_LEAST = 16;

const longestWord = (text: string): number =>
  Math.max(1, ...text.split(' ').map((word) => displayWidth(word)));

const total = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, 0);

/** The widths with which the table fits; undefined if it cannot without cutting words. */
const fit = (columns: readonly Column[], room: number): readonly number[] | undefined => {
  if (total(columns.map(({ least }) => least)) > room) return undefined;
  const within = (cap: number): readonly number[] =>
    columns.map((column) => Math.max(column.least, Math.min(column.natural, cap)));
  let low = 0;
  let high = Math.max(...columns.map(({ natural }) => natural));
  while (low < high) {
    const cap = Math.ceil((low + high) / 2);
    if (total(within(cap)) <= room) low = cap;
    else high = cap - 1;
  }
  return within(low);
};

const padded = (spans: Spans, width: number, side: Side): Spans => {
  const space = Math.max(0, width - widthOf(spans));
  const before = side === 'right' ? space : side === 'centre' ? Math.floor(space / 2) : 0;
  return [span(' '.repeat(before)), ...spans, span(' '.repeat(space - before))];
};

/** For a table that does not fit: every cell on a line, behind the name of its column. */
const asList = (header: readonly Spans[], rows: readonly (readonly Spans[])[], width: number) =>
  rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((cell, column) => {
      const name = header[column] ?? [];
      if (cell.length === 0) return [];
      return wrapSpans(name.length === 0 ? cell : [...name, span(': '), ...cell], width);
    }),
  ]);

/** Draws a table with lines around its cells, no wider than the screen. */
const drawTable = ({ header, sides, rows }: Table, width: number, locale: Locale): readonly Spans[] => {
  const names = header.map((cell) => readInline(cell, locale, ['bold']));
  const cells = rows.map((row) => header.map((_name, column) => readInline(row[column] ?? '', locale)));
  const columns = names.map((name, index): Column => {
    const all = [name, ...cells.map((row) => row[index] ?? [])];
    const values = all.slice(1).map((cell) => textOf(cell));
    return {
      side: sides[index] ?? (isNumeric(values) ? 'right' : 'left'),
      natural: Math.max(1, ...all.map(widthOf)),
      least: Math.min(MAX_LEAST, Math.max(...all.map((cell) => longestWord(textOf(cell))))),
    };
  });
  const widths = fit(columns, width - 3 * columns.length - 1);
  if (!widths) return asList(names, cells, width);

  const rule = (left: string, middle: string, right: string): Spans => [
    span(left + widths.map((each) => '─'.repeat(each + 2)).join(middle) + right, 'dim'),
  ];
  const linesOf = (row: readonly Spans[]): readonly Spans[] => {
    const wrapped = row.map((cell, index) => wrapSpans(cell, widths[index] ?? 1, true));
    const height = Math.max(...wrapped.map(({ length }) => length));
    return Array.from({ length: height }, (_none, line) => [
      span('│', 'dim'),
      ...wrapped.flatMap((cell, index) => [
        span(' '),
        ...padded(cell[line] ?? [], widths[index] ?? 1, columns[index]?.side ?? 'left'),
        span(' '),
        span('│', 'dim'),
      ]),
    ]);
  };
  return [
    rule('┌', '┬', '┐'),
    ...linesOf(names),
    rule('├', '┼', '┤'),
    ...cells.flatMap(linesOf),
    rule('└', '┴', '┘'),
  ];
};
