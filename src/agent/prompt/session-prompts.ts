import type { SessionKey } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';

const MAX_IDLE_MS = 3_600_000;
const MAX_SESSIONS = 10_000;

export interface SessionPromptsOptions {
  readonly clock: Clock;
  /** Providers cache no longer than this, so a new prompt costs nothing then. */
  readonly maxIdleMs?: number;
  readonly maxSessions?: number;
}

export interface SessionPrompts {
  /**
   * The prompt of a session, byte for byte the same while the session is in use: a new tool or skill waits,
   * because a changed prompt would invalidate the provider's cache. Changes that must apply at once go into
   * `basis`, which rebuilds the prompt.
   */
  readonly promptFor: (sessionKey: SessionKey, build: () => string, basis?: string) => string;
  /** The current prompt, without counting as a use. Undefined if there is none. */
  readonly peek: (sessionKey: SessionKey) => string | undefined;
  /** Called when a conversation is reset or compacted, which invalidates the cache anyway. */
  readonly forget: (sessionKey: SessionKey) => void;
}

interface Shared {
  readonly prompt: string;
  sessions: number;
}

interface Frozen {
  readonly shared: Shared;
  readonly basis: string;
  readonly usedAtMs: number;
}

export const createSessionPrompts = ({
  clock,
  maxIdleMs = MAX_IDLE_MS,
  maxSessions = MAX_SESSIONS,
}: SessionPromptsOptions): SessionPrompts => {
  /** Ordered by last use, the oldest first. */
  const sessions = new Map<SessionKey, Frozen>();
  /** Most chats share the same prompt, so it is stored once. */
  const prompts = new Map<string, Shared>();

  const share = (prompt: string): Shared =>
    prompts.getOrInsertComputed(prompt, () => ({ prompt, sessions: 0 }));

  const forget = (sessionKey: SessionKey): void => {
    const shared = sessions.get(sessionKey)?.shared;
    if (!shared) return;
    sessions.delete(sessionKey);
    shared.sessions -= 1;
    if (shared.sessions === 0) prompts.delete(shared.prompt);
  };

  const isIdle = (usedAtMs: number): boolean => clock.monotonicMs() - usedAtMs >= maxIdleMs;

  const makeRoom = (): void => {
    for (const [oldest, { usedAtMs }] of sessions) {
      if (sessions.size <= maxSessions && !isIdle(usedAtMs)) break;
      forget(oldest);
    }
  };

  const inUse = (sessionKey: SessionKey): Frozen | undefined => {
    const found = sessions.get(sessionKey);
    return found && !isIdle(found.usedAtMs) ? found : undefined;
  };

  return {
    promptFor: (sessionKey, build, basis = '') => {
      const found = inUse(sessionKey);
      const shared = found?.basis === basis ? found.shared : share(build());
      // Count first: a prompt that the old entry shares must not be dropped in between.
      shared.sessions += 1;
      forget(sessionKey);
      sessions.set(sessionKey, { shared, basis, usedAtMs: clock.monotonicMs() });
      makeRoom();
      return shared.prompt;
    },
    peek: (sessionKey) => inUse(sessionKey)?.shared.prompt,
    forget,
  };
};
