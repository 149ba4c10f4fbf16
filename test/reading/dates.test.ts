import { describe, expect, it } from 'vitest';
import { type DateOptions, readDate } from '#src/reading/dates.ts';
import { shownReading, spelledDate, tableOf } from '#test/reading/reading-table.ts';

const day = (iso: string): Temporal.PlainDate => Temporal.PlainDate.from(iso);
/** A Monday. */
const TODAY = day('2026-11-16');

const NO_DATES =
  '|2026|20261113|005930|13|1.234|010-1234-5678|2026-11-13-14|11/13/14/15|may be|marching|일본|월급|주식|이월드|오늘의집|그제야|지난|1주|soon|언젠가'.split(
    '|',
  );

const expectAll = (lines: string, today = TODAY, options: DateOptions = {}): void => {
  const cases = tableOf(lines);
  expect(cases.map(([text]) => [text, shownReading(readDate(text, today, options), spelledDate)])).toEqual(
    cases,
  );
};

describe('a date is read', () => {
  it('from numbers and month names', () => {
    expectAll(`
      2026-11-13 => 2026-11-13
      2026-1-5 => 2026-01-05
      2026/11/13 => 2026-11-13
      2026.11.13 => 2026-11-13
      2026.11.13. => 2026-11-13
      2026. 11. 13. => 2026-11-13
      ２０２６－１１－１３ => 2026-11-13
      2026-11-13 (Fri) => 2026-11-13
      11/13 => 2026-11-13
      11-13 => 2026-11-13
      11.13 => 2026-11-13
      11. 13. => 2026-11-13
      13/11 => 2026-11-13
      11월 13일 => 2026-11-13
      11월13일 => 2026-11-13
      11월 13일(금) => 2026-11-13
      11월 13일 금요일 => 2026-11-13
      2026년 11월 13일 => 2026-11-13
      2026년11월13일 => 2026-11-13
      26년 3월 2일 => 2026-03-02
      작년 10월 3일 => 2025-10-03
      올해 3월 2일 => 2026-03-02
      13 Nov 2026 => 2026-11-13
      13-Nov-2026 => 2026-11-13
      13th of November => 2026-11-13
      the 13th of November 2025 => 2025-11-13
      13 november => 2026-11-13
      Nov 13 => 2026-11-13
      Nov. 13 => 2026-11-13
      Nov 13th => 2026-11-13
      NOVEMBER 13 => 2026-11-13
      November 13, 2026 => 2026-11-13
      Nov 13 2025 => 2025-11-13
      Friday, November 13 => 2026-11-13
      Sept 3 => 2026-09-03
      the 13th => 2026-11-13
      13th => 2026-11-13
      13일 => 2026-11-13
      the 3rd of last month => 2026-10-03
      지난달 3일 => 2026-10-03
      이번 달 2일 => 2026-11-02
      다음 달 1일 => 2026-12-01
      11/13/2026 => 2026-11-13
      13/10/2026 => 2026-10-13
      13.10.2026 => 2026-10-13
      03/04/2026 => 2026-03-04 or 2026-04-03
      03-04-2026 => 2026-03-04 or 2026-04-03
      03/03/2026 => 2026-03-03
      3/4 => 2026-03-04 or 2026-04-03
      03/04/26 => 2026-03-04 or 2026-04-03 or 2003-04-26
      26.3.2 => 2026-03-02
      26/03/02 => 2026-03-02 or 2002-03-26
    `);
  });

  it('from words counted from today', () => {
    expectAll(`
      오늘 => 2026-11-16
      금일 => 2026-11-16
      어제 => 2026-11-15
      그제 => 2026-11-14
      그저께 => 2026-11-14
      엊그제 => ~2026-11-14
      그끄저께 => 2026-11-13
      내일 => 2026-11-17
      모레 => 2026-11-18
      내일모레 => 2026-11-18
      글피 => 2026-11-19
      today => 2026-11-16
      Yesterday => 2026-11-15
      last night => 2026-11-15
      tomorrow => 2026-11-17
      the day before yesterday => 2026-11-14
      day after tomorrow => 2026-11-18
      3일 전 => 2026-11-13
      3일전에 => 2026-11-13
      하루 전 => 2026-11-15
      이틀 전 => 2026-11-14
      사흘 전 => 2026-11-13
      열흘 전 => 2026-11-06
      보름 전 => 2026-11-01
      일주일 전 => 2026-11-09
      2주 전 => 2026-11-02
      한 달 전 => 2026-10-16
      석달 전 => 2026-08-16
      6개월 전 => 2026-05-16
      반년 전 => 2026-05-16
      1년 전 => 2025-11-16
      1년 반 전 => 2025-05-16
      a day ago => 2026-11-15
      a week ago => 2026-11-09
      two weeks ago => 2026-11-02
      3 months ago => 2026-08-16
      a year and a half ago => 2025-05-16
      3일 후 => 2026-11-19
      일주일 뒤 => 2026-11-23
      in 3 days => 2026-11-19
      in a week => 2026-11-23
      2 weeks from now => 2026-11-30
      약 한 달 전 => ~2026-10-16
      한 달 전쯤 => ~2026-10-16
      about 3 months ago => ~2026-08-16
      작년 이맘때 => ~2025-11-16
      작년 오늘 => 2025-11-16
      this time last year => ~2025-11-16
    `);
  });

  it('from weekdays', () => {
    expectAll(`
      friday => 2026-11-13
      fri => 2026-11-13
      sat => 2026-11-14
      월요일 => 2026-11-16
      금요일 => 2026-11-13
      금욜 => 2026-11-13
      last friday => 2026-11-13
      last monday => 2026-11-09
      this past friday => 2026-11-13
      지난 수요일 => 2026-11-11
      지난주 금요일 => 2026-11-13
      지난 주 금요일에 => 2026-11-13
      저번주 월욜 => 2026-11-09
      지지난주 금요일 => 2026-11-06
      last week friday => 2026-11-13
      friday last week => 2026-11-13
      this friday => 2026-11-20
      이번주 금요일 => 2026-11-20
      next friday => 2026-11-27 or 2026-11-20
      coming friday => 2026-11-20
      다음주 화요일 => 2026-11-24
      다음 금요일 => 2026-11-20 or 2026-11-27
    `);
  });

  it('as a week, a month, a quarter or a year, or as one end of it', () => {
    expectAll(`
      지난주 => week 2026-11-09 2026-11-15
      이번 주 => week 2026-11-16 2026-11-22
      다음주 => week 2026-11-23 2026-11-29
      last week => week 2026-11-09 2026-11-15
      the week before last => week 2026-11-02 2026-11-08
      지난달 => month 2026-10-01 2026-10-31
      저번 달 => month 2026-10-01 2026-10-31
      이번달 => month 2026-11-01 2026-11-30
      last month => month 2026-10-01 2026-10-31
      next month => month 2026-12-01 2026-12-31
      10월 => month 2026-10-01 2026-10-31
      12월 => month 2025-12-01 2025-12-31
      작년 10월 => month 2025-10-01 2025-10-31
      2025년 10월 => month 2025-10-01 2025-10-31
      2026-10 => month 2026-10-01 2026-10-31
      March => month 2026-03-01 2026-03-31
      in may => month 2026-05-01 2026-05-31
      last October => month 2026-10-01 2026-10-31
      last November => month 2025-11-01 2025-11-30
      March 2025 => month 2025-03-01 2025-03-31
      Q3 2025 => quarter 2025-07-01 2025-09-30
      3Q25 => quarter 2025-07-01 2025-09-30
      2025 Q3 => quarter 2025-07-01 2025-09-30
      Q4 => quarter 2026-10-01 2026-12-31
      second quarter of 2025 => quarter 2025-04-01 2025-06-30
      2025년 3분기 => quarter 2025-07-01 2025-09-30
      작년 4분기 => quarter 2025-10-01 2025-12-31
      3분기 => quarter 2026-07-01 2026-09-30
      지난 분기 => quarter 2026-07-01 2026-09-30
      last quarter => quarter 2026-07-01 2026-09-30
      작년 => year 2025-01-01 2025-12-31
      재작년 => year 2024-01-01 2024-12-31
      올해 => year 2026-01-01 2026-12-31
      2025년 => year 2025-01-01 2025-12-31
      in 2025 => year 2025-01-01 2025-12-31
      last year => year 2025-01-01 2025-12-31
      작년 말 => ~2025-12-31
      작년말에 => ~2025-12-31
      연초 => ~2026-01-01
      올해 초 => ~2026-01-01
      지난달 말 => ~2026-10-31
      10월 중순 => ~2026-10-15
      월말 => ~2026-10-31 or 2026-11-30
      end of last year => 2025-12-31
      start of the year => 2026-01-01
      the end of October => 2026-10-31
      early 2025 => ~2025-01-01
      late last year => ~2025-12-31
    `);
  });

  it('as a holiday, including lunar ones', () => {
    expectAll(`
      Christmas => 2025-12-25
      작년 크리스마스 이브 => 2025-12-24
      설날 => 2026-02-17
      작년 설날 => 2025-01-29
      추석 => 2026-09-25
      내년 추석 => 2027-09-15
      New Year's Day => 2026-01-01
    `);
  });

  it('with particles and prepositions', () => {
    expectAll(`
      2026-10-01에 => 2026-10-01
      on Oct 1 => 2026-10-01
      on the 13th => 2026-11-13
      as of yesterday => 2026-11-15
      since March => from month 2026-03-01 2026-03-31
      from 2026-10-01 => from 2026-10-01
      10월 1일부터 => from 2026-10-01
      어제까지 => until 2026-11-15
      until yesterday => until 2026-11-15
      around Oct 1 => ~2026-10-01
      10월 1일쯤 => ~2026-10-01
      10월 1일 무렵에 => ~2026-10-01
    `);
  });

  it('as impossible if there is no such day', () => {
    expectAll(`
      Feb 30 => impossible
      2월 30일 => impossible
      2월 29일 => impossible
      2025-02-29 => impossible
      2026-13-01 => impossible
      11월 31일 => impossible
      13월 => impossible
      13월 1일 => impossible
      31/11/2026 => impossible
      13/45 => impossible
      32일 => impossible
    `);
  });

  it('only from text that is a date', () => {
    for (const text of NO_DATES)
      expect([text, shownReading(readDate(text, TODAY), spelledDate)]).toEqual([text, 'none']);
  });

  it('from eight digits only if allowed', () => {
    expectAll('20261113 => 2026-11-13\n20261313 => none', TODAY, { allowsCompact: true });
  });

  it('in one order only if the order is known', () => {
    expectAll('03/04/2026 => 2026-03-04\n13/10/2026 => impossible\n3/4 => 2026-03-04', TODAY, {
      order: 'month-first',
    });
    expectAll('03/04/2026 => 2026-04-03\n10/13/26 => none\n3/4 => 2026-04-03', TODAY, { order: 'day-first' });
  });
});

