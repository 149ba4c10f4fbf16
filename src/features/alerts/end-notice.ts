import type { AlertRecord } from '#src/kernel/alert.ts';
import type { Membership } from '#src/kernel/channel.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { chatNoticeMessages } from './chat-notice-messages.ts';
import type { DeliveryId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import { type Requester, placeOf } from '#src/kernel/account-services.ts';
import type { Clock } from '#src/platform/clock.ts';
import { newId } from '#src/platform/ids.ts';
import type { NewNotification } from '#src/platform/storage/notifications.ts';
import { alertTitle } from './describe-condition.ts';

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
