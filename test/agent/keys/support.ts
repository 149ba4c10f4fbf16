import { inspect } from 'node:util';
import { CooldownTracker } from '#src/agent/keys/cooldown-tracker.ts';
import { ProfileHealthMonitor } from '#src/agent/keys/profile-rotation.ts';
import { type AuthProfileStoreDeps, createAuthProfileStore } from '#src/agent/keys/auth-profiles.ts';
import { createSecretBox } from '#src/platform/files/secret-box.ts';
import { type AuthProfileRows, createAuthProfileRows } from '#src/agent/store/auth-profiles.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { secretKeyOf } from '#test/support/secret-keys.ts';

export const SECRET_KEY = secretKeyOf(1);
export const NEW_SECRET_KEY = secretKeyOf(2);

/** Keys of the right form, each with a part of its own that no log or error may show. */
export const anthropicKey = (mark: string): string => `sk-ant-api03-${mark}-${'x'.repeat(30)}-${mark}`;
export const openaiKey = (mark: string): string => `sk-proj-${mark}-${'y'.repeat(30)}-${mark}`;

/** Everything about keys that lives in one process, on a clock of its own. */
export const createProcess = (clock = new ManualClock()) => {
  const recorded = recordingEvents();
  const logs = recordingLogger();
  const { events } = recorded;
  return {
    clock,
    events,
    recorded,
    logs,
    cooldowns: new CooldownTracker({ clock, events }),
    health: new ProfileHealthMonitor({ clock, events }),
  };
};

export type StoreOptions = Partial<Pick<AuthProfileStoreDeps, 'unsaved'>> & {
  /** None: without encryption, in memory only. */
  readonly secretKeys?: readonly string[];
  readonly clock?: ManualClock;
};

/** A process with its store over the given rows; call it again with the same rows for a restart. */
export const startStore = async (rows: AuthProfileRows, options: StoreOptions = {}) => {
  const { secretKeys = [SECRET_KEY], unsaved = [], clock } = options;
  const started = createProcess(clock);
  const store = await createAuthProfileStore({
    rows,
    secretBox: secretKeys.length > 0 ? createSecretBox(secretKeys) : undefined,
    cooldowns: started.cooldowns,
    health: started.health,
    clock: started.clock,
    logger: started.logs.logger,
    unsaved,
  });
  return { ...started, rows, store };
};

/** The rows of an empty database of this test alone. */
export const emptyRows = async (): Promise<AuthProfileRows> =>
  createAuthProfileRows((await sqliteStorage()).storage);

export const setUpStore = async (options: StoreOptions = {}) => startStore(await emptyRows(), options);

export const diskFull = async (): Promise<never> => {
  throw new Error('disk full');
};

/** All of a value, hidden parts and causes too: what must not be in an error is looked for here. */
export const inFull = (value: unknown): string =>
  `${String(value)} ${inspect(value, { depth: 20, showHidden: true, maxStringLength: null })}`;

export const thrownBy = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
};

export const rejectionOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error('Nothing was thrown');
    },
    (error: unknown) => error,
  );
