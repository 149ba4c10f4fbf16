import { expect, it } from 'vitest';
import { readTime, timesIn, type TimeValue } from '#src/reading/times.ts';
import { placesOf, shownReading, tableOf } from '#test/reading/reading-table.ts';

const spelled = ({ time, timeZone }: TimeValue): string =>
  [time.toString({ smallestUnit: 'minute' }), ...(timeZone === undefined ? [] : [timeZone])].join(' ');

it('reads times of day, with the evening as an alternative', () => {
  const cases = tableOf(`
    08:30 => 08:30
    ０８：３０ => 08:30
    8:30 => 08:30 or 20:30
    8:30am => 08:30
    8:30 P.M. => 20:30
    at 8:30am => 08:30
    9am => 09:00
    9.30 pm => 21:30
    12am => 00:00
    12:15pm => 12:15
    23:59 => 23:59
    8시 => 08:00 or 20:00
    8시에 => 08:00 or 20:00
    8시 반 => 08:30 or 20:30
    여덟시 => 08:00 or 20:00
    열한 시 반 => 11:30 or 23:30
    12시 => 12:00 or 00:00
    0시 => 00:00
    22시 => 22:00
    오전 9시 => 09:00
    오전 12시 => 00:00
    오후 3시 30분 => 15:30
    오후 15시 => 15:00
    오후 3:30 => 15:30
    새벽 1시 => 01:00
    아침 8시 반 => 08:30
    아침 8 => 08:00
    점심 12시 => 12:00
    낮 2시 => 14:00
    저녁 7시 반 => 19:30
    밤 11시 => 23:00
    밤 1시 => 01:00
    정오 => 12:00
    자정 => 00:00
    noon => 12:00
    at midnight => 00:00
    at 6 => 06:00 or 18:00
    6 o'clock => 06:00 or 18:00
    half past 8 => 08:30 or 20:30
    quarter to 9 => 08:45 or 20:45
    8시쯤 => ~08:00 or 20:00
    around 9am => ~09:00
    9:30am ET => 09:30 America/New_York
    at 6pm ET => 18:00 America/New_York
    21시 KST => 21:00 Asia/Seoul
    뉴욕 시간 오전 9시 반 => 09:30 America/New_York
    오전 9시 한국시간 => 09:00 Asia/Seoul
    9am New York time => 09:00 America/New_York
    09:30 UTC+9 => 09:30 +09:00
    8 => none
    830 => none
    24:00 => none
    8:60 => none
    8:5 => none
    25시 => none
    8시간 => none
    13am => none
    오전 13시 => none
    아침 12시 => none
    오전 8시 pm => none
    1:10 split => none
    soon => none
    constructor => none
  `);
  expect(cases.map(([text]) => [text, shownReading(readTime(text), spelled)])).toEqual(cases);
});

it('reads bare digits as a time only if allowed', () => {
  for (const [text, time] of [
    ['830', '08:30 or 20:30'],
    ['0830', '08:30'],
    ['8.30', '08:30 or 20:30'],
    ['2400', 'none'],
    ['0860', 'none'],
  ] as const)
    expect([text, shownReading(readTime(text, { allowsCompact: true }), spelled)]).toEqual([text, time]);
});

it('finds times in sentences with their positions', () => {
  const cases = tableOf(`
    매일 아침 8시 반에 브리핑 해줘 => 아침 8시 반에
    brief me at 8:30am ET every weekday => at 8:30am ET
    뉴욕 시간 오전 9시에 알려줘 => 뉴욕 시간 오전 9시에
    tell me new york time 9:30 => new york time 9:30
    오전 9시부터 오후 3시 30분까지 => 오전 9시부터|오후 3시 30분까지
    1:10 split =>
    2시간마다 =>
    AAPL at 6 =>
    bought at 180 =>
    8시세 =>
    10:1 =>
    $8:30 =>
  `);
  expect(cases.map(([text]) => [text, placesOf(text, timesIn(text))])).toEqual(cases);
});
