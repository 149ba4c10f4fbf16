import { isLetter } from '#src/reading/characters.ts';

/** A part of the plain text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

interface Row {
  readonly cells: readonly TextRange[];
  /** The cells of the table's first row. Empty for that row itself. */
  readonly headers: readonly TextRange[];
}

/** A line of the answer with its place among the others. */
export interface AnswerLine extends TextRange {
  /** The line that introduces this one: a heading, the words above a list, the item above an inner item. */
  readonly parent: AnswerLine | undefined;
  readonly sentences: readonly TextRange[];
  readonly row: Row | undefined;
  /** The number of a list item ends here. */
  readonly markerEnd: number;
}

/** The sentence at a position of a line. The whole line behind its last sentence. */
export const sentenceAt = (line: AnswerLine, at: number): TextRange =>
  line.sentences.find(({ end }) => at < end) ?? line;

const MARKER =
  /^\s*(?:(?:[-*•·▪‣]|>)\s+)*(?:\(?\d{1,2}[.)](?=\s)|\(?[a-z][.)](?=\s)|[①-⑳]|[-*•·▪‣>](?=\s))?\s*/iu;
const HEADING = /^\s{0,3}#{1,6}\s/u;
const SEPARATOR = /^[ \t]{0,8}\|?[ \t]{0,8}:?-{2}[ \t|:-]*$/u;
/** `Samsung Electronics (005930, KOSPI)`, above the lines about it. */
const NAME_AND_CODE = /^[^:|]{1,60} \([^(),]{1,15}, [^(),]{1,20}\)\s*$/u;
const DIGIT = /\d/u;
const MAX_HEADING = 60;
/** The end of a sentence. Points within numbers and abbreviations end none. */
const SENTENCE_END = /;|[.!?。！？]{1,4}["')\]”’]{0,3}(?=\s|$)/gu;
const ABBREVIATION =
  /(?:\b(?:inc|est|vol|div|incl|excl|p\.m|a\.m|co|corp|ltd|vs|e\.g|i\.e|approx|avg|no|st|u\.s|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|mr|ca)|(?:^|\s)\d{1,2})\.$/iu;
const LONGEST_ABBREVIATION = 10;

/** Longer sentences are read in parts: each number is compared with the others of its sentence. */
const MAX_SENTENCE = 600;

const isLong = ({ start, end }: TextRange): boolean => end - start > MAX_SENTENCE;

const inParts = (whole: TextRange): readonly TextRange[] => (isLong(whole) ? partsOf(whole) : [whole]);

const partsOf = ({ start, end }: TextRange): readonly TextRange[] =>
  Array.from({ length: Math.max(1, Math.ceil((end - start) / MAX_SENTENCE)) }, (_, part) => ({
    start: start + part * MAX_SENTENCE,
    end: Math.min(end, start + (part + 1) * MAX_SENTENCE),
  }));

const sentencesOf = (text: string, start: number, end: number): readonly TextRange[] => {
  const found: TextRange[] = [];
  let from = start;
  const line = text.slice(start, end);
  SENTENCE_END.lastIndex = 0;
  while (SENTENCE_END.test(line)) {
    const at = start + SENTENCE_END.lastIndex;
    if (ABBREVIATION.test(text.slice(Math.max(from, at - LONGEST_ABBREVIATION), at))) continue;
    found.push({ start: from, end: at });
    from = at;
  }
  if (from < end) found.push({ start: from, end });
  return found.some(isLong) ? found.flatMap(inParts) : found;
};

const cellsOf = (text: string, start: number, end: number): readonly TextRange[] => {
  const cells: TextRange[] = [];
  let from = text.indexOf('|', start) + 1;
  // Words may stand before the first bar of a closed row.
  const isClosed = text.slice(start, end).trimEnd().endsWith('|');
  if (from === 0 || (!isClosed && text.slice(start, from - 1).trim() !== '')) from = start;
  while (from < end) {
    const bar = text.indexOf('|', from);
    const to = bar === -1 || bar > end ? end : bar;
    if (to < end || text.slice(from, to).trim() !== '') cells.push({ start: from, end: to });
    from = to + 1;
  }
  return cells;
};

const isRow = (line: string): boolean => {
  const first = line.indexOf('|');
  return first !== -1 && (line.trimStart().startsWith('|') || line.indexOf('|', first + 1) !== -1);
};

/** A line that starts with a letter has no marker, unless it is `a.` or `b)`. */
const mayBeMarker = (line: string): boolean =>
  !isLetter(line.charCodeAt(0)) || line.charAt(1) === '.' || line.charAt(1) === ')';

const isHeadingLine = (line: string): boolean => {
  const words = line.trimEnd();
  const last = words.at(-1);
  return (
    last === ':' ||
    last === '：' ||
    (last === ')' && NAME_AND_CODE.test(line)) ||
    (line.trimStart().startsWith('#') && HEADING.test(line))
  );
};

/** The lines of a plain text: headings, list items, table rows and paragraphs. */
export const linesOf = (text: string): readonly AnswerLine[] => {
  const lines: AnswerLine[] = [];
  let heading: AnswerLine | undefined;
  let words: AnswerLine | undefined;
  let headers: readonly TextRange[] | undefined;
  const items: { readonly indent: number; readonly line: AnswerLine }[] = [];
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const written = text.slice(start, end);
    const next = end + 1;
    if (written.trim() === '') {
      start = next;
      continue;
    }
    if (isRow(written) || (headers && SEPARATOR.test(written))) {
      if (!SEPARATOR.test(written)) {
        const cells = cellsOf(text, start, end);
        const row = { cells, headers: headers ?? [] };
        headers ??= cells;
        lines.push({
          start,
          end,
          parent: words ?? heading,
          sentences: inParts({ start, end }),
          row,
          markerEnd: start,
        });
      }
      start = next;
      continue;
    }
    headers = undefined;
    const marker = mayBeMarker(written) ? (MARKER.exec(written)?.[0] ?? '') : '';
    const isItem = marker.trim() !== '';
    const indent = written.length - written.trimStart().length;
    const isHeading =
      isHeadingLine(written) ||
      (!isItem && written.length <= MAX_HEADING && !DIGIT.test(written) && !/[.!?다요]\s*$/u.test(written));
    const outer = isItem ? items.findLastIndex((item) => item.indent < indent) : -1;
    items.splice(outer + 1);
    const parent = isItem ? (items.at(-1)?.line ?? words ?? heading) : isHeading ? undefined : heading;
    const line: AnswerLine = {
      start,
      end,
      parent,
      sentences: sentencesOf(text, start + marker.length, end),
      row: undefined,
      markerEnd: start + marker.length,
    };
    lines.push(line);
    if (isItem) items.push({ indent, line });
    else {
      words = line;
      if (isHeading) heading = line;
    }
    start = next;
  }
  return lines;
};
