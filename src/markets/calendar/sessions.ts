import type { MarketSession, SessionState } from '#src/kernel/market/finance.ts';
import type { Localized } from '#src/kernel/locale.ts';
import { hoursTexts } from './hours-texts.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { ExchangeData } from './calendar-data.ts';
import { localDay } from './local-day.ts';

/** A trading session. `to` is exclusive. */
export interface Phase {
  readonly state: Extract<SessionState, 'pre' | 'open' | 'after'>;
  readonly from: Timestamp;
  readonly to: Timestamp;
}

/** One date of an exchange. `note` explains to people why the day is unusual. */
export type TradingDay =
  | {
      readonly status: 'trading';
      /** Ordered, without overlaps, all within one day. */
      readonly phases: readonly Phase[];
      readonly regular: Phase;
      /** True if the hours differ from the usual ones. */
      readonly isSpecial: boolean;
      readonly note?: Localized;
    }
  | { readonly status: 'closed'; readonly isHoliday: boolean; readonly note?: Localized }
  | { readonly status: 'unknown'; readonly note: Localized };

type Hours = readonly [open: string, close: string];
type HoursWords = ReturnType<typeof hoursTexts>;

/** Renders the same sentence in every language. */
export const inEveryLocale = (say: (words: HoursWords) => string): Localized => ({
  ko: say(hoursTexts('ko')),
  en: say(hoursTexts('en')),
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

/** `unclear`: the session exists, but the data has no hours for this day. */
type Extended = Hours | 'unclear' | 'none';

/**
 * An extended session has its usual hours only next to usual regular hours. On KRX's exam day the close is an hour
 * later, and the data does not say when the after-market starts: such a day counts as closed after the regular close,
 * not as unknown.
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
  // Wall-clock hours are converted in the exchange's time zone, which handles daylight saving time.
  const instantOf = (time: string): Timestamp =>
    date.toZonedDateTime({ timeZone: data.timeZone, plainTime: time }).toInstant();
  const phase = (state: Phase['state'], [from, to]: Hours): Phase => ({
    state,
    from: instantOf(from),
    to: instantOf(to),
  });
  const [from, to]: Hours = special ? [special.open, special.close] : [open, close];
  const regular = phase('open', [from, to]);
  const { pause } = data;
  const sessions =
    pause && pause[1] < to ? [phase('open', [from, pause[0]]), phase('open', [pause[1], to])] : [regular];
  const pre = extendedHours(data, day, 'pre');
  const after = extendedHours(data, day, 'after');
  return {
    status: 'trading',
    regular,
    phases: [
      ...(typeof pre === 'string' ? [] : [phase('pre', pre)]),
      ...sessions,
      ...(typeof after === 'string' ? [] : [phase('after', after)]),
    ],
    isSpecial: special !== undefined,
    ...joined([
      special?.name,
      pre === 'unclear' ? inEveryLocale((words) => words.preUnclear()) : undefined,
      after === 'unclear' ? inEveryLocale((words) => words.afterUnclear()) : undefined,
      ...unconfirmed,
    ]),
  };
};

const readDay = (data: ExchangeData, date: Temporal.PlainDate): TradingDay => {
  const holidays = data.holidays[String(date.year)];
  if (!holidays) {
    const span = { first: firstDateOf(data), last: lastDateOf(data) };
    return { status: 'unknown', note: inEveryLocale((words) => words.outsideData(span)) };
  }
  const day = date.toString();
  const { since, market } = data;
  if (since !== undefined && day < since)
    return {
      status: 'closed',
      isHoliday: true,
      note: inEveryLocale((words) => words.notYetOpen({ market, since })),
    };
  if (isWeekend(date)) return { status: 'closed', isHoliday: false };
  const unconfirmed = data.unconfirmed.flatMap(({ from, to, note }) =>
    from <= day && day <= to ? [note] : [],
  );
  const name = holidays[day];
  if (name) return { status: 'closed', isHoliday: true, ...joined([name, ...unconfirmed]) };
  return tradingDay(data, date, unconfirmed);
};

/** A few are enough: the same days are asked for hundreds of times a minute. */
const KEPT_DAYS = 32;
const known = new WeakMap<ExchangeData, Map<string, TradingDay>>();

/** The calendar's knowledge about a date. Outside its data the status is `unknown`, never open or closed. */
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

type Change = NonNullable<MarketSession['nextChange']>;

/** `b` is in whole minutes, so milliseconds are exact. `Temporal.Instant.compare` takes ten times as long. */
const isBefore = (a: Timestamp, b: Timestamp): boolean => a.epochMilliseconds < b.epochMilliseconds;

/** The date at the exchange. */
export const dateAt = (data: ExchangeData, at: Timestamp): Temporal.PlainDate =>
  localDay(at, data.timeZone).date;

const isWithin = ({ from, to }: Phase, at: Timestamp): boolean => !isBefore(at, from) && isBefore(at, to);

export const stateOn = (day: TradingDay, at: Timestamp): SessionState => {
  if (day.status !== 'trading') return day.status;
  return day.phases.find((phase) => isWithin(phase, at))?.state ?? 'closed';
};

/**
 * The first result of `find`, walking from `start` by `step` days. Null at the end of the data, which bounds the
 * walk.
 */
const findTradingDay = <Found>(
  data: ExchangeData,
  start: Temporal.PlainDate,
  step: 1 | -1,
  find: (day: Extract<TradingDay, { readonly status: 'trading' }>) => Found | undefined,
): Found | null => {
  for (let date = start; ; date = date.add({ days: step })) {
    const day = dayOf(data, date);
    if (day.status === 'unknown') return null;
    const found = day.status === 'trading' ? find(day) : undefined;
    if (found !== undefined) return found;
  }
};

/** When one phase follows another directly, the market does not close in between. */
const changesOn = (phases: readonly Phase[]): readonly Change[] =>
  phases.flatMap(({ state, from, to }, index) => {
    const isFollowed = phases[index + 1]?.from.equals(to) === true;
    const begin: Change = { to: state, at: from };
    return isFollowed ? [begin] : [begin, { to: 'closed' as const, at: to }];
  });

export const nextChangeAfter = (data: ExchangeData, at: Timestamp): Change | null =>
  findTradingDay(data, dateAt(data, at), 1, ({ phases }) =>
    changesOn(phases).find((change) => isBefore(at, change.at)),
  );

/** Strictly later than `at`. */
export const nextOpenAfter = (data: ExchangeData, at: Timestamp): Timestamp | null =>
  findTradingDay(data, dateAt(data, at), 1, ({ regular }) =>
    isBefore(at, regular.from) ? regular.from : undefined,
  );

/** The end of the last regular session that is over at `at`. */
export const lastCloseAtOrBefore = (data: ExchangeData, at: Timestamp): Timestamp | null =>
  findTradingDay(data, dateAt(data, at), -1, ({ regular }) =>
    isBefore(at, regular.to) ? undefined : regular.to,
  );
