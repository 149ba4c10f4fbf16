import { kindOf } from '#test/support/fact-kind.ts';
import { describe, expect, it } from 'vitest';
import type { Instrument, HistoryRange } from '#src/kernel/market/finance.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { historyAnswer } from '#src/features/history/history.ts';
import type { History } from '#src/markets/sources/source.ts';
import { everyRow } from '#test/support/every-row.ts';
import { APPLE, BITCOIN, KOSPI, SAMSUNG, TEN_YEARS } from '#test/support/instruments.ts';
import {
  barOf,
  EN,
  historyOf,
  KO,
  marketOf,
  never,
  symbols,
  weekdays,
  weekend,
} from '../analysis-support.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { inFull } from '#test/support/in-full.ts';

const ask = (history: History, audience: Audience, clock = weekend) =>
  inFull(
    historyAnswer({ market: marketOf([history]), symbols, clock })(
      { query: history.instrument.name.ko, range: history.range },
      audience,
      never(),
    ),
  );

const rowsOf = (content: string): readonly string[] =>
  content.split('\n').filter((line) => /^\| \d{4}-/u.test(line));

const saidOfSample = async (instrument: Instrument, asOf = '2026-11-13T01:00:00Z'): Promise<string> => {
  const made = historyOf(instrument, [90, 100], { range: '1mo', delayMinutes: 0, asOf });
  return (await ask({ ...made, isSample: true }, EN, new ManualClock(asOf))).content;
};

