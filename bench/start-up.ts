import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { summarize } from './statistics.ts';

const ROOT = join(import.meta.dirname, '..');
const RUNS = 5;
const IDLE_MS = 1_000;

interface Sample {
  readonly readyMs: number;
  readonly idleMb: number;
}

const residentMb = (pid: number): number => {
  // Linux tells it in a file; elsewhere `ps` does.
  const kilobytes = existsSync('/proc')
    ? /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kilobytes ?? Number.NaN) / 1_024;
};

/** Starts the bot as `npm start` does, with an open pipe for a keyboard, and waits until it can be typed to. */
const startOnce = (compileCache: string): Promise<Sample> =>
  new Promise((resolve, reject) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-bench-'));
    const startedAtMs = performance.now();
    const bot = spawn(process.execPath, ['--max-semi-space-size=8', 'src/main.ts'], {
      cwd: ROOT,
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: compileCache,
        FINCLAW_DATA_DIR: dataDir,
        FINCLAW_LOG_LEVEL: 'info',
      },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let readyMs: number | undefined;
    let idleMb = Number.NaN;
    bot.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (readyMs !== undefined || !text.includes('"ready"')) return;
      readyMs = performance.now() - startedAtMs;
      setTimeout(() => {
        idleMb = residentMb(bot.pid ?? 0);
        bot.stdin.end();
      }, IDLE_MS);
    });
    bot.once('exit', (code) => {
      rmSync(dataDir, { recursive: true, force: true });
      if (code === 0 && readyMs !== undefined) resolve({ readyMs, idleMb });
      else reject(new Error(`The bot ended with ${code} before it was ready`));
    });
  });

/** Start to prompt, and memory a second later: after an install, and as it is from the second start on. */
export const benchStartUp = async (): Promise<void> => {
  const compileCache = mkdtempSync(join(tmpdir(), 'finclaw-bench-cache-'));
  try {
    const first = await startOnce(compileCache);
    const samples: Sample[] = [];
    for (let run = 0; run < RUNS; run += 1) samples.push(await startOnce(compileCache));
    console.log(
      `start to prompt, first start: ${first.readyMs.toFixed(0)} ms, idle ${first.idleMb.toFixed(0)} MB`,
    );
    console.log(
      `start to prompt: ${summarize(
        samples.map(({ readyMs }) => readyMs),
        'ms',
      )}; bar 1000 ms`,
    );
    console.log(
      `idle memory: ${summarize(
        samples.map(({ idleMb }) => idleMb),
        'MB',
      )}; bar 120 MB`,
    );
  } finally {
    rmSync(compileCache, { recursive: true, force: true });
  }
};
