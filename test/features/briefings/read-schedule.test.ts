import { describe, expect, it } from 'vitest';
import { isOneDay, kindOfDays, readDays } from '#src/features/briefings/read-schedule.ts';
import { everyRow } from '#test/support/every-row.ts';

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
