import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NODE_COMPILE_CACHE } from '#test/support/compile-cache.ts';
import { openStorage, temporaryDir } from '#test/support/database.ts';

const CHILD = join(import.meta.dirname, '../fakes/app-process.ts');

interface Report {
  readonly type: string;
  readonly text?: string;
  readonly outcome?: string;
}

/** Nobody is welcomed, so that only answers are counted. */
const configIn = (dataDir: string): string => {
  const path = join(dataDir, 'finclaw.config.json');
  writeFileSync(path, JSON.stringify({ welcome: false }));
  return path;
};

/** The program in a process of its own, with all it has reported so far. */
const startProcess = (dataDir: string, env: NodeJS.ProcessEnv = {}) => {
  const child: ChildProcess = fork(CHILD, {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE,
      ...env,
      FINCLAW_DATA_DIR: dataDir,
      FINCLAW_CONFIG: configIn(dataDir),
    },
    execArgv: [],
  });
  const reports: Report[] = [];
  child.on('message', (report: Report) => reports.push(report));
  onTestFinished(() => void child.kill('SIGKILL'));
  /** All reports of a kind, once there are so many. */
  const waitFor = async (type: string, count = 1): Promise<readonly Report[]> => {
    for (;;) {
      const found = reports.filter((report) => report.type === type);
      if (found.length >= count) return found;
      await once(child, 'message');
    }
  };
  const end = async (by: NodeJS.Signals) => {
    const exited = once(child, 'exit');
    child.kill(by);
    const [code, signal] = (await exited) as [number | null, NodeJS.Signals | null];
    return { code, signal };
  };
  const sent = (): readonly string[] =>
    reports.filter(({ type }) => type === 'sent').map(({ text = '' }) => text);
  return { waitFor, sent, end, say: (id: string, body: string) => child.send({ id, body }) };
};

const rowsIn = async (dataDir: string) => {
  const storage = await openStorage({ dataDir });
  try {
    return {
      inbox: await storage.db
        .selectFrom('inbox')
        .select(['event_id', 'status', 'attempts'])
        .orderBy('id')
        .execute(),
      outbox: await storage.db.selectFrom('outbox').select(['status', 'attempts']).execute(),
      turns: await storage.db.selectFrom('turns').select('status').execute(),
    };
  } finally {
    await storage.close();
  }
};

const APPLE = expect.stringContaining('Apple (AAPL)') as string;
const SAMSUNG = expect.stringContaining('삼성전자 (005930)') as string;

describe('a process that ends in the middle of its work', () => {
  it(
    'on SIGTERM delivers the answer under way and ends with 0; after kill -9 the next one answers, once',
    { timeout: 60_000 },
    async () => {
      const dataDir = temporaryDir();
      const first = startProcess(dataDir, { SEND_DELAY_MS: '300' });
      await first.waitFor('ready');
      first.say('1', 'How is Apple doing today?');
      await first.waitFor('sending');
      first.say('2', '삼성전자 얼마야?');
      await first.waitFor('accepted', 2);
      expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(first.sent()).toEqual([APPLE]);
      expect(first.sent()[0]).toContain('SAMPLE');
      expect((await rowsIn(dataDir)).inbox).toEqual([
        { event_id: '1', status: 'done', attempts: 1 },
        { event_id: '2', status: 'pending', attempts: 0 },
      ]);

      const second = startProcess(dataDir, { HANG_ON_SEND: '1' });
      await second.waitFor('sending');
      second.say('3', 'How is Apple doing today?');
      await second.waitFor('accepted');
      await second.end('SIGKILL');
      const left = await rowsIn(dataDir);
      expect(left.inbox).toEqual([
        { event_id: '1', status: 'done', attempts: 1 },
        { event_id: '2', status: 'pending', attempts: 1 },
        { event_id: '3', status: 'pending', attempts: 0 },
      ]);
      expect(left.outbox).toEqual([
        { status: 'sent', attempts: 1 },
        { status: 'pending', attempts: 1 },
      ]);
      expect(left.turns).toEqual([{ status: 'complete' }, { status: 'complete' }]);

      const third = startProcess(dataDir);
      await third.waitFor('sent', 2);
      third.say('3', 'How is Apple doing today?');
      expect(await third.waitFor('accepted')).toMatchObject([{ outcome: 'duplicate' }]);
      await third.end('SIGTERM');
      expect(third.sent()).toEqual([SAMSUNG, APPLE]);
      const done = await rowsIn(dataDir);
      expect(done.inbox.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
      expect(done.outbox.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
    },
  );
});
