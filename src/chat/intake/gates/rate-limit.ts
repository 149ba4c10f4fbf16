import { type Gate, PASS } from '#src/kernel/gate.ts';
import { gateMessages } from '#src/kernel/messages/gates.ts';
import type { InboundMessage } from '#src/kernel/message.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { ConversationTraces } from '#src/platform/storage/messages/conversation-traces.ts';
import { type AdminSettings, isAdmin } from '../../turns/admins.ts';
import { replyLocale, type ThrottledReplyDeps } from './throttled-reply.ts';

/** What one person sent of late, in all chats. Times are of the monotonic clock. */
interface SenderWindow {
  /** The oldest first. */
  takenAtMs: readonly number[];
  /** When they were told that it is too much. */
  toldAtMs: number;
}

interface SenderWindowsDeps {
  readonly clock: Clock;
  readonly windowMs: number;
  /** More of what an earlier process accepted need not be known. */
  readonly limit: number;
  readonly traces: Pick<ConversationTraces, 'acceptedTimes'>;
}

type Sender = Pick<InboundMessage, 'channelId' | 'senderId'>;

/** The windows of those who wrote of late. Of others nothing is kept here: the inbox remembers. */
export class SenderWindows {
  readonly #deps: SenderWindowsDeps;
  /** In the order of the last message, so whoever was idle longest is first. */
  readonly #known = new Map<string, { readonly window: Promise<SenderWindow>; readonly seenAtMs: number }>();

  constructor(deps: SenderWindowsDeps) {
    this.#deps = deps;
  }

  /** Rejects only where the inbox cannot be read; it is asked again the next time then. */
  of(sender: Sender): Promise<SenderWindow> {
    const key = [sender.channelId, sender.senderId].join('\0');
    const seenAtMs = this.#deps.clock.monotonicMs();
    this.#forgetIdle(seenAtMs);
    const known = this.#known.get(key);
    // Two messages at once share one window, also while it is still being read.
    const window = known?.window ?? this.#remember(sender);
    this.#known.delete(key);
    this.#known.set(key, { window, seenAtMs });
    if (!known) window.catch(() => this.#known.delete(key));
    return window;
  }

  get size(): number {
    return this.#known.size;
  }

  /** What an earlier process accepted counts too: a restart is no new allowance. */
  async #remember(sender: Sender): Promise<SenderWindow> {
    const { clock, windowMs, limit, traces } = this.#deps;
    const now = clock.now();
    const nowMs = clock.monotonicMs();
    // What a clock that was set back puts into the future would hold until that has come.
    const period = { after: now.subtract({ milliseconds: windowMs }), until: now };
    const accepted = await traces.acceptedTimes(sender, period, limit);
    const takenAtMs = accepted.map((at) => nowMs - at.until(now).total('milliseconds'));
    return { takenAtMs: takenAtMs.toReversed(), toldAtMs: -Infinity };
  }

  #forgetIdle(nowMs: number): void {
    for (const [key, { seenAtMs }] of this.#known) {
      if (nowMs - seenAtMs < this.#deps.windowMs) return;
      this.#known.delete(key);
    }
  }
}

export interface RateLimitDeps extends ThrottledReplyDeps {
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
      return { ...drop, reply: gateMessages(replyLocale(message, deps)).rateLimited({ seconds }) };
    },
  };
};
