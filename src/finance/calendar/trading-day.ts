import type { SessionState } from '#src/core/finance.ts';
import { type Localized, texts } from '#src/core/i18n.ts';
import type { Timestamp } from '#src/core/ids.ts';
import type { ExchangeData } from './calendar-data.ts';

/** A stretch of trading; it does not hold at `to` itself any more. */
export interface Phase {
  readonly state: Extract<SessionState, 'pre' | 'open' | 'after'>;
  readonly from: Timestamp;
  readonly to: Timestamp;
}

/** One date of an exchange. `note`: why it is no ordinary one, in the words of a person. */
export type TradingDay =
  | {
      readonly status: 'trading';
      /** In order; none overlaps another, none runs into the next day. */
      readonly phases: readonly Phase[];
      readonly regular: Phase;
      /** Its hours are not the usual ones. */
      readonly isSpecial: boolean;
      readonly note?: Localized;
    }
  | { readonly status: 'closed'; readonly isHoliday: boolean; readonly note?: Localized }
  | { readonly status: 'unknown'; readonly note: Localized };

type Hours = readonly [open: string, close: string];
type HoursWords = ReturnType<typeof texts>['hours'];

/** The same sentence in each language. */
export const inBoth = (say: (words: HoursWords) => string): Localized => ({
  ko: say(texts('ko').hours),
  en: say(texts('en').hours),
});

const joined = (notes: readonly (Localized | undefined)[]): { readonly note?: Localized } => {
  const said = notes.flatMap((note) => note ?? []);
  if (said.length === 0) return {};
  return { note: { ko: said.map(({ ko }) => ko).join(' · '), en: said.map(({ en }) => en).join(' · ') } };
};

const SATURDAY = 6;
export const isWeekend = (date: Temporal.PlainDate): boolean => date.dayOfWeek >= SATURDAY;

const firstDateOf = ({ holidays }: ExchangeData): string => `${Object.keys(holidays).toSorted().at(0)}-01-01`;
export const lastDateOf = ({ holidays }: ExchangeData): string =>
  `${Object.keys(holidays).toSorted().at(-1)}-12-31`;

/** `unclear`: it is held on other days, and the data does not say when on this one. */
type Extended = Hours | 'unclear' | 'none';

/**
 * An extended session hangs on the regular one: it is as always only where that is. On KRX's exam day the close is
 * an hour later; when the after-market begins then is not in the data. It is not claimed: such a day is closed from
 * the regular close on (certain: no regular trading), not unknown (which would read as "perhaps open" everywhere).
 */
const extendedHours = (data: ExchangeData, day: string, name: 'pre' | 'after'): Extended => {
  const usual = data.extended[name];
  const special = data.special[day];
  if (!usual || (usual.from !== undefined && day < usual.from)) return 'none';
  const own = special?.[name];
  if (own !== undefined) return own ?? 'none';
  const [open, close] = data.regular;
  const isUsual = !special || (name === 'pre' ? special.open === open : special.close === close);
  return isUsual ? usual.hours : 'unclear';
};

const tradingDay = (
  data: ExchangeData,
  date: Temporal.PlainDate,
  unconfirmed: readonly Localized[],
): TradingDay => {
  const day = date.toString();
  const special = data.special[day];
  const [open, close] = data.regular;
  // Wall-clock hours become instants in the exchange's own zone: a change of summer time needs no rule here.
  const instantOf = (time: string): Timestamp =>
    date.toZonedDateTime({ timeZone: data.timeZone, plainTime: time }).toInstant();
  const phase = (state: Phase['state'], [from, to]: Hours): Phase => ({
    state,
    from: instantOf(from),
    to: instantOf(to),
  });
  const regular = phase('open', special ? [special.open, special.close] : [open, close]);
  const pre = extendedHours(data, day, 'pre');
  const after = extendedHours(data, day, 'after');
  return {
    status: 'trading',
    regular,
    phases: [
      ...(typeof pre === 'string' ? [] : [phase('pre', pre)]),
      regular,
      ...(typeof after === 'string' ? [] : [phase('after', after)]),
    ],
    isSpecial: special !== undefined,
    ...joined([
      special?.name,
      pre === 'unclear' ? inBoth((words) => words.preUnclear()) : undefined,
      after === 'unclear' ? inBoth((words) => words.afterUnclear()) : undefined,
      ...unconfirmed,
    ]),
  };
};

const readDay = (data: ExchangeData, date: Temporal.PlainDate): TradingDay => {
  const holidays = data.holidays[String(date.year)];
  if (!holidays) {
    const span = { first: firstDateOf(data), last: lastDateOf(data) };
    return { status: 'unknown', note: inBoth((words) => words.outsideData(span)) };
  }
  const day = date.toString();
  const { since, market } = data;
  if (since !== undefined && day < since)
    return {
      status: 'closed',
      isHoliday: true,
      note: inBoth((words) => words.notYetOpen({ market, since })),
    };
  if (isWeekend(date)) return { status: 'closed', isHoliday: false };
  const unconfirmed = data.unconfirmed.flatMap(({ from, to, note }) =>
    from <= day && day <= to ? [note] : [],
  );
  const name = holidays[day];
  if (name) return { status: 'closed', isHoliday: true, ...joined([name, ...unconfirmed]) };
  return tradingDay(data, date, unconfirmed);
};

/** A few: the same days are asked for hundreds of times a minute, and other ones seldom. */
const KEPT_DAYS = 32;
const known = new WeakMap<ExchangeData, Map<string, TradingDay>>();

/** What the calendar knows about a date. Past its data it says that, and never that the market is open or closed. */
export const dayOf = (data: ExchangeData, date: Temporal.PlainDate): TradingDay => {
  const days = known.get(data) ?? new Map<string, TradingDay>();
  known.set(data, days);
  const key = date.toString();
  const day = days.get(key) ?? readDay(data, date);
  if (!days.has(key)) {
    const [oldest] = days.keys();
    if (days.size >= KEPT_DAYS && oldest !== undefined) days.delete(oldest);
    days.set(key, day);
  }
  return day;
};
