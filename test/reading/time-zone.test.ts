import { expect } from 'vitest';
import { resolveTimeZone } from '#src/reading/time-zone.ts';
import { everyRow } from '#test/support/every-row.ts';

everyRow([
  ['Asia/Seoul', 'Asia/Seoul'],
  ['asia/seoul', 'Asia/Seoul'],
  ['  AMERICA/NEW_YORK ', 'America/New_York'],
  ['America/New York', 'America/New_York'],
  ['america/north_dakota/center', 'America/North_Dakota/Center'],
  // An alias of a zone is kept as it is.
  ['us/eastern', 'US/Eastern'],
  ['utc', 'UTC'],
  ['gmt', 'GMT'],
  ['UTC+9', '+09:00'],
  ['GMT-04:30', '-04:30'],
  ['+0530', '+05:30'],
  ['+09:00', '+09:00'],
  // Cities
  ['Seoul', 'Asia/Seoul'],
  ['  new   york ', 'America/New_York'],
  ['NEW_YORK', 'America/New_York'],
  ['London', 'Europe/London'],
  ['tokyo', 'Asia/Tokyo'],
  ['Hong Kong', 'Asia/Hong_Kong'],
  ['Los Angeles', 'America/Los_Angeles'],
  ['Buenos Aires', 'America/Buenos_Aires'],
  ['San Francisco', 'America/Los_Angeles'],
  ['Frankfurt', 'Europe/Berlin'],
  ['Zurich', 'Europe/Zurich'],
  ['Mumbai', 'Asia/Kolkata'],
  ['Beijing', 'Asia/Shanghai'],
  ['서울', 'Asia/Seoul'],
  ['뉴욕', 'America/New_York'],
  ['뉴욕'.normalize('NFD'), 'America/New_York'],
  ['런던', 'Europe/London'],
  // Abbreviations mean the place, daylight saving time included.
  ['KST', 'Asia/Seoul'],
  ['ET', 'America/New_York'],
  ['EST', 'America/New_York'],
  ['pst', 'America/Los_Angeles'],
  // As people call them.
  ['Pacific', 'America/Los_Angeles'],
  ['eastern time', 'America/New_York'],
  ['California', 'America/Los_Angeles'],
  ['US Central', 'America/Chicago'],
  ['New Mexico', 'America/Denver'],
  ['hawaii', 'Pacific/Honolulu'],
  ['미국 동부', 'America/New_York'],
  ['캘리포니아', 'America/Los_Angeles'],
])('reads %j as the time zone %s', (typed, zone) => {
  expect(resolveTimeZone(typed)).toBe(zone);
  expect(Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId).toBe(zone);
});

everyRow([
  '',
  '   ',
  '/',
  'York',
  'Atlantis',
  'Mars/Olympus',
  'Asia',
  'Asia/Soul',
  'Asia/Nowhere',
  'UTC+25',
  '+9:99',
  '+99:00',
  'constructor',
  '__proto__',
  '2026-11-13T00:00Z[UTC]',
  '../../etc/passwd',
  '🕰',
  '\u202eloueS',
  'Asia/Seoul; DROP TABLE profiles',
  'x'.repeat(100_000),
])('reads %.30j as no time zone', (typed) => {
  expect(resolveTimeZone(typed)).toBeUndefined();
});
