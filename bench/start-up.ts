import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { startOf } from './floor/processes.ts';
import { summarize } from './statistics.ts';

const ROOT = join(import.meta.dirname, '..');
const RUNS = 5;
const IDLE_MS = 1_000;
const NO_TOKENS = { DISCORD_BOT_TOKEN: '', SLACK_BOT_TOKEN: '', SLACK_APP_TOKEN: '' };

interface Sample {
  readonly readyMs: number;
  readonly idleMb: number;
}

export const residentMb = (pid: number): number => {
  // Linux tells it in a file; elsewhere `ps` does.
  const kilobytes = existsSync('/proc')
    ? /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kilobytes ?? Number.NaN) / 1_024;
};

/** Starts the bot as `npm start` does, with an open pipe for a keyboard, and waits until it can be spoken to. */
const startOnce = (compileCache: string, tokens: NodeJS.ProcessEnv): Promise<Sample> =>
  new Promise((resolve, reject) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-bench-'));
    const startedAtMs = performance.now();
    const bot = spawn(process.execPath, [...startOf(ROOT).parameters], {
      cwd: ROOT,
      env: {
        ...process.env,
        ...NO_TOKENS,
        ...tokens,
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
        bot.kill('SIGTERM');
      }, IDLE_MS);
    });
    bot.once('exit', (code) => {
      rmSync(dataDir, { recursive: true, force: true });
      if (code === 0 && readyMs !== undefined) resolve({ readyMs, idleMb });
      else reject(new Error(`The bot ended with ${code} before it was ready`));
    });
  });

interface Variant {
  readonly name: string;
  readonly tokens: NodeJS.ProcessEnv;
  readonly barMs: number;
  readonly barMb: number;
}

const benchVariant = async ({ name, tokens, barMs, barMb }: Variant): Promise<void> => {
  const compileCache = mkdtempSync(join(tmpdir(), 'finclaw-bench-cache-'));
  try {
    const first = await startOnce(compileCache, tokens);
    const samples: Sample[] = [];
    for (let run = 0; run < RUNS; run += 1) samples.push(await startOnce(compileCache, tokens));
    const times = samples.map(({ readyMs }) => readyMs);
    const sizes = samples.map(({ idleMb }) => idleMb);
    console.log(`${name}, first start: ${first.readyMs.toFixed(0)} ms, idle ${first.idleMb.toFixed(0)} MB`);
    console.log(`${name}, start to ready: ${summarize(times, 'ms')}; bar ${barMs} ms`);
    console.log(`${name}, idle memory: ${summarize(sizes, 'MB')}; bar ${barMb} MB`);
  } finally {
    rmSync(compileCache, { recursive: true, force: true });
  }
};

/** Start to ready, and memory a second later: after an install, and as it is from the second start on. */
export const benchStartUp = async (): Promise<void> => {
  const discord = await startFakeDiscord();
  const slack = await startFakeSlack();
  discord.addGuild({ name: 'Desk' });
  const onDiscord = { DISCORD_BOT_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl };
  const onSlack = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
  };
  try {
    await benchVariant({ name: 'terminal', tokens: {}, barMs: 1_000, barMb: 150 });
    await benchVariant({ name: 'Discord', tokens: onDiscord, barMs: 1_500, barMb: 200 });
    await benchVariant({ name: 'Slack', tokens: onSlack, barMs: 1_500, barMb: 200 });
    const both = { ...onDiscord, ...onSlack };
    await benchVariant({ name: 'Discord and Slack', tokens: both, barMs: 1_500, barMb: 200 });
  } finally {
    await Promise.all([discord.close(), slack.close()]);
  }
};
