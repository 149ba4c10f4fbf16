import { errorMessage } from '#src/kernel/errors.ts';
import type { BackupOutcome, Backups } from '#src/kernel/operations/backup.ts';
import { createPollingLoop } from '../concurrency/polling-loop.ts';
import type { FinClawLogger } from '../logging/logger.ts';
import { listenForControl } from '../net/control-socket.ts';
import { keyDisagreement } from './backup-key.ts';
import type { BackupSettings, BackupSource } from './make-backup.ts';
import { type BackupReason, isFromFuture, listBackups, newestBackup } from './stored-backups.ts';
import type { Uses } from '../services.ts';

/** What `npm run backup` asks a running process for. */
export interface BackupRequest {
  /** Another directory than usual, where no backup is ever removed. */
  readonly to?: string | undefined;
  /** The key by which it expects to open the backup. Undefined: it has none. */
  readonly keyId?: string | undefined;
  readonly isPlain?: boolean | undefined;
}

export interface BackupFiles extends Backups {
  readonly makeFor: (request: BackupRequest) => Promise<BackupOutcome>;
  readonly start: () => Promise<void>;
  /** Gives up a backup that is being made; nothing of it stays. */
  readonly stop: () => Promise<void>;
}

interface BackupsDeps extends Uses<'clock' | 'events'> {
  readonly source: BackupSource;
  readonly settings: BackupSettings & { readonly everyHours: number };
  /** Whether this process makes the automatic ones. Undefined: there is only one process. */
  readonly leads?: (() => boolean) | undefined;
}

/** The start, and the answers that wait for it, come first. */
const FIRST_AFTER_MS = 5 * 60_000;
const LOOK_AGAIN_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
const AGAIN_AFTER_FAILURE_MS = HOUR_MS;
/** Timers of Node end at once if they are longer than 24 days. */
const LONGEST_WAIT_MS = 24 * HOUR_MS;

/** Makes backups on request and on schedule, one at a time. */
export const createBackups = ({ source, settings, leads, clock, events }: BackupsDeps): BackupFiles => {
  const stopping = new AbortController();
  let running: Promise<BackupOutcome> | undefined;

  const makeNow = async (
    reason: BackupReason,
    { to: directory = settings.directory, isPlain }: BackupRequest,
  ): Promise<BackupOutcome> => {
    const at = clock.now();
    // In a directory that somebody names, nothing is removed.
    const keep = directory === settings.directory ? settings.keep : Number.MAX_SAFE_INTEGER;
    try {
      // Loaded when it is needed: once a day at most.
      const { makeBackup } = await import('./make-backup.ts');
      const { file, bytes, tookMs, rows, isEncrypted, kept } = await makeBackup(
        source,
        { ...settings, directory, keep, isPlain },
        { reason, at, signal: stopping.signal },
      );
      events.emit('backup:made', { file, reason, bytes, rows, tookMs, encrypted: isEncrypted });
      events.emit('backup:newest', { madeAtMs: at.epochMilliseconds });
      return { status: 'made', file, bytes, tookMs, rows, isEncrypted, kept };
    } catch (error) {
      if (stopping.signal.aborted) return { status: 'failed', reason: 'FinClaw is being stopped.' };
      events.emit('backup:failed', { reason, error });
      return { status: 'failed', reason: errorMessage(error) };
    }
  };

  const make = async (reason: BackupReason, request: BackupRequest = {}): Promise<BackupOutcome> => {
    if (running) return { status: 'running' };
    running = makeNow(reason, request);
    try {
      return await running;
    } finally {
      running = undefined;
    }
  };

  const dueInMs = async (): Promise<number> => {
    const now = clock.now();
    const all = await listBackups(settings.directory).catch(() => []);
    const newest = all.find((backup) => !isFromFuture(backup, now));
    if (!newest) return 0;
    const ageMs = now.epochMilliseconds - newest.madeAt.epochMilliseconds;
    return Math.min(settings.everyHours * HOUR_MS - ageMs, LONGEST_WAIT_MS);
  };

  let isFirst = true;
  const loop = createPollingLoop(async () => {
    if (isFirst) {
      isFirst = false;
      return Math.max(FIRST_AFTER_MS, await dueInMs());
    }
    if (leads && !leads()) return LOOK_AGAIN_MS;
    const waitMs = await dueInMs();
    if (waitMs > 0) return waitMs;
    const outcome = await make('schedule');
    return outcome.status === 'made' ? dueInMs() : AGAIN_AFTER_FAILURE_MS;
  }, clock);

  return {
    everyHours: settings.everyHours,
    make: () => make('asked'),
    makeFor: async (request) => {
      const trouble = request.isPlain ? undefined : keyDisagreement(settings.keys, request.keyId);
      return trouble === undefined ? make('asked', request) : { status: 'failed', reason: trouble };
    },
    list: () => listBackups(settings.directory),
    start: async () => {
      const newest = await newestBackup(settings.directory).catch(() => undefined);
      if (newest) events.emit('backup:newest', { madeAtMs: newest.madeAt.epochMilliseconds });
      if (settings.everyHours > 0) await loop.start();
    },
    stop: async () => {
      stopping.abort();
      await loop.stop();
      await running;
    },
  };
};

const isBackupRequest = (request: unknown): request is BackupRequest =>
  typeof request === 'object' && request !== null && 'ask' in request && request.ask === 'backup';

/**
 * Makes backups for other programs. A failure is not worth ending for: then `npm run backup` says that the database is in
 * use. Returns what stops it.
 */
export const listenForBackups = async (
  dataDir: string,
  { makeFor }: Pick<BackupFiles, 'makeFor'>,
  logger: Pick<FinClawLogger, 'warn'>,
): Promise<() => Promise<void> | void> => {
  try {
    const { close } = await listenForControl(dataDir, async (request) => {
      if (!isBackupRequest(request)) throw new Error('FinClaw does not know this request');
      return makeFor(request);
    });
    return close;
  } catch (error) {
    logger.warn('Other programs cannot ask FinClaw for backups', { error });
    return () => undefined;
  }
};
