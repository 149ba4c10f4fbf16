import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import type { OutboundMessage, ReplyPayload } from '#src/kernel/chat/message.ts';
import type { Clock } from '../concurrency/clock.ts';
import type { Storage } from './database.ts';
import type { SharedSettings } from './shared-settings.ts';
import { SENT_FILE_KINDS, type SentFileKind, toStoredTime } from './schema.ts';
import type { Uses } from '../services.ts';

type Content = Uint8Array | string | readonly string[];

/**
 * The files that the bot sends. They are kept until an answer is sent, because it may be sent again after a crash, by
 * whichever process has the conversation then. Several processes share them in the database; the files on disk are
 * copies then.
 */
export interface SentFiles {
  /** Writes a file or replaces it, and returns its URL. */
  readonly save: (kind: SentFileKind, name: string, content: Content) => Promise<string>;
  /** Makes the files of a message readable on this machine: copies those that another process made. */
  readonly bring: (message: OutboundMessage) => Promise<OutboundMessage>;
  /** Removes our files among these URLs. Returns how many existed. */
  readonly remove: (urls: readonly string[]) => Promise<number>;
  /** Removes files that were written before then, except the needed ones. Returns their number. */
  readonly purge: (
    kind: SentFileKind,
    olderThan: Temporal.Instant,
    needed: ReadonlySet<string>,
  ) => Promise<number>;
  readonly urlOf: (kind: SentFileKind, name: string) => string;
}

interface SharedFilesDeps extends Uses<'logger.warn'> {
  readonly storage: Pick<Storage, 'db' | 'write'>;
  /** Tells the other processes that files were removed. */
  readonly settings: SharedSettings;
}

interface SentFilesDeps extends Uses<'clock.now'> {
  readonly dataDir: string;
  /** The other processes on the database. Undefined: there are none. */
  readonly shared?: SharedFilesDeps | undefined;
  readonly maxCharts?: number;
}

/** About 200 MB, so that frequent requests cannot fill the disk. Exports replace each other. */
const MAX_CHARTS = 4_000;
const CLEAN_UP_EVERY = 200;
/** Channels send files of at most 20 MB. */
const MAX_SHARED_BYTES = 20 * 1_024 * 1_024;

const PART = '.part';

interface SentFile {
  readonly kind: SentFileKind;
  readonly name: string;
}

/** Returns `otherwise` if the file or directory does not exist. */
const ifThere = async <T>(task: Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await task;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  }
};

const removeIfThere = (path: string): Promise<boolean> =>
  ifThere(
    unlink(path).then(() => true),
    false,
  );

export const namesIn = (directory: string): Promise<readonly string[]> => ifThere(readdir(directory), []);

const isOlder = async (path: string, limitMs: number): Promise<boolean> => {
  const found = await ifThere(stat(path), undefined);
  return found !== undefined && found.mtimeMs < limitMs;
};

/** The data directory of another process, or of a backup, may be elsewhere: only the last two parts of the path count. */
export const sentFileOf = (url: string): SentFile | undefined => {
  try {
    const path = fileURLToPath(url);
    const directory = basename(dirname(path));
    const kind = SENT_FILE_KINDS.find((each) => each === directory);
    return kind && { kind, name: basename(path) };
  } catch {
    return undefined;
  }
};

const bytesOf = (content: Content): Buffer =>
  content instanceof Uint8Array
    ? Buffer.from(content)
    : Buffer.from(typeof content === 'string' ? content : content.join(''));

/** The rows that processes share. */
const createRows = (storage: Pick<Storage, 'db' | 'write'>, clock: Pick<Clock, 'now'>) => ({
  put: async ({ kind, name }: SentFile, content: Buffer): Promise<void> => {
    const written = { content, made_at: toStoredTime(clock.now()) };
    await storage.write((tx) =>
      tx
        .insertInto('sent_files')
        .values({ kind, name, ...written })
        .onConflict((conflict) => conflict.columns(['kind', 'name']).doUpdateSet(written))
        .execute(),
    );
  },
  get: async ({ kind, name }: SentFile): Promise<Uint8Array | undefined> =>
    (
      await storage.db
        .selectFrom('sent_files')
        .select('content')
        .where('kind', '=', kind)
        .where('name', '=', name)
        .executeTakeFirst()
    )?.content,
  names: async (kind: SentFileKind): Promise<ReadonlySet<string>> => {
    const rows = await storage.db.selectFrom('sent_files').select('name').where('kind', '=', kind).execute();
    return new Set(rows.map(({ name }) => name));
  },
  remove: async ({ kind, name }: SentFile): Promise<boolean> => {
    const { numDeletedRows } = await storage.write((tx) =>
      tx.deleteFrom('sent_files').where('kind', '=', kind).where('name', '=', name).executeTakeFirstOrThrow(),
    );
    return numDeletedRows > 0n;
  },
  removeOlder: async (
    kind: SentFileKind,
    olderThan: Temporal.Instant,
    needed: readonly string[],
  ): Promise<number> => {
    const { numDeletedRows } = await storage.write((tx) =>
      tx
        .deleteFrom('sent_files')
        .where('kind', '=', kind)
        .where('made_at', '<', toStoredTime(olderThan))
        .$if(needed.length > 0, (query) => query.where('name', 'not in', [...needed]))
        .executeTakeFirstOrThrow(),
    );
    return Number(numDeletedRows);
  },
  /** Names of charts sort by age. */
  keepNewest: (kind: SentFileKind, count: number): Promise<unknown> =>
    storage.write((tx) =>
      sql`delete from sent_files where kind = ${kind} and name not in (
        select name from sent_files where kind = ${kind} order by name desc limit ${count})`.execute(tx),
    ),
});

