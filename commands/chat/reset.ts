import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { supportTexts } from '#commands/account/texts.ts';
import { resetTexts } from '#commands/chat/texts.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { SupportShares } from '#src/kernel/people/support-shares.ts';
import type { Conversations, Participants } from '#src/kernel/agent/conversations.ts';
import { shortened } from '#src/kernel/text.ts';
import type { Uses } from '#src/platform/services.ts';
import { asCode } from '../shared/labels.ts';

interface ResetDeps extends Uses<
  'approvals.giveUp' | 'approvals.pending' | 'queue.whileStopped' | 'queue.status'
> {
  readonly conversations: Pick<Conversations, 'reset' | 'participants'>;
  readonly supportShares: Pick<SupportShares, 'revoke'>;
}

export const resetDefinition: CommandDefinition = {
  name: 'reset',
  aliases: ['clear', '초기화'],
  description: { ko: '이 대화를 처음부터 다시 시작합니다', en: 'starts this conversation over' },
  usage: { ko: '/reset', en: '/reset' },
  category: 'general',
  isOfConversation: true,
  isHarmless: true,
};

/**
 * In a group or thread, everybody who took part may reset. A channel's conversation belongs to everybody in the
 * channel, so only server admins may reset it, or somebody who was alone in it.
 */
const refusalFor = (
  { chatType, messageThreadId, senderId }: TurnContext,
  { people, isComplete }: Participants,
): 'notTakenPart' | 'managersOnly' | undefined => {
  if (people.size === 0 && isComplete) return undefined;
  const isSmall = chatType === 'group' || messageThreadId !== undefined;
  if (isSmall) return people.has(senderId) ? undefined : 'notTakenPart';
  const isAlone = isComplete && people.size === 1 && people.has(senderId);
  return isAlone ? undefined : 'managersOnly';
};

export const reset = ({ queue, approvals, conversations, supportShares }: ResetDeps): Command => ({
  definition: resetDefinition,
  execute: async (_args, ctx) => {
    const { sessionKey, chatType, senderId, locale } = ctx;
    const t = resetTexts(locale);
    const isShared = chatType !== 'direct';
    if (isShared && !ctx.isAdmin && !ctx.managesGuild) {
      const { isRunning, startedBy, waiting } = queue.status(sessionKey);
      const undecided = await approvals.pending(sessionKey);
      // The senders of waiting messages are not known here, so they count as others.
      const isOfOthers =
        (isRunning && startedBy !== senderId) ||
        waiting > 0 ||
        undecided.some(({ askedBy }) => askedBy !== senderId);
      if (isOfOthers) return { content: t.notYours(), ephemeral: true };
      const refusal = refusalFor(ctx, await conversations.participants(sessionKey));
      if (refusal) return { content: t[refusal](), ephemeral: true };
    }
    // What begins after this was not meant to be read by operators.
    const person = { channelId: ctx.channelId, userId: senderId };
    const wasShownToOperators = !isShared && (await supportShares.revoke({ person, sessionKey }));
    const withEndOfShare = (content: string): string =>
      wasShownToOperators ? `${content} ${supportTexts(locale).revoked()}` : content;
    // A run that continued, now or after a decision, would write its answer into the new conversation.
    const { givenUp, hadHistory } = await queue.whileStopped(sessionKey, async () => ({
      givenUp: await approvals.giveUp(sessionKey, { by: senderId, isDecidedToo: true }),
      hadHistory: await conversations.reset(sessionKey),
    }));
    if (!hadHistory && givenUp === 0) return { content: withEndOfShare(t.nothing()), ephemeral: isShared };
    // In a shared conversation others see who reset it.
    const name = asCode(shortened(ctx.senderName) || senderId);
    return { content: isShared ? t.doneBy({ name }) : withEndOfShare(t.done()), ephemeral: false };
  },
});
