import { array, assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportDatesIn, type ReportDateOptions } from '#src/reading/report-dates.ts';
import { tableOf } from '#test/reading/reading-table.ts';
import { everyRow } from '#test/support/every-row.ts';

/** A Saturday. */
const TODAY = Temporal.PlainDate.from('2026-11-14');

const isoOf = (day: number): string => new Temporal.PlainDate(1970, 1, 1).add({ days: day }).toString();

/** `11월 9일: 2026-11-09 or 2027-11-09; 3월: no day`. */
const shown = (text: string, options?: ReportDateOptions): string =>
  reportDatesIn(text, TODAY, options)
    .map(
      ({ start, end, days, isRelative }) =>
        `${text.slice(start, end)}: ${isRelative ? 'relative ' : ''}${days.map(isoOf).join(' or ') || 'no day'}`,
    )
    .join('; ');

const SINGLE = tableOf(`
  11월 19일이에요 => 11월 19일: 2026-11-19 or 2025-11-19
  NVDA 실적은 11/18이고 => 11/18: 2026-11-18 or 2025-11-18
  | 11/9 | 100,600원 | => 11/9: 2026-11-09 or 2027-11-09
  11/13 15:30 KST => 11/13: 2026-11-13 or 2027-11-13
  | 11-12 06:00 KST | => 11-12: 2026-11-12 or 2027-11-12
  | 11-12 | 102,000 | => 11-12: 2026-11-12 or 2027-11-12
  updated (11-12 16:00 ET) => 11-12: 2026-11-12 or 2027-11-12
  11.12(목) 종가 => 11.12(목): 2026-11-12 or 2027-11-12
  2027년 1월 28일에 발표 => 2027년 1월 28일: 2027-01-28
  27년 1월 28일 => 27년 1월 28일: 2027-01-28
  2026-11-13T06:00Z => 2026-11-13: 2026-11-13
  2026. 11. 13. 종가 => 2026. 11. 13: 2026-11-13
  11/13/2026 => 11/13/2026: 2026-11-13
  Friday, November 13, a gain => Friday, November 13: 2026-11-13 or 2027-11-13
  - Mon, Nov 9: $199.05 => Mon, Nov 9: 2026-11-09 or 2027-11-09
  April 7, 2026, and => April 7, 2026: 2026-04-07
  13th of November 2026 => 13th of November 2026: 2026-11-13
  작년 10월 3일 고점 => 10월 3일: 2025-10-03
  내년 1월 28일 => 1월 28일: 2027-01-28
  오늘 11월 14일 => 11월 14일: 2026-11-14
  11월 13일(금) 종가 => 11월 13일(금): 2026-11-13 or 2027-11-13
  다음 주 수요일(11월 18일) => 다음 주 수요일: relative 2026-11-18; 11월 18일: 2026-11-18 or 2025-11-18
  어제는 올랐습니다 => 어제: relative 2026-11-13
  2월 30일 => 2월 30일: no day
  3분기(7~9월) 실적 => 3분기: no day; 9월: no day
  2026년 3월 => 2026년 3월: no day
  Q3 2026 and March 2025 => Q3 2026: no day; March 2025: no day
`);

const RANGES = tableOf(`
  1월 26~29일 => 1월 26: 2026-01-26 or 2027-01-26; 29일: 2026-01-29 or 2027-01-29
  2027년 1월 26~29일 => 2027년 1월 26: 2027-01-26; 29일: 2027-01-29
  2027년 1월 26일에서 29일 사이 => 2027년 1월 26일: 2027-01-26; 29일: 2027-01-29
  2027년 1월 26일부터 2월 3일까지 => 2027년 1월 26일: 2027-01-26; 2월 3일: 2027-02-03
  2025년 12월 9일부터 1월 5일까지 => 2025년 12월 9일: 2025-12-09; 1월 5일: 2026-01-05
  12월 30일~2일 => 12월 30일: 2025-12-30 or 2026-12-30; 2일: 2026-01-02 or 2027-01-02
  between January 26 and 29, 2027 => January 26: 2027-01-26; 29, 2027: 2027-01-29
  Jan 26–29, 2027, EPS => Jan 26: 2027-01-26; 29, 2027: 2027-01-29
  26–29 January 2027 => 26: 2027-01-26; 29 January 2027: 2027-01-29
  from July 10 to September 18 => July 10: 2026-07-10 or 2027-07-10; September 18: 2026-09-18 or 2027-09-18
  Jul 10 – Sep 5 => Jul 10: 2026-07-10 or 2027-07-10; Sep 5: 2026-09-05 or 2027-09-05
  July 10 to September 18, 2025 => July 10: 2025-07-10; September 18, 2025: 2025-09-18
  Dec 20, 2025 through Jan 5 => Dec 20, 2025: 2025-12-20; Jan 5: 2026-01-05
  2026-11-09 ~ 2026-11-13 => 2026-11-09: 2026-11-09; 2026-11-13: 2026-11-13
  7/10~9/18 => 7/10: 2026-07-10 or 2027-07-10; 9/18: 2026-09-18 or 2027-09-18
`);

