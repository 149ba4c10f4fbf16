import { array, assert, constantFrom, integer, nat, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datesIn, readDate } from '#src/reading/dates.ts';
import { readSpan, spansIn } from '#src/reading/spans.ts';
import { readTime, timesIn } from '#src/reading/times.ts';
import { readWeekdays, weekdaysIn } from '#src/reading/weekdays.ts';
import { placesOf, shownReading, spelledDate, tableOf } from '#test/reading/reading-table.ts';
import { everyRow } from '#test/support/every-row.ts';

const day = (iso: string): Temporal.PlainDate => Temporal.PlainDate.from(iso);
/** A Monday. */
const TODAY = day('2026-11-16');

const TRAPS = [
  '오늘의집 주가 | 일본 주식 | 월급 300만원 | 이월드 얼마 | 005930 얼마 | 다음 주식 | 이번 주식 샀어 | 지난 주말',
  'it may rise | March 10 shares | may 3 times | bought 13 mar at 250 | MAR 10 250 | buy 5 NOV | the sun | 5/10 split',
  '비율 3/4 | 3/4 of it | 10-20% | up 1.5 | 10.3에 샀어 | KOSPI 2026.11 | AAPL at 2026 | AAPL 20261113 C200',
  '010-1234-5678 | 02-2026-1113 | $11/13 | v1.2.3 | 10.0.0.1 | 2026 | 20일 이평선 | 20일선 돌파',
  '3일 동안 | 5일 연속 | 10주 전량 매도 | 10주 전부 매도 | 52 week high | the year was bad | every friday | 매주 금요일',
  '매월 13일에 | 지난 3개월 | last 3 months | 2시간 전 | 3월물 선물 | in 5 shares',
].flatMap((line) => line.split(' | '));

