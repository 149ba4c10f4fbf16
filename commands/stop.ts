import type { Command } from '#src/core/command.ts';
import { texts } from '#src/core/i18n.ts';
import type { QueueControl } from '#src/core/ports.ts';

export interface StopDeps {
  readonly queue: Pick<QueueControl, 'stop' | 'status'>;
}

export const stop = ({ queue }: StopDeps): Command => ({
  definition: {
    name: 'stop',
    aliases: ['중지', '멈춰'],
    description: { ko: '진행 중인 답변을 멈춥니다', en: 'stops the answer that is under way' },
    usage: { ko: '/stop', en: '/stop' },
    category: 'general',
  },
  execute: async (_args, { sessionKey, chatType, senderId, isAdmin, locale }) => {
    const words = texts(locale).stop;
    const { isRunning, startedBy } = queue.status(sessionKey);
    if (!isRunning) return { content: words.nothing(), ephemeral: true };
    // Where it is not known who asked, it is not known to be the sender either.
    if (chatType !== 'direct' && !isAdmin && startedBy !== senderId)
      return { content: words.notYours(), ephemeral: true };
    // The answer may have ended by itself meanwhile. A stopped one says so to all: here a line to the sender is enough.
    const outcome = await queue.stop(sessionKey);
    return { content: outcome === 'stopped' ? words.done() : words.nothing(), ephemeral: true };
  },
});
