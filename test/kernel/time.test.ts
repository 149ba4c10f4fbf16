import { describe, expect, it } from 'vitest';
import { nativeMoments, writeDayMoment, writeMoment, zoneName } from '#src/kernel/time.ts';
import { everyRow } from '#test/support/every-row.ts';

const AT = Temporal.Instant.from('2026-11-13T06:30:00Z');
const SUMMER = Temporal.Instant.from('2026-07-13T06:30:00Z');

const native = (text: string): string =>
  nativeMoments(text, ({ unixSeconds, hasWeekday }) => `<${unixSeconds}${hasWeekday ? ' with day' : ''}>`);

describe('a written moment', () => {
  everyRow([
    ['Asia/Seoul', AT, '2026-11-13 15:30 KST'],
    ['America/New_York', AT, '2026-11-13 01:30 EST'],
    ['America/New_York', SUMMER, '2026-07-13 02:30 EDT'],
    ['Europe/London', SUMMER, '2026-07-13 07:30 BST'],
    ['Asia/Shanghai', AT, '2026-11-13 14:30 GMT+8'],
    ['America/Chicago', AT, '2026-11-13 00:30 GMT-6'],
    ['Asia/Kolkata', AT, '2026-11-13 12:00 GMT+5:30'],
    ['-03:30', AT, '2026-11-13 03:00 GMT-3:30'],
    ['UTC', AT, '2026-11-13 06:30 UTC'],
  ])('names the zone as people of %s do', (zone, at, written) => {
    expect(writeMoment(at, zone)).toBe(written);
  });

  it('has its day of the week in the language of the reader', () => {
    expect(writeDayMoment(AT, 'Asia/Seoul', 'ko')).toBe('2026-11-13 (금) 15:30 KST');
    expect(writeDayMoment(AT, 'Asia/Seoul', 'en')).toBe('Fri 2026-11-13 15:30 KST');
  });

  it('is read back as the same moment, whatever the zone, the season and the language', () => {
    const wrong = Intl.supportedValuesOf('timeZone').flatMap((zone) =>
      [AT, SUMMER].flatMap((at) =>
        [writeMoment(at, zone), writeDayMoment(at, zone, 'ko'), writeDayMoment(at, zone, 'en')].filter(
          (text) => !native(`(${text})`).startsWith(`(<${at.epochMilliseconds / 1_000}`),
        ),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('knows both hours that are there twice when clocks go back', () => {
    const [first, second] = ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'].map((at) =>
      Temporal.Instant.from(at),
    );
    if (!first || !second) throw new Error('unreachable');
    expect(zoneName(first, 'America/New_York')).toBe('EDT');
    expect(native(writeMoment(first, 'America/New_York'))).toBe(`<${first.epochMilliseconds / 1_000}>`);
    expect(native(writeMoment(second, 'America/New_York'))).toBe(`<${second.epochMilliseconds / 1_000}>`);
  });
});

describe('moments in a text', () => {
  it.each([
    ['as of 2026-11-13 15:30 KST · source', 'as of <1794551400> · source'],
    ['until 2026-11-13 15:30 KST.', 'until <1794551400>.'],
    ['2026-11-13 15:30 KST까지', '<1794551400>까지'],
    ['next: Fri 2026-11-13 15:30 KST (Fri 01:30 EST)', 'next: <1794551400 with day> (Fri 01:30 EST)'],
    ['2026-11-13 (금) 15:30 KST예요', '<1794551400 with day>예요'],
    ['a `2026-11-13 15:30 KST` b 2026-11-13 15:30 KST', 'a `2026-11-13 15:30 KST` b <1794551400>'],
    ['```\n2026-11-13 15:30 KST\n```\n2026-11-13 15:30 KST', '```\n2026-11-13 15:30 KST\n```\n<1794551400>'],
  ])('are replaced in %j, save in code', (text, shown) => {
    expect(native(text)).toBe(shown);
  });

  everyRow([
    'on 2026-11-13',
    '2026-11-13 15:30',
    '2026-11-13 15:30 XYZ',
    '2026-13-45 99:99 KST',
    '2026-02-31 09:00 KST',
    '2026-11-13 24:00 KST',
    '2026-11-13 15:00 CST',
    '2026-11-13 15:30 KSTX',
    '12026-11-13 15:30 KST',
    '2026-11-13 15:30:59 KST',
    'GMT+9',
  ])('are none in %j', (text) => {
    expect(native(text)).toBe(text);
  });
});