describe('historyAnswer', () => {
  const closes = [80_000, 85_000, 90_000, 70_000, 100_000];
  const history = historyOf(SAMSUNG, closes, { range: '5d' });

  it('sums up how a price went, in Korean', async () => {
    const { content, found } = await ask(history, KO);
    expect(found).toBe(1);
    expect(content).toBe(
      [
        '**삼성전자 (005930, KOSPI)** · 5일 (일봉 5개)',
        '종가 ₩80,000 (2026-11-09) → ₩100,000 (2026-11-13) · 등락률 +25.00%',
        '최고 ₩100,001 (2026-11-13) · 최저 ₩69,999 (2026-11-12)',
        '평균 거래량 1,000',
        '기준 2026-11-13 15:30 KST · 출처: Yahoo Finance',
        '',
        '| 날짜 | 시가 | 고가 | 저가 | 종가 | 거래량 |',
        '|---|---:|---:|---:|---:|---:|',
        '| 2026-11-09 | 80,000 | 80,001 | 79,999 | 80,000 | 1,000 |',
        '| 2026-11-10 | 85,000 | 85,001 | 84,999 | 85,000 | 1,000 |',
        '| 2026-11-11 | 90,000 | 90,001 | 89,999 | 90,000 | 1,000 |',
        '| 2026-11-12 | 70,000 | 70,001 | 69,999 | 70,000 | 1,000 |',
        '| 2026-11-13 | 100,000 | 100,001 | 99,999 | 100,000 | 1,000 |',
      ].join('\n'),
    );
  });

  it('gives the key numbers and the closes as facts, each once', async () => {
    const { facts } = await ask(history, EN);
    const common = {
      entity: '005930.KS',
      asOf: '2026-11-13T06:30:00Z',
      source: 'Yahoo Finance',
      isSample: false,
    };
    for (const fact of [
      { metric: 'close', day: '2026-11-09', value: '80000', unit: 'KRW' },
      { metric: 'close', day: '2026-11-12', value: '70000', unit: 'KRW' },
      { metric: 'changePercent', period: '5d', value: '25.00', unit: '%' },
      { metric: 'periodHigh', period: '5d', day: '2026-11-13', value: '100001', unit: 'KRW' },
      { metric: 'periodLowDay', period: '5d', value: '2026-11-12', unit: 'date' },
      { metric: 'averageVolume', period: '5d', value: '1000', unit: 'units' },
      { metric: 'open', day: '2026-11-10', value: '85000', unit: 'KRW' },
      { metric: 'dayHigh', day: '2026-11-10', value: '85001', unit: 'KRW' },
      { metric: 'dayLow', day: '2026-11-10', value: '84999', unit: 'KRW' },
      { metric: 'volume', day: '2026-11-10', value: '1000', unit: 'units' },
    ]) {
      expect(facts).toContainEqual({ ...common, ...fact });
    }
    expect(new Set(facts.map(kindOf)).size).toBe(facts.length);
  });

  it('says once what people call the instrument', async () => {
    const { facts } = await ask(history, EN);
    expect(facts.flatMap(({ names }) => (names ? [names] : []))).toEqual([
      expect.arrayContaining(['삼성전자', 'Samsung Electronics', '005930']),
    ]);
  });

  it.each([
    ['whole rows of forty bars', 40, '| Date | Open | High | Low | Close | Volume |', [40, 40, 40, 40, 40]],
    ['closes and volumes of bars that were picked', 41, '| Date | Close | Volume |', [40, 40, 0, 0, 0]],
  ] as const)('shows %s, and gives each number as a fact', async (_of, bars, headings, counts) => {
    const closes = Array.from({ length: bars }, (_, index) => 100 + index);
    const { content, facts } = await ask(historyOf(APPLE, closes, { range: '3mo' }), EN);
    const countOf = (wanted: string): number => facts.filter(({ metric }) => metric === wanted).length;
    expect(content).toContain(headings);
    expect(['close', 'volume', 'open', 'dayHigh', 'dayLow'].map(countOf)).toEqual(counts);
  });

  it('thins a long table to forty real bars, the first and the last among them', async () => {
    const long = historyOf(
      APPLE,
      Array.from({ length: 251 }, (_, index) => 100 + index),
    );
    const { content } = await ask(long, EN);
    const rows = rowsOf(content);
    expect(rows).toHaveLength(40);
    expect(content).toContain('40 of 251 bars, evenly picked:');
    expect(rows[0]).toContain('| 100.00 |');
    expect(rows.at(-1)).toContain('| 2026-11-13 | 350.00 |');
    expect(new Set(rows).size).toBe(40);
    const dates = new Set(weekdays(251).map(String));
    expect(rows.every((row) => dates.has(row.slice(2, 12)))).toBe(true);
  });

  it('dates the last close by the last price, not by the Monday on which its week began', async () => {
    const mondays = ['2026-10-26', '2026-11-02', '2026-11-09'].map((day) => Temporal.PlainDate.from(day));
    const weekly = historyOf(APPLE, [10, 11, 12], { range: '5y', interval: '1wk', days: mondays });
    const { content, facts } = await ask(weekly, EN);
    expect(content).toContain('Close $10.00 (week of 2026-10-26) → $12.00 (2026-11-13) · change +20.00%');
    expect(content).toContain('| Week of | Open |');
    const kinds = facts.map(kindOf);
    expect(kinds).toContain('close @2026-11-13');
    expect(kinds).toContain('close 1wk @2026-11-09');
    expect(kinds).not.toContain('close @2026-11-09');
  });

  it('tells the hours of a day in the time of the exchange', async () => {
    const times = ['2026-11-13T14:30:00Z', '2026-11-13T15:00:00Z'].map((at) => Temporal.Instant.from(at));
    const bars = times.map((at, index) => barOf(at, 200 + index));
    const { content, facts } = await ask(historyOf(APPLE, [], { range: '1d', interval: '30m', bars }), KO);
    expect(rowsOf(content).map((row) => row.slice(2, 18))).toEqual(['2026-11-13 09:30', '2026-11-13 10:00']);
    expect(content).toContain('시각은 거래소 현지 시각(America/New_York)이에요.');
    expect(facts.map(kindOf)).toContain('close @2026-11-13T09:30');
  });

  it('states no change of a single bar, and no volume where none is counted', async () => {
    const { content, facts } = await ask(historyOf(KOSPI, [4000], { range: '1d', volume: 0 }), EN);
    expect(content).toContain('Close 4,000.00 points (2026-11-13) · not enough data for a change');
    expect(content).not.toContain('volume 0');
    expect(facts.map(({ metric }) => metric).filter((metric) => /change|volume/iu.test(metric))).toEqual([]);
  });

  it.each([
    [SAMSUNG, '1d', KO, '전일 종가 ₩80,000 → 종가 ₩100,000 (2026-11-13) · 등락률 +25.00%', 'previousClose'],
    [
      SAMSUNG,
      'ytd',
      EN,
      'Last close of 2025 ₩80,000 → close ₩100,000 (2026-11-13) · change +25.00%',
      'lastYearClose',
    ],
    [
      BITCOIN,
      '1d',
      EN,
      'Price 24 hours before $80,000.00 → last price $100,000.00 (2026-11-13) · change +25.00%',
      'priceDayBefore',
    ],
    // Of other ranges the first bar is what one sees.
    [SAMSUNG, '1mo', EN, 'Close ₩90,000 (2026-11-12) → ₩100,000 (2026-11-13) · change +11.11%', undefined],
  ] as const)(
    'measures the change of %o over %s from the close before',
    async (of, range, audience, line, metric) => {
      const { content, facts } = await ask(
        historyOf(of, [90_000, 100_000], { range, baseClose: 80_000 }),
        audience,
      );
      expect(content.split('\n')[1]).toBe(line);
      const percent = metric === undefined ? '11.11' : '25.00';
      const over = range === '1d' ? range : '2026-11-12';
      expect(facts.find((fact) => kindOf(fact) === `changePercent ${over}`)?.value).toBe(percent);
      if (metric !== undefined)
        expect(facts).toContainEqual(expect.objectContaining({ metric, value: '80000' }));
    },
  );

  everyRow([
    // Eight months of a share that was listed in March.
    ['5y', '1d', '2026-03-10', undefined],
    ['1y', '1d', '2026-03-10', undefined],
    ['ytd', '1d', '2026-03-10', undefined],
    ['6mo', '1d', '2026-03-10', '6개월'],
    // All there is says nothing of how long that is.
    ['max', '1mo', '1990-01-03', undefined],
    ['5y', '1wk', '2021-11-15', '5년'],
    ['2y', '1d', '2024-11-13', '2년'],
    ['1y', '1d', '2025-11-13', '1년'],
    // The holidays of Chuseok.
    ['1mo', '1d', '2026-10-13', '1개월'],
    ['1mo', '1d', '2026-10-20', undefined],
    ['ytd', '1d', '2026-01-02', '올해'],
    ['5d', '1d', '2026-11-11', undefined],
  ] as const)(
    'calls data of %s in bars of %s since %s what they cover',
    async (range, interval, since, label) => {
      const first = Temporal.PlainDate.from(since);
      const days = [first, ...weekdays(2)];
      const { content, facts } = await ask(historyOf(SAMSUNG, [90, 95, 100], { range, interval, days }), KO);
      const dates = `${since} – 2026-11-13`;
      expect(content.split('\n')[0]).toContain(`· ${label ?? dates} (`);
      const kinds = facts.map(kindOf);
      expect(kinds).toContain(`changePercent ${label === undefined ? since : range}`);
      expect(kinds.includes(`changePercent ${range}`)).toBe(label !== undefined);
    },
  );

  it('knows the change of a single bar by the close before it', async () => {
    const { content } = await ask(historyOf(KOSPI, [4000], { range: '1d', baseClose: 3200 }), EN);
    expect(content).toContain(
      'Previous close 3,200.00 points → close 4,000.00 points (2026-11-13) · change +25.00%',
    );
  });

  it('tells the change of a rate in points, never in percent of a percentage', async () => {
    const { content, facts } = await ask(historyOf(TEN_YEARS, [4, 3], { range: '1mo' }), EN);
    expect(content).toContain('Close 4.000% (2026-11-12) → 3.000% (2026-11-13) · change in points -1.000%p');
    expect(facts).toContainEqual(
      expect.objectContaining({ metric: 'change', period: '2026-11-12', value: '-1', unit: '%p' }),
    );
    expect(facts.map(({ metric }) => metric).join()).not.toContain('Percent');
  });

  it('tells every close in the currency that the history has', async () => {
    const euros = historyOf({ ...APPLE, currency: 'EUR' }, [1, 2, 3], { range: '1mo' });
    const { content, facts } = await ask(euros, EN);
    expect(content).toContain('€3.00');
    const closes = facts.filter(({ metric }) => metric === 'close');
    expect(closes.map(({ unit }) => unit)).toEqual(['EUR', 'EUR', 'EUR']);
  });

  it.each([
    ['while the market is open', SAMSUNG, '2026-11-13T01:00:00Z', '2026-11-13T01:05:00Z', 'last'],
    [
      'until a source that is behind can know the close',
      SAMSUNG,
      '2026-11-13T06:15:00Z',
      '2026-11-13T06:45:00Z',
      'last',
    ],
    [
      'of what was last traded before the close',
      SAMSUNG,
      '2026-11-13T06:15:00Z',
      '2026-11-13T07:00:00Z',
      'close',
    ],
    ['on the next day of trade', SAMSUNG, '2026-11-13T06:15:00Z', '2026-11-16T00:30:00Z', 'close'],
    ['after the session of Seoul', SAMSUNG, '2026-11-13T08:00:00Z', '2026-11-13T12:00:00Z', 'last'],
    ['a second after the close', APPLE, '2026-11-13T21:00:01Z', '2026-11-13T22:00:00Z', 'close'],
    ['of a coin, which never closes', BITCOIN, '2026-11-13T21:00:00Z', '2026-11-13T21:00:30Z', 'last'],
    [
      'of hours that nobody knows, on the same day',
      TEN_YEARS,
      '2026-11-13T01:00:00Z',
      '2026-11-13T02:00:00Z',
      'last',
    ],
    [
      'of hours that nobody knows, on another day',
      TEN_YEARS,
      '2026-11-13T01:00:00Z',
      '2026-11-14T02:00:00Z',
      'close',
    ],
  ])('calls the last price a close when it is one: %s', async (_, of, asOf, now, kind) => {
    const history = historyOf(of, [90, 95, 100], { range: '1mo', asOf });
    const { content, facts } = await ask(history, KO, new ManualClock(now));
    const isLast = kind === 'last';
    expect(content.split('\n')[1]?.includes('현재가')).toBe(isLast);
    expect(content.includes('아직 거래 중이라 종가가 아니에요')).toBe(isLast);
    const kinds = facts.map(kindOf).filter((each) => /^(?:price|close) @2026-11-13$/u.test(each));
    expect(kinds).toEqual([`${isLast ? 'price' : kind} @2026-11-13`]);
  });

  it('calls a made-up price last or close by the hours, and never real time', async () => {
    for (const open of [SAMSUNG, BITCOIN]) {
      expect(await saidOfSample(open)).toContain('last price');
      expect(await saidOfSample(open)).not.toContain('real time');
    }
    expect(await saidOfSample(SAMSUNG, '2026-11-13T06:30:00Z')).not.toMatch(/last price|real time/u);
  });

  it('says how far the source is behind while trading goes on', async () => {
    const asOf = '2026-11-13T01:00:00Z';
    const said = async (delayMinutes: number, now: string): Promise<string> =>
      (await ask(historyOf(SAMSUNG, [1, 2], { asOf, delayMinutes }), EN, new ManualClock(now))).content;
    expect(await said(15, '2026-11-13T01:15:00Z')).toContain(' · delayed 15 min · source: Yahoo Finance');
    expect(await said(0, '2026-11-13T01:00:10Z')).toContain('real time');
    expect(await said(0, '2026-11-13T01:30:00Z')).not.toContain('real time');
    expect(await said(15, '2026-11-14T01:15:00Z')).not.toContain('delayed');
  });

  it('names the last of several days with the same high, as the picture and the indicators do', async () => {
    const { content } = await ask(historyOf(SAMSUNG, [100, 90, 100], { range: '5d' }), EN);
    expect(content).toContain('High ₩101 (2026-11-13)');
  });

  it.each<[string, string, HistoryRange, RegExp, readonly string[] | undefined]>([
    ['a name that fits several', '삼성', '1y', /여러 개/u, ['/chart 005930.KS 1y', '/chart 000660.KS 1y']],
    ['an unknown name', 'qwertz', '1y', /찾지 못했어요/u, undefined],
    ['what the source lacks', 'AAPL', '2y', /애플 \(AAPL, NASDAQ\)/u, undefined],
  ])('says so, and no number, for %s', async (_, query, range, sentence, commands) => {
    const answer = await historyAnswer({ market: marketOf([]), symbols, clock: weekend })(
      { query, range },
      KO,
      never(),
    );
    expect(answer).toMatchObject({ found: 0, facts: [] });
    expect(answer.content).toMatch(sentence);
    expect(answer.choices?.map(({ command }) => command)).toEqual(commands);
  });
});
