import type { Locale } from '#src/kernel/locale.ts';
import { stripControlCharacters } from '#src/kernel/text.ts';
import { withVisibleLinks } from '#src/platform/text/visible-links.ts';
import { displayWidth } from '#src/platform/text/display-width.ts';
import { readInline } from './inline.ts';
import { paint, span, type Spans, wrapSpans } from './spans.ts';
import { drawTable, tableAt } from './tables.ts';

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
