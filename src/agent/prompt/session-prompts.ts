import type { SessionKey } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/clock.ts';

const MAX_IDLE_MS = 3_600_000;
const MAX_SESSIONS = 10_000;

export interface SessionPromptsOptions {
  readonly clock: Clock;
  /** No provider's cache lives longer than this: a new prompt costs nothing then. */
  readonly maxIdleMs?: number;
  readonly maxSessions?: number;
}

export interface SessionPrompts {
  /**
   * The prompt of a session, byte by byte the same for as long as the session is in use: a tool or a skill
   * that came up meanwhile waits, for a changed prompt would undo the provider's cache of the conversation.
   * What must count at once goes into `basis`: with another one it is built anew.
   */
  readonly promptFor: (sessionKey: SessionKey, build: () => string, basis?: string) => string;
  /** The prompt as it stands, without counting as a use. Undefined where there is none. */
  readonly peek: (sessionKey: SessionKey) => string | undefined;
  /** For a conversation that begins anew, or was shortened: the cache is lost anyway. */
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
  /** The longest unused first. */
  const sessions = new Map<SessionKey, Frozen>();
  /** Most chats have the same prompt: it is kept once. */
  const prompts = new Map<string, Shared>();

  const share = (prompt: string): Shared => {
    const known = prompts.get(prompt);
    if (known) return known;
    const shared = { prompt, sessions: 0 };
    prompts.set(prompt, shared);
    return shared;
  };

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
      // Counted before the old entry goes: what both share must not be dropped in between.
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
