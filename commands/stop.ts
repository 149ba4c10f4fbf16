import type { Command, CommandResult } from '#src/core/command.ts';
import { texts } from '#src/core/i18n.ts';
import type { Approvals, QueueControl } from '#src/core/ports.ts';

export interface StopDeps {
  readonly queue: Pick<QueueControl, 'stop' | 'status'>;
  readonly approvals: Pick<Approvals, 'giveUp' | 'pending'>;
}

const personal = (content: string): CommandResult => ({ content, ephemeral: true });

export const stop = ({ queue, approvals }: StopDeps): Command => ({
  definition: {
    name: 'stop',
    aliases: ['중지', '멈춰'],
    description: { ko: '진행 중인 답변을 멈춥니다', en: 'stops the answer that is under way' },
    usage: { ko: '/stop', en: '/stop' },
    category: 'general',
  },
  execute: async (_args, { sessionKey, chatType, senderId, isAdmin, locale }) => {
    const words = texts(locale).stop;
    const isForAll = chatType === 'direct' || isAdmin;
    const { isRunning, startedBy } = queue.status(sessionKey);
    // Where it is not known who asked, it is not known to be the sender either.
    const mayStop = isForAll || startedBy === senderId;
    // The answer may have ended by itself meanwhile. A stopped one says so to all: here a line to the sender is enough.
    if (isRunning && mayStop && (await queue.stop(sessionKey)) === 'stopped') return personal(words.done());

    // An answer that waits for a decision does not run, and is under way all the same.
    const count = await approvals.giveUp(sessionKey, {
      by: senderId,
      ...(isForAll ? {} : { askedBy: senderId }),
      isDecidedToo: true,
    });
    if (count > 0) return personal(words.gaveUp({ count }));
    if (isRunning && !mayStop) return personal(words.notYours());
    const waiting = await approvals.pending(sessionKey);
    return personal(waiting.length > 0 ? words.waitsForOthers() : words.nothing());
  },
});
