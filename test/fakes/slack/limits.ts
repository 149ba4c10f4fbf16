import type { Fault, FaultScope, Json } from './api.ts';
import type { Core } from './core.ts';
import { optional } from './method.ts';

interface Planned {
  readonly method: string;
  readonly channel: string | undefined;
  readonly fault: Fault;
  left: number;
}

/** How full the bucket of a channel was, and when. */
interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** Trouble that a test ordered, the rate limit of messages, and who called while told to wait. */
export class Limits {
  readonly #core: Core;
  readonly #windows = new Map<string, number>();
  readonly #buckets = new Map<string, Bucket>();
  #planned: Planned[] = [];

  constructor(core: Core) {
    this.#core = core;
  }

  fail(method: string, fault: Fault, { times = 1, channel }: FaultScope = {}): void {
    this.#planned.push({ method, channel, fault, left: times });
  }

  /** What shall go wrong with this call, if anything. A call inside of a Retry-After is refused and noted. */
  faultOf(method: string, channel: string | undefined, args: Json): Fault | undefined {
    const waitMs = this.#waitMs(method, channel);
    if (waitMs > 0) {
      this.#core.chronicle.offend(
        'called-during-retry-after',
        `${method} ${channel ?? ''} ${(optional(args, 'text') ?? '').slice(0, 60)}`,
      );
      return { kind: 'rate-limited', retryAfterS: Math.ceil(waitMs / 1_000) };
    }
    const planned = this.#planned.find(
      (plan) => plan.method === method && (plan.channel === undefined || plan.channel === channel),
    );
    if (planned) {
      planned.left -= 1;
      if (planned.left <= 0) this.#planned = this.#planned.filter((plan) => plan !== planned);
      if (planned.fault.kind === 'rate-limited') {
        this.#open(method, planned.channel, planned.fault.retryAfterS * 1_000);
      }
      return planned.fault;
    }
    return method === 'chat.postMessage' && channel !== undefined
      ? this.#throttle(method, channel)
      : undefined;
  }

  #throttle(method: string, channel: string): Fault | undefined {
    const { messagesPerSecondPerChannel: perSecond, messageBurst } = this.#core.settings;
    if (perSecond === undefined) return undefined;
    const nowMs = this.#core.clock.monotonicMs();
    const last = this.#buckets.get(channel) ?? { tokens: messageBurst, atMs: nowMs };
    const tokens = Math.min(messageBurst, last.tokens + ((nowMs - last.atMs) / 1_000) * perSecond);
    this.#buckets.set(channel, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs: nowMs });
    if (tokens >= 1) return undefined;
    const retryAfterS = Math.ceil((1 - tokens) / perSecond);
    this.#open(method, channel, retryAfterS * 1_000);
    return { kind: 'rate-limited', retryAfterS };
  }

  #open(method: string, channel: string | undefined, forMs: number): void {
    this.#windows.set(`${method} ${channel ?? '*'}`, this.#core.clock.monotonicMs() + forMs);
  }

  #waitMs(method: string, channel: string | undefined): number {
    const ends = [`${method} *`, `${method} ${channel ?? ''}`].map((key) => this.#windows.get(key) ?? 0);
    return Math.max(...ends) - this.#core.clock.monotonicMs();
  }
}