const BARE = tableOf(`
  11월 9일 100,600원, 10일 103,500원 => 11월 9일: 2026-11-09 or 2027-11-09; 10일: 2026-11-10 or 2027-11-10
  2026년 10월 30일 3%, 2일 1% => 2026년 10월 30일: 2026-10-30; 2일: 2026-10-02 or 2026-11-02
  12일 종가는 102,000원 => 12일: 2026-11-12 or 2026-12-12
  13일(금) 마감 => 13일(금): 2026-11-13 or 2026-12-13
  closed on the 12th => the 12th: 2026-11-12 or 2026-12-12
`);

const NO_DATES = [
  '10-20% | up 10-12 points | 1/2 of it | 24/7 | MACD(12/26/9) | v1.2.3 | it may 3 times | March 10 shares | 5/10 split',
  '3월물 선물 | 20일선 | 50일 이동평균 | 52주 최고 | 3개월 | $11/13 | 10.0.0.1 | 005930 | 2026 | MAR 10 | 11-14 | 11.13 상승',
  '10년물 금리 | 5년 | 12일 종가 | on the 12th | 010-1234-5678 | P/E 15.2 | 1,234.11/13',
].flatMap((line) => line.split(' | '));

describe('dates in a report', () => {
  everyRow(SINGLE)('are found, with every day that they may mean, in %j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  everyRow(RANGES)('take month and year from the other end of a range in %j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  everyRow(BARE)('may be days without a month if the caller allows it: %j', (text, expected) => {
    expect(shown(text, { allowsBareDays: true })).toBe(expected);
    expect(shown(text)).not.toBe(expected);
  });

  everyRow(NO_DATES)('are not found in %j', (text) => {
    expect(shown(text)).toBe('');
  });

  everyRow([
    '20일선을 넘어',
    '20일 이동평균',
    '12일 EMA',
    '5일 연속',
    '3일에 걸쳐',
    '95% 1일 VaR',
    'the 5th straight day',
    '11월 13일 종가가 20일선 위',
  ])('without a month are no spans: %j', (text) => {
    expect(shown(text, { allowsBareDays: true })).toBe(shown(text));
  });

  it('leave numbers after a day alone', () => {
    for (const text of [
      'Nov 12 and 13% up',
      'on Nov 12 to 25 on Nov 13',
      '2026-11-13 - 3.5%',
      'Nov 3 - 14 stocks',
    ])
      expect(shown(text)).not.toMatch(/\b(?:13%|25|3\.5|14):/u);
  });
});

const NAMES = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const WRITERS: readonly ((date: Temporal.PlainDate) => string)[] = [
  (date) => date.toString(),
  (date) => date.toString().replaceAll('-', '/'),
  ({ year, month, day }) => `${year}. ${month}. ${day}.`,
  ({ year, month, day }) => `${year}년 ${month}월 ${day}일이에요`,
  ({ year, month, day }) => `${NAMES[month - 1]} ${day}, ${year}`,
  ({ year, month, day }) => `${day} ${NAMES[month - 1]} ${year}`,
  (date) => date.toString().replaceAll(/\d/gu, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
];
const someDay = integer({ min: 0, max: 36_524 }).map((days) =>
  new Temporal.PlainDate(2000, 1, 1).add({ days }),
);

it('every spelling of a whole date in a report gives its day', () => {
  assert(
    property(someDay, constantFrom(...WRITERS), (day, write) => {
      const [found, ...others] = reportDatesIn(`(${write(day)})`, TODAY);
      expect(others).toEqual([]);
      expect(found?.days.map(isoOf)).toEqual([day.toString()]);
    }),
  );
});

it('mentions in a report are in order and never overlap', () => {
  const pieces = constantFrom(
    ...'11월 _26_~_29일_-_Nov _13_, _2027_/_ to _and _어제_._|_년 _the _th_\n_ '.split('_'),
  );
  assert(
    property(array(pieces, { maxLength: 40 }), (parts) => {
      const text = parts.join('');
      let from = 0;
      for (const { start, end } of reportDatesIn(text, TODAY, { allowsBareDays: true })) {
        expect(start).toBeGreaterThanOrEqual(from);
        expect(end).toBeGreaterThan(start);
        from = end;
      }
      expect(from).toBeLessThanOrEqual(text.length);
    }),
  );
});
