import type { Command } from '#src/core/command.ts';
import { texts } from '#src/core/i18n.ts';
import type { Conversations, QueueControl } from '#src/core/ports.ts';

export interface ResetDeps {
  readonly queue: Pick<QueueControl, 'stop'>;
  readonly conversations: Conversations;
}

export const reset = ({ queue, conversations }: ResetDeps): Command => ({
  definition: {
    name: 'reset',
    aliases: ['clear', '초기화'],
    description: { ko: '이 대화를 처음부터 다시 시작합니다', en: 'starts this conversation anew' },
    usage: { ko: '/reset', en: '/reset' },
    category: 'general',
  },
  execute: async (_args, { sessionKey, locale }) => {
    // A run that goes on would write its answer into the new conversation.
    await queue.stop(sessionKey);
    const hadHistory = await conversations.reset(sessionKey);
    const words = texts(locale);
    return { content: hadHistory ? words.resetDone() : words.resetNothing(), ephemeral: false };
  },
});
