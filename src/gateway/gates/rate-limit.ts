import { type Gate, PASS } from '#src/core/gate.ts';
import { texts } from '#src/core/i18n.ts';
import type { ConversationTraces } from '#src/storage/conversation-traces.ts';
import { type AdminSettings, isAdmin } from '../admins.ts';
import { SenderWindows } from './sender-windows.ts';
import { replyLocale, type SparingReplyDeps } from './sparing-reply.ts';

export interface RateLimitDeps extends SparingReplyDeps {
  /** 0: no limit. */
  readonly rateLimitPerMinute: number;
  readonly admins: AdminSettings;
  readonly traces: Pick<ConversationTraces, 'acceptedTimes'>;
}

const WINDOW_MS = 60_000;

/** So many messages a minute of one person, in all chats together. What passes here counts, whatever becomes of it. */
export const rateLimit = (deps: RateLimitDeps): Gate => {
  const { rateLimitPerMinute: limit, admins, traces, clock } = deps;
  const windows = new SenderWindows({ clock, windowMs: WINDOW_MS, limit, traces });
  return {
    name: 'rate-limit',
    check: async (message) => {
      if (limit === 0 || isAdmin(message, admins)) return PASS;
      const window = await windows.of(message);
      const nowMs = clock.monotonicMs();
      const recentMs = window.takenAtMs.filter((atMs) => nowMs - atMs < WINDOW_MS);
      const [oldestMs = nowMs] = recentMs;
      if (recentMs.length < limit) {
        window.takenAtMs = [...recentMs, nowMs];
        return PASS;
      }
      const drop = { verdict: 'drop', reason: 'rate-limited' } as const;
      if (nowMs - window.toldAtMs < WINDOW_MS) return drop;
      window.toldAtMs = nowMs;
      const seconds = Math.ceil((oldestMs + WINDOW_MS - nowMs) / 1_000);
      return { ...drop, reply: texts(replyLocale(message, deps)).gates.rateLimited({ seconds }) };
    },
  };
};
