import { AsyncLocalStorage } from 'node:async_hooks';
import { sql, type Transaction } from 'kysely';
import { FinClawError } from '#src/kernel/errors.ts';
import type { SessionKey } from '#src/kernel/ids.ts';
import { withRequestCheck } from '../net/http-transport.ts';
import type { Database } from './schema.ts';

/** Another process holds the session, or this one could not renew its claim in time. */
export class SessionLostError extends FinClawError {
  override readonly name = 'SessionLostError';

  constructor() {
    super('Another process has taken over the conversation', 'SESSION_LOST');
  }
}

/** The right of this process to work on a session. */
export interface Fence {
  readonly sessionKey: SessionKey;
  /** Rises whenever a process takes the session. */
  readonly epoch: number;
  /** False once the session is lost, or could be by now. Known without asking the database. */
  readonly isHeld: () => boolean;
  /** The session was given back. What still runs, such as a background task, is no longer work on the session. */
  readonly isReleased: () => boolean;
  /** Another process holds the session, or may hold it by now. From here on it counts as lost. */
  readonly lose: () => void;
}

/**
 * Keeps a process that was stopped for a while, and whose sessions others have taken over, from changing anything. Work on
 * a session runs inside a fence: each of its transactions checks first that the process still holds the session.
 */
export type Fences = ReturnType<typeof createFences>;

export const createFences = () => {
  const fences = new AsyncLocalStorage<Fence>();

  const assertHeld = (): Fence | undefined => {
    const fence = fences.getStore();
    if (!fence || fence.isReleased()) return undefined;
    if (!fence.isHeld()) {
      // For good: the run must not go on, although the claim might be renewed after all.
      fence.lose();
      throw new SessionLostError();
    }
    return fence;
  };

  return {
    /** Each transaction of the work checks the fence, and each of its requests to a platform or a model. */
    run: <T>(fence: Fence, work: () => Promise<T>): Promise<T> =>
      fences.run(fence, () => withRequestCheck(() => void assertHeld(), work)),
    /**
     * Checks the fence of the caller and keeps others from taking the session until the transaction ends. Gives the id of the
     * transaction; undefined outside of a fence.
     */
    check: async (tx: Transaction<Database>): Promise<string | undefined> => {
      const fence = assertHeld();
      if (!fence) return undefined;
      const { rows } = await sql<{ readonly transaction: string }>`
        select pg_current_xact_id()::text as transaction from session_holders
        where session_key = ${fence.sessionKey} and epoch = ${fence.epoch} for share`.execute(tx);
      const [row] = rows;
      if (row) return row.transaction;
      fence.lose();
      throw new SessionLostError();
    },
  };
};
