import type { AssetClass, Instrument } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { mapInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { closingTime, timeZoneOf, tradingPlaceOf } from '../../calendar/calendar.ts';
import { dayOf, isWeekend } from '../../calendar/sessions.ts';
import type { SampleInstrument } from './instruments.ts';
import { loadingOf, sharedMove } from './market-factor.ts';
import { bell, createRandom } from './random.ts';
import type { Bar } from '../source.ts';

/** The prices of the list are those of this day. Later days go on from there by the calendar, the same on every machine. */
export const LAST_DATE = Temporal.PlainDate.from('2026-11-13');
const TRADING_DAYS_A_YEAR = 252;

interface TradingHours {
  readonly opensAt: Timestamp;
  readonly closesAt: Timestamp;
}

export interface TradingDate extends TradingHours {
  readonly date: Temporal.PlainDate;
}

export interface SampleDay extends TradingDate {
  readonly bar: Bar;
  /** Instruments with the same seed move together. */
  readonly seed: string;
}

/** Instruments with the same key have the same trading days. */
export const calendarKey = (instrument: Instrument): string => {
  const place = tradingPlaceOf(instrument);
  return place?.kind === 'exchange' ? place.data.market : (place?.kind ?? 'none');
};

const midnight = (date: Temporal.PlainDate): Timestamp => date.toZonedDateTime('UTC').toInstant();

/** Null on days without trading. Instruments without a calendar trade on weekdays, like currencies. */
export const hoursOn = (instrument: Instrument, date: Temporal.PlainDate): TradingHours | null => {
  const place = tradingPlaceOf(instrument);
  if (place?.kind === 'crypto') return { opensAt: midnight(date), closesAt: midnight(date.add({ days: 1 })) };
  if (place?.kind === 'exchange') {
    const { data } = place;
    const day = dayOf(data, date);
    if (day.status === 'trading') return { opensAt: day.regular.from, closesAt: day.regular.to };
    // Before the calendar's years, every weekday except New Year's Day and Christmas is a trading day.
    const isHoliday = [date.with({ month: 1, day: 1 }), date.with({ month: 12, day: 25 })].some((each) =>
      each.equals(date),
    );
    if (day.status === 'closed' || isWeekend(date) || isHoliday) return null;
    const at = (plainTime: string): Timestamp =>
      date.toZonedDateTime({ timeZone: data.timeZone, plainTime }).toInstant();
    return { opensAt: at(data.regular[0]), closesAt: at(data.regular[1]) };
  }
  const closesAt = closingTime(place ? instrument : { ...instrument, assetClass: 'fx' }, date);
  return closesAt && { opensAt: midnight(date), closesAt };
};

/** The day whose prices are the newest: the last one on which the market has opened. */
export const lastTradingDate = (instrument: Instrument, now: Timestamp): Temporal.PlainDate => {
  let date = now.toZonedDateTimeISO(timeZoneOf(instrument)).toPlainDate();
  for (;;) {
    const hours = hoursOn(instrument, date);
    if (hours && Temporal.Instant.compare(hours.opensAt, now) <= 0) return date;
    date = date.subtract({ days: 1 });
  }
};

/** Trading dates after `after` up to and including `last`, oldest first. */
export const tradingDates = function* (
  instrument: Instrument,
  after: Temporal.PlainDate,
  last: Temporal.PlainDate,
): Steps<readonly TradingDate[]> {
  const days: TradingDate[] = [];
  let date = after.add({ days: 1 });
  for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
    const hours = hoursOn(instrument, date);
    if (hours) days.push({ date, ...hours });
    if (date.day === 1) yield;
  }
  return days;
};

/** A coin in won shares the seed of the coin in dollars, so that both move together. */
const seedOf = (sample: SampleInstrument, { assetClass, ticker }: Instrument): string =>
  sample.movesWith ?? (assetClass === 'crypto' ? (ticker.split('/')[0] ?? ticker) : sample.symbol);

/** KRX tick sizes below each price. Funds have ticks of five won. */
const KRX_TICKS = [
  [2_000, 1],
  [5_000, 5],
  [20_000, 10],
  [50_000, 50],
  [200_000, 100],
  [500_000, 500],
] as const;
const FUND_TICKS = [[2_000, 1]] as const;

const tickOf = ({ assetClass, currency }: Instrument, price: number): number | undefined => {
  if (currency !== 'KRW') return undefined;
  const below = (ticks: readonly (readonly [number, number])[], last: number): number =>
    ticks.find(([limit]) => price < limit)?.[1] ?? last;
  if (assetClass === 'etf') return below(FUND_TICKS, 5);
  return assetClass === 'equity' ? below(KRX_TICKS, 1_000) : undefined;
};

