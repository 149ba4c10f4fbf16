import { join } from 'node:path';
import { expect } from 'vitest';

const RECORD = join(import.meta.dirname, 'record');

/** Compares a text with what is recorded under this name, byte for byte. `npm run golden -- -u` records it anew. */
export const expectRecorded = (name: string, text: string): Promise<void> =>
  expect(`${text.trimEnd()}\n`).toMatchFileSnapshot(join(RECORD, `${name}.txt`));

const CHANCE_MADE: readonly RegExp[] = [
  // Of a message, a file, a turn.
  /[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/gu,
  // Of an alert or a briefing: no vowels.
  /(?<=`|"|\bID |ID is |Alert |[dD]elete |snooze |resume )[bcdfghjkmnpqrstvwxyz][bcdfghjkmnpqrstvwxyz2-9]{5}\b/gu,
  // Of a question.
  /(?<=approve |deny )[\da-f]{6}\b/gu,
  // Of an error.
  /(?<=\((?:error|오류) )[\da-f]{8}(?=\))/gu,
  // Of a link between two platforms.
  /\b[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}\b/gu,
];

/** Ids are made by chance and by the time of the machine: each becomes its number in the order of appearance. */
export const withoutIds = (text: string, ids: readonly RegExp[] = []): string => {
  const numbers = new Map<string, number>();
  const numbered = (id: string): string => {
    const number = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, number);
    return `<id ${number}>`;
  };
  return [...CHANCE_MADE, ...ids].reduce((rest, pattern) => rest.replaceAll(pattern, numbered), text);
};
