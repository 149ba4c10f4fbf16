import { type CalendarFile, calendarFileSchema, type ExchangeData } from './calendar-data.ts';
import { isWeekend, lastDateOf } from './sessions.ts';

/** With fewer days of data left than this, next year's calendar is due. */
export const ENOUGH_DAYS = 60;

export interface CalendarProblem {
  /** The path in the file, such as `exchanges.XKRX.special.2026-11-19`. */
  readonly path: string;
  readonly reason: string;
}

/** The contents of the file, for its maintainers. */
export interface CalendarSummary {
  readonly code: string;
  readonly market: string;
  readonly years: readonly string[];
  readonly holidays: number;
  readonly specialDays: number;
  readonly unconfirmed: number;
  readonly lastDate: string;
  readonly daysLeft: number;
}

export type CalendarCheck =
  | { readonly status: 'faulty'; readonly problems: readonly CalendarProblem[] }
  | { readonly status: 'ok'; readonly asOf: string; readonly exchanges: readonly CalendarSummary[] };

type Report = (path: string, reason: string) => void;

const isZone = (timeZone: string): boolean => {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone);
    return true;
  } catch {
    return false;
  }
};

const weekdayProblem = (day: string): string | undefined =>
  isWeekend(Temporal.PlainDate.from(day)) ? 'is on a weekend, which is closed anyway' : undefined;

/** Times such as `09:30` sort as text. */
const checkSpans = (spans: readonly (readonly [string, string])[], path: string, report: Report): void => {
  const times = spans.flat();
  const isOrdered =
    spans.every(([from, to]) => from < to) && times.every((time, index) => time >= (times[index - 1] ?? ''));
  if (!isOrdered) report(path, `hours are not in order: ${spans.map((span) => span.join('–')).join(', ')}`);
};

const checkHolidays = ({ holidays }: ExchangeData, path: string, report: Report): void => {
  const years = Object.keys(holidays).toSorted();
  const [first = ''] = years;
  for (const [index, year] of years.entries()) {
    if (Number(year) !== Number(first) + index)
      report(`${path}.${year}`, 'comes after a year that is missing');
    const days = Object.keys(holidays[year] ?? {}).toSorted();
    // Every exchange here has a weekday holiday in January and in December, so a truncated year is noticed.
    const isWhole = days.at(0)?.slice(5, 7) === '01' && days.at(-1)?.slice(5, 7) === '12';
    if (!isWhole) report(`${path}.${year}`, 'is not complete: no holiday in January, or none in December');
    for (const day of days) {
      if (!day.startsWith(year)) report(`${path}.${year}.${day}`, `is not in ${year}`);
      const problem = weekdayProblem(day);
      if (problem) report(`${path}.${year}.${day}`, problem);
    }
  }
  if (years.length === 0) report(path, 'has no year');
};

const checkSpecial = (data: ExchangeData, path: string, report: Report): void => {
  for (const [day, { open, close, pre, after }] of Object.entries(data.special)) {
    const year = day.slice(0, 4);
    const at = `${path}.${day}`;
    if (!data.holidays[year]) report(at, `is in ${year}, of which the holidays are missing`);
    if (data.holidays[year]?.[day]) report(at, 'is a holiday too');
    const problem = weekdayProblem(day);
    if (problem) report(at, problem);
    const [usualOpen, usualClose] = data.regular;
    if (open === usualOpen && close === usualClose) report(at, 'has the usual hours');
    // The usual extended hours must fit the special regular hours too.
    const usualPre = open === usualOpen ? data.extended.pre?.hours : undefined;
    const usualAfter = close === usualClose ? data.extended.after?.hours : undefined;
    const [before, behind] = [pre === undefined ? usualPre : pre, after === undefined ? usualAfter : after];
    checkSpans([...(before ? [before] : []), [open, close], ...(behind ? [behind] : [])], at, report);
  }
};

const checkExchange = (data: ExchangeData, path: string, report: Report): void => {
  const { regular, pause, extended, timeZone, unconfirmed } = data;
  if (!isZone(timeZone)) report(`${path}.timeZone`, `"${timeZone}" is no time zone`);
  const spans = [extended.pre?.hours, regular, extended.after?.hours].flatMap((span) => (span ? [span] : []));
  checkSpans(spans, `${path}.regular`, report);
  if (pause)
    checkSpans(
      [
        [regular[0], pause[0]],
        [pause[1], regular[1]],
      ],
      `${path}.pause`,
      report,
    );
  checkHolidays(data, `${path}.holidays`, report);
  checkSpecial(data, `${path}.special`, report);
  for (const [index, { from, to }] of unconfirmed.entries())
    if (from > to) report(`${path}.unconfirmed.${index}`, `ends (${to}) before it begins (${from})`);
};

const summaryOf = (code: string, data: ExchangeData, today: Temporal.PlainDate): CalendarSummary => ({
  code,
  market: data.market,
  years: Object.keys(data.holidays).toSorted(),
  holidays: Object.values(data.holidays).reduce((sum, days) => sum + Object.keys(days).length, 0),
  specialDays: Object.keys(data.special).length,
  unconfirmed: data.unconfirmed.length,
  lastDate: lastDateOf(data),
  daysLeft: today.until(lastDateOf(data)).days,
});

const problemsIn = ({ exchanges }: CalendarFile): readonly CalendarProblem[] => {
  const problems: CalendarProblem[] = [];
  const report: Report = (path, reason) => problems.push({ path, reason });
  const markets = new Set<string>();
  for (const [code, data] of Object.entries(exchanges)) {
    if (markets.has(data.market)) report(`exchanges.${code}.market`, `"${data.market}" is there twice`);
    markets.add(data.market);
    checkExchange(data, `exchanges.${code}`, report);
  }
  if (markets.size === 0) report('exchanges', 'has no exchange');
  return problems;
};

/** Checks the calendar file and reports all problems at once. */
export const checkCalendar = (file: unknown, today: Temporal.PlainDate): CalendarCheck => {
  const { data, error } = calendarFileSchema.safeParse(file);
  if (error) {
    const problems = error.issues.map((issue) => ({
      path: issue.path.join('.'),
      // For an invalid key, zod nests the reason one level deeper.
      reason:
        issue.code === 'invalid_key' ? issue.issues.map(({ message }) => message).join('; ') : issue.message,
    }));
    return { status: 'faulty', problems };
  }
  const problems = problemsIn(data);
  if (problems.length > 0) return { status: 'faulty', problems };
  const exchanges = Object.entries(data.exchanges).map(([code, each]) => summaryOf(code, each, today));
  return { status: 'ok', asOf: data.asOf, exchanges };
};
