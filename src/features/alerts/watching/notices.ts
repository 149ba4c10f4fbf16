import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import type { DeliveryId, Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { writeMoment } from '#src/kernel/time.ts';
import { newId } from '#src/platform/ids.ts';
import { formatPrice } from '#src/markets/answers/quote-text.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { splitName } from '#src/markets/answers/split-ratio.ts';
import { alertTitle, describeCondition, splitText } from '../conditions/describe-condition.ts';
import { endNotice, type EndReason, type NoticeDeps } from '../end-notice.ts';
import { readMemory, writeMemory } from './alert-memory.ts';
import { alertTexts } from '../texts.ts';
import { rescaled, type SplitNotice } from './split-facts.ts';
import type { Revision } from '../store-types.ts';

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
  const t = alertTexts(locale).events;
  const [before, now] = [describeCondition(alert, locale), describeCondition({ ...alert, ...next }, locale)];
  if (before !== now) return t.changed({ id, before, now });
  const priceText = (memory: string): string =>
    formatPrice(new Decimal(readMemory(memory).extreme ?? 0), instrument, locale);
  const extremes = { before: priceText(alert.memory), now: priceText(next.memory) };
  return t.extreme({ id, what: before, ...extremes });
};

interface Adjusted {
  readonly alert: AlertRecord;
  readonly splits: readonly [SplitNotice, ...SplitNotice[]];
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
  const t = alertTexts(locale).events;
  const head = t.wasSplit({
    name: shortLabel(instrument, locale),
    splits: splits.join(', '),
  });
  return { changes, notice: noticeOf(first, [head, ...changes.map(changeLine)], now) };
};

const DIGITS = 2;

/** Prices look like an unreported split: the notice says so, and that the alerts are not evaluated. */
export const unreportedRevision = (
  alerts: readonly [AlertRecord, ...AlertRecord[]],
  { before, price }: { readonly before: Decimal; readonly price: Decimal },
  since: Timestamp,
  now: Timestamp,
): Revision => {
  const [first] = alerts;
  const { id, locale, instrument, timeZone } = first;
  const t = alertTexts(locale).events;
  const isReverse = price.greaterThan(before);
  const about = (isReverse ? price.dividedBy(before) : before.dividedBy(price)).toSignificantDigits(DIGITS);
  const ratio = isReverse ? new Decimal(1).dividedBy(about) : about;
  const head = t.unreported({
    name: shortLabel(instrument, locale),
    before: formatPrice(before, instrument, locale),
    now: formatPrice(price, instrument, locale),
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
