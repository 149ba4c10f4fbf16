import type { Command, CommandDefinition } from '#src/core/command.ts';
import { texts } from '#src/core/i18n.ts';
import type { Approvals, Conversations, QueueControl } from '#src/core/ports.ts';

export interface ResetDeps {
  readonly queue: Pick<QueueControl, 'whileStopped' | 'status'>;
  readonly approvals: Pick<Approvals, 'giveUp' | 'pending'>;
  readonly conversations: Pick<Conversations, 'reset'>;
}

export const resetDefinition: CommandDefinition = {
  name: 'reset',
  aliases: ['clear', '초기화'],
  description: { ko: '이 대화를 처음부터 다시 시작합니다', en: 'starts this conversation anew' },
  usage: { ko: '/reset', en: '/reset' },
  category: 'general',
  isOfConversation: true,
  isHarmless: true,
};

export const reset = ({ queue, approvals, conversations }: ResetDeps): Command => ({
  definition: resetDefinition,
  execute: async (_args, { sessionKey, chatType, senderId, isAdmin, locale }) => {
    const words = texts(locale);
    if (chatType !== 'direct' && !isAdmin) {
      const { isRunning, startedBy, waiting } = queue.status(sessionKey);
      const undecided = await approvals.pending(sessionKey);
      // Whose messages wait for their turn is not known here.
      const isOfOthers =
        (isRunning && startedBy !== senderId) ||
        waiting > 0 ||
        undecided.some(({ askedBy }) => askedBy !== senderId);
      if (isOfOthers) return { content: words.resetNotYours(), ephemeral: true };
    }
    // A run that goes on, now or after a decision, would write its answer into the new conversation.
    const { givenUp, hadHistory } = await queue.whileStopped(sessionKey, async () => ({
      givenUp: await approvals.giveUp(sessionKey, { by: senderId, isDecidedToo: true }),
      hadHistory: await conversations.reset(sessionKey),
    }));
    const content = hadHistory || givenUp > 0 ? words.resetDone() : words.resetNothing();
    return { content, ephemeral: false };
  },
});
