import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FinClawError } from '#src/kernel/errors.ts';
import { buildFields, readBuild } from '#src/platform/build.ts';
import { NODE_COMPILE_CACHE } from '#test/support/compile-cache.ts';
import { copyDatabaseTo, temporaryDir } from '#test/support/database.ts';
import { startAsMain } from '#test/support/start-as-main.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** The program as an operator starts it, in a directory of its own, without any settings of this machine. */
const startMain = (env: NodeJS.ProcessEnv = {}, workingDir = temporaryDir()) => {
  const child = spawn(process.execPath, [MAIN], {
    cwd: workingDir,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE,
      HOME: workingDir,
      FINCLAW_DATA_DIR: join(workingDir, 'data'),
      // Without it, the program first waits for markets that no test can reach.
      FINCLAW_MARKET: 'sample',
      ...env,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = text(child.stdout).catch(() => '');
  const errors = text(child.stderr);
  const finished = async () => {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return { code, signal, output: await output, errors: await errors };
  };
  return { child, finished, workingDir };
};

const runMain = (input: string, env?: NodeJS.ProcessEnv, workingDir?: string) => {
  const { child, finished } = startMain(env, workingDir);
  child.stdin.end(input);
  return finished();
};

describe('npm start', () => {
  it('answers what is piped in and ends with 0', async () => {
    const { code, output, errors } = await runMain('/price 삼성전자\n');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toContain('삼성전자 (005930)');
    expect(output).not.toContain('\u001b');
  });

  it('says which version is ready, and ends with 0 on SIGINT', async () => {
    const { child, finished } = startMain({ FINCLAW_LOG_LEVEL: 'info' });
    child.stderr.on('data', (line: Buffer) => {
      if (line.includes('"ready"')) child.kill('SIGINT');
    });
    const { errors, ...end } = await finished();
    expect(end).toMatchObject({ code: 0, signal: null });
    const ready = errors.split('\n').find((line) => line.includes('"ready"')) ?? '';
    expect(JSON.parse(ready)).toMatchObject({ ...buildFields(readBuild()), startMs: expect.any(Number) });
  });

  it('ends with 1 when the disk fails to store data, and logs once why', async () => {
    const breakDisk = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { fdatasync } = fs;
      fs.fdatasync = (file, done) => (fs.existsSync('broken') ? done(new Error('EIO')) : fdatasync(file, done));
      syncBuiltinESMExports();`;
    const { child, finished, workingDir } = startMain({
      FINCLAW_LOG_LEVEL: 'info',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(breakDisk)}`,
    });
    child.stderr.on('data', (line: Buffer) => {
      if (!line.includes('"ready"')) return;
      writeFileSync(join(workingDir, 'broken'), '');
      child.stdin.write('/price 삼성전자\n');
    });
    const { code, errors } = await finished();
    expect(code).toBe(1);
    const told = errors.split('\n').filter((line) => line.includes('FinClaw stops, so that a restart'));
    expect(told).toEqual([expect.stringContaining('EIO')]);
  });

  it('goes on after a full disk, which one line of the log names', async () => {
    // SQLite may not grow while there is a file "full", as if the disk were.
    const fillDisk = `
      import { existsSync } from 'node:fs';
      import { DatabaseSync } from 'node:sqlite';
      const opened = new Set();
      const { exec } = DatabaseSync.prototype;
      DatabaseSync.prototype.exec = function (sql) { opened.add(this); return exec.call(this, sql); };
      setInterval(() => {
        for (const each of opened)
          if (each.isOpen) exec.call(each, 'pragma max_page_count = ' + (existsSync('full') ? 1 : 1e9));
          else opened.delete(each);
      }, 5).unref();`;
    const { child, finished, workingDir } = startMain({
      FINCLAW_LOG_LEVEL: 'info',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fillDisk)}`,
    });
    child.stderr.on('data', (line: Buffer) => {
      if (!line.includes('"ready"')) return;
      writeFileSync(join(workingDir, 'full'), '');
      for (let index = 0; index < 40; index += 1) child.stdin.write(`/price ${'x'.repeat(1_500)}\n`);
    });
    const said = new Promise<void>((resolve) => {
      let refused = 0;
      child.stdout.on('data', (text: Buffer) => {
        refused += text.toString().split('could not be stored').length - 1;
        if (refused >= 3) resolve();
      });
    });
    await said;
    rmSync(join(workingDir, 'full'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.stdin.end('/price 삼성전자\n');
    const { code, output, errors } = await finished();
    expect(code).toBe(0);
    expect(output).toContain('삼성전자 (005930)');
    expect(errors.split('\n').filter((line) => line.includes(' is full, so messages'))).toEqual([
      expect.stringContaining(`The disk of ${join(workingDir, 'data')} is full`),
    ]);
  });

  it('reads .env, takes nothing from it that is set already, and shows no secret of it', async () => {
    const workingDir = temporaryDir();
    writeFileSync(
      join(workingDir, '.env'),
      'FINCLAW_LOCALE=ko\nFINCLAW_MARKET=no-such-market\nOTHER_SERVICE_TOKEN=this-must-not-be-seen\nOPENAI_API_KEY=sk-neither-must-this-be-seen\n',
    );
    const { code, output, errors } = await runMain('/help\n/model\n', {}, workingDir);
    expect(code).toBe(0);
    expect(output).toContain('사용 가능한 명령어');
    expect(output).toContain('gpt-6.1-sol');
    expect(errors).not.toContain('OPENAI_API_KEY');
    expect(output + errors).not.toContain('be-seen');
  });

  it('ends with 1 and one clear sentence for a .env that is a directory', async () => {
    const workingDir = temporaryDir();
    mkdirSync(join(workingDir, '.env'));
    const { code, output, errors } = await runMain('/help\n', {}, workingDir);
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^The file \.env cannot be read: .+\n$/);
  });

  it('refuses to run twice on the same data, and ends with 0 on SIGTERM', async () => {
    const { child, finished, workingDir } = startMain({ FINCLAW_LOG_LEVEL: 'info' });
    await once(child.stderr, 'data');
    const { code, errors } = await runMain('/help\n', {}, workingDir);
    expect(code).toBe(1);
    expect(errors).toMatch(/^Another FinClaw is running on /);
    child.kill('SIGTERM');
    expect(await finished()).toMatchObject({ code: 0, signal: null });
  });

  it('makes no database where a restore was killed, and removes the copy that one left beside its database', async () => {
    const workingDir = temporaryDir();
    const dataDir = join(workingDir, 'data');
    const copy = join(dataDir, '.restoring/files');
    mkdirSync(copy, { recursive: true });
    const { code, output, errors } = await runMain('/help\n', {}, workingDir);
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^A restore or move into .+ was interrupted\. Run it again, or remove .+\n$/);
    expect(readdirSync(dataDir)).toEqual(['.restoring']);

    await copyDatabaseTo(dataDir);
    expect(await runMain('/help\n', {}, workingDir)).toMatchObject({ code: 0, errors: '' });
    expect(readdirSync(dataDir)).not.toContain('.restoring');
  });

  it('ends with 0 when the reader of its output goes away', async () => {
    const { child, finished } = startMain();
    child.stdout.destroy();
    child.stdin.end('/help\n'.repeat(3));
    const { code, errors } = await finished();
    expect(code).toBe(0);
    expect(errors).toContain('delivery:failed');
    expect(errors).not.toContain('Warning');
  });
});

/** What stops a start. It is what an operator reads, and all of it: the program prints no more of such an error. */
const sentenceFor = async (env: NodeJS.ProcessEnv, file: object = {}): Promise<string> => {
  const dataDir = temporaryDir();
  writeFileSync(join(dataDir, 'finclaw.config.json'), JSON.stringify(file));
  const error: unknown = await startAsMain({ FINCLAW_DATA_DIR: dataDir, ...env }, dataDir).then(
    () => 'it started',
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ isOperational: true });
  return error instanceof FinClawError ? error.message : '';
};

describe('a start that cannot be', () => {
  it.each([
    ['a model that nobody knows', { FINCLAW_MODEL: 'quetzal' }, /^.*"quetzal".*$/],
    [
      'a model without a key',
      { FINCLAW_MODEL: 'sonnet' },
      /^FINCLAW_MODEL .+ the model claude-sonnet-5-5 .+ANTHROPIC_API_KEY.+$/,
    ],
    [
      'a list of fallbacks without any',
      { FINCLAW_FALLBACKS: ' , ' },
      /^The environment is not valid\..+\n {2}FINCLAW_FALLBACKS: names no model; use none .+$/,
    ],
    [
      'a secret key without any',
      { FINCLAW_SECRET_KEY: ',' },
      /^The environment is not valid\..+\n {2}FINCLAW_SECRET_KEY: holds no key$/,
    ],
    [
      'a key for backups that can be guessed',
      { FINCLAW_BACKUP_KEY: 'geheim' },
      /^FINCLAW_BACKUP_KEY must be 32 bytes in base64\..*$/,
    ],
    [
      'a data directory that cannot be',
      { FINCLAW_DATA_DIR: '/dev/null/data' },
      /^The data directory \/dev\/null\/data cannot be used .*Set FINCLAW_DATA_DIR to a directory .*$/,
    ],
    [
      'a key that cannot be one',
      { ANTHROPIC_API_KEY: 'this-must-not-be-seen' },
      /^The configuration is not valid\..+\n {2}ANTHROPIC_API_KEY: (?!.*be-seen).+$/,
    ],
  ] as const)('is told in one clear sentence: %s', async (_, env, sentence) => {
    expect(await sentenceFor(env)).toMatch(sentence);
  });

  it('is told in one clear sentence: a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as { readonly port: number };
    expect(await sentenceFor({ FINCLAW_HTTP_PORT: String(port) })).toMatch(
      new RegExp(`^Port ${port} is already in use\\. Set FINCLAW_HTTP_PORT .*$`),
    );
  });

  it('is told with what was probably meant', async () => {
    expect(await sentenceFor({}, { quue: {} })).toContain(
      'quue: there is no such setting; did you mean "queue"?',
    );
  });

  it('is told with every wrong key of the file, and shows none', async () => {
    const providers = {
      anthropic: { apiKey: 'this-must-not-be-seen' },
      openai: { awsSecretId: 'prod/openai' },
    };
    const text = await sentenceFor({}, { providers });
    expect(text).toMatch(
      /^The configuration is not valid\..+\n {2}providers\.anthropic\.apiKey: .+\n {2}providers\.openai\.awsSecretId: needs providers\.aws\.region .+$/,
    );
    expect(text).not.toContain('be-seen');
  });
});
