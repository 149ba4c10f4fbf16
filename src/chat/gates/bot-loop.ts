import type { Uses } from '#src/platform/services.ts';
import { type Gate, PASS } from './gate.ts';

interface BotLoopDeps extends Uses<'clock'> {
  readonly botLoop: {
    readonly maxMessages: number;
    readonly windowSeconds: number;
    readonly silenceSeconds: number;
  };
}

/** Messages of one other bot to one account of ours, in all chats. */
interface Pair {
  /** Arrival times within the window, on the monotonic clock. */
  readonly heardAtMs: readonly number[];
  readonly silentUntilMs: number;
}

const STRANGERS: Pair = { heardAtMs: [], silentUntilMs: 0 };

/**
 * Stops two bots from answering each other forever: after `maxMessages` within the window, the other bot is ignored for a
 * while. It comes after `mention`, so messages between other participants do not count.
 */
export const botLoop = ({ botLoop: limits, clock }: BotLoopDeps): Gate => {
  const pairs = new Map<string, Pair>();
  return {
    name: 'bot-loop',
    check: ({ isFromBot, channelId, accountId, senderId }) => {
      if (!isFromBot) return PASS;
      const key = [channelId, accountId, senderId].join('\0');
      const { heardAtMs, silentUntilMs } = pairs.get(key) ?? STRANGERS;
      const nowMs = clock.monotonicMs();
      if (nowMs < silentUntilMs) return { verdict: 'drop', reason: 'bot-loop' };
      const recentMs = heardAtMs.filter((atMs) => nowMs - atMs < limits.windowSeconds * 1_000);
      if (recentMs.length >= limits.maxMessages) {
        pairs.set(key, { heardAtMs: [], silentUntilMs: nowMs + limits.silenceSeconds * 1_000 });
        return { verdict: 'drop', reason: 'bot-loop' };
      }
      pairs.set(key, { heardAtMs: [...recentMs, nowMs], silentUntilMs: 0 });
      return PASS;
    },
  };
};
