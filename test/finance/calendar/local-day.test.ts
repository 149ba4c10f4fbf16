import { expect, it } from 'vitest';
import { localDay } from '#src/finance/calendar/local-day.ts';

const QUARTER_MS = 15 * 60_000;
/** Three days around: an ordinary day, clocks forward, clocks back, clocks back one minute after midnight, a day left out. */
const PLACES = [
  ['Asia/Seoul', '2026-11-13T00:00:00Z'],
  ['America/New_York', '2026-03-08T00:00:00Z'],
  ['America/New_York', '2026-11-01T00:00:00Z'],
  ['America/St_Johns', '2005-10-30T00:00:00Z'],
  ['Pacific/Apia', '2011-12-30T00:00:00Z'],
  ['Asia/Kathmandu', '2026-11-13T00:00:00Z'],
] as const;

it('a remembered day of a place is the one that its clocks show, also where they are changed', () => {
  for (const [zone, middle] of PLACES) {
    const startMs = Temporal.Instant.from(middle).epochMilliseconds - 36 * 3_600_000;
    const moments = Array.from({ length: 288 }, (_, index) =>
      Temporal.Instant.fromEpochMilliseconds(startMs + index * QUARTER_MS - 1),
    );
    // Twice: read, and remembered.
    for (const at of [...moments, ...moments]) {
      const expected = at.toZonedDateTimeISO(zone).toPlainDate();
      const { date, text } = localDay(at, zone);
      expect(`${zone} ${date.toString()} ${text}`).toBe(
        `${zone} ${expected.toString()} ${expected.toString()}`,
      );
    }
  }
});
