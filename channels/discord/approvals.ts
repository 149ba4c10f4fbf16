import { type APIMessage, ButtonStyle, ComponentType } from 'discord.js';
import { approvalQuestion } from '#src/kernel/messages/approvals.ts';
import type { ChannelPlugin, ClosedApproval } from '#src/kernel/channel.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { type ApprovalId, asId, type MessageId, type Timestamp } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import type { ApprovalRequest, ApprovalVerdict } from '#src/kernel/ports.ts';
import { CODES, hasCode, isRefusal } from './api.ts';
import { NOTHING } from './files.ts';
import { nonceOf } from './posting.ts';
import { channelOf, LOOK_BACK, type OutboundDeps, referenceOf, SKEW_MS } from './outbound.ts';
import { type ButtonRow, cut, MAX_CONTENT, NO_MENTIONS, sentence } from './render.ts';
import { idAt, isSnowflake } from './snowflake.ts';

const APPROVE = 'approve:';
const DENY = 'deny:';
const TIME_LIMIT_MS = 10_000;

/** What a press decides; undefined for buttons of another kind. */
export const decisionOfPress = (
  customId: string,
): { readonly id: ApprovalId; readonly verdict: ApprovalVerdict } | undefined => {
  if (customId.startsWith(APPROVE)) return { id: asId(customId.slice(APPROVE.length)), verdict: 'approved' };
  if (customId.startsWith(DENY)) return { id: asId(customId.slice(DENY.length)), verdict: 'denied' };
  return undefined;
};

/** At line ends where that is possible: what is decided on is shown whole, before the buttons. */
const inParts = (text: string, max: number): readonly string[] => {
  if (text.length <= max) return [text];
  const lineEnd = text.lastIndexOf('\n', max);
  const end = lineEnd > max / 2 ? lineEnd : max - Number(/[\ud800-\udbff]/.test(text[max - 1] ?? ''));
  return [text.slice(0, end), ...inParts(text.slice(end).replace(/^\n/, ''), max)];
};

const button = (style: ButtonStyle.Success | ButtonStyle.Danger, label: string, customId: string) => ({
  type: ComponentType.Button as const,
  style,
  label,
  custom_id: customId,
});

const buttons = (id: ApprovalId, locale: Locale): ButtonRow => {
  const t = channelMessages(locale);
  return {
    type: ComponentType.ActionRow,
    components: [
      button(ButtonStyle.Success, t.approve(), `${APPROVE}${id}`),
      button(ButtonStyle.Danger, t.deny(), `${DENY}${id}`),
    ],
  };
};

const hasButtonsOf = ({ components }: APIMessage, id: ApprovalId): boolean =>
  JSON.stringify(components ?? []).includes(`"${APPROVE}${id}"`);

/** Everybody sees it in their own zone. */
const momentOf = (at: Timestamp): string => `<t:${Math.floor(at.epochMilliseconds / 1_000)}:f>`;

const closingLine = ({ request, verdict, decidedBy, at }: ClosedApproval): string => {
  const t = channelMessages(request.locale);
  const when = momentOf(at);
  const by = decidedBy ?? '';
  const who = isSnowflake(by) ? `<@${by}>` : by;
  switch (verdict) {
    case 'approved':
      return t.approved({ who, when });
    case 'denied':
      return t.denied({ who, when });
    case 'expired':
      return t.expired({ when });
    case 'given-up':
      return t.givenUp({ when });
  }
  return verdict satisfies never;
};

/** Questions with buttons. All that is needed to answer and close one is in the message: a restart changes nothing. */
export const createApprovals = (
  deps: OutboundDeps,
): Required<Pick<ChannelPlugin, 'requestApproval' | 'closeApproval'>> => {
  const { messages, places, botId, clock } = deps;

  /** What was asked for in private is decided in private. An ephemeral message could not be changed later. */
  const placeOf = (target: ReplyTarget, signal: AbortSignal): Promise<string> =>
    channelOf(target.interaction?.isPrivate ? { ...target, isDirect: true } : target, places, signal);

  /** Finds the question if it was posted with live buttons and the post was not recorded. */
  const findAsked = async (
    channelId: string,
    { id, askedAt }: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<APIMessage | undefined> => {
    const after = idAt(askedAt.subtract({ milliseconds: SKEW_MS }));
    try {
      const said = await messages.list(channelId, { after, limit: LOOK_BACK }, signal);
      return said.find((one) => one.author.id === (botId() ?? one.author.id) && hasButtonsOf(one, id));
    } catch (error) {
      // Where the bot may not read, the nonce is all there is.
      if (!isRefusal(error)) throw error;
      return undefined;
    }
  };

  return {
    requestApproval: async (target, request) => {
      const signal = AbortSignal.timeout(TIME_LIMIT_MS);
      const channelId = await placeOf(target, signal);
      const { id, isRepeated, locale } = request;
      const asked = isRepeated ? await findAsked(channelId, request, signal) : undefined;
      if (asked) return { messageId: asId<MessageId>(asked.id) };
      // It never arrived, so nobody is told that it is asked again.
      const parts = inParts(approvalQuestion({ ...request, isRepeated: false }, clock), MAX_CONTENT);
      const replyTo = referenceOf(target);
      let last: MessageId | undefined;
      for (const [index, part] of parts.entries()) {
        const isLast = index === parts.length - 1;
        const body = { ...sentence(part), components: isLast ? [buttons(id, locale)] : [] };
        // A post that is still under way when the bot starts again is not found, and has the same nonce.
        const how = { nonce: nonceOf(id, isLast ? '?' : String(index).slice(-2)), replyTo };
        last = asId<MessageId>((await messages.post(channelId, body, how, signal)).id);
      }
      return last ? { messageId: last } : {};
    },
    closeApproval: async (target, closed) => {
      const { messageId, request } = closed;
      const signal = AbortSignal.timeout(TIME_LIMIT_MS);
      const channelId = await placeOf(target, signal);
      try {
        const question = messageId
          ? await messages.get(channelId, messageId, signal)
          : await findAsked(channelId, request, signal);
        if (!question?.components?.length) return;
        const { id, content } = question;
        const line = closingLine(closed);
        const body = {
          content: `${cut(content, MAX_CONTENT - line.length - 1)}\n${line}`,
          components: [],
          allowed_mentions: { ...NO_MENTIONS, parse: [] },
        };
        await messages.edit(channelId, id, body, NOTHING, signal);
      } catch (error) {
        if (!hasCode(error, CODES.unknownMessage)) throw error;
      }
    },
  };
};
