import { describe, expect, it } from 'vitest';
import { resolveTimeZone } from '#src/language/time-zone.ts';

describe('a time zone', () => {
  it.each([
    ['Asia/Seoul', 'Asia/Seoul'],
    ['america/new_york', 'America/New_York'],
    ['America/New York', 'America/New_York'],
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
    ['Mumbai', 'Asia/Kolkata'],
    ['Beijing', 'Asia/Shanghai'],
    ['서울', 'Asia/Seoul'],
    ['뉴욕', 'America/New_York'],
    ['뉴욕'.normalize('NFD'), 'America/New_York'],
    ['런던', 'Europe/London'],
    ['KST', 'Asia/Seoul'],
    ['ET', 'America/New_York'],
    ['utc', 'UTC'],
    ['UTC+9', '+09:00'],
    ['GMT-04:30', '-04:30'],
    ['+0530', '+05:30'],
  ])('is meant by "%s"', (name, zone) => {
    expect(resolveTimeZone(name)).toBe(zone);
  });

  it.each([
    '',
    ' ',
    'Atlantis',
    'Asia/Nowhere',
    'UTC+25',
    '+9:99',
    'constructor',
    '__proto__',
    '2026-11-13T00:00Z[UTC]',
  ])('is not meant by "%s"', (name) => {
    expect(resolveTimeZone(name)).toBeUndefined();
  });
});
