import { expect, it } from 'vitest';
import { minutesOf, readSpan, spansIn } from '#src/reading/spans.ts';
import { placesOf, shownReading, tableOf } from '#test/reading/reading-table.ts';

const shown = (text: string): string => shownReading(readSpan(text), (span) => span.toString());

it('reads spans in every spelling', () => {
  const cases = tableOf(`
    30분 => PT30M
    ３０분 => PT30M
    2시간 => PT2H
    두 시간 => PT2H
    1시간 반 => PT1H30M
    두 시간 30분 => PT2H30M
    하루 => P1D
    하루 반 => P1DT12H
    이틀 => P2D
    사흘 => P3D
    열흘 => P10D
    보름 => P15D
    3일 => P3D
    30일 => P30D
    일주일 => P1W
    2주 => P2W
    2주일 => P2W
    한 주 => P1W
    한 달 => P1M
    한달 반 => P1M15D
    석 달 => P3M
    6개월 => P6M
    육개월 => P6M
    반년 => P6M
    1년 => P1Y
    일년 => P1Y
    1년 반 => P1Y6M
    1.5년 => P1Y6M
    1년 6개월 => P1Y6M
    2주 동안 => P2W
    3일간 => P3D
    한 달 정도 => ~P1M
    약 2시간 => ~PT2H
    2h => PT2H
    1.5h => PT1H30M
    1h30m => PT1H30M
    90 min => PT90M
    90m => PT90M or P90M
    3m => PT3M or P3M
    1d => P1D
    7 days => P7D
    1w => P1W
    two weeks => P2W
    a fortnight => P2W
    1mo => P1M
    3 months => P3M
    twelve months => P12M
    1y => P1Y
    1y6m => P1Y6M
    a year => P1Y
    a year and a half => P1Y6M
    2 and a half years => P2Y6M
    half an hour => PT30M
    half a year => P6M
    half a day => PT12H
    half day => PT12H
    quarter of an hour => PT15M
    1 hour and 30 minutes => PT1H30M
    for 2 weeks => P2W
    about an hour => ~PT1H
    30 => none
    1,5h => none
    3분기 => none
    3분의 1 => none
    이 주식 => none
    사주 => none
    3일 전 => none
    a week ago => none
    -3일 => none
    mo => none
    3 apples => none
  `);
  expect(cases.map(([text]) => [text, shown(text)])).toEqual(cases);
});

it('finds spans in sentences, but not share counts, days of the month or amounts', () => {
  const cases = tableOf(`
    2시간마다 알려줘 => 2시간마다
    3주 동안 알려줘 => 3주 동안
    for 3 months and then 2 weeks => 3 months|2 weeks
    remind me every 5m => 5m
    지난 6개월 차트 => 6개월
    삼성전자 3주 샀어 =>
    buy 5m of it =>
    13일에 =>
    20일선 =>
    3분의 1 =>
    3일 전에 =>
    10주 전량 =>
  `);
  expect(cases.map(([text]) => [text, placesOf(text, spansIn(text))])).toEqual(cases);
});

const minutes = (text: string): number | undefined => {
  const found = readSpan(text);
  return found && minutesOf(found.value);
};

it('a span without a start has 30-day months and 365-day years', () => {
  expect(['90 min', '1.5h', '하루', '일주일', '한 달', '1년 반'].map(minutes)).toEqual([
    90, 90, 1_440, 10_080, 43_200, 784_800,
  ]);
});
