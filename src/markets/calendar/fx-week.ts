import type { MarketSession } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';

export const FX_TIME_ZONE = 'America/New_York';
const TURN_HOUR = 17;
const FRIDAY = 5;
const SUNDAY = 7;

/** The latest 17:00 in New York on that weekday, at or before `at`, shifted by `weeks`. */
const weekTurn = (at: Timestamp, dayOfWeek: number, weeks: number): Timestamp => {
  const local = at.toZonedDateTimeISO(FX_TIME_ZONE);
  const daysBack = (local.dayOfWeek - dayOfWeek + 7) % 7;
  const isToCome = daysBack === 0 && local.hour < TURN_HOUR;
  return local
    .toPlainDate()
    .subtract({ days: daysBack + (isToCome ? 7 : 0) })
    .add({ weeks })
    .toZonedDateTime({ timeZone: FX_TIME_ZONE, plainTime: { hour: TURN_HOUR } })
    .toInstant();
};

/** The end of the last currency trading week. */
export const lastFxClose = (at: Timestamp): Timestamp => weekTurn(at, FRIDAY, 0);

/**
 * Currencies trade from Sunday 17:00 to Friday 17:00 in New York. Bank holidays thin out trading but have no common
 * calendar, so they are ignored.
 */
export const isFxOpen = (at: Timestamp): boolean =>
  Temporal.Instant.compare(weekTurn(at, SUNDAY, 0), lastFxClose(at)) > 0;

export const nextFxChange = (at: Timestamp): NonNullable<MarketSession['nextChange']> =>
  isFxOpen(at) ? { to: 'closed', at: weekTurn(at, FRIDAY, 1) } : { to: 'open', at: weekTurn(at, SUNDAY, 1) };

/** The current trading week, or at weekends the next one. */
export const fxWeek = (at: Timestamp): { readonly opensAt: Timestamp; readonly closesAt: Timestamp } => ({
  opensAt: weekTurn(at, SUNDAY, isFxOpen(at) ? 0 : 1),
  closesAt: weekTurn(at, FRIDAY, isFxOpen(at) ? 1 : 2),
});
