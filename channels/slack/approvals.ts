import { approvalProblem, approvalQuestion } from '#src/kernel/messages/approvals.ts';
import type { ChannelHost, ClosedApproval } from '#src/kernel/channel.ts';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { type ApprovalId, asId, type MessageId, type UserId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import { writeMoment } from '#src/kernel/moment.ts';
import type { ApprovalRequest, ApprovalVerdict } from '#src/kernel/ports.ts';
import type { Clock } from '#src/platform/clock.ts';
import { isRefusedWith, type SlackApi } from './api.ts';
import type { Directory } from './directory.ts';
import { withNativeTimes } from './message-text.ts';
import type { Pacing } from './pacing.ts';
import { findPosted, post, type Spot, update } from './posting.ts';
import { button, markdownBlocks, render } from './render.ts';
import { SLACK } from './settings.ts';

/** They name the verdict; the value of the button names the question. */
const ACTIONS: Readonly<Record<string, ApprovalVerdict>> = {
  finclaw_approve: 'approved',
  finclaw_deny: 'denied',
};

export const verdictOf = (actionId: string): ApprovalVerdict | undefined =>
  Object.hasOwn(ACTIONS, actionId) ? ACTIONS[actionId] : undefined;

export interface ApprovalsDeps {
  readonly api: SlackApi;
  readonly directory: Directory;
  readonly pacing: Pacing;
  readonly clock: Clock;
  readonly closing: AbortSignal;
}

export interface SlackApprovals {
  readonly request: (
    target: ReplyTarget,
    request: ApprovalRequest,
  ) => Promise<{ readonly messageId: MessageId }>;
  readonly close: (target: ReplyTarget, closed: ClosedApproval) => Promise<void>;
  /** What the presser is told, and nobody else; undefined when the question itself will show it. */
  readonly decide: (
    host: ChannelHost,
    press: { readonly id: string; readonly verdict: ApprovalVerdict; readonly userId: string },
    locale: ApprovalRequest['locale'],
  ) => Promise<string | undefined>;
}

/** In one message all is shown up to here; what is longer goes before it. */
const MAX_QUESTION = 9_000;

const split = (text: string): readonly string[] => {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > MAX_QUESTION) {
    const line = rest.lastIndexOf('\n', MAX_QUESTION);
    const isPair = /[\uD800-\uDBFF]/.test(rest[MAX_QUESTION - 1] ?? '');
    const at = line > MAX_QUESTION / 2 ? line : MAX_QUESTION - (isPair ? 1 : 0);
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...parts, rest];
};

const endOf = ({ verdict, decidedBy, at, request }: ClosedApproval, timeZone: string): string => {
  const t = channelMessages(request.locale);
  const when = withNativeTimes(writeMoment(at, timeZone));
  if (verdict === 'expired') return t.expired({ when });
  if (verdict === 'given-up' || decidedBy === undefined) return t.givenUp({ when });
  return t[verdict]({ who: `<@${decidedBy}>`, when });
};

export const createApprovals = ({
  api,
  directory,
  pacing,
  clock,
  closing,
}: ApprovalsDeps): SlackApprovals => {
  /** A question about a private answer is private too. */
  const spotOf = async (target: ReplyTarget): Promise<Spot> =>
    target.interaction?.isPrivate && !target.isDirect
      ? { channel: await directory.directChannel(target.recipientId), threadTs: undefined }
      : { channel: await directory.channelOf(target), threadTs: target.threadId };

  return {
    request: async (target, request) => {
      const t = channelMessages(request.locale);
      const spot = await spotOf(target);
      const asked = request.isRepeated ? await findPosted(api, spot, request.id, request.askedAt) : undefined;
      if (asked) return { messageId: asked };
      // It never arrived, so nobody is told that it is asked again.
      const parts = split(approvalQuestion({ ...request, isRepeated: false }, clock));
      const last = parts.at(-1) ?? '';
      const send = (rendered: ReturnType<typeof render>, id: string): Promise<MessageId> =>
        pacing.run(spot.channel, () => post(api, spot, rendered, id), closing);
      // Only the part with the buttons is the question that is looked for.
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
    close: async (target, closed) => {
      const spot = await spotOf(target);
      const { request } = closed;
      // It may stand there although nobody recorded it: its buttons must not stay.
      const messageId = closed.messageId ?? (await findPosted(api, spot, request.id, request.askedAt));
      if (!messageId) return;
      const { text } = render({ text: closed.request.summary });
      const timeZone = directory.personNow(closed.request.askedBy)?.timeZone ?? 'UTC';
      const end = { type: 'context', elements: [{ type: 'mrkdwn', text: endOf(closed, timeZone) }] };
      const [summary = ''] = split(closed.request.summary);
      try {
        await update(api, spot.channel, messageId, { text, blocks: [...markdownBlocks(summary), end] });
      } catch (error) {
        // Somebody removed the question: there is nothing left to press.
        if (!isRefusedWith(error, 'message_not_found', 'channel_not_found')) throw error;
      }
    },
    decide: async (host, { id, verdict, userId }, locale) =>
      approvalProblem(
        await host.approvals.decide(asId<ApprovalId>(id), verdict, {
          channelId: SLACK,
          userId: asId<UserId>(userId),
          userRoles: [],
        }),
        locale,
      ),
  };
};
