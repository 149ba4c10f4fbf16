import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import { NODE_COMPILE_CACHE } from '#test/support/compile-cache.ts';
import { temporaryDir } from '#test/support/database.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** Tells of every file that Node loads. */
const TELL_LOADS = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load: (url, context, next) => {
      if (url.startsWith('file:')) process.stderr.write('LOADED ' + url + '\\n');
      return next(url, context);
    },
  });
`)}`;

const loadedIn = (log: string): readonly string[] => log.match(/(?<=^LOADED ).*$/gmu) ?? [];

const startWarm = async (env: NodeJS.ProcessEnv) => {
  const dataDir = temporaryDir();
  const bot = spawn(process.execPath, ['--import', TELL_LOADS, MAIN], {
    cwd: dataDir,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE,
      HOME: dataDir,
      FINCLAW_DATA_DIR: dataDir,
      FINCLAW_MARKET: 'sample',
      FINCLAW_LOG_LEVEL: 'debug',
      ...env,
    },
  });
  onTestFinished(() => void bot.kill('SIGKILL'));
  let [log, output] = ['', ''];
  bot.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const { promise: isWarm, resolve } = Promise.withResolvers<void>();
  bot.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
    if (log.includes('"msg":"Warm-up finished"')) resolve();
  });
  await isWarm;
  const loadedBefore = loadedIn(log);
  const ask = async (question: string) => {
    bot.stdin.end(`${question}\n`);
    await once(bot, 'close');
    return { output, loadedForAnswer: loadedIn(log).slice(loadedBefore.length) };
  };
  return { loadedBefore, ask };
};

it('the first message finds the SDK of its model and the code for traces loaded, and waits for no code', async () => {
  const claude = await startFakeAnthropic();
  onTestFinished(claude.close);
  claude.reply({ kind: 'answer', text: '**Yes**, the market is open.\n\n| a | b |\n|---|---|\n| 1 | 2 |' });
  const { loadedBefore, ask } = await startWarm({
    ANTHROPIC_API_KEY: 'sk-ant-api03-warm',
    ANTHROPIC_BASE_URL: claude.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  });
  const packages = loadedBefore.join('\n');
  expect(packages).toContain('/platform/tracing/');
  expect(packages).toContain('/node_modules/@anthropic-ai/sdk/');
  expect(packages).not.toContain('/node_modules/openai/');
  expect(claude.history).toHaveLength(0);
  const { output, loadedForAnswer } = await ask('Is the market open?');
  expect(output).toContain('the market is open');
  expect(loadedForAnswer).toEqual([]);
});

it('without a live model and a collector neither SDKs, market sources nor traces are loaded before they are needed', async () => {
  const { loadedBefore, ask } = await startWarm({});
  expect(loadedBefore.join('\n')).not.toMatch(
    /node_modules\/@anthropic-ai|node_modules\/openai|open-markets|platform\/tracing/u,
  );
  const { output, loadedForAnswer } = await ask('삼성전자 얼마야?');
  expect(output).toContain('005930');
  expect(loadedForAnswer.join('\n')).toContain('open-markets');
});
