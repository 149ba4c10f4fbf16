import type { Happening } from '#test/fakes/platform/history.ts';
import { gather, textOf } from './facts.ts';
import { markersIn, numberOf } from './words.ts';

/** The platform can see of every message that it has been answered or refused: nothing more is to come. */
export const isAccountedFor = (history: readonly Happening[]): boolean => {
  const messages = gather(history, []);
  const named = new Set(messages.flatMap((message) => markersIn(textOf(message)).map(numberOf)));
  return messages.every(
    ({ marker, answer, failures, notices, acknowledged }) =>
      named.has(numberOf(marker)) ||
      answer.length + failures.length > 0 ||
      (notices.length > 0 && acknowledged.some(({ outcome }) => outcome === 'dropped')),
  );
};
