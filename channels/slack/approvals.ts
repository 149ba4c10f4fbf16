import { approvalProblem, approvalQuestion } from '#src/kernel/messages/approvals.ts';
import type { ChannelHost, ChannelPlugin, ClosedApproval } from '#src/kernel/channel.ts';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { type ApprovalId, asId, type MessageId, type UserId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import { writeMoment } from '#src/kernel/moment.ts';
import type { ApprovalRequest, ApprovalVerdict } from '#src/kernel/ports.ts';
import { splitAtLines } from '#src/kernel/text.ts';
import { isRefusedWith } from './api.ts';
import type { OutboundDeps } from './outbound.ts';
import { findPosted, post, type Spot, update } from './posting.ts';
import { button, markdownBlocks, render, withNativeTimes } from './render.ts';
import { SLACK } from './settings.ts';

/** The action id of a button names the verdict; its value names the question. */
const ACTIONS: Readonly<Record<string, ApprovalVerdict>> = {
  finclaw_approve: 'approved',
  finclaw_deny: 'denied',
};

export const verdictOf = (actionId: string): ApprovalVerdict | undefined =>
  Object.hasOwn(ACTIONS, actionId) ? ACTIONS[actionId] : undefined;

/** The length of one message. The parts of a longer question are posted before its buttons. */
const MAX_QUESTION = 9_000;

const closingLine = ({ verdict, decidedBy, at, request }: ClosedApproval, timeZone: string): string => {
  const t = channelMessages(request.locale);
  const when = withNativeTimes(writeMoment(at, timeZone));
  if (verdict === 'expired') return t.expired({ when });
  if (verdict === 'given-up' || decidedBy === undefined) return t.givenUp({ when });
  return t[verdict]({ who: `<@${decidedBy}>`, when });
};

/** Stores a decision. Returns what to tell whoever decided; undefined if the question itself shows the outcome. */
export const decide = async (
  host: ChannelHost,
  {
    id,
    verdict,
    userId,
  }: { readonly id: string; readonly verdict: ApprovalVerdict; readonly userId: string },
  locale: ApprovalRequest['locale'],
): Promise<string | undefined> => {
  const by = { channelId: SLACK, userId: asId<UserId>(userId), userRoles: [] };
  return approvalProblem(await host.approvals.decide(asId<ApprovalId>(id), verdict, by), locale);
};

/** Questions with buttons. The message holds all that is needed to answer and close one, so a restart changes nothing. */
export const createApprovals = (
  deps: OutboundDeps,
): Required<Pick<ChannelPlugin, 'requestApproval' | 'closeApproval'>> => {
  const { api, directory, pacing, clock, closing } = deps;

  /** A private request is decided in the direct chat. */
  const spotOf = async (target: ReplyTarget): Promise<Spot> =>
    target.interaction?.isPrivate && !target.isDirect
      ? { channel: await directory.directChannel(target.recipientId), threadTs: undefined }
      : { channel: await directory.channelOf(target), threadTs: target.threadId };

  return {
    requestApproval: async (target, request) => {
      const t = channelMessages(request.locale);
      const spot = await spotOf(target);
      const asked = request.isRepeated ? await findPosted(api, spot, request.id, request.askedAt) : undefined;
      if (asked) return { messageId: asked };
      // The first attempt never arrived, so the question does not say that it is repeated.
      const parts = splitAtLines(approvalQuestion({ ...request, isRepeated: false }, clock), MAX_QUESTION);
      const last = parts.at(-1) ?? '';
      const send = (rendered: ReturnType<typeof render>, id: string): Promise<MessageId> =>
        pacing.run(spot.channel, () => post(api, spot, rendered, id), closing);
      // `findPosted` must find the part with the buttons only.
      for (const text of parts.slice(0, -1))
        await send({ ...render({ text }), blocks: markdownBlocks(text) }, `${request.id}:part`);
      const { text } = render({ text: last });
      const actions = {
        type: 'actions',
        elements: [
          button(t.approve(), 'finclaw_approve', request.id, 'primary'),
          button(t.deny(), 'finclaw_deny', request.id, 'danger'),
        ],
      };
      const messageId = await send({ text, blocks: [...markdownBlocks(last), actions] }, request.id);
      return { messageId };
    },
    closeApproval: async (target, closed) => {
      const spot = await spotOf(target);
      const { request } = closed;
      // The question may exist although its id was not recorded; its buttons must go.
      const messageId = closed.messageId ?? (await findPosted(api, spot, request.id, request.askedAt));
      if (!messageId) return;
      const { text } = render({ text: request.summary });
      const timeZone = directory.personNow(request.askedBy)?.timeZone ?? 'UTC';
      const end = { type: 'context', elements: [{ type: 'mrkdwn', text: closingLine(closed, timeZone) }] };
      const [summary = ''] = splitAtLines(request.summary, MAX_QUESTION);
      try {
        await update(api, spot.channel, messageId, { text, blocks: [...markdownBlocks(summary), end] });
      } catch (error) {
        // Somebody deleted the question.
        if (!isRefusedWith(error, 'message_not_found', 'channel_not_found')) throw error;
      }
    },
  };
};