describe('a yearless date', () => {
  it('is the last one looking back, and stays if it is just ahead', () => {
    expectAll('12/30 => 2025-12-30\n1/8 => 2026-01-08 or 2025-01-08 or 2025-08-01', day('2026-01-02'));
    expectAll('2월 29일 => 2028-02-29\n31일 => 2028-01-31\nfeb 28 => 2028-02-28', day('2028-02-29'));
    expectAll('friday => 2026-11-13\n20일 => 2026-10-20', TODAY);
  });

  it('is the next one looking ahead', () => {
    const options = { looks: 'ahead' } as const;
    expectAll(
      `
      12/31 => 2026-12-31
      1월 5일 => 2027-01-05
      friday => 2026-11-20
      monday => 2026-11-23
      이번주 금요일까지 => until 2026-11-20
      13일 => 2026-12-13
      월말 => ~2026-11-30
      end of the year => 2026-12-31
      연말까지 => until ~2026-12-31
      March => month 2027-03-01 2027-03-31
      Christmas => 2026-12-25`.replace('until ~', '~until '),
      TODAY,
      options,
    );
    expectAll('this friday => 2026-11-20 or 2026-11-13\nsunday => 2026-11-22', day('2026-11-15'), options);
  });

  it('is the nearest one without a direction', () => {
    expectAll('1/1 => 2027-01-01\n11월 2일 => 2026-11-02\n추석 => 2027-09-15', TODAY, { looks: 'near' });
    expectAll('friday => 2026-11-20 or 2026-11-13\n월요일 => 2026-11-16', TODAY, { looks: 'near' });
  });

  it('uses weeks that start on Monday', () => {
    expectAll(
      '지난주 금요일 => 2026-11-06\n이번주 금요일 => 2026-11-13\n이번주 => week 2026-11-09 2026-11-15',
      day('2026-11-15'),
    );
    // On a Saturday the Friday before is in the same week, and some mean the one before.
    expectAll('last friday => 2026-11-13 or 2026-11-06', day('2026-11-14'));
  });

  it('handles months of different lengths', () => {
    expectAll('한 달 전 => 2028-01-29\n1년 전 => 2027-02-28\n지난달 31일 => 2028-01-31', day('2028-02-29'));
    expectAll(
      '한 달 전 => 2026-02-28\n지난달 30일 => impossible\n지난 분기 => quarter 2025-10-01 2025-12-31',
      day('2026-03-31'),
    );
  });
});
