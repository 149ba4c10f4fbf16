import { LRUCache } from 'lru-cache';
import { personKey, type PersonRef, type Timestamp } from '#src/kernel/ids.ts';
import type { Uses } from '../services.ts';

const WINDOW_MS = 24 * 60 * 60 * 1_000;
/** Those who wrote longest ago are read from the database when they write again. */
const MAX_PEOPLE = 2_000;
/**
 * Some 40 MB: a hundred screenshots, or ten large photos. Pictures cost a fraction of a cent and stay in the conversation
 * for months, so the budget alone would let one person fill the disk.
 */
const MAX_PICTURES = 55_000_000;

/** What is stored of a person: how much without pictures, how much of them, and since when. */
export interface StoredBytes {
  readonly bytes: number;
  readonly pictures: number;
  readonly since: Timestamp | undefined;
}

interface DailyBytesDeps extends Uses<'clock.now' | 'clock.monotonicMs'> {
  readonly storedBytes: (person: PersonRef, after: Timestamp) => Promise<StoredBytes>;
}

interface Day {
  bytes: number;
  pictures: number;
  readonly untilMs: number;
}

/** What each person has had stored, in bytes. A day begins with the first of them, and goes on over a restart. */
export type DailyBytes = ReturnType<typeof createDailyBytes>;

export const createDailyBytes = ({ clock, storedBytes }: DailyBytesDeps) => {
  const days = new LRUCache<string, Day>({ max: MAX_PEOPLE });
  const current = (person: PersonRef): Day | undefined => {
    const known = days.get(personKey(person));
    return known && known.untilMs > clock.monotonicMs() ? known : undefined;
  };
  const read = async (person: PersonRef): Promise<Day> => {
    const now = clock.now();
    const {
      bytes,
      pictures,
      since = now,
    } = await storedBytes(person, now.subtract({ milliseconds: WINDOW_MS }));
    const known = current(person);
    if (known) return known;
    const passedMs = Math.max(0, since.until(now).total('milliseconds'));
    const day = { bytes, pictures, untilMs: clock.monotonicMs() + WINDOW_MS - passedMs };
    days.set(personKey(person), day);
    return day;
  };
  const dayOf = async (person: PersonRef): Promise<Day> => current(person) ?? (await read(person));
  return {
    of: async (person: PersonRef): Promise<number> => (await dayOf(person)).bytes,
    /** Counts a picture, in characters of base64; false if it does not fit into the day any more. */
    takePicture: async (person: PersonRef, chars: number): Promise<boolean> => {
      const day = await dayOf(person);
      if (day.pictures + chars > MAX_PICTURES) return false;
      day.pictures += chars;
      return true;
    },
    /** Adds what will be stored. Of somebody who is not known here, it is read when it has been stored. */
    add: (person: PersonRef, bytes: number) => {
      const known = current(person);
      if (known) known.bytes += bytes;
    },
  };
};
