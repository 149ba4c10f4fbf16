import { type APIMessage, ButtonStyle, ComponentType } from 'discord.js';
import { approvalQuestion } from '#src/kernel/agent/texts/approvals.ts';
import type { ChannelPlugin, ClosedApproval } from '#src/kernel/channel/channel.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { type ApprovalId, asId, type MessageId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import type { ApprovalRequest, ApprovalVerdict } from '#src/kernel/agent/approvals.ts';
import { cut, splitAtLines } from '#src/kernel/text.ts';
import { CODES, hasCode, isRefusal } from '../api.ts';
import { discordTexts } from '../send/texts.ts';
import { NOTHING } from '../send/files.ts';
import { nonceOf } from '../send/posting.ts';
import { channelOf, LOOK_BACK, type DiscordOutboundDeps, referenceOf, SKEW_MS } from '../send/outbound.ts';
import { type ButtonRow, MAX_CONTENT, NO_MENTIONS, sentence } from '../send/render.ts';
import { idAt, isSnowflake } from '../snowflake.ts';

const APPROVE = 'approve:';
const DENY = 'deny:';
const TIME_LIMIT_MS = 10_000;

/** The decision behind a button; undefined for buttons of another kind. */
export const decisionOfButton = (
  customId: string,
): { readonly id: ApprovalId; readonly verdict: ApprovalVerdict } | undefined => {
  if (customId.startsWith(APPROVE)) return { id: asId(customId.slice(APPROVE.length)), verdict: 'approved' };
  if (customId.startsWith(DENY)) return { id: asId(customId.slice(DENY.length)), verdict: 'denied' };
  return undefined;
};

const button = (style: ButtonStyle.Success | ButtonStyle.Danger, label: string, customId: string) => ({
  type: ComponentType.Button as const,
  style,
  label,
  custom_id: customId,
});

const buttons = (id: ApprovalId, locale: Locale): ButtonRow => {
  const t = channelTexts(locale);
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

const closingLine = ({ request, verdict, decidedBy, at }: ClosedApproval): string => {
  const t = channelTexts(request.locale);
  // Discord shows each reader their own zone.
  const when = `<t:${Math.floor(at.epochMilliseconds / 1_000)}:f>`;
  if (verdict === 'expired') return t.expired({ when });
  if (verdict === 'given-up') return t.givenUp({ when });
  const by: string = decidedBy ?? '';
  return t[verdict]({ who: isSnowflake(by) ? `<@${by}>` : by, when });
};

/** Questions with buttons. The message holds all that is needed to answer and close one, so a restart changes nothing. */
export const createApprovals = (
  deps: DiscordOutboundDeps,
): Required<Pick<ChannelPlugin, 'requestApproval' | 'closeApproval'>> => {
  const { messages, directory, self, clock, logger } = deps;

  /** A private request is decided in the direct chat: an ephemeral message could not be changed later. */
  const placeOf = (target: ReplyTarget, signal: AbortSignal): Promise<string> =>
    channelOf(target.interaction?.isPrivate ? { ...target, isDirect: true } : target, directory, signal);

  /** Finds the question if it was posted with live buttons and the post was not recorded. */
  const findAsked = async (
    channelId: string,
    { id, askedAt }: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<APIMessage | undefined> => {
    const after = idAt(askedAt.subtract({ milliseconds: SKEW_MS }));
    try {
      const said = await messages.list(channelId, { after, limit: LOOK_BACK }, signal);
      return said.find((one) => one.author.id === (self()?.botId ?? one.author.id) && hasButtonsOf(one, id));
    } catch (error) {
      // If the bot may not read the channel, only the nonce prevents a second question.
      if (!isRefusal(error)) throw error;
      return undefined;
    }
  };

  /** Posts the question, unless an earlier attempt is there. */
  const askIn = async (
    channelId: string,
    request: ApprovalRequest,
    { note = '', replyTo }: { readonly note?: string; readonly replyTo?: string | undefined },
    signal: AbortSignal,
  ): Promise<{ readonly messageId?: MessageId }> => {
    const { id, isRepeated, locale } = request;
    const asked = isRepeated ? await findAsked(channelId, request, signal) : undefined;
    if (asked) return { messageId: asId<MessageId>(asked.id) };
    // The first attempt never arrived, so the question does not say that it is repeated.
    const question = approvalQuestion({ ...request, isRepeated: false }, clock);
    const parts = splitAtLines(`${note}${question}`, MAX_CONTENT);
    let last: MessageId | undefined;
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      const body = { ...sentence(part), components: isLast ? [buttons(id, locale)] : [] };
      // A post from before a restart may arrive after the search; its nonce is the same.
      const how = { nonce: nonceOf(id, isLast ? '?' : String(index).slice(-2)), replyTo };
      last = asId<MessageId>((await messages.post(channelId, body, how, signal)).id);
    }
    return last ? { messageId: last } : {};
  };

  const directWith = async (target: ReplyTarget, signal: AbortSignal): Promise<string> =>
    (await directory.directChannel(target.recipientId, signal)).id;

  return {
    requestApproval: async (target, request) => {
      const signal = AbortSignal.timeout(TIME_LIMIT_MS);
      const channelId = await placeOf(target, signal);
      try {
        return await askIn(channelId, request, { replyTo: referenceOf(target) }, signal);
      } catch (error) {
        if (target.isDirect || !isRefusal(error)) throw error;
        logger.warn('Discord refused a question in its chat; asking the person directly', { error });
        const note = `${discordTexts(request.locale).decideHere({ chat: `<#${channelId}>` })}\n`;
        return askIn(await directWith(target, signal), request, { note }, signal);
      }
    },
    closeApproval: async (target, closed) => {
      const { messageId, request } = closed;
      const signal = AbortSignal.timeout(TIME_LIMIT_MS);
      const closeIn = async (channelId: string): Promise<void> => {
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
      };
      try {
        await closeIn(await placeOf(target, signal));
      } catch (error) {
        // The question was deleted, or it was asked in the direct chat.
        if (!isRefusal(error)) throw error;
        await closeIn(await directWith(target, signal)).catch((direct: unknown) => {
          if (!hasCode(direct, CODES.unknownMessage)) throw direct;
        });
      }
    },
  };
};
