import type { AlertRecord } from '#src/kernel/alert.ts';
import { zoneMessages } from '#src/language/zone-messages.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { endsAtMidnight, writeDayMoment, writeMoment } from '#src/kernel/moment.ts';
import type { Requester, TimeZoneService } from '#src/kernel/account-services.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { AlertStore } from '#src/features/alerts/index.ts';
import type { BriefingStore } from '#src/features/briefings/index.ts';
import type { NotificationStore } from '#src/platform/storage/messages/notifications.ts';
import type { OwnerStore } from '#src/platform/storage/accounts/owners.ts';
import { alertTitle } from '#src/features/alerts/index.ts';
import { daysText, timeText } from '#src/features/briefings/index.ts';
import { nextBriefingAt } from '#src/features/briefings/index.ts';

export interface GuessedZonesDeps {
  readonly owners: Pick<OwnerStore, 'ownerOf'>;
  readonly alerts: Pick<AlertStore, 'listOf' | 'rezone'>;
  readonly briefings: Pick<BriefingStore, 'listOf' | 'rezone'>;
  readonly notifications: Pick<NotificationStore, 'pendingOf' | 'rezone'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Something is due at another time now. */
  readonly changed: () => void;
}

/** The same date and hour elsewhere. */
const sameHourIn = (at: Timestamp, from: string, to: string): Timestamp =>
  at.toZonedDateTimeISO(from).toPlainDateTime().toZonedDateTime(to).toInstant();

const dateIn = (at: Timestamp | undefined, from: string, to: string): Timestamp | undefined =>
  at && endsAtMidnight(at, from) ? sameHourIn(at, from, to) : at;

const endsOf = ({ expiresAt, snoozedUntil, timeZone: from }: AlertRecord, to: string) => ({
  expiresAt: dateIn(expiresAt, from, to),
  snoozedUntil: dateIn(snoozedUntil, from, to),
});

/** What was set in a zone that was only guessed moves to the same hour in the right one. */
export const createTimeZoneService = (deps: GuessedZonesDeps): TimeZoneService => {
  const { owners, alerts, briefings, notifications, clock, changed } = deps;

  const moveBriefings = async (requester: Requester, timeZone: string): Promise<readonly string[]> => {
    const t = zoneMessages(requester.locale);
    const moved: string[] = [];
    for (const briefing of await briefings.listOf(await owners.ownerOf(requester))) {
      if (!briefing.zoneGuess) continue;
      const nextAt = await nextBriefingAt({ ...briefing, timeZone }, clock.now());
      const isMoved = await briefings.rezone(briefing, timeZone, nextAt);
      // Where the guess was right nothing moves, and there is nothing to say.
      if (!isMoved || briefing.timeZone === timeZone) continue;
      const days = daysText(briefing.days, requester.locale);
      const next = writeDayMoment(nextAt, timeZone, requester.locale);
      moved.push(t.movedBriefing({ days, time: timeText(briefing.time), next }));
    }
    return moved;
  };

  const moveReminders = async (requester: Requester, timeZone: string): Promise<readonly string[]> => {
    const t = zoneMessages(requester.locale);
    const moved: string[] = [];
    for (const reminder of await notifications.pendingOf(requester.channelId, requester.userId)) {
      if (!reminder.guess) continue;
      const dueAt = sameHourIn(reminder.dueAt, reminder.guess.timeZone, timeZone);
      const isMoved = await notifications.rezone(reminder, dueAt);
      if (!isMoved || dueAt.equals(reminder.dueAt)) continue;
      moved.push(t.movedReminder({ at: writeDayMoment(dueAt, timeZone, requester.locale) }));
    }
    return moved;
  };

  const moveAlerts = async (requester: Requester, timeZone: string): Promise<readonly string[]> => {
    const t = zoneMessages(requester.locale);
    const moved: string[] = [];
    for (const alert of await alerts.listOf(await owners.ownerOf(requester))) {
      if (!alert.zoneGuess) continue;
      const ends = endsOf(alert, timeZone);
      const isMoved = await alerts.rezone(alert, timeZone, ends);
      if (!isMoved || !ends.expiresAt || alert.expiresAt?.equals(ends.expiresAt)) continue;
      const at = writeMoment(ends.expiresAt, timeZone);
      moved.push(t.movedAlert({ what: alertTitle(alert, requester.locale), at }));
    }
    return moved;
  };

  return {
    settle: async (requester, timeZone) => {
      const moved = [
        ...(await moveBriefings(requester, timeZone)),
        ...(await moveReminders(requester, timeZone)),
        ...(await moveAlerts(requester, timeZone)),
      ];
      changed();
      return moved;
    },
  };
};
