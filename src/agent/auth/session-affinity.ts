import type { Clock } from '#src/infra/clock.ts';

const IDLE_MS = 3_600_000;
const MAX_SESSIONS = 10_000;

/**
 * Which key a conversation used last. Staying with it keeps the provider's prompt cache warm; forgetting it
 * costs only that, so idle and surplus ones are dropped.
 */
export class SessionAffinity {
  /** The least recently used first. */
  readonly #sessions = new Map<string, { readonly profileId: string; readonly usedAtMs: number }>();
  readonly #clock: Clock;
  readonly #maxSessions: number;

  constructor(clock: Clock, maxSessions = MAX_SESSIONS) {
    this.#clock = clock;
    this.#maxSessions = maxSessions;
  }

  get(session: string): string | undefined {
    const found = this.#sessions.get(session);
    return found && !this.#isIdle(found.usedAtMs) ? found.profileId : undefined;
  }

  set(session: string, profileId: string): void {
    this.#sessions.delete(session);
    this.#sessions.set(session, { profileId, usedAtMs: this.#clock.monotonicMs() });
    for (const [oldest, { usedAtMs }] of this.#sessions) {
      if (this.#sessions.size <= this.#maxSessions && !this.#isIdle(usedAtMs)) break;
      this.#sessions.delete(oldest);
    }
  }

  get size(): number {
    return this.#sessions.size;
  }

  #isIdle(usedAtMs: number): boolean {
    return this.#clock.monotonicMs() - usedAtMs >= IDLE_MS;
  }
}