export const createSentFiles = ({
  dataDir,
  clock,
  shared,
  maxCharts = MAX_CHARTS,
}: SentFilesDeps): SentFiles => {
  const rows = shared && createRows(shared.storage, clock);
  const directoryOf = (kind: SentFileKind): string => join(dataDir, kind);
  const pathOf = ({ kind, name }: SentFile): string => join(directoryOf(kind), name);
  const urlOf = (file: SentFile): string => pathToFileURL(pathOf(file)).href;
  let savesUntilCleanUp = Math.min(CLEAN_UP_EVERY, maxCharts);

  /** A crash during writing leaves only a `.part` file. */
  const write = async (file: SentFile, content: Content): Promise<void> => {
    const path = pathOf(file);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const part = `${path}.${randomUUID()}${PART}`;
    await writeFile(part, content as string | Uint8Array | Iterable<string>, { mode: 0o600, flag: 'wx' });
    await rename(part, path);
  };

  const isHere = (file: SentFile): Promise<boolean> =>
    ifThere(
      access(pathOf(file)).then(() => true),
      false,
    );

  /** Only a picture never changes: an export may have been replaced since the copy was made. */
  const hasCopy = async (file: SentFile): Promise<boolean> => file.kind === 'charts' && isHere(file);

  /** An answer goes out even if its file is missing: the channel says so. */
  const copy = async (file: SentFile, { logger }: SharedFilesDeps): Promise<void> => {
    try {
      if (await hasCopy(file)) return;
      const content = await rows?.get(file);
      if (!content) return;
      await write(file, content);
      // The file may have been removed meanwhile, and then the copy came too late.
      if (!(await rows?.get(file))) await removeIfThere(pathOf(file));
    } catch (error) {
      logger.warn('A file of another process could not be copied', { kind: file.kind, error });
    }
  };

  const localUrl = async (url: string): Promise<string> => {
    const file = sentFileOf(url);
    if (!file) return url;
    const here = urlOf(file);
    if (shared) await copy(file, shared);
    // A restored database may name the directory where the file was before.
    return shared || here === url || (await isHere(file)) ? here : url;
  };

  /** Removes the oldest charts; their names sort by age. */
  const removeOldest = async (): Promise<void> => {
    await rows?.keepNewest('charts', maxCharts);
    const names = (await readdir(directoryOf('charts'))).toSorted();
    for (const name of names.slice(0, Math.max(0, names.length - maxCharts)))
      await removeIfThere(pathOf({ kind: 'charts', name }));
  };

  /** Another process removed rows: the copies here go too. Those that are being written have their row already. */
  const removeOrphans = async (kind: SentFileKind): Promise<number> => {
    const local = rows ? await namesIn(directoryOf(kind)) : [];
    if (local.length === 0) return 0;
    const known = await rows?.names(kind);
    let removed = 0;
    for (const name of local)
      if (!name.endsWith(PART) && !known?.has(name) && (await removeIfThere(pathOf({ kind, name }))))
        removed += 1;
    return removed;
  };
  shared?.settings.onChanged(async () => {
    for (const kind of SENT_FILE_KINDS) await removeOrphans(kind);
  });

  return {
    save: async (kind, name, content) => {
      const file = { kind, name };
      if (rows) {
        const bytes = bytesOf(content);
        // The row comes first, so that the copy never looks like one without a row.
        if (bytes.length <= MAX_SHARED_BYTES) await rows.put(file, bytes);
        else await rows.remove(file);
      }
      await write(file, content);
      if (kind === 'charts') savesUntilCleanUp -= 1;
      if (savesUntilCleanUp <= 0) {
        savesUntilCleanUp = Math.min(CLEAN_UP_EVERY, maxCharts);
        await removeOldest();
      }
      return urlOf(file);
    },
    bring: async (message) => {
      const { payload } = message;
      if (!payload.media?.length) return message;
      const media = await Promise.all(
        payload.media.map(async (each) => ({ ...each, url: await localUrl(each.url) })),
      );
      return { ...message, payload: { ...payload, media } };
    },
    remove: async (urls) => {
      const files = urls.map(sentFileOf).filter((file) => file !== undefined);
      let removed = 0;
      for (const file of files) {
        const wasShared = (await rows?.remove(file)) ?? false;
        if ((await removeIfThere(pathOf(file))) || wasShared) removed += 1;
      }
      // Also if the rows are gone: an earlier attempt may have ended before this.
      if (files.length > 0) await shared?.settings.changed();
      return removed;
    },
    purge: async (kind, olderThan, needed) => {
      const neededNames = new Set(
        [...needed].flatMap((url) => {
          const file = sentFileOf(url);
          return file?.kind === kind ? [file.name] : [];
        }),
      );
      await rows?.removeOlder(kind, olderThan, [...neededNames]);
      // A signal may have been missed while this process was down.
      let removed = await removeOrphans(kind);
      for (const name of await namesIn(directoryOf(kind))) {
        const path = pathOf({ kind, name });
        if (neededNames.has(name) || !(await isOlder(path, olderThan.epochMilliseconds))) continue;
        if (await removeIfThere(path)) removed += 1;
      }
      return removed;
    },
    urlOf: (kind, name) => urlOf({ kind, name }),
  };
};

/** The addresses of files in a stored payload. */
export const filesIn = (payload: string): readonly string[] =>
  ((JSON.parse(payload) as ReplyPayload).media ?? []).map(({ url }) => url);