/** Rounds to the market's decimals, and on KRX to its tick size. */
export const toMarketPrice = (instrument: Instrument): ((value: number) => Decimal) => {
  const { priceDecimals } = instrument;
  return (value) => {
    const tick = tickOf(instrument, value);
    const stepped = tick === undefined ? value : Math.round(value / tick) * tick;
    // Much faster than rounding a decimal of seventeen digits.
    return new Decimal(stepped.toFixed(priceDecimals));
  };
};

/** The pull of a price towards its level, which keeps it plausible over years. */
const pullOf = ({ annualVolatility }: SampleInstrument): number => 0.03 * annualVolatility ** 2;

/** Shares, funds and indices grow over time, so their past level is a fraction of the last price. */
const GROWING: ReadonlySet<AssetClass> = new Set(['equity', 'etf', 'index']);
const YEARLY_GROWTH = 0.09;
const levelOf = (sample: SampleInstrument, { assetClass }: Instrument, daysAgo: number): number => {
  const isGrowing = GROWING.has(assetClass) && Math.abs(sample.annualVolatility) < 0.6;
  return isGrowing ? 1 / (1 + (YEARLY_GROWTH * daysAgo) / TRADING_DAYS_A_YEAR) : 1;
};

/**
 * Deterministic sample days, oldest first: backwards from the last price over `before`, whose last close is exactly that
 * price, then forwards over `after`. More earlier days do not change later ones. All prices of a bar are rounded alike,
 * which keeps low ≤ open, close ≤ high.
 */
export const makeSampleDays = function* (
  sample: SampleInstrument,
  instrument: Instrument,
  before: readonly TradingDate[],
  after: readonly TradingDate[] = [],
): Steps<readonly SampleDay[]> {
  const seed = seedOf(sample, instrument);
  const loading = loadingOf(seed, instrument.assetClass, sample.annualVolatility);
  const last = Number(sample.lastPrice);
  const pull = pullOf(sample);
  const daysAYear = instrument.assetClass === 'crypto' ? 365 : TRADING_DAYS_A_YEAR;
  const dailyVolatility = sample.annualVolatility / Math.sqrt(daysAYear);
  const wick = Math.abs(dailyVolatility);
  const toPrice = toMarketPrice(instrument);
  // Markets that never close have no overnight gap.
  const gap = instrument.assetClass === 'crypto' ? 0 : 0.3;
  const drawnBack = (price: number, daysAgo: number): number =>
    1 - pull * (price / (last * levelOf(sample, instrument, daysAgo)) - 1);
  /** Volume is higher on days of large moves, and alternates between busy and quiet weeks. */
  const volumesFrom = (volumeSeed: string): ((moved: number) => Decimal) => {
    const random = createRandom(volumeSeed);
    let mood = 0;
    return (moved) => {
      mood = 0.93 * mood + 0.12 * bell(random);
      const busy = Math.min(1.8, Math.max(0.55, 1 + mood));
      const day = 0.5 + 0.4 * random() + 0.25 * Math.min(3, moved / wick);
      return new Decimal(Math.round(sample.dailyVolume * busy * day));
    };
  };
  const dayFrom = (
    day: TradingDate,
    previousClose: number,
    close: number,
    random: () => number,
    volumeOf: (moved: number) => Decimal,
  ): SampleDay => {
    const open = previousClose * (1 + gap * dailyVolatility * bell(random));
    return {
      ...day,
      seed,
      bar: {
        at: day.opensAt,
        open: toPrice(open),
        high: toPrice(Math.max(open, close) * (1 + wick * (0.25 + 0.6 * random()))),
        low: toPrice(Math.min(open, close) * (1 - wick * (0.25 + 0.6 * random()))),
        close: toPrice(close),
        volume: volumeOf(Math.abs(close / previousClose - 1)),
      },
    };
  };

  const backwards = createRandom(seed);
  const pastVolumes = volumesFrom(`${seed} volume`);
  let close = last;
  const past = yield* mapInSteps(before.toReversed(), (day, daysAgo): SampleDay => {
    const move = sharedMove(loading, day.date, bell(backwards));
    const previousClose = (close / (1 + dailyVolatility * move)) * drawnBack(close, daysAgo);
    const made = dayFrom(day, previousClose, close, backwards, pastVolumes);
    close = previousClose;
    return made;
  });

  const onwards = createRandom(`${seed} later`);
  const laterVolumes = volumesFrom(`${seed} later volume`);
  let previousClose = last;
  const later = yield* mapInSteps(after, (day): SampleDay => {
    const move = sharedMove(loading, day.date, bell(onwards));
    const next = previousClose * (1 + dailyVolatility * move) * drawnBack(previousClose, 0);
    const made = dayFrom(day, previousClose, next, onwards, laterVolumes);
    previousClose = next;
    return made;
  });
  return [...past.toReversed(), ...later];
};
