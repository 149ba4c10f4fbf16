import { type Gate, PASS } from '#src/kernel/gate.ts';
import type { Clock } from '#src/platform/clock.ts';

export interface BotLoopDeps {
  readonly botLoop: {
    readonly maxMessages: number;
    readonly windowSeconds: number;
    readonly silenceSeconds: number;
  };
  readonly clock: Clock;
}

/** One bot and one account of ours, in all the chats that they share. */
interface Pair {
  /** When its messages of the last window came, on the monotonic clock. */
  readonly heardAtMs: readonly number[];
  readonly silentUntilMs: number;
}

const STRANGERS: Pair = { heardAtMs: [], silentUntilMs: 0 };

/**
 * Two bots that answer each other never stop by themselves: after so many messages of one this bot says
 * nothing to it for a while, and then counts anew. Asked only about what is meant for the bot: a bot that
 * talks to others may talk as much as it likes.
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
