import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import type { Membership } from '#src/kernel/channel/channel.ts';
import { chatNoticeTexts } from '#src/kernel/chat/texts/chat-notices.ts';
import type { DeliveryId } from '#src/kernel/ids.ts';
import { type ReplyTarget, placeOf } from '#src/kernel/chat/message.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import { newId } from '#src/platform/ids.ts';
import type { Uses } from '#src/platform/services.ts';
import type { NewNotification } from '#src/kernel/chat/notification.ts';

export interface NoticeDeps extends Uses<'clock.now'> {
  /** The private chat with a person; undefined if the channel cannot open one. */
  readonly directTarget: (whose: Pick<Requester, 'target' | 'isDirect'>) => Promise<ReplyTarget | undefined>;
}

export type EndReason = Exclude<Membership, 'member'> | 'removed';

/**
 * Tells the owner of an alert or briefing in a channel that it ended, in their direct chat and language. Undefined if
 * they have no direct chat.
 */
export const endNotice = async (
  { target, locale }: Pick<AlertRecord, 'target' | 'locale'>,
  what: string,
  reason: EndReason,
  { directTarget, clock }: NoticeDeps,
): Promise<NewNotification | undefined> => {
  const { left, botRemoved, removed } = chatNoticeTexts(locale);
  const text = { left, 'bot-removed': botRemoved, removed }[reason]({ what });
  const direct = await directTarget({ target, isDirect: false }).catch(() => undefined);
  return (
    direct && { id: newId<DeliveryId>(), target: placeOf(direct), payload: { text }, dueAt: clock.now() }
  );
};
