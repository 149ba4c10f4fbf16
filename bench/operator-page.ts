import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startOf } from './floor/processes.ts';
import { SCHEMA } from '#src/wiring/schema.ts';
import { openStorage } from '#src/platform/storage/database.ts';
import { fillOperatorRows, USAGE_ROWS } from './operator-rows.ts';
import { residentMb } from './start-up.ts';

const ROOT = join(import.meta.dirname, '..');
/** After the first backup. */
const SETTLE_MS = 75_000;
const WINDOW_MS = 10_000;
const TOKEN = randomBytes(24).toString('hex');
const PAGES = [
  '',
  '/usage',
  '/usage?days=90',
  '/usage?days=90&by=person',
  '/charts/cost.svg?days=90',
  '/charts/cost.svg?days=90&by=person',
  '/queue',
  '/dead-letters',
  '/approvals',
  '/plans',
  '/keys',
  '/feedback',
  '/settings',
  '/logs',
  '/audit',
];
const PAGE_BAR_MB = 30;
const REST_BAR_MS = 5;
const PAGE_BAR_MS = 30;
const PAGE_ROUNDS = 40;

/** Reading it costs a little, the same for every bot. */
const cpuMs = async (origin: string): Promise<number> => {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const seconds = /^finclaw_process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1];
  return Number(seconds ?? Number.NaN) * 1_000;
};

interface RunningBot {
  readonly pid: number;
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

const startBot = async (dataDir: string, hasPage: boolean): Promise<RunningBot> => {
  const port = await freePort();
  writeFileSync(join(dataDir, 'bench.config.json'), JSON.stringify({ operator: { enabled: hasPage } }));
  const bot = spawn(process.execPath, [...startOf(ROOT).parameters], {
    cwd: ROOT,
    env: {
      ...process.env,
      DISCORD_BOT_TOKEN: '',
      SLACK_BOT_TOKEN: '',
      SLACK_APP_TOKEN: '',
      FINCLAW_MARKET: 'sample',
      FINCLAW_DATA_DIR: dataDir,
      FINCLAW_CONFIG: join(dataDir, 'bench.config.json'),
      FINCLAW_LOG_LEVEL: 'info',
      FINCLAW_HTTP_PORT: String(port),
      FINCLAW_OPERATOR_TOKEN: TOKEN,
    },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  for await (const [text] of linesOf(bot)) if (String(text).includes('ready')) break;
  bot.stderr.resume();
  if (bot.pid === undefined) throw new Error('The bot has not been started');
  return {
    pid: bot.pid,
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      bot.kill('SIGTERM');
      await once(bot, 'exit');
    },
  };
};

async function* linesOf(bot: ChildProcess): AsyncGenerator<readonly unknown[]> {
  while (bot.exitCode === null) yield await once(bot.stderr ?? bot, 'data');
  throw new Error(`The bot ended with ${bot.exitCode} before it was ready`);
}

/** Logs in as an operator does, and reads every kind of page. Returns how long each took, by path. */
const openPage = async (origin: string, rounds: number): Promise<ReadonlyMap<string, readonly number[]>> => {
  const login = await fetch(`${origin}/operator/login`, {
    method: 'POST',
    headers: { origin, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ secret: TOKEN }),
    redirect: 'manual',
  });
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const times = new Map<string, number[]>(PAGES.map((path) => [path, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const path of PAGES) {
      const startedAtMs = performance.now();
      const page = await fetch(`${origin}/operator${path}`, { headers: { cookie }, redirect: 'manual' });
      await page.arrayBuffer();
      if (page.status !== 200) throw new Error(`/operator${path} answered ${page.status}`);
      times.get(path)?.push(performance.now() - startedAtMs);
    }
  return times;
};

interface Rest {
  readonly memoryMb: number;
  /** In each window: a single one is off by more than what is to be measured. */
  readonly cpuMsPerMinute: readonly number[];
}

const atRest = async ({ pid, origin }: RunningBot, windows: number): Promise<Rest> => {
  const cpuMsPerMinute: number[] = [];
  for (let window = 0; window < windows; window += 1) {
    const before = await cpuMs(origin);
    await sleep(WINDOW_MS);
    cpuMsPerMinute.push((((await cpuMs(origin)) - before) / WINDOW_MS) * 60_000);
  }
  return { memoryMb: residentMb(pid), cpuMsPerMinute };
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const describeRest = ({ memoryMb, cpuMsPerMinute }: Rest): string =>
  `${memoryMb.toFixed(0)} MB, ${median(cpuMsPerMinute).toFixed(0)} ms CPU a minute (${Math.min(...cpuMsPerMinute).toFixed(0)} to ${Math.max(...cpuMsPerMinute).toFixed(0)})`;

/** The first round is left out: it adds up the days, which are kept from then on. */
const benchPages = async (usageRows: number): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-bench-'));
  try {
    const storage = await openStorage({ dataDir, schema: SCHEMA });
    await fillOperatorRows(storage, usageRows);
    await storage.close();
    const bot = await startBot(dataDir, true);
    try {
      await openPage(bot.origin, 1);
      console.log(`Pages with ${usageRows} requests to models stored, bar ${PAGE_BAR_MS} ms at p95:`);
      for (const [path, times] of await openPage(bot.origin, PAGE_ROUNDS)) {
        const sorted = times.toSorted((a, b) => a - b);
        const at = (share: number): string => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1);
        console.log(`  /operator${path}: median ${at(0.5)} ms, p95 ${at(0.95)} ms`);
      }
    } finally {
      await bot.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** What the operator page costs: turned off, turned on and never opened, and after somebody has read it. */
export const benchOperatorPage = async (isQuick: boolean): Promise<void> => {
  const windows = isQuick ? 3 : 18;
  const dataDirs = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'finclaw-bench-')));
  const [offDir = '', onDir = ''] = dataDirs;
  const off = await startBot(offDir, false);
  const on = await startBot(onDir, true);
  try {
    await sleep(isQuick ? WINDOW_MS : SETTLE_MS);
    const [without, unopened] = await Promise.all([atRest(off, windows), atRest(on, windows)]);
    await openPage(on.origin, 5);
    const [again, opened] = await Promise.all([atRest(off, windows), atRest(on, windows)]);
    console.log(`Page off: ${describeRest(without)}, later ${describeRest(again)}`);
    console.log(`Page on, never opened: ${describeRest(unopened)}`);
    console.log(`Page on, read and left: ${describeRest(opened)}`);
    console.log(
      `The page takes ${(opened.memoryMb - unopened.memoryMb).toFixed(0)} MB; bar ${PAGE_BAR_MB} MB`,
    );
    // Both bots are measured at the same time, so what else the machine does is in both.
    const beyond = (one: Rest, other: Rest): number =>
      median(one.cpuMsPerMinute.map((ms, window) => ms - (other.cpuMsPerMinute[window] ?? ms)));
    const added = beyond(opened, again) - beyond(unopened, without);
    console.log(`At rest it takes ${added.toFixed(1)} ms CPU a minute; bar ${REST_BAR_MS} ms`);
  } finally {
    await Promise.all([off.stop(), on.stop()]);
    for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
  }
  await benchPages(isQuick ? USAGE_ROWS / 100 : USAGE_ROWS);
};
