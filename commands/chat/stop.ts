import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { stopTexts } from '#commands/chat/texts.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { Uses } from '#src/platform/services.ts';
import { ephemeral } from '../shared/results.ts';

type StopDeps = Uses<
  'approvals.giveUp' | 'approvals.pending' | 'queue.stop' | 'queue.status' | 'queue.runningInThreads'
>;

/** A Slack slash command is never in a thread, although the answer to stop may be in one. */
const stopInThreads = async (
  queue: StopDeps['queue'],
  { sessionKey, chatType, messageThreadId, senderId, isAdmin }: TurnContext,
): Promise<'stopped' | 'not-yours' | 'idle'> => {
  if (chatType === 'direct' || messageThreadId !== undefined) return 'idle';
  const running = await queue.runningInThreads(sessionKey);
  const own = running.filter(({ startedBy }) => startedBy === senderId);
  // An administrator stops the answers of others only if none of their own is running.
  const meant = own.length === 0 && isAdmin ? running : own;
  const outcomes = await Promise.all(meant.map((turn) => queue.stop(turn.sessionKey)));
  if (outcomes.includes('stopped')) return 'stopped';
  return running.length > meant.length ? 'not-yours' : 'idle';
};

export const stopDefinition: CommandDefinition = {
  name: 'stop',
  aliases: ['중지', '멈춰'],
  description: { ko: '진행 중인 답변을 멈춥니다', en: 'stops the running answer' },
  usage: { ko: '/stop', en: '/stop' },
  category: 'general',
  isHarmless: true,
  isPrivate: true,
};

export const stop = ({ queue, approvals }: StopDeps): Command => ({
  definition: stopDefinition,
  execute: async (_args, ctx) => {
    const { sessionKey, chatType, senderId, isAdmin, locale } = ctx;
    const t = stopTexts(locale);
    const isForAll = chatType === 'direct' || isAdmin;
    const { isRunning, startedBy } = queue.status(sessionKey);
    // An answer without a known requester is not the sender's.
    const mayStop = isForAll || startedBy === senderId;
    // The answer may have ended by itself. A stopped answer says so to everybody, so this line goes to the sender only.
    if (isRunning && mayStop && (await queue.stop(sessionKey)) === 'stopped') return ephemeral(t.done());

    const inThreads = isRunning && mayStop ? 'idle' : await stopInThreads(queue, ctx);
    if (inThreads === 'stopped') return ephemeral(t.done());

    // An answer that waits for a decision is not running, but can be given up.
    const count = await approvals.giveUp(sessionKey, {
      by: senderId,
      ...(isForAll ? {} : { askedBy: senderId }),
      isDecidedToo: true,
    });
    if (count > 0) return ephemeral(t.gaveUp({ count }));
    if ((isRunning && !mayStop) || inThreads === 'not-yours') return ephemeral(t.notYours());
    const waiting = await approvals.pending(sessionKey);
    return ephemeral(waiting.length > 0 ? t.waitsForOthers() : t.nothing());
  },
});
