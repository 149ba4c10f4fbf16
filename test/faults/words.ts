/**
 * What people write and what the model answers in a round. Every question has a marker (`m07`; `m07e` once it
 * was edited) that nothing else contains, and an answer names the markers it is about.
 */
const MARKER = /\bm\d\de?\b/g;

export const markersIn = (text: string): readonly string[] => [...new Set(text.match(MARKER))];

/** The message behind a marker, edited or not. */
export const numberOf = (marker: string): string => marker.slice(1, 3);

export interface Wishes {
  /** Calls of a tool before the answer. */
  readonly toolCalls: number;
  /** The answer needs several messages of the platform. */
  readonly isLong: boolean;
}

export const question = (number: string, { toolCalls, isLong }: Wishes): string =>
  [
    `m${number} please`,
    ...(toolCalls > 0 ? [`with ${toolCalls} look-ups`] : []),
    ...(isLong ? ['at length'] : []),
  ].join(' ');

export const edited = (body: string): string => body.replace(/^m\d\d/, (marker) => `${marker}e`);

/** Of several messages in one turn, the most that is wished for. */
export const wishesIn = (text: string): Wishes => ({
  toolCalls: Math.max(0, ...[...text.matchAll(/with (\d) look-ups/g)].map(([, count]) => Number(count))),
  isLong: text.includes('at length'),
});

export const COMMAND = '/help';
export const isCommand = (body: string): boolean => body === COMMAND;

const PARAGRAPHS = 4;
const FILLER = 'and so on and so forth ';

export const answerTo = (markers: readonly string[], isLong: boolean, fillerRepeats = 6): string => {
  const filler = FILLER.repeat(fillerRepeats).trim();
  const paragraphs = Array.from(
    { length: isLong ? PARAGRAPHS : 0 },
    (_, index) => `[${index + 1} of ${PARAGRAPHS}] ${filler}.`,
  );
  return [`Begin ${markers.join(' ')}.`, ...paragraphs, 'End.'].join('\n\n');
};

export const ERROR_ID = /\((?:error|오류) [0-9a-f]{8}\)/;

/** Something is missing in an answer, or stands there twice; undefined for a whole one. */
export const flawIn = (answer: string): string | undefined => {
  const count = (word: string): number => answer.split(word).length - 1;
  if (count('Begin ') !== 1 || count('End.') !== 1) return 'has not one beginning and one end';
  const paragraphs = [...answer.matchAll(/\[(\d) of \d\]/g)].map(([, number]) => number).join('');
  if (paragraphs !== '' && paragraphs !== '1234') return `has the paragraphs ${paragraphs}`;
  return answer.indexOf('Begin ') < answer.indexOf('End.') ? undefined : 'ends before it begins';
};
