import type { AlertRecord } from '#src/kernel/alert.ts';
import { chatNoticeMessages } from '#src/features/alerts/index.ts';
import { type Requester, type ChatNoticeService, sharedChatOf } from '#src/kernel/account-services.ts';
import { shortened } from '#src/kernel/text.ts';
import type { AlertStore } from '#src/features/alerts/index.ts';
import type { AuditTrail } from '#src/kernel/operations.ts';
import type { BriefingStore } from '#src/features/briefings/index.ts';
import { readShortId } from '#src/platform/storage/short-codes.ts';
import { briefingEndNotice, briefingTitle } from '#src/features/briefings/index.ts';
import { alertEndNotice, type NoticeDeps } from '#src/features/alerts/index.ts';
import { refused } from '#src/features/alerts/index.ts';
import { alertTitle, describeTerms } from '#src/features/alerts/index.ts';

export interface ChatNoticesDeps extends NoticeDeps {
  readonly alerts: Pick<AlertStore, 'inChat' | 'end'>;
  readonly briefings: Pick<BriefingStore, 'inChat' | 'end'>;
  readonly audit: Pick<AuditTrail, 'record'>;
  /** Something was stored to be told. */
  readonly wake: () => void;
}

/** A message has room for so many. */
const MAX_LINES = 50;

/** A mention is shown as the name that the person has there, and an ephemeral answer pings nobody. */
const ownerText = ({ target }: Pick<AlertRecord, 'target'>): string => `<@${target.recipientId}>`;

const readChat = async ({ alerts, briefings }: ChatNoticesDeps, { target }: Requester) => {
  const chatKey = sharedChatOf(target);
  if (chatKey === undefined) return undefined;
  const [set, scheduled] = await Promise.all([alerts.inChat(chatKey), briefings.inChat(chatKey)]);
  return { set, scheduled };
};

/** What is set in a channel, for those who run it: what is told there anyway, and by whom it was set. */
export const createChatNotices = (deps: ChatNoticesDeps): ChatNoticeService => ({
  list: async (_request, requester) => {
    const { locale } = requester;
    const t = chatNoticeMessages(locale);
    const found = await readChat(deps, requester);
    if (!found) return refused(t.onlyInChannel());
    const { set, scheduled } = found;
    if (set.length + scheduled.length === 0) return refused(t.none());
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
    const t = chatNoticeMessages(locale);
    const found = await readChat(deps, requester);
    if (!found) return refused(t.onlyInChannel());
    const id = readShortId(which);
    const alert = found.set.find((one) => one.id === id);
    const briefing = found.scheduled.find((one) => one.id === id);
    const isGone =
      (alert && (await deps.alerts.end(alert.id, await alertEndNotice(alert, 'removed', deps)))) ||
      (briefing &&
        (await deps.briefings.end(briefing.id, await briefingEndNotice(briefing, 'removed', deps))));
    if (!isGone) return refused(t.unknown({ typed: shortened(which) }));
    deps.wake();
    const counts = { alerts: alert ? 1 : 0, briefings: alert ? 0 : 1 };
    await deps.audit.record('channel-remove', requester, counts, deps.clock.now());
    const what = alert ? alertTitle(alert, locale) : briefing ? briefingTitle(briefing, locale) : '';
    return { content: t.done({ what }), facts: [], found: 1 };
  },
});
