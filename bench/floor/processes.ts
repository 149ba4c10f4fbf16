import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type {
  Census,
  Load,
  LoadResult,
  PlatformName,
  PlatformReply,
  PlatformRequest,
  PlatformSettings,
} from './load.ts';
import type { ProbeReport, ProbeSettings } from './probe.ts';

const HERE = import.meta.dirname;
const ROOT = resolve(HERE, '../..');
const START_LIMIT_MS = 180_000;
const IDLE_MS = 1_000;

/** Which bot, and from which checkout. */
export interface Contestant {
  readonly name: string;
  readonly kind: 'minimal' | 'finclaw';
  readonly root: string;
}

export const MINIMAL: Contestant = { name: 'minimal bot', kind: 'minimal', root: ROOT };
export const FINCLAW: Contestant = { name: 'FinClaw', kind: 'finclaw', root: ROOT };

export const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
};

const forkTypescript = (file: string, env: NodeJS.ProcessEnv): ChildProcess =>
  fork(join(HERE, file), { stdio: 'inherit', env: { ...process.env, ...env } });

export interface Platform {
  readonly name: PlatformName;
  readonly env: NodeJS.ProcessEnv;
  /** Loads may run side by side. */
  readonly load: (load: Load) => Promise<LoadResult>;
  readonly census: () => Promise<Census>;
  readonly close: () => void;
}

export const openPlatform = async (settings: PlatformSettings): Promise<Platform> => {
  const child = forkTypescript('platform-process.ts', { PLATFORM_SETTINGS: JSON.stringify(settings) });
  const [{ env }] = (await once(child, 'message')) as [{ readonly env: NodeJS.ProcessEnv }];
  const waiting = new Map<number, (reply: PlatformReply) => void>();
  child.on('message', (reply: PlatformReply) => waiting.get(reply.id)?.(reply));
  const request = async <Result extends LoadResult | Census>(
    what: { readonly load: Load } | { readonly wants: 'census' },
  ): Promise<Result> => {
    const id = waiting.size;
    const { promise, resolve: answer } = Promise.withResolvers<PlatformReply>();
    waiting.set(id, answer);
    child.send({ id, ...what } satisfies PlatformRequest);
    const reply = await promise;
    if ('failed' in reply) throw new Error(reply.failed);
    return reply.result as Result;
  };
  return {
    name: settings.platform,
    env,
    load: (load) => request<LoadResult>({ load }),
    census: () => request<Census>({ wants: 'census' }),
    close: () => child.disconnect(),
  };
};

export interface Model {
  readonly url: string;
  /** When it was first asked about a question, by the tags of the questions since the last call. */
  readonly firstAskedMs: () => Promise<ReadonlyMap<string, number>>;
  /** When it wrote the first words of a streamed answer. */
  readonly firstWordsMs: () => Promise<ReadonlyMap<string, number>>;
  readonly close: () => void;
}

/** With `pieceMs`, answers are streamed in pieces that come so far apart. */
export const openModel = async (answersAfterMs?: number, pieceMs?: number): Promise<Model> => {
  const env = {
    ...(answersAfterMs !== undefined && { MODEL_MS: String(answersAfterMs) }),
    ...(pieceMs !== undefined && { PIECE_MS: String(pieceMs) }),
  };
  const child = forkTypescript('model-process.ts', env);
  const [url] = (await once(child, 'message')) as [string];
  const times = async (what: 'asked' | 'words'): Promise<ReadonlyMap<string, number>> => {
    const answered = once(child, 'message');
    child.send(what);
    const [found] = (await answered) as [readonly (readonly [string, number])[]];
    return new Map(found);
  };
  return {
    url,
    firstAskedMs: () => times('asked'),
    firstWordsMs: () => times('words'),
    close: () => child.disconnect(),
  };
};

/** The flags and the environment with which the launcher starts the bot, so that the bench stays true to it. */
export const startOf = (
  root: string,
): { readonly env: NodeJS.ProcessEnv; readonly parameters: readonly string[] } => {
  const { config } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly config: Readonly<Record<string, string>>;
  };
  const { mmapThreshold } = config;
  return {
    env: {
      NODE_COMPILE_CACHE: 'node_modules/.cache/node',
      ...(mmapThreshold !== undefined && { MALLOC_MMAP_THRESHOLD_: mmapThreshold }),
    },
    parameters: (config['start'] ?? '').split(' '),
  };
};

export interface Bot {
  readonly name: string;
  /** User and system time of all its threads up to now. */
  readonly cpuMs: () => number;
  readonly residentMb: () => number;
  /** The sum over its threads, of what the probe was told to count. */
  readonly report: () => ProbeReport;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly hasEnded: () => boolean;
  /** With SIGTERM, unless it has ended already. */
  readonly stop: () => Promise<void>;
}

