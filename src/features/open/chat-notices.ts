import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import { chatNoticeTexts } from '#src/kernel/chat/texts/chat-notices.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import type { ChatNoticeService } from '#src/kernel/people/chat-notices.ts';
import { sharedChatOf } from '#src/kernel/chat/message.ts';
import { emptyAnswer } from '#src/kernel/chat/answer.ts';
import { shortened } from '#src/kernel/text.ts';
import { readShortId } from '#src/platform/text/short-codes.ts';
import type { Uses } from '#src/platform/services.ts';
import { alertTitle, describeTerms } from '../alerts/conditions/describe-condition.ts';
import type { NoticeDeps } from '../alerts/end-notice.ts';
import { alertEndNotice } from '../alerts/watching/notices.ts';
import type { AlertStore } from '../alerts/store-types.ts';
import { briefingEndNotice, briefingTitle } from '../briefings/briefing-text.ts';
import type { BriefingStore } from '../briefings/store.ts';

interface ChatNoticesDeps extends NoticeDeps, Uses<'audit.record' | 'wake'> {
  readonly alerts: Pick<AlertStore, 'inChat' | 'end'>;
  readonly briefings: Pick<BriefingStore, 'inChat' | 'end'>;
}

/** The limit of one message. */
const MAX_LINES = 50;

/** A mention is shown as the name that the person has there, and an ephemeral answer pings nobody. */
const ownerText = ({ target }: Pick<AlertRecord, 'target'>): string => `<@${target.recipientId}>`;

const readChat = async ({ alerts, briefings }: ChatNoticesDeps, { target }: Requester) => {
  const chatKey = sharedChatOf(target);
  if (chatKey === undefined) return undefined;
  const [set, scheduled] = await Promise.all([alerts.inChat(chatKey), briefings.inChat(chatKey)]);
  return { set, scheduled };
};

/** Lists and removes the alerts and briefings of a channel for its admins. They are posted there, so nothing is disclosed. */
export const createChatNotices = (deps: ChatNoticesDeps): ChatNoticeService => ({
  list: async (_request, requester) => {
    const { locale } = requester;
    const t = chatNoticeTexts(locale);
    const found = await readChat(deps, requester);
    if (!found) return emptyAnswer(t.onlyInChannel());
    const { set, scheduled } = found;
    if (set.length + scheduled.length === 0) return emptyAnswer(t.none());
    const now = deps.clock.now();
    const lines = [
      ...set.map(
        (alert) => [alert, `${alertTitle(alert, locale)} · ${describeTerms(alert, requester, now)}`] as const,
      ),
      ...scheduled.map((briefing) => [briefing, briefingTitle(briefing, locale)] as const),
    ].map(([one, what]) => `- \`${one.id}\` ${what} · ${t.by({ who: ownerText(one) })}`);
    return {
      content: [
        t.title({ alerts: set.length, briefings: scheduled.length }),
        ...lines.slice(0, MAX_LINES),
        ...(lines.length > MAX_LINES ? [t.more({ count: lines.length - MAX_LINES })] : []),
        '',
        t.how(),
      ].join('\n'),
      facts: [],
      found: lines.length,
    };
  },

  remove: async ({ which }, requester) => {
    const { locale } = requester;
    const t = chatNoticeTexts(locale);
    const found = await readChat(deps, requester);
    if (!found) return emptyAnswer(t.onlyInChannel());
    const id = readShortId(which);
    const alert = found.set.find((one) => one.id === id);
    const briefing = found.scheduled.find((one) => one.id === id);
    const isGone =
      (alert && (await deps.alerts.end(alert.id, await alertEndNotice(alert, 'removed', deps)))) ||
      (briefing &&
        (await deps.briefings.end(briefing.id, await briefingEndNotice(briefing, 'removed', deps))));
    if (!isGone) return emptyAnswer(t.unknown({ typed: shortened(which) }));
    deps.wake();
    const counts = { alerts: alert ? 1 : 0, briefings: alert ? 0 : 1 };
    await deps.audit.record('channel-remove', requester, counts, deps.clock.now());
    const what = alert ? alertTitle(alert, locale) : briefing ? briefingTitle(briefing, locale) : '';
    return { content: t.done({ what }), facts: [], found: 1 };
  },
});
