import type { Clock } from '#src/platform/clock.ts';

/** In base64, of one person within a day. Some 40 MB: a hundred screenshots, or ten large photos. */
const MAX_CHARS = 55_000_000;
const WINDOW_MS = 24 * 60 * 60 * 1_000;
/** Above this many people, those whose day is over are forgotten. */
const MAX_PEOPLE = 10_000;

interface Spent {
  chars: number;
  readonly untilMs: number;
}

/** Counts a picture of so many characters; false where there is no room for it today. */
export type TakePicture = (chars: number) => boolean;

/**
 * How much of pictures is kept for each person. A picture costs a fraction of a cent and stays in the conversation for
 * months: without a limit of its own, one person could fill the disk within any budget.
 */
export const createPictureQuota = (clock: Pick<Clock, 'monotonicMs'>) => {
  const people = new Map<string, Spent>();
  return (person: string): TakePicture =>
    (chars) => {
      const nowMs = clock.monotonicMs();
      if (people.size >= MAX_PEOPLE)
        for (const [each, { untilMs }] of people) if (untilMs <= nowMs) people.delete(each);
      const known = people.get(person);
      const spent = known && known.untilMs > nowMs ? known : { chars: 0, untilMs: nowMs + WINDOW_MS };
      if (spent.chars + chars > MAX_CHARS) return false;
      spent.chars += chars;
      people.set(person, spent);
      return true;
    };
};
