import type { DateValue } from '#src/reading/dates.ts';
import type { Reading } from '#src/reading/reading.ts';

/** Lines of `text => what is read`. */
export const tableOf = (lines: string): readonly (readonly [text: string, expected: string])[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [text = '', expected = ''] = line.split('=>').map((side) => side.trim());
      return [text, expected] as const;
    });

/** What was read where, in a sentence: `어제|3월에`. */
export const placesOf = (text: string, readings: readonly Reading<unknown>[]): string =>
  readings.map(({ start, end }) => text.slice(start, end)).join('|');

/** `2026-03-04 or 2026-04-03`, `~2025-12-31`, `none`. */
export const shownReading = <T>(reading: Reading<T> | undefined, spelled: (value: T) => string): string =>
  reading
    ? `${reading.isApproximate ? '~' : ''}${[reading.value, ...reading.alternatives].map(spelled).join(' or ')}`
    : 'none';

/** `2026-03-04`, `until month 2026-03-01 2026-03-31`. */
export const spelledDate = (value: DateValue): string => {
  if (value.status === 'impossible') return 'impossible';
  const { precision, first, last, bound } = value;
  const days = precision === 'day' ? first.toString() : `${precision} ${first.toString()} ${last.toString()}`;
  return bound === 'on' ? days : `${bound} ${days}`;
};
