/**
 * What every reader of this folder returns. A reader never throws, takes time linear in the text, and says what it
 * read, where, and whether the writer may have meant something else.
 */
export interface Reading<T> {
  readonly value: T;
  /** `text.slice(start, end)` is what was read. */
  readonly start: number;
  readonly end: number;
  /** The writer said so: `약 3만원`, `about $200`, `3시쯤`. */
  readonly isApproximate: boolean;
  /** Other values that the same characters can mean, the likeliest first. Empty where there is only one reading. */
  readonly alternatives: readonly T[];
}

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
/** Most texts have none of them. */
const ANY_FORM = new RegExp(`[\\uFF01-\\uFF5E${Object.keys(OTHER_FORMS).join('')}]`, 'u');

/**
 * Full-width digits, letters and signs as the plain ones, blanks and minus signs of all kinds as one each. The length
 * stays the same, so a place in the folded text is the same place in the original.
 */
export const foldWidth = (text: string): string =>
  ANY_FORM.test(text)
    ? text
        .replaceAll(FULL_WIDTH, (character) =>
          String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET),
        )
        .replaceAll(OTHERS, (character) => OTHER_FORMS[character] ?? character)
    : text;

/** Replaces the readings by line breaks, so that their neighbours stay apart and positions stay the same. */
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
  return parts.join('') + text.slice(from);
};
