/** The result of every reader in this folder. Readers never throw and run in linear time. */
export interface Reading<T> {
  readonly value: T;
  /** The reading covers `text.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
  /** True for `약 3만원`, `about $200`, `3시쯤`. */
  readonly isApproximate: boolean;
  /** Other possible values, likeliest first. Empty if the reading is unambiguous. */
  readonly alternatives: readonly T[];
}

/** Matches a sticky pattern at this position. */
export const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  const sticky = pattern;
  sticky.lastIndex = at;
  return sticky.exec(text);
};

/** The end of what a sticky pattern matches at this position. Cheaper than the match itself. */
export const endAt = (pattern: RegExp, text: string, at: number): number | undefined => {
  const sticky = pattern;
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : undefined;
};

/** The text that a sticky pattern matches at this position. */
export const textAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  const end = endAt(pattern, text, at);
  return end === undefined ? undefined : text.slice(at, end);
};

const FULL_WIDTH_OFFSET = 0xfee0;
const FULL_WIDTH = /[\uFF01-\uFF5E]/gu;
const OTHER_FORMS: Readonly<Record<string, string>> = {
  '\u3000': ' ',
  '\u00a0': ' ',
  '\u202f': ' ',
  '￦': '₩',
  '￥': '¥',
  '￡': '£',
  '−': '-',
  '–': '-',
  '，': ',',
  '。': '.',
};
const OTHERS = new RegExp(`[${Object.keys(OTHER_FORMS).join('')}]`, 'gu');
/** A quick test, because most texts have none of them. */
const ANY_FORM = new RegExp(`[\\uFF01-\\uFF5E${Object.keys(OTHER_FORMS).join('')}]`, 'u');

/** The last text without them. Readers call each other with the same text, often once for each position. */
let lastFolded = '';

/**
 * Folds full-width characters, special spaces and minus signs to ASCII. Keeps the length, so positions stay valid.
 */
export const foldWidth = (text: string): string => {
  if (text === lastFolded) return text;
  lastFolded = ANY_FORM.test(text)
    ? text
        .replaceAll(FULL_WIDTH, (character) =>
          String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET),
        )
        .replaceAll(OTHERS, (character) => OTHER_FORMS[character] ?? character)
    : text;
  return lastFolded;
};

/** Every reading in a sentence, left to right. `readAt` gets the folded text. */
export const everyReading = <T>(
  text: string,
  readAt: (folded: string, at: number) => Reading<T> | undefined,
): readonly Reading<T>[] => {
  const folded = foldWidth(text);
  const found: Reading<T>[] = [];
  for (let at = 0; at < folded.length; at += 1) {
    const reading = readAt(folded, at);
    if (!reading) continue;
    found.push(reading);
    at = reading.end - 1;
  }
  return found;
};

/** Replaces readings by line breaks, which separate their neighbours and keep positions. */
export const withoutReadings = (
  text: string,
  readings: readonly Pick<Reading<unknown>, 'start' | 'end'>[],
): string => {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of readings.toSorted((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    parts.push(text.slice(from, start), '\n'.repeat(end - Math.max(start, from)));
    from = end;
  }
  // One flat string: readers look at single characters, which is slow in a text of two parts.
  parts.push(text.slice(from));
  return parts.join('');
};