describe('dates in a sentence', () => {
  it('are found with their particles and positions', () => {
    const cases = tableOf(`
      삼성전자 10주를 7만1천원에 어제 샀어 => 어제
      bought 5 apple at 180 last friday => last friday
      지난주 금요일에 애플 5주 180달러에 매수했어 => 지난주 금요일에
      6개월 전 애플 주가 => 6개월 전
      what was apple's price on 2026-10-01? => on 2026-10-01
      애플 11/13에 샀어 => 11/13에
      on 11/13 I bought => on 11/13
      13일에 샀어 => 13일에
      어제샀어 => 어제
      팔았다.2026-11-13에 다시 샀다 => 2026-11-13에
      샀다,11월 13일에 팔았다 => 11월 13일에
      오늘은 어때 => 오늘은
      2026년 1월 5일부터 2월 3일까지 => 2026년 1월 5일부터|2월 3일까지
      it may rise 5% in may => in may
      I sat in the sun on sat => on sat
      compare BTC and ETH this month => this month
      today's price => today's
      2026-11-13T09:30:00Z => 2026-11-13
      2026-11-13 09:30 => 2026-11-13
      ２０２６년 １１월 １３일에 샀다 => ２０２６년 １１월 １３일에
      Nov 13, 2026 to Nov 15, 2026 => Nov 13, 2026|Nov 15, 2026
      AAPL since March 2025 => since March 2025
      2/30에 샀어 => 2/30에
    `);
    expect(cases.map(([text]) => [text, placesOf(text, datesIn(text, TODAY))])).toEqual(cases);
  });

  everyRow(TRAPS)('are not found in %j', (text) => {
    expect(datesIn(text, TODAY).map(({ start, end }) => text.slice(start, end))).toEqual([]);
  });

  it('include short forms if the caller allows them', () => {
    const [found] = datesIn('애플 5주 180달러 11/13', TODAY, { allowsShort: true });
    expect(shownReading(found, spelledDate)).toBe('2026-11-13');
  });

  it('are read in linear time', () => {
    for (const piece of ['11/', '2026-11-', 'last ', '지난 ', '1월 ', 'in in ', '(', '1 year and '])
      expect(datesIn(piece.repeat(500), TODAY).length).toBeLessThan(1_501);
  });
});

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** Every way to write a whole date, from the date. */
const WRITERS: readonly ((date: Temporal.PlainDate) => string)[] = [
  (date) => date.toString(),
  (date) => date.toString().replaceAll('-', '/'),
  ({ year, month, day }) => `${year}. ${month}. ${day}.`,
  ({ year, month, day }) => `${year}년 ${month}월 ${day}일`,
  ({ year, month, day }) => `${year}년${month}월${day}일에`,
  ({ year, month, day }) => `${String(year).slice(2)}년 ${month}월 ${day}일`,
  ({ year, month, day }) => `${MONTHS[month - 1]} ${day}, ${year}`,
  ({ year, month, day }) => `on ${MONTHS[month - 1]?.slice(0, 3)} ${day} ${year}`,
  ({ year, month, day }) => `${day} ${MONTHS[month - 1]} ${year}`,
  ({ year, month, day }) => `${day}-${MONTHS[month - 1]?.slice(0, 3)}-${year}`,
  ({ year, month, day }) => `${month}/${day}/${year}`,
  (date) => date.toString().replaceAll('-', ''),
  (date) => date.toString().replaceAll(/\d/gu, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
];

const someDay = integer({ min: 0, max: 36_524 }).map((days) => day('2000-01-01').add({ days }));

it('every spelling of a date gives the same day, whatever today is', () => {
  assert(
    property(someDay, someDay, nat(WRITERS.length - 1), (date, today, way) => {
      const text = WRITERS[way]?.(date) ?? '';
      const found = readDate(text, today, { allowsCompact: true });
      expect([text, found && spelledDate(found.value)]).toEqual([text, date.toString()]);
    }),
  );
});

const leapDay = (today: string, looks: 'back' | 'ahead'): string | undefined => {
  const value = readDate('2월 29일', Temporal.PlainDate.from(today), { looks })?.value;
  return value?.status === 'date' ? value.first.toString() : value?.status;
};

it('a yearless date is never far in the future looking back, nor in the past looking ahead', () => {
  expect(leapDay('2028-01-10', 'back')).toBe('impossible');
  expect(leapDay('2029-03-01', 'ahead')).toBe('impossible');
  expect(leapDay('2028-02-10', 'back')).toBe('2028-02-29');
  expect(leapDay('2029-01-10', 'back')).toBe('2028-02-29');
  assert(
    property(someDay, someDay, (date, today) => {
      const text = `${date.month}월 ${date.day}일`;
      for (const looks of ['back', 'ahead'] as const) {
        const value = readDate(text, today, { looks })?.value;
        if (value?.status !== 'date') continue;
        const ahead = today.until(value.first, { largestUnit: 'day' }).days;
        expect(looks === 'back' ? ahead <= 31 : ahead >= 0).toBe(true);
        expect(Math.abs(ahead)).toBeLessThan(732);
      }
    }),
  );
});

const PIECES =
  '99999|0|3|13|31|2026|1999|-|/|.|:| |, |년|월|일|주|분|시|개월|전|후|반|오전|지난|다음|작년|말|금요일|half |a |an |day|year |years |ago|in |last |next |the |of |end |Feb |29|th|am|T|Z|Q4|추석|이맘때|$|%|가|x'.split(
    '|',
  );

const fuzz = (check: (text: string, today: Temporal.PlainDate) => void): void => {
  const texts = array(constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));
  assert(property(texts, someDay, check), { numRuns: 1_000 });
};

it('readers never throw, and readings are in order within the text', () => {
  fuzz((text, today) => {
    for (const readings of [datesIn(text, today), timesIn(text), spansIn(text), weekdaysIn(text)]) {
      let last = 0;
      for (const { start, end } of readings) {
        expect([text, start >= last && end > start && end <= text.length]).toEqual([text, true]);
        last = end;
      }
    }
    for (const looks of ['back', 'ahead', 'near'] as const)
      readDate(text, today, { looks, allowsCompact: true, allowsShort: true });
    readTime(text, { allowsCompact: true });
    readSpan(text);
    readWeekdays(text);
  });
});
