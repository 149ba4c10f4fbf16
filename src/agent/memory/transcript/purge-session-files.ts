import { readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SessionKey } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/clock.ts';
import { exportDirectory, exportName } from '#src/platform/storage/accounts/export-file.ts';
import { acquireWriteLock, createLockedSession } from './write-lock.ts';
import { fileNameOf, ifThere, syncDirectory } from './session-files.ts';

export interface SessionFilePurgeDeps {
  readonly dataDir: string;
  /** Conversations with an unfinished message, which are kept whatever their age. */
  readonly liveSessions: () => Promise<ReadonlySet<SessionKey>>;
  /** URLs of files that are still to be sent, which are kept whatever their age. */
  readonly unsentFiles: () => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
}

export interface SessionFilePurge {
  /**
   * Removes conversations last written before then, files set aside before then, and exports older than two
   * days that are not waiting to be sent. Skips files that are being written. Returns the counts.
   */
  readonly purge: (olderThan: Temporal.Instant) => Promise<Readonly<Record<string, number>>>;
  /**
   * Removes all files of these conversations, including those set aside. Returns how many conversations had
   * any. Rejects if one stays locked.
   */
  readonly removeConversations: (sessionKeys: readonly SessionKey[]) => Promise<number>;
  /** Removes our files (exports and pictures) among these URLs. Returns how many existed. */
  readonly removeSent: (urls: readonly string[]) => Promise<number>;
}

/** Same retention as pictures. */
const EXPORTS_KEPT_HOURS = 48;

/** Conversation and kind of a file. Lock files are excluded, because their holders remove them. */
const NAME = /^([0-9a-f]{32})\.(?:.*\.)?(jsonl|segment|damaged|archived|jsonl\.tmp)$/;

interface SessionFile {
  readonly name: string;
  /** `jsonl` and `segment` are the conversation itself; the other kinds are kept beside it. */
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

/** Removes files of conversations, and files made from them, when they are too old or no longer wanted. */
export const createSessionFilePurge = (deps: SessionFilePurgeDeps): SessionFilePurge => {
  const { dataDir, liveSessions, unsentFiles, clock } = deps;
  const sessionDir = resolve(dataDir, 'sessions');
  const exportDir = resolve(exportDirectory(dataDir));
  /** The directories of sent files. */
  const sentDirs = new Set([exportDir, resolve(dataDir, 'charts')]);
  const locked = createLockedSession(sessionDir, clock, undefined);

  /**
   * The expired files of one conversation. Its parts expire together with the newest, because a running
   * conversation reads all of them; files kept beside it expire by their own age.
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
      // The conversation may have continued before we got the lock.
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
