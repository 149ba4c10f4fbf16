import { FinClawError } from '#src/kernel/errors.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { isLeftOut } from './market-days.ts';
import type { Schedule } from './read-schedule.ts';

/**
 * The first time of a schedule that is later than `after`, in the zone of the person. Once a day whatever clocks do: a
 * time that is skipped comes when the clocks have gone forward, one that is there twice comes the first time only.
 */
export const nextRunAfter = async (
  { time, days, timeZone }: Schedule,
  after: Timestamp,
): Promise<Timestamp> => {
  // Most bots never need it.
  const { Cron } = await import('croner');
  const pattern = `${time.minute} ${time.hour} * * ${days.join(',')}`;
  const next = new Cron(pattern, { timezone: timeZone, mode: '5-part' }).nextRun(
    new Date(after.epochMilliseconds),
  );
  if (!next)
    throw new FinClawError(`"${pattern}" in ${timeZone} never comes`, 'BRIEFING_SCHEDULE', {
      isOperational: false,
    });
  return Temporal.Instant.fromEpochMilliseconds(next.getTime());
};

/** The same without days on which there is nothing to tell. Ends for certain: no calendar is closed for ever. */
export const nextBriefingAt = async (schedule: Schedule, after: Timestamp): Promise<Timestamp> => {
  let next = await nextRunAfter(schedule, after);
  while (isLeftOut(schedule, next)) next = await nextRunAfter(schedule, next);
  return next;
};