export interface BotOptions {
  readonly probe?: Omit<ProbeSettings, 'reportDir'>;
  /** Further flags for Node, such as those of a profile. Of FinClaw alone. */
  readonly nodeFlags?: readonly string[];
  /** Instead of a new, empty one; it is left there. */
  readonly dataDir?: string;
  /** Further variables. */
  readonly env?: NodeJS.ProcessEnv;
  /** What stands in the configuration file. */
  readonly config?: object;
}

const TICK_MS = 10;

const cpuMsOf = (pid: number): number => {
  if (!existsSync('/proc')) {
    const text = execFileSync('ps', ['-o', 'cputime=', '-p', String(pid)], { encoding: 'utf8' });
    return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1_000;
  }
  // The name of the process, in brackets, may have spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
};

const residentMbOf = (pid: number): number => {
  const kilobytes = existsSync('/proc')
    ? /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kilobytes ?? Number.NaN) / 1_024;
};

const readReports = (directory: string): ProbeReport => {
  const reports = readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as ProbeReport);
  const loop = reports.find((report) => report.loop)?.loop;
  const memory = reports.find((report) => report.memory)?.memory;
  const bySql: Record<string, number> = {};
  for (const report of reports)
    for (const [sql, count] of Object.entries(report.bySql)) bySql[sql] = (bySql[sql] ?? 0) + count;
  return {
    statements: reports.reduce((sum, { statements }) => sum + statements, 0),
    commits: reports.reduce((sum, { commits }) => sum + commits, 0),
    flushes: reports.reduce((sum, { flushes }) => sum + flushes, 0),
    bySql,
    ...(loop && { loop }),
    ...(memory && { memory }),
  };
};

/** Starts the bot, and waits until it is ready and has been idle for a second. */
export const openBot = async (
  { name, kind, root }: Contestant,
  platform: Pick<Platform, 'name' | 'env'>,
  model: Model,
  { probe, nodeFlags = [], dataDir, env: more = {}, config: settingsInFile = {} }: BotOptions = {},
): Promise<Bot> => {
  const directory = mkdtempSync(join(tmpdir(), 'finclaw-floor-'));
  const reportDir = join(directory, 'reports');
  mkdirSync(reportDir);
  const settings: ProbeSettings = { ...probe, reportDir };
  const config = join(directory, 'finclaw.config.json');
  writeFileSync(config, JSON.stringify({ welcome: false, ...settingsInFile }));
  const { env, parameters } = startOf(root);
  const command =
    kind === 'finclaw' ? [...nodeFlags, ...parameters] : [join(HERE, `minimal-${platform.name}-process.ts`)];
  const preload = probe ? [`--import=${join(HERE, 'probe.ts')}`] : [];
  const child = spawn(process.execPath, [...preload, ...command], {
    cwd: root,
    env: {
      ...process.env,
      ...env,
      ...platform.env,
      FLOOR_PROBE: JSON.stringify(settings),
      FINCLAW_DATA_DIR: dataDir ?? directory,
      FINCLAW_CONFIG: config,
      FINCLAW_LOG_LEVEL: 'info',
      FINCLAW_MODEL: 'sonnet',
      FINCLAW_FALLBACKS: 'none',
      FINCLAW_MARKET: 'sample',
      FINCLAW_RATE_LIMIT: '0',
      FINCLAW_USER_BUDGET_USD: 'none',
      FINCLAW_DAILY_BUDGET_USD: 'none',
      ANTHROPIC_API_KEY: 'key-of-the-bench',
      ANTHROPIC_BASE_URL: model.url,
      ...more,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let log = '';
  const { promise: ready, resolve: isReady, reject } = Promise.withResolvers<void>();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-10_000);
    if (process.env['FLOOR_LOG']) process.stderr.write(text);
    if (text.includes('"ready"')) isReady();
  });
  void exited.then(([code]) => reject(new Error(`${name} ended with ${String(code)}:\n${log}`)));
  const limit = setTimeout(() => reject(new Error(`${name} is not ready:\n${log}`)), START_LIMIT_MS);
  try {
    await ready;
  } catch (error) {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
    throw error;
  } finally {
    clearTimeout(limit);
  }
  await new Promise((done) => setTimeout(done, IDLE_MS));
  const { pid = 0 } = child;
  return {
    name,
    cpuMs: () => {
      const end = child.exitCode ?? child.signalCode;
      if (end !== null) throw new Error(`${name} ended with ${end}:\n${log}`);
      return cpuMsOf(pid);
    },
    residentMb: () => residentMbOf(pid),
    report: () => readReports(reportDir),
    signal: (signal) => void child.kill(signal),
    hasEnded: () => (child.exitCode ?? child.signalCode) !== null,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
