import type { AlertRecord } from '#src/core/alert.ts';
import type { Membership } from '#src/core/channel.ts';
import type { Locale } from '#src/core/locale.ts';
import { chatNoticeMessages } from '#src/core/i18n/chat-notices.ts';
import type { DeliveryId } from '#src/core/ids.ts';
import type { ReplyTarget } from '#src/core/message.ts';
import { type Requester, placeOf } from '#src/core/personal-desk.ts';
import type { Clock } from '#src/infra/clock.ts';
import { newId } from '#src/infra/ids.ts';
import type { NewNotification } from '#src/storage/notifications.ts';
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
