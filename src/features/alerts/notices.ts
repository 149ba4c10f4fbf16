import type { AlertRecord } from '#src/kernel/alert.ts';
import type { Membership } from '#src/kernel/channel.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { chatNoticeMessages } from './chat-notice-messages.ts';
import type { DeliveryId, Timestamp } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import { placeOf, type Requester } from '#src/kernel/account-services.ts';
import type { Clock } from '#src/platform/clock.ts';
import { newId } from '#src/platform/ids.ts';
import type { NewNotification } from '#src/platform/storage/messages/notifications.ts';
import { alertTitle, describeCondition, splitText } from './describe-condition.ts';
import { alertMessages } from './messages.ts';
import { Decimal } from '#src/kernel/money.ts';
import { writeMoment } from '#src/kernel/moment.ts';
import type { Revision } from './store-types.ts';
import { formatPrice, instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { splitName } from '#src/markets/answers/split-ratio.ts';
import { readMemory, writeMemory } from './evaluation-state.ts';
import { rescaled, type Split } from './split-facts.ts';

export interface NoticeDeps {
  /** The private chat with a person; undefined where the channel cannot open one. */
  readonly directTarget: (whose: Pick<Requester, 'target' | 'isDirect'>) => Promise<ReplyTarget | undefined>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Something set in a shared chat: an alert or a briefing. */
interface SetInChat extends Pick<AlertRecord, 'target'> {
  readonly locale: Locale;
}

export type EndReason = Exclude<Membership, 'member'> | 'removed';

/** Tells the owner in their direct chat, in their language, that it ended. Undefined where they have no direct chat. */
export const endNotice = async (
  { target, locale }: SetInChat,
  what: string,
  reason: EndReason,
  { directTarget, clock }: NoticeDeps,
): Promise<NewNotification | undefined> => {
  const { left, botRemoved, removed } = chatNoticeMessages(locale);
  const text = { left, 'bot-removed': botRemoved, removed }[reason]({ what });
  const direct = await directTarget({ target, isDirect: false }).catch(() => undefined);
  return (
    direct && { id: newId<DeliveryId>(), target: placeOf(direct), payload: { text }, dueAt: clock.now() }
  );
};

export const alertEndNotice = (alert: AlertRecord, reason: EndReason, deps: NoticeDeps) =>
  endNotice(alert, alertTitle(alert, alert.locale), reason, deps);

/** Alerts with the same key share one message: one person, one chat, one language. */
export const chatOf = ({ ownerId, locale, target }: AlertRecord): string =>
  JSON.stringify([ownerId, locale, target.channelId, target.chatId, target.threadId, target.recipientId]);

const noticeOf = (
  { target, locale }: AlertRecord,
  lines: readonly string[],
  now: Timestamp,
): Revision['notice'] => ({
  id: newId<DeliveryId>(),
  target,
  payload: { text: lines.join('\n'), locale, mentions: target.recipientId },
  dueAt: now,
});

type Change = Revision['changes'][number];

const changeLine = ({ alert, next }: Change): string => {
  const { id, instrument, locale } = alert;
  const t = alertMessages(locale).events;
  const [before, now] = [describeCondition(alert, locale), describeCondition({ ...alert, ...next }, locale)];
  if (before !== now) return t.changed({ id, before, now });
  const priceText = (memory: string): string =>
    formatPrice(new Decimal(readMemory(memory).extreme ?? 0), instrument, locale);
  const extremes = { before: priceText(alert.memory), now: priceText(next.memory) };
  return t.extreme({ id, what: before, ...extremes });
};

interface Adjusted {
  readonly alert: AlertRecord;
  readonly splits: readonly [Split, ...Split[]];
}

/** Rescales one person's alerts on one instrument after a split, with the notice. */
export const splitRevision = (
  alerts: readonly [Adjusted, ...Adjusted[]],
  at: { readonly price: Decimal; readonly day: string },
  now: Timestamp,
): Revision => {
  const [{ alert: first }] = alerts;
  const { locale, instrument } = first;
  const changes = alerts.map(({ alert, splits }) => ({ alert, next: rescaled(alert, splits, at) }));
  const all = new Map(alerts.flatMap(({ splits }) => splits.map((split) => [split.date.toString(), split])));
  const splits = [...all]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, { ratio }]) => splitText({ date, ratio: ratio.toFixed() }, locale));
  const t = alertMessages(locale).events;
  const head = t.wasSplit({
    name: instrumentLabel(instrument, locale),
    splits: splits.join(', '),
  });
  return { changes, notice: noticeOf(first, [head, ...changes.map(changeLine)], now) };
};

const DIGITS = 2;

/** Prices look like an unreported split: the notice says so, and that the alerts are not evaluated. */
export const unreportedRevision = (
  alerts: readonly [AlertRecord, ...AlertRecord[]],
  { before, close }: { readonly before: Decimal; readonly close: Decimal },
  since: Timestamp,
  now: Timestamp,
): Revision => {
  const [first] = alerts;
  const { id, locale, instrument, timeZone } = first;
  const t = alertMessages(locale).events;
  const isReverse = close.greaterThan(before);
  const about = (isReverse ? close.dividedBy(before) : before.dividedBy(close)).toSignificantDigits(DIGITS);
  const ratio = isReverse ? new Decimal(1).dividedBy(about) : about;
  const head = t.unreported({
    name: instrumentLabel(instrument, locale),
    before: formatPrice(before, instrument, locale),
    now: formatPrice(close, instrument, locale),
    ...splitName(ratio, locale),
    at: writeMoment(since, timeZone),
  });
  const lines = alerts.map((alert) => `- \`${alert.id}\` ${describeCondition(alert, locale)}`);
  const changes = alerts.map((alert) => {
    const memory = writeMemory({ ...readMemory(alert.memory), unfit: [since.toString(), true] });
    return {
      alert,
      next: { condition: alert.condition, memory, ...(alert.split && { split: alert.split }) },
    };
  });
  return { changes, notice: noticeOf(first, [head, ...lines, t.unreportedHow({ id })], now) };
};
