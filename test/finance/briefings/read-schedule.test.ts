import { describe, expect, it } from 'vitest';
import { kindOfDays, readDays, readTime } from '#src/finance/briefings/read-schedule.ts';

describe('a time of day, as people write it', () => {
  it.each([
    ['08:30', '08:30'],
    ['8:30am', '08:30'],
    ['8:30 P.M.', '20:30'],
    ['at 7 am', '07:00'],
    ['0830', '08:30'],
    ['830', '08:30'],
    ['8.30', '08:30'],
    ['at 6', '06:00'],
    ['12am', '00:00'],
    ['12:15pm', '12:15'],
    ['23:59', '23:59'],
    ['아침 8시 반', '08:30'],
    ['오후 3시 5분', '15:05'],
    ['오전 12시', '00:00'],
    ['저녁 7시에', '19:00'],
    ['밤 11시', '23:00'],
    ['밤 1시', '01:00'],
    ['점심 12시', '12:00'],
    ['낮 1시 반', '13:30'],
    ['오후 15시', '15:00'],
    ['22시', '22:00'],
    ['정오', '12:00'],
    ['midnight', '00:00'],
  ])('%s is %s', (text, time) => {
    expect(readTime(text)?.toString({ smallestUnit: 'minute' })).toBe(time);
  });

  it.each([
    '',
    '8',
    '24:00',
    '2400',
    '0860',
    '8:60',
    '13am',
    '오전 13시',
    '아침 12시',
    '오전 8시 pm',
    '-1:00',
    'soon',
    '8:5',
  ])('%j is none', (text) => {
    expect(readTime(text)).toBeUndefined();
  });
});

describe('days, as people write them', () => {
  it.each([
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

it.each(['constructor', '__proto__'])('takes %s, which every object has, for no time and no day', (word) => {
  expect(readDays(word)).toBeUndefined();
  expect(readTime(word)).toBeUndefined();
});
