import type { Actor } from '#src/kernel/chat/actor.ts';
import { approvalProblem, approvalQuestion } from '#src/kernel/agent/texts/approvals.ts';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { ChannelPlugin, ClosedApproval } from '#src/kernel/channel/channel.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { type ApprovalId, asId, type MessageId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import { writeMoment } from '#src/kernel/time.ts';
import type { ApprovalRequest, ApprovalVerdict } from '#src/kernel/agent/approvals.ts';
import { splitAtLines } from '#src/kernel/text.ts';
import { isRefusedWith } from '../api.ts';
import { slackTexts } from '../send/texts.ts';
import type { SlackOutboundDeps } from '../send/outbound.ts';
import { findPosted, post, type PostTarget, update } from '../send/posting.ts';
import { wayAfter } from '../send/refusals.ts';
import { button, markdownBlocks, render, withNativeTimes } from '../send/render.ts';

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
  const t = channelTexts(request.locale);
  const when = withNativeTimes(writeMoment(at, timeZone));
  if (verdict === 'expired') return t.expired({ when });
  if (verdict === 'given-up' || decidedBy === undefined) return t.givenUp({ when });
  return t[verdict]({ who: `<@${decidedBy}>`, when });
};

/** Stores a decision. Returns what to tell whoever decided; undefined if the question itself shows the outcome. */
export const decide = async (
  host: ChannelHost,
  { id, verdict, by }: { readonly id: string; readonly verdict: ApprovalVerdict; readonly by: Actor },
): Promise<string | undefined> =>
  approvalProblem(await host.approvals.decide(asId<ApprovalId>(id), verdict, by), by.locale);

/** Questions with buttons. The message holds all that is needed to answer and close one, so a restart changes nothing. */
export const createApprovals = (
  deps: SlackOutboundDeps,
): Required<Pick<ChannelPlugin, 'requestApproval' | 'closeApproval'>> => {
  const { api, directory, pacing, clock, closing, logger } = deps;

  /** A private request is decided in the direct chat. */
  const spotOf = async (target: ReplyTarget): Promise<PostTarget> =>
    target.interaction?.isPrivate && !target.isDirect
      ? { channel: await directory.directChannel(target.recipientId), threadTs: undefined }
      : { channel: await directory.channelOf(target), threadTs: target.threadId };

  const directWith = async ({ recipientId }: ReplyTarget): Promise<PostTarget> => ({
    channel: await directory.directChannel(recipientId),
    threadTs: undefined,
  });

  /** Posts the question, unless an earlier attempt is there. */
  const askIn = async (
    spot: PostTarget,
    request: ApprovalRequest,
    note = '',
  ): Promise<{ readonly messageId: MessageId }> => {
    const t = channelTexts(request.locale);
    const asked = request.isRepeated ? await findPosted(api, spot, request.id, request.askedAt) : undefined;
    if (asked) return { messageId: asked };
    // The first attempt never arrived, so the question does not say that it is repeated.
    const question = approvalQuestion({ ...request, isRepeated: false }, clock);
    const parts = splitAtLines(`${note}${question}`, MAX_QUESTION);
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
    return { messageId: await send({ text, blocks: [...markdownBlocks(last), actions] }, request.id) };
  };

  const closeIn = async (spot: PostTarget, closed: ClosedApproval): Promise<void> => {
    const { request } = closed;
    // The question may exist although its id was not recorded; its buttons must go.
    const messageId = closed.messageId ?? (await findPosted(api, spot, request.id, request.askedAt));
    if (!messageId) return;
    const { text } = render({ text: request.summary });
    const timeZone = directory.personNow(request.askedBy)?.timeZone ?? 'UTC';
    const end = { type: 'context', elements: [{ type: 'mrkdwn', text: closingLine(closed, timeZone) }] };
    const [summary = ''] = splitAtLines(request.summary, MAX_QUESTION);
    await update(api, spot.channel, messageId, { text, blocks: [...markdownBlocks(summary), end] });
  };

  return {
    requestApproval: async (target, request) => {
      try {
        return await askIn(await spotOf(target), request);
      } catch (error) {
        if (target.isDirect || wayAfter(error).to === 'nobody') throw error;
        logger.warn('Slack refused a question in its place; asking the person directly', { error });
        const t = slackTexts(request.locale);
        const name = (await directory.place(target.chatId))?.name;
        const note = `${t.decideHere({ chat: name === undefined ? t.thatChannel() : `#${name}` })}\n`;
        return askIn(await directWith(target), request, note);
      }
    },
    closeApproval: async (target, closed) => {
      try {
        await closeIn(await spotOf(target), closed);
      } catch (error) {
        // Somebody deleted the question, or it was asked in the direct chat.
        if (wayAfter(error).to === 'nobody') throw error;
        await closeIn(await directWith(target), closed).catch((direct: unknown) => {
          if (!isRefusedWith(direct, 'message_not_found', 'channel_not_found')) throw direct;
        });
      }
    },
  };
};
