import { hoursMessages } from '#src/markets/answers/hours-messages.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import { writeDate, writeDayMoment } from '#src/kernel/moment.ts';
import { FX_TIME_ZONE, fxWeek, isFxOpen, nextFxChange } from '#src/markets/calendar/fx-week.ts';
import { type HoursPart, nextChangeText, weekMomentText } from '#src/markets/answers/hours-format.ts';

const SATURDAY = 6;
const FRIDAY = 5;
const SUNDAY = 7;

export const describeCryptoNow = ({ locale }: Audience): HoursPart => {
  const t = hoursMessages(locale);
  return {
    isKnown: true,
    lines: [`**${t.markets.crypto}** · ${t.states.open}`, t.alwaysOpen],
    facts: { state: 'open' },
  };
};

/** From Sunday to Friday in New York; for the reader that may be Monday to Saturday. */
export const describeFxNow = (now: Timestamp, audience: Audience): HoursPart => {
  const t = hoursMessages(audience.locale);
  const state = isFxOpen(now) ? 'open' : 'closed';
  const change = nextFxChange(now);
  const { opensAt, closesAt } = fxWeek(now);
  const weekIn = (zone: string): string =>
    t.fxWeek({
      from: weekMomentText(opensAt, zone, audience.locale),
      to: weekMomentText(closesAt, zone, audience.locale),
    });
  return {
    isKnown: true,
    lines: [
      `**${t.markets.fx}** · ${t.states[state]}`,
      `${weekIn(audience.timeZone)} ${t.bankHolidays}`,
      nextChangeText(change, now, FX_TIME_ZONE, audience),
    ],
    facts: { state, nextState: change.to, nextChangeAt: change.at.toString() },
  };
};

/** A date as New York has it. */
export const describeFxOn = (date: Temporal.PlainDate, audience: Audience): HoursPart => {
  const t = hoursMessages(audience.locale);
  const turn = date.toZonedDateTime({ timeZone: FX_TIME_ZONE, plainTime: '17:00' }).toInstant();
  const here = writeDayMoment(turn, audience.timeZone, audience.locale);
  const there = weekMomentText(turn, FX_TIME_ZONE, audience.locale);
  const time = { time: here.endsWith(there) ? there : `${there} (${here})` };
  const { dayOfWeek } = date;
  const text =
    dayOfWeek === SATURDAY
      ? t.closedWeekend
      : dayOfWeek === FRIDAY
        ? t.fxDay.until(time)
        : dayOfWeek === SUNDAY
          ? t.fxDay.from(time)
          : t.fxDay.open;
  return {
    isKnown: true,
    lines: [`**${t.markets.fx}** · ${writeDate(date, audience.locale)}`, `${text}. ${t.bankHolidays}`],
    facts: { date: date.toString(), day: dayOfWeek === SATURDAY ? 'closed' : 'trading' },
  };
};
