import fs, { renameSync, writeFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { isMainThread, threadId } from 'node:worker_threads';

/** Loaded with `--import` before the bot, in all of its threads: it counts and slows down without a word in the bot. */
export interface ProbeSettings {
  /** Where each thread writes its `ProbeReport`. */
  readonly reportDir: string;
  readonly countsSql?: boolean;
  readonly watchesLoop?: boolean;
  /** Needs --expose-gc. */
  readonly watchesMemory?: boolean;
  /** What every flush to the disk takes longer. */
  readonly flushMs?: number;
  /** discord.js allows itself 50 requests a second: then it would be what is measured. */
  readonly liftsRestLimit?: boolean;
}

export interface ProbeReport {
  readonly statements: number;
  readonly commits: number;
  /** Waits for the disk, in a thread of the bot or beside it. */
  readonly flushes: number;
  /** How late timers fired since the last SIGUSR2, of the main thread alone. */
  readonly loop?: { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number };
  /** After the collection at the last SIGUSR2, of the main thread alone. */
  readonly memory?: { readonly collections: number; readonly heapMb: number; readonly outsideMb: number };
  /** The statements of the bot, by their text. */
  readonly bySql: Readonly<Record<string, number>>;
}

const REPORT_MS = 100;
const RESOLUTION_MS = 1;
const WRITES = /^\s*(?:insert|update|delete|replace)\b/i;

const settings = JSON.parse(process.env['FLOOR_PROBE'] ?? '{}') as ProbeSettings;
const { flushMs = 0 } = settings;
let statements = 0;
let commits = 0;
let flushes = 0;
const bySql = new Map<string, number>();

/** A flush stops the thread that asked for it, so this does the same. */
const flushSlowly = (): void => {
  flushes += 1;
  if (flushMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, flushMs);
};

const databases = new WeakMap<StatementSync, DatabaseSync>();

// oxlint-disable-next-line typescript/unbound-method -- called with their database
const { prepare, exec } = DatabaseSync.prototype;
const FULL = 2;
const modes = new WeakMap<DatabaseSync, boolean>();

/** Whether a commit waits for the disk by itself: with `synchronous = normal` it leaves that to others. */
const isFlushedByCommit = (database: DatabaseSync): boolean => {
  const known = modes.get(database);
  if (known !== undefined) return known;
  const isFull = Number(prepare.call(database, 'pragma synchronous').get()?.['synchronous']) >= FULL;
  modes.set(database, isFull);
  return isFull;
};

const before = (sql: string, database: DatabaseSync | undefined): void => {
  statements += 1;
  bySql.set(sql, (bySql.get(sql) ?? 0) + 1);
  if (!database || !(/^\s*commit\b/i.test(sql) || (WRITES.test(sql) && !database.isTransaction))) return;
  commits += 1;
  if (isFlushedByCommit(database)) flushSlowly();
};

const watchSql = (): void => {
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...parameters) {
    const statement = prepare.apply(this, parameters);
    databases.set(statement, this);
    return statement;
  };
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
    before(sql, this);
    exec.call(this, sql);
  };
  for (const name of ['run', 'all', 'get', 'iterate'] as const) {
    // oxlint-disable-next-line typescript/unbound-method -- called with its statement below
    const inner = StatementSync.prototype[name] as (...parameters: unknown[]) => unknown;
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...parameters: unknown[]): unknown {
        before(this.sourceSQL, databases.get(this));
        return inner.apply(this, parameters);
      },
    });
  }
};

const watchFiles = (): void => {
  for (const name of ['fsyncSync', 'fdatasyncSync'] as const) {
    const inner = fs[name];
    fs[name] = (descriptor) => {
      flushSlowly();
      inner(descriptor);
    };
  }
  for (const name of ['fsync', 'fdatasync'] as const) {
    const inner = fs[name];
    Object.assign(fs, {
      [name]: (descriptor: number, callback: (error: Error | null) => void) => {
        flushes += 1;
        setTimeout(() => inner(descriptor, callback), flushMs);
      },
    });
  }
  syncBuiltinESMExports();
};

const watchLoop = (): (() => ProbeReport['loop']) => {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  process.on('SIGUSR2', () => histogram.reset());
  const lateMs = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return () => ({
    p50Ms: lateMs(histogram.percentile(50)),
    p99Ms: lateMs(histogram.percentile(99)),
    maxMs: lateMs(histogram.max),
  });
};

const MEGABYTE = 2 ** 20;

const watchMemory = (): (() => ProbeReport['memory']) => {
  let memory: ProbeReport['memory'];
  process.on('SIGUSR2', () => {
    for (let round = 0; round < 3; round += 1) globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    const collections = (memory?.collections ?? 0) + 1;
    memory = { collections, heapMb: heapUsed / MEGABYTE, outsideMb: external / MEGABYTE };
  });
  return () => memory;
};

if (settings.countsSql || flushMs > 0) watchSql();
if (settings.countsSql || flushMs > 0) watchFiles();
if (settings.liftsRestLimit) {
  const { DefaultRestOptions } = createRequire(import.meta.url)('discord.js') as {
    readonly DefaultRestOptions: { globalRequestsPerSecond: number };
  };
  DefaultRestOptions.globalRequestsPerSecond = Number.MAX_SAFE_INTEGER;
}
const loop = settings.watchesLoop && isMainThread ? watchLoop() : () => undefined;
const memoryNow = settings.watchesMemory && isMainThread ? watchMemory() : () => undefined;
if (settings.countsSql || settings.watchesLoop || settings.watchesMemory || flushMs > 0) {
  const path = join(settings.reportDir, `thread-${threadId}.json`);
  setInterval(() => {
    const delays = loop();
    const memory = memoryNow();
    const report: ProbeReport = {
      statements,
      commits,
      flushes,
      bySql: Object.fromEntries(bySql),
      ...(delays && { loop: delays }),
      ...(memory && { memory }),
    };
    // A reader finds the old report or the new one, never half of one.
    writeFileSync(`${path}.new`, JSON.stringify(report));
    renameSync(`${path}.new`, path);
  }, REPORT_MS).unref();
}
