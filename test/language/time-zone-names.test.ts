import { describe, expect, it } from 'vitest';
import { resolveTimeZone } from '#src/language/time-zone.ts';

describe('resolveTimeZone', () => {
  it.each([
    ['Asia/Seoul', 'Asia/Seoul'],
    ['asia/seoul', 'Asia/Seoul'],
    ['  AMERICA/NEW_YORK ', 'America/New_York'],
    ['America/New York', 'America/New_York'],
    ['america/north_dakota/center', 'America/North_Dakota/Center'],
    // Another name of the same zone stays its own
    ['us/eastern', 'US/Eastern'],
    ['utc', 'UTC'],
    ['gmt', 'GMT'],
    ['+09:00', '+09:00'],
    // Cities
    ['Seoul', 'Asia/Seoul'],
    ['new york', 'America/New_York'],
    ['NEW_YORK', 'America/New_York'],
    ['hong kong', 'Asia/Hong_Kong'],
    ['Zurich', 'Europe/Zurich'],
    ['San Francisco', 'America/Los_Angeles'],
    ['서울', 'Asia/Seoul'],
    ['뉴욕', 'America/New_York'],
    ['런던', 'Europe/London'],
    // What people write, with the summer time that they mean
    ['KST', 'Asia/Seoul'],
    ['EST', 'America/New_York'],
    ['pst', 'America/Los_Angeles'],
  ])('reads %j as %s', (typed, zone) => {
    expect(resolveTimeZone(typed)).toBe(zone);
    expect(Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId).toBe(zone);
  });

  it.each([
    '',
    '   ',
    '/',
    'York',
    'Mars/Olympus',
    'Asia',
    'Asia/Soul',
    '../../etc/passwd',
    '🕰',
    '\u202eloueS',
    '+99:00',
    'Asia/Seoul; DROP TABLE profiles',
    'x'.repeat(100_000),
  ])('does not guess at %.30j', (typed) => {
    expect(resolveTimeZone(typed)).toBeUndefined();
  });
});
