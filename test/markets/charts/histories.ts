import { Decimal } from '#src/kernel/money.ts';
import type { Bar, History } from '#src/markets/sources/source.ts';
import { SAMSUNG } from '#test/support/instruments.ts';

/** Closes on these dates, at nine in Seoul; each bar opens at the close before and reaches one beyond both. */
export const historyOf = (
  closes: Readonly<Record<string, number>>,
  overrides: Partial<History> = {},
): History => {
  let before: number | undefined;
  const bars = Object.entries(closes).map(([date, close]): Bar => {
    const open = before ?? close;
    before = close;
    return {
      at: Temporal.PlainDate.from(date)
        .toZonedDateTime({ timeZone: 'Asia/Seoul', plainTime: '09:00' })
        .toInstant(),
      open: new Decimal(open),
      high: new Decimal(Math.max(open, close) + 1),
      low: new Decimal(Math.min(open, close) - 1),
      close: new Decimal(close),
      volume: new Decimal(1_000),
    };
  });
  const asOf = (bars.at(-1)?.at ?? Temporal.Instant.fromEpochMilliseconds(0)).add({ minutes: 390 });
  return {
    instrument: SAMSUNG,
    range: '6mo',
    interval: '1d',
    timeZone: 'Asia/Seoul',
    bars,
    asOf,
    source: 'Test Exchange',
    isSample: false,
    ...overrides,
  };
};

/** This many weekdays up to 2026-11-13, with closes in waves. */
export const wavesOf = (count: number, overrides: Partial<History> = {}): History => {
  const closes: [string, number][] = [];
  for (
    let date = Temporal.PlainDate.from('2026-11-13');
    closes.length < count;
    date = date.subtract({ days: 1 })
  )
    if (date.dayOfWeek < 6)
      closes.push([date.toString(), Math.round(70_000 + 6_000 * Math.sin(closes.length / 9))]);
  return historyOf(Object.fromEntries(closes.toReversed()), overrides);
};
