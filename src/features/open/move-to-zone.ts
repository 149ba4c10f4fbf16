import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import type { BriefingRecord } from '#src/kernel/people/briefings.ts';
import { zoneTexts } from '#src/reading/zone-texts.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { endsAtMidnight, writeDayMoment, writeMoment } from '#src/kernel/time.ts';
import type { TimeZoneService } from '#src/kernel/people/profile.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import type { NotificationStore } from '#src/chat/store/notifications.ts';
import { alertTitle } from '../alerts/conditions/describe-condition.ts';
import type { AlertStore } from '../alerts/store-types.ts';
import { daysText, timeText } from '../briefings/briefing-text.ts';
import { nextBriefingAt } from '../briefings/schedule.ts';
import type { BriefingStore } from '../briefings/store.ts';
import type { FeatureUses } from '#src/features/services.ts';

interface TimeZoneServiceDeps extends FeatureUses<'clock.now' | 'owners.ownerOf'> {
  readonly alerts: Pick<AlertStore, 'listOf' | 'rezone'>;
  readonly briefings: Pick<BriefingStore, 'listOf' | 'rezone'>;
  readonly notifications: Pick<NotificationStore, 'pendingOf' | 'rezone'>;
  /** Called when due times have changed. */
  readonly changed: () => void;
}

type Reminder = Awaited<ReturnType<NotificationStore['pendingOf']>>[number];

/** The same date and hour in another zone. */
const sameHourIn = (at: Timestamp, from: string, to: string): Timestamp =>
  at.toZonedDateTimeISO(from).toPlainDateTime().toZonedDateTime(to).toInstant();

/** An end at midnight was set as a date, so it moves with the zone; a span of time does not. */
const endIn = (at: Timestamp | undefined, from: string, to: string): Timestamp | undefined =>
  at && endsAtMidnight(at, from) ? sameHourIn(at, from, to) : at;

/** Moves alerts, briefings and reminders that were set in a guessed zone to the same hour in the right one. */
export const createTimeZoneService = (deps: TimeZoneServiceDeps): TimeZoneService => {
  const { owners, alerts, briefings, notifications, clock, changed } = deps;

  // Each of these gives the sentence about what moved. A right guess moves nothing, so there is nothing to say.
  const moveBriefing = async (briefing: BriefingRecord, { locale, timeZone }: Audience) => {
    if (!briefing.zoneGuess) return undefined;
    const nextAt = await nextBriefingAt({ ...briefing, timeZone }, clock.now());
    const isMoved = await briefings.rezone(briefing, timeZone, nextAt);
    if (!isMoved || briefing.timeZone === timeZone) return undefined;
    return zoneTexts(locale).movedBriefing({
      days: daysText(briefing.days, locale),
      time: timeText(briefing.time),
      next: writeDayMoment(nextAt, timeZone, locale),
    });
  };

  const moveReminder = async (reminder: Reminder, { locale, timeZone }: Audience) => {
    if (!reminder.guess) return undefined;
    const dueAt = sameHourIn(reminder.dueAt, reminder.guess.timeZone, timeZone);
    const isMoved = await notifications.rezone(reminder, dueAt);
    if (!isMoved || dueAt.equals(reminder.dueAt)) return undefined;
    return zoneTexts(locale).movedReminder({ at: writeDayMoment(dueAt, timeZone, locale) });
  };

  const moveAlert = async (alert: AlertRecord, { locale, timeZone }: Audience) => {
    if (!alert.zoneGuess) return undefined;
    const expiresAt = endIn(alert.expiresAt, alert.timeZone, timeZone);
    const snoozedUntil = endIn(alert.snoozedUntil, alert.timeZone, timeZone);
    const isMoved = await alerts.rezone(alert, timeZone, { expiresAt, snoozedUntil });
    if (!isMoved || !expiresAt || alert.expiresAt?.equals(expiresAt)) return undefined;
    return zoneTexts(locale).movedAlert({
      what: alertTitle(alert, locale),
      at: writeMoment(expiresAt, timeZone),
    });
  };

  return {
    settle: async (requester, timeZone) => {
      const { channelId, userId, locale } = requester;
      const audience = { locale, timeZone };
      const ownerId = await owners.ownerOf(requester);
      const reminders = await notifications.pendingOf(channelId, userId);
      const moved = [
        ...(await Array.fromAsync(await briefings.listOf(ownerId), (each) => moveBriefing(each, audience))),
        ...(await Array.fromAsync(reminders, (each) => moveReminder(each, audience))),
        ...(await Array.fromAsync(await alerts.listOf(ownerId), (each) => moveAlert(each, audience))),
      ];
      changed();
      return moved.filter((sentence) => sentence !== undefined);
    },
  };
};
