import { readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SessionKey } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/clock.ts';
import { exportDirectory, exportName } from '#src/platform/storage/export-file.ts';
import { acquireWriteLock, createLockedSession } from './write-lock.ts';
import { fileNameOf, ifThere, syncDirectory } from './session-files.ts';

export interface SessionFilePurgeDeps {
  readonly dataDir: string;
  /** Conversations with a message that is not at its end: they stay, however old they are. */
  readonly liveSessions: () => Promise<ReadonlySet<SessionKey>>;
  /** Addresses of files that are still to be sent: they stay, however old they are. */
  readonly unsentFiles: () => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
}

export interface SessionFilePurge {
  /**
   * Removes conversations that were last written to before then, what was set aside before then, and exports of two
   * days ago that nobody waits for. What somebody is just writing to stays for the next time. How many of each.
   */
  readonly purge: (olderThan: Temporal.Instant) => Promise<Readonly<Record<string, number>>>;
  /**
   * All files of these conversations, also what was set aside. How many of them had any. Rejects where somebody
   * writes to one and does not end.
   */
  readonly removeConversations: (sessionKeys: readonly SessionKey[]) => Promise<number>;
  /** Of these addresses those that are files of ours: exports and pictures. How many were there. */
  readonly removeSent: (urls: readonly string[]) => Promise<number>;
}

/** As long as pictures. */
const EXPORTS_KEPT_HOURS = 48;

/** The name of the conversation that a file belongs to, and what it is of it. Locks are left to those who take them. */
const NAME = /^([0-9a-f]{32})\.(?:.*\.)?(jsonl|segment|damaged|archived|jsonl\.tmp)$/;

interface SessionFile {
  readonly name: string;
  /** `jsonl` and `segment` are the conversation; the others are kept beside it. */
  readonly isRead: boolean;
}

const parse = (name: string): (SessionFile & { readonly base: string }) | undefined => {
  const [, base, kind] = NAME.exec(name) ?? [];
  return base === undefined ? undefined : { base, name, isRead: kind === 'jsonl' || kind === 'segment' };
};

const removeIfThere = (path: string): Promise<boolean> =>
  ifThere(
    unlink(path).then(() => true),
    false,
  );

const namesIn = (directory: string): Promise<readonly string[]> => ifThere(readdir(directory), []);

const isOlder = async (path: string, limitMs: number): Promise<boolean> => {
  const found = await ifThere(stat(path), undefined);
  return found !== undefined && found.mtimeMs < limitMs;
};

const pathOfUrl = (url: string): string | undefined => {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
};

const exportOf = (sessionKey: SessionKey): string =>
  exportName({ kind: 'conversation', subject: sessionKey, extension: 'md' });

/** What is on disk of conversations, and of files that were made from them, goes when it is too old or unwanted. */
export const createSessionFilePurge = (deps: SessionFilePurgeDeps): SessionFilePurge => {
  const { dataDir, liveSessions, unsentFiles, clock } = deps;
  const sessionDir = resolve(dataDir, 'sessions');
  const exportDir = resolve(exportDirectory(dataDir));
  /** What is sent lies in one of these. */
  const sentDirs = new Set([exportDir, resolve(dataDir, 'charts')]);
  const locked = createLockedSession(sessionDir, clock, undefined);

  /**
   * The files of one conversation that are too old. Its parts are as old as the youngest of them: while it goes
   * on, all of it is read. What is kept beside it has an age of its own.
   */
  const tooOld = async (files: readonly SessionFile[], limitMs: number, isLive: boolean) => {
    const old: SessionFile[] = [];
    for (const file of files) if (await isOlder(join(sessionDir, file.name), limitMs)) old.push(file);
    const parts = files.filter(({ isRead }) => isRead).length;
    const isEnded = !isLive && old.filter(({ isRead }) => isRead).length === parts;
    return old.filter(({ isRead }) => isEnded || !isRead);
  };

  const removeAll = async (files: readonly SessionFile[]): Promise<number> => {
    let removed = 0;
    for (const { name } of files) if (await removeIfThere(join(sessionDir, name))) removed += 1;
    return removed;
  };

  const purgeSession = async (base: string, find: () => Promise<readonly SessionFile[]>) => {
    const none = { conversations: 0, set_aside_files: 0 };
    if ((await find()).length === 0) return none;
    const lock = await acquireWriteLock({ sessionDir, sessionId: base, clock });
    if (!lock.acquired) return none;
    try {
      // Somebody may have gone on with it until the lock was ours.
      const found = await find();
      const hadParts = (await removeAll(found.filter(({ isRead }) => isRead))) > 0;
      const aside = await removeAll(found.filter(({ isRead }) => !isRead));
      return { conversations: hadParts ? 1 : 0, set_aside_files: aside };
    } finally {
      await lock.release();
    }
  };

  const purgeSessions = async (limitMs: number) => {
    const live = new Set([...(await liveSessions())].map(fileNameOf));
    const files = (await namesIn(sessionDir)).flatMap((name) => parse(name) ?? []);
    const counts = { conversations: 0, set_aside_files: 0 };
    for (const [base, own] of Map.groupBy(files, (file) => file.base)) {
      const removed = await purgeSession(base, () => tooOld(own, limitMs, live.has(base)));
      counts.conversations += removed.conversations;
      counts.set_aside_files += removed.set_aside_files;
    }
    if (counts.conversations + counts.set_aside_files > 0) await syncDirectory(sessionDir);
    return counts;
  };

  const purgeExports = async (): Promise<number> => {
    const limitMs = clock.now().subtract({ hours: EXPORTS_KEPT_HOURS }).epochMilliseconds;
    const unsent = await unsentFiles();
    let removed = 0;
    for (const name of await namesIn(exportDir)) {
      const path = join(exportDir, name);
      if (unsent.has(pathToFileURL(path).href) || !(await isOlder(path, limitMs))) continue;
      if (await removeIfThere(path)) removed += 1;
    }
    return removed;
  };

  return {
    purge: async (olderThan) => {
      const limitMs = olderThan.epochMilliseconds;
      const counts = await purgeSessions(limitMs);
      return { ...counts, exports: await purgeExports() };
    },

    removeConversations: async (sessionKeys) => {
      let removed = 0;
      for (const sessionKey of sessionKeys) {
        const base = fileNameOf(sessionKey);
        await removeIfThere(join(exportDir, exportOf(sessionKey)));
        const find = async (): Promise<readonly SessionFile[]> =>
          (await namesIn(sessionDir))
            .flatMap((name) => parse(name) ?? [])
            .filter((file) => file.base === base);
        if ((await find()).length === 0) continue;
        const count = await locked(sessionKey, async () => removeAll(await find()));
        if (count > 0) removed += 1;
      }
      if (removed > 0) await syncDirectory(sessionDir);
      return removed;
    },

    removeSent: async (urls) => {
      let removed = 0;
      for (const url of urls) {
        const path = pathOfUrl(url);
        if (path === undefined || !sentDirs.has(dirname(path))) continue;
        if (await removeIfThere(path)) removed += 1;
      }
      return removed;
    },
  };
};
