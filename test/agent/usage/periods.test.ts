import { describe, expect, it } from 'vitest';
import { dayAround, startOfMonth } from '#src/agent/usage/periods.ts';
import { everyRow } from '#test/support/every-row.ts';
import { DAYS } from './support.ts';

describe('dayAround', () => {
  everyRow(DAYS)('is from $start to $end at $at in $timeZone', ({ timeZone, at, start, end }) => {
    const day = dayAround(Temporal.Instant.from(at), timeZone);
    expect([day.start.toString(), day.end.toString()]).toEqual([start, end]);
  });

  it.each(['Asia/Seoul', 'America/New_York', 'Africa/Cairo', 'Australia/Lord_Howe', 'UTC'])(
    'leaves no moment of a year out, and has none twice, in %s',
    (timeZone) => {
      let day = dayAround(Temporal.Instant.from('2026-01-01T12:00:00Z'), timeZone);
      const last = Temporal.Instant.from('2027-01-02T00:00:00Z');
      while (Temporal.Instant.compare(day.end, last) < 0) {
        const next = dayAround(day.end, timeZone);
        const beforeEnd = dayAround(day.end.subtract({ nanoseconds: 1 }), timeZone);
        expect(next.start.toString()).toBe(day.end.toString());
        expect(beforeEnd.start.toString()).toBe(day.start.toString());
        day = next;
      }
    },
  );
});

describe('startOfMonth', () => {
  it.each([
    ['2026-11-13T06:30:00Z', 'Asia/Seoul', '2026-10-31T15:00:00Z'],
    ['2026-10-31T14:59:59.999Z', 'Asia/Seoul', '2026-09-30T15:00:00Z'],
    ['2026-10-31T15:00:00Z', 'Asia/Seoul', '2026-10-31T15:00:00Z'],
    ['2026-03-31T12:00:00Z', 'America/New_York', '2026-03-01T05:00:00Z'],
    ['2026-11-30T12:00:00Z', 'America/New_York', '2026-11-01T04:00:00Z'],
    ['2027-01-01T04:59:59Z', 'America/New_York', '2026-12-01T05:00:00Z'],
  ])('at %s in %s is %s', (at, timeZone, start) => {
    expect(startOfMonth(Temporal.Instant.from(at), timeZone).toString()).toBe(start);
  });
});
