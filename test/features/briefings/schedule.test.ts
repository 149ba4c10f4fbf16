import { describe, expect, it } from 'vitest';
import {
  isOneDay,
  isSkipped,
  kindOfDays,
  nextBriefingAt,
  nextRunAfter,
  readDays,
  type Schedule,
} from '#src/features/briefings/schedule.ts';
import { everyRow } from '#test/support/every-row.ts';

const scheduleOf = (time: string, days: string, timeZone: string): Schedule => ({
  time: Temporal.PlainTime.from(time),
  days: readDays(days) ?? [],
  timeZone,
});

/** The next runs from a moment on, each asked for at the one before, as the person's clock shows them. */
const runs = async (schedule: Schedule, from: string, count: number, next = nextRunAfter) => {
  const found: string[] = [];
  let at = Temporal.Instant.from(from);
  while (found.length < count) {
    at = await next(schedule, at);
    found.push(
      at.toZonedDateTimeISO(schedule.timeZone).toString({ smallestUnit: 'minute', timeZoneName: 'never' }),
    );
  }
  return found;
};

describe('the next time of a briefing', () => {
  it('is in the zone of the person, on the days they named', async () => {
    expect(await runs(scheduleOf('22:00', 'mon,wed,sun', 'Asia/Seoul'), '2026-11-13T06:30:00Z', 4)).toEqual([
      '2026-11-15T22:00+09:00',
      '2026-11-16T22:00+09:00',
      '2026-11-18T22:00+09:00',
      '2026-11-22T22:00+09:00',
    ]);
  });

  it('comes once on the day on which clocks go forward over it', async () => {
    const early = scheduleOf('02:30', 'daily', 'America/New_York');
    expect(await runs(early, '2027-03-13T00:00:00-05:00', 4)).toEqual([
      '2027-03-13T02:30-05:00',
      '2027-03-14T03:00-04:00',
      '2027-03-15T02:30-04:00',
      '2027-03-16T02:30-04:00',
    ]);
    // Asked again a little later, as after a restart.
    expect(await runs(early, '2027-03-14T03:20:00-04:00', 1)).toEqual(['2027-03-15T02:30-04:00']);
  });

  it('comes once on the day on which clocks show it twice', async () => {
    const early = scheduleOf('01:30', 'daily', 'America/New_York');
    expect(await runs(early, '2026-10-31T12:00:00-04:00', 2)).toEqual([
      '2026-11-01T01:30-04:00',
      '2026-11-02T01:30-05:00',
    ]);
    expect(await runs(early, '2026-11-01T01:45:00-04:00', 1)).toEqual(['2026-11-02T01:30-05:00']);
    expect(await runs(early, '2026-11-01T01:10:00-05:00', 1)).toEqual(['2026-11-02T01:30-05:00']);
  });

  it('keeps its time on the clock over a change', async () => {
    const morning = scheduleOf('08:30', 'weekdays', 'America/New_York');
    expect(await runs(morning, '2026-10-30T00:00:00-04:00', 2)).toEqual([
      '2026-10-30T08:30-04:00',
      '2026-11-02T08:30-05:00',
    ]);
  });

  it('leaves out weekdays on which neither Korea nor the United States trades', async () => {
    const weekdays = scheduleOf('08:30', 'weekdays', 'Asia/Seoul');
    // Christmas is a holiday of both; on the 19th of November 2026 both trade, on Thanksgiving only Korea.
    expect(await runs(weekdays, '2026-12-24T00:00:00Z', 1, nextBriefingAt)).toEqual([
      '2026-12-28T08:30+09:00',
    ]);
    expect(await runs(weekdays, '2026-11-25T00:00:00Z', 1, nextBriefingAt)).toEqual([
      '2026-11-26T08:30+09:00',
    ]);
    const everyDay = scheduleOf('08:30', 'daily', 'Asia/Seoul');
    expect(await runs(everyDay, '2026-12-24T00:00:00Z', 1, nextBriefingAt)).toEqual([
      '2026-12-25T08:30+09:00',
    ]);
    // Past the calendar nothing is known to be closed.
    expect(isSkipped(weekdays, Temporal.Instant.from('2099-12-25T00:00:00Z'))).toBe(false);
  });
});

describe('days, as people write them', () => {
  everyRow([
    [undefined, [1, 2, 3, 4, 5]],
    ['weekdays', [1, 2, 3, 4, 5]],
    ['every weekday', [1, 2, 3, 4, 5]],
    ['평일', [1, 2, 3, 4, 5]],
    ['월~금', [1, 2, 3, 4, 5]],
    ['Mon-Fri', [1, 2, 3, 4, 5]],
    ['daily', [1, 2, 3, 4, 5, 6, 7]],
    ['every day', [1, 2, 3, 4, 5, 6, 7]],
    ['매일', [1, 2, 3, 4, 5, 6, 7]],
    ['주말', [6, 7]],
    ['fri,mon,wed', [1, 3, 5]],
    ['Tuesdays and Thursdays', [2, 4]],
    ['월수금', [1, 3, 5]],
    ['매주 월요일', [1]],
    ['금~월', [1, 5, 6, 7]],
    ['토, 일요일마다', [6, 7]],
  ])('%j are %j', (text, days) => {
    expect(readDays(text)).toEqual(days);
  });

  it.each(['never', 'moon', 'mon,xyz', '월식', '1,2', 'a'.repeat(10_000)])('%j are none', (text) => {
    expect(readDays(text)).toBeUndefined();
  });

  it('are called weekdays where they are those, however they were written', () => {
    expect(kindOfDays(readDays('월화수목금') ?? [])).toBe('weekdays');
    expect(kindOfDays(readDays('mon,wed') ?? [])).toBeUndefined();
  });
});

it.each(['constructor', '__proto__'])('takes %s, which every object has, for no day', (word) => {
  expect(readDays(word)).toBeUndefined();
});

it('knows a single day or a single time from days that come again', () => {
  for (const text of ['오늘', 'tomorrow', '2026-12-24', '12/24', '12월 24일에', 'once', '한 번만'])
    expect([text, isOneDay(text)]).toEqual([text, true]);
  for (const text of ['daily', '매일', 'moon']) expect([text, isOneDay(text)]).toEqual([text, false]);
});
