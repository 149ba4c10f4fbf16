import type { ChannelId } from '#src/kernel/ids.ts';
import { type Gate, PASS } from './gate.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { Uses } from '#src/platform/services.ts';
import type { ConversationTraces } from '#src/chat/store/conversation-traces.ts';
import { type AdminSettings, isAdmin } from '../context/admins.ts';
import { replyLocale, type ThrottledReplyDeps } from './throttled-reply.ts';

/** Recent messages of one person in all chats. Times are on the monotonic clock. */
interface SenderWindow {
  /** Oldest first. */
  acceptedAtMs: readonly number[];
  /** When they were told about the limit. */
  toldAtMs: number;
}

interface SenderWindowsDeps extends Uses<'clock'> {
  readonly windowMs: number;
  /** How many messages of an earlier process are read at most. */
  readonly limit: number;
  readonly traces: Pick<ConversationTraces, 'acceptedTimes'>;
}

type Sender = Pick<MsgContext, 'channelId' | 'senderId'>;

/** The windows of recent senders. For others, the inbox has the data. */
export class SenderWindows {
  readonly #deps: SenderWindowsDeps;
  /** In the order of the last message, longest idle first. */
  readonly #known = new Map<string, { readonly window: Promise<SenderWindow>; readonly seenAtMs: number }>();

  constructor(deps: SenderWindowsDeps) {
    this.#deps = deps;
  }

  /** Rejects only if the inbox cannot be read; the next call tries again. */
  of(sender: Sender): Promise<SenderWindow> {
    const key = [sender.channelId, sender.senderId].join('\0');
    const seenAtMs = this.#deps.clock.monotonicMs();
    this.#forgetIdle(seenAtMs);
    const known = this.#known.get(key);
    // Concurrent messages share one window, even while it is being read.
    const window = known?.window ?? this.#load(sender);
    this.#known.delete(key);
    this.#known.set(key, { window, seenAtMs });
    if (!known) window.catch(() => this.#known.delete(key));
    return window;
  }

  get size(): number {
    return this.#known.size;
  }

  /** Includes messages that an earlier process accepted, so that a restart does not reset the limit. */
  async #load(sender: Sender): Promise<SenderWindow> {
    return { acceptedAtMs: await this.stored(sender), toldAtMs: -Infinity };
  }

  /** When messages of the sender were accepted, by this process or another one, oldest first. */
  async stored(sender: Sender): Promise<readonly number[]> {
    const { clock, windowMs, limit, traces } = this.#deps;
    const now = clock.now();
    const nowMs = clock.monotonicMs();
    // Entries in the future (the clock was set back) would block the sender until then.
    const period = { after: now.subtract({ milliseconds: windowMs }), until: now };
    const accepted = await traces.acceptedTimes(sender, period, limit);
    return accepted.map((at) => nowMs - at.until(now).total('milliseconds')).toReversed();
  }

  #forgetIdle(nowMs: number): void {
    for (const [key, { seenAtMs }] of this.#known) {
      if (nowMs - seenAtMs < this.#deps.windowMs) return;
      this.#known.delete(key);
    }
  }
}

interface RateLimitDeps extends ThrottledReplyDeps {
  /** 0: no limit. */
  readonly rateLimitPerMinute: number;
  readonly admins: AdminSettings;
  readonly traces: Pick<ConversationTraces, 'acceptedTimes'>;
  /** Whether other processes receive messages of this platform too. */
  readonly isReceivedElsewhere: (channelId: ChannelId) => boolean;
}

const WINDOW_MS = 60_000;

/**
 * Limits the messages per minute and person, across all chats. Messages that a later gate drops count too, unless another
 * process received them.
 */
export const rateLimit = (deps: RateLimitDeps): Gate => {
  const { rateLimitPerMinute: limit, admins, traces, isReceivedElsewhere, clock } = deps;
  const windows = new SenderWindows({ clock, windowMs: WINDOW_MS, limit, traces });
  return {
    name: 'rate-limit',
    check: async (message) => {
      if (limit === 0 || isAdmin(message, admins)) return PASS;
      const window = await windows.of(message);
      const storedMs = isReceivedElsewhere(message.channelId) ? await windows.stored(message) : [];
      const nowMs = clock.monotonicMs();
      const ownMs = window.acceptedAtMs.filter((atMs) => nowMs - atMs < WINDOW_MS);
      const recentMs = storedMs.length > ownMs.length ? storedMs : ownMs;
      const [oldestMs = nowMs] = recentMs;
      if (recentMs.length < limit) {
        window.acceptedAtMs = [...ownMs, nowMs];
        return PASS;
      }
      const drop = { verdict: 'drop', reason: 'rate-limited' } as const;
      if (nowMs - window.toldAtMs < WINDOW_MS) return drop;
      window.toldAtMs = nowMs;
      const seconds = Math.ceil((oldestMs + WINDOW_MS - nowMs) / 1_000);
      return { ...drop, reply: gateTexts(replyLocale(message, deps)).rateLimited({ seconds }) };
    },
  };
};
