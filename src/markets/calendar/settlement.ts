import type { Instrument } from '#src/kernel/market/finance.ts';
import type { ExchangeData } from './calendar-data.ts';
import { exchangeCalendar, tradingPlaceOf } from './calendar.ts';
import { isWeekend } from './sessions.ts';

/** The day on which shares and cash change hands. */
export interface Settlement {
  readonly date: Temporal.PlainDate;
  /** True if the data has the holidays of every day counted. Otherwise only weekends and New Year are skipped. */
  readonly isCertain: boolean;
}

interface Cycle {
  /** The first trading day with this cycle. */
  readonly from: string;
  /** Business days from trade to settlement. */
  readonly days: number;
}

/** SEC Rule 15c6-1: T+3 until 2017-09-04, T+2 until 2024-05-27, T+1 since. */
const US_CYCLES: readonly Cycle[] = [
  { from: '1995-06-07', days: 3 },
  { from: '2017-09-05', days: 2 },
  { from: '2024-05-28', days: 1 },
];
/** Korea, Japan, Hong Kong, and London until it settles a day after the trade. */
const USUAL_DAYS = 2;

const US_MARKET = 'NYSE';
const CYCLES: Readonly<Record<string, readonly Cycle[]>> = {
  [US_MARKET]: US_CYCLES,
  LSE: [
    { from: '2014-10-06', days: 2 },
    { from: '2027-10-11', days: 1 },
  ],
};
/** Its half days are no settlement days. */
const HONG_KONG_MARKET = 'HKEX';
const KOREAN_MARKET = 'KRX';
/** KRX does not trade on the last day of the year, but banks are open. */
const YEAR_END = '-12-31';

const JAPANESE_MARKET = 'TSE';

/**
 * Banks of Japan rest from 31 December to 3 January by law (銀行法施行令第5条), and so does Tokyo's exchange (JPX, 2016
 * to 2023). Brokers name 30 December as the last settlement day of a year (Eugene Investment, 2022-12-22).
 */
const isJapaneseNewYear = ({ month, day }: Temporal.PlainDate): boolean =>
  (month === 12 && day === 31) || (month === 1 && day <= 3);

const isNewYear = ({ month, day }: Temporal.PlainDate): boolean => month === 1 && day === 1;

/** Columbus Day and Veterans Day: US shares trade, but banks do not settle. */
const isUsBankHoliday = ({ month, day, dayOfWeek }: Temporal.PlainDate): boolean =>
  (month === 10 && dayOfWeek === 1 && day >= 8 && day <= 14) ||
  (month === 11 && (day === 11 || (day === 12 && dayOfWeek === 1)));

type IsOpen = (date: Temporal.PlainDate) => boolean;

const isHoliday = (data: ExchangeData | undefined, date: Temporal.PlainDate): boolean =>
  data?.holidays[String(date.year)]?.[date.toString()] !== undefined;

const isKnown = (data: ExchangeData | undefined, date: Temporal.PlainDate): boolean =>
  data?.holidays[String(date.year)] !== undefined;

/** The date `days` business days later. */
const addBusinessDays = (date: Temporal.PlainDate, days: number, isOpen: IsOpen): Temporal.PlainDate => {
  let day = date;
  for (let left = days; left > 0;) {
    day = day.add({ days: 1 });
    if (isOpen(day)) left -= 1;
  }
  return day;
};

const cycleDays = (market: string | undefined, traded: Temporal.PlainDate): number => {
  const cycles = CYCLES[market ?? ''] ?? [];
  const cycle = cycles.findLast(({ from }) => Temporal.PlainDate.compare(traded, from) >= 0);
  return cycle?.days ?? cycles[0]?.days ?? USUAL_DAYS;
};

/** True on days on which banks of the market settle payments. */
const settlementDayCheck = (data: ExchangeData | undefined): IsOpen => {
  const isUs = data?.market === US_MARKET;
  const isKorean = data?.market === KOREAN_MARKET;
  const isJapanese = data?.market === JAPANESE_MARKET;
  const halfDays = data?.market === HONG_KONG_MARKET ? data.special : {};
  return (date) => {
    if (isWeekend(date) || isNewYear(date) || (isUs && isUsBankHoliday(date))) return false;
    if (isJapanese && isJapaneseNewYear(date)) return false;
    if (halfDays[date.toString()]) return false;
    return !isHoliday(data, date) || (isKorean && date.toString().endsWith(YEAR_END));
  };
};

/** The settlement date at the instrument's own market. Coins and currencies settle on the trade date. */
export const settlementDate = (instrument: Instrument, traded: Temporal.PlainDate): Settlement => {
  const place = tradingPlaceOf(instrument);
  if (place && place.kind !== 'exchange') return { date: traded, isCertain: true };
  const data = place?.data;
  const date = addBusinessDays(traded, cycleDays(data?.market, traded), settlementDayCheck(data));
  return { date, isCertain: isKnown(data, traded) && isKnown(data, date) };
};

/**
 * The booking date at a Korean broker. A US trade settles overnight in Seoul and is booked on the next Korean
 * business day: two days after the trade since 2024-05-28 (Financial Supervisory Service, 2024-05-21).
 */
export const koreanSettlementDate = (instrument: Instrument, traded: Temporal.PlainDate): Settlement => {
  const settled = settlementDate(instrument, traded);
  const place = tradingPlaceOf(instrument);
  if (place?.kind !== 'exchange' || place.data.market !== US_MARKET) return settled;
  const korea = exchangeCalendar(KOREAN_MARKET);
  const date = addBusinessDays(settled.date, 1, settlementDayCheck(korea));
  return { date, isCertain: settled.isCertain && isKnown(korea, date) };
};
