import type { Currency } from '#src/kernel/money.ts';
import { raceAbort, withDeadline } from '#src/platform/abort.ts';
import { type FillRatesDeps, type RateOn, ratesOf, storedCloses } from './day-rates.ts';

/** Rates move some percent in a month: an older close says too little of what money costs now. */
const STANDS_IN_DAYS = 31;
/** Of a day in the past only a close near it is told, as for weekends and holidays. */
const NEAR_DAYS = 7;
/** A close that is looked up while live rates come, so that one is there when they do not. */
const RENEW_MS = 1_500;

type LastCloseDeps = Pick<FillRatesDeps, 'symbols' | 'dailyRates'>;

/** The newest stored close on each of these days, or up to so many days before it. Nobody is asked. */
const newestUpTo = async (
  from: Currency,
  to: Currency,
  dates: readonly Temporal.PlainDate[],
  maxAgeDays: number,
  deps: LastCloseDeps,
): Promise<(date: Temporal.PlainDate) => RateOn | undefined> => {
  const daysUpTo = (date: Temporal.PlainDate): readonly Temporal.PlainDate[] =>
    Array.from({ length: maxAgeDays + 1 }, (_, age) => date.subtract({ days: age }));
  const closeOn = await storedCloses(from, to, dates.flatMap(daysUpTo), deps);
  return (date) =>
    daysUpTo(date)
      .values()
      .map(closeOn)
      .find((close) => close !== undefined);
};

const today = ({ clock }: Pick<FillRatesDeps, 'clock'>): Temporal.PlainDate =>
  clock.now().toZonedDateTimeISO('UTC').toPlainDate();

/** The newest stored close of the last weeks, for where no live source tells the rate of now. */
export const lastClose = async (
  from: Currency,
  to: Currency,
  deps: LastCloseDeps & Pick<FillRatesDeps, 'clock'>,
): Promise<RateOn | undefined> => {
  const date = today(deps);
  return (await newestUpTo(from, to, [date], STANDS_IN_DAYS, deps))(date);
};

/** The stored closes nearest before days whose own could not be asked for. */
export const closesBefore = (
  from: Currency,
  to: Currency,
  dates: readonly Temporal.PlainDate[],
  deps: LastCloseDeps,
): Promise<(date: Temporal.PlainDate) => RateOn | undefined> => newestUpTo(from, to, dates, NEAR_DAYS, deps);

/**
 * Sees to it that a close of the last days is stored: at most one request a week for each pair. That it fails is nobody's
 * concern. Throws on abort alone.
 */
export const renewLastClose = async (
  from: Currency,
  to: Currency,
  deps: FillRatesDeps,
  parent: AbortSignal,
): Promise<void> => {
  const date = today(deps);
  if (!deps.dailyRates || (await closesBefore(from, to, [date], deps))(date)) return;
  const { signal, clear } = withDeadline(parent, RENEW_MS, deps.clock, () => new Error('no close in time'));
  try {
    await raceAbort(ratesOf(from, to, [date.subtract({ days: 1 })], deps, signal), signal);
  } catch {
    parent.throwIfAborted();
  } finally {
    clear();
  }
};
