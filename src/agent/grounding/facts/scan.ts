import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { type Figure, readFigures } from '../read/figures.ts';
import type { SourceText } from './evidence.ts';

/** Longer texts are read up to here. */
const MAX_TEXT = 120_000;
const MAX_IN_ALL = 600_000;
/** A part is read at once, so that no text holds up the program. */
const PART = 2_000;
/** Times of day, and months such as `2026-10`. */
const CLOCK =
  /(?<![\d.,])\d{1,2}:\d{2}(?::\d{2})?(?![\d.,])|(?<![\d.,-])(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?![\d.-])/gu;
/** `2026-11-02,1520,41.2`: commas between cells, not between thousands. */
const isCells = (line: string): boolean =>
  line.includes(',') &&
  !line.includes(', ') &&
  line
    .split(',')
    .slice(1)
    .some((cell) => !GROUP.test(cell));
/** Three digits behind a comma are a part of the number before it. */
const GROUP = /^\d{3}(?!\d)/u;

/** A number of a text. */
export interface ScannedNumber {
  readonly figure: Figure;
  readonly from: SourceText['from'];
  /** The line that it stands in, counted over all texts. */
  readonly line: number;
  readonly text: string;
}

export interface ScannedLine {
  readonly text: string;
  readonly from: SourceText['from'];
  /** Which of the texts it is of. */
  readonly source: number;
  readonly numbers: ScannedNumber[];
  /** What the text says its numbers are in: 1e6 for `in millions`. Empty if it says nothing. */
  readonly scales: readonly number[];
}

const STATED_SCALE =
  /(?:\b(?:in|usd|eur|krw|gbp|nok|sek|dkk|chf|cad|aud|jpy|inr)\s|[$€£₩¥]\s?|\()(thousands?|millions?|billions?|m(?=\))|['’]?000s?(?=\)))\b|[$€£](m|bn|['’]?000)\b|단위\s?[:：]?\s?(천|만|백만|천만|억|십억|조)\s?(?:원|주|달러)?|\((천|백만|십억|억)\s?원\)/giu;
const STATED: Readonly<Record<string, number>> = {
  thousand: 1e3,
  '000': 1e3,
  million: 1e6,
  m: 1e6,
  billion: 1e9,
  bn: 1e9,
  천: 1e3,
  만: 1e4,
  백만: 1e6,
  천만: 1e7,
  억: 1e8,
  십억: 1e9,
  조: 1e12,
};

const scalesIn = (text: string): readonly number[] => [
  ...new Set(
    [...text.matchAll(STATED_SCALE)].flatMap(
      ([, ...found]) =>
        STATED[
          (found.find(Boolean) ?? '')
            .toLowerCase()
            .replace(/^['’]/u, '')
            .replace(/(?<=n|d|0)s$/u, '')
        ] ?? [],
    ),
  ),
];

/** The text without times of day and months, of the same length. */
const readable = (text: string): string =>
  text
    .split('\n')
    .map((line) => (isCells(line) ? line.replaceAll(',', ';') : line))
    .join('\n')
    .replaceAll(CLOCK, (clock) => ' '.repeat(clock.length));

/** Parts of a text that end with a line, unless a line is longer than a part. */
function* partsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const newline = text.lastIndexOf('\n', from + PART);
    const to = from + PART >= text.length ? text.length : newline > from ? newline + 1 : from + PART;
    yield text.slice(from, to);
    from = to;
  }
}

/** Reads the numbers of all texts, the newest first, a part at a time. */
export function* scanTexts(
  texts: readonly SourceText[],
  today: Temporal.PlainDate,
): Steps<readonly ScannedLine[]> {
  const lines: ScannedLine[] = [];
  let left = MAX_IN_ALL;
  for (const [source, { text: whole, from }] of texts.toReversed().entries()) {
    const text = whole.slice(0, Math.min(MAX_TEXT, Math.max(0, left)));
    left -= text.length;
    const scales = scalesIn(text.slice(0, PART * 4));
    for (const part of partsOf(text)) {
      const { figures } = readFigures(readable(part), today);
      let at = 0;
      let nth = 0;
      for (const written of part.split('\n')) {
        const end = at + written.length;
        const line: ScannedLine = { text: written, from, source, numbers: [], scales };
        for (let figure = figures[nth]; figure && figure.start < end; figure = figures[nth]) {
          line.numbers.push({
            figure,
            from,
            line: lines.length,
            text: part.slice(figure.start, figure.end).trim(),
          });
          nth += 1;
        }
        if (line.numbers.length > 0 || written.trim() !== '') lines.push(line);
        at = end + 1;
      }
      yield;
    }
  }
  return lines;
}
