import { once } from 'node:events';
import { CHANNELS } from '#channels/index.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tryKeys } from '#src/agent/providers/try-keys.ts';
import { offline } from '#src/agent/offline/offline-provider.ts';
import { openKeyRing } from '#src/agent/open-models.ts';
import { createProviders } from '#src/agent/providers/providers.ts';
import { createAuthProfileRows } from '#src/agent/store/auth-profiles.ts';
import { FailoverError } from '#src/agent/errors.ts';
import { loadConfig } from '#src/platform/config/config.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { CLAUDE_KEYS, GPT_KEY, startServers, until } from '#test/support/engine-app.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

/** A server that takes requests and never answers. */
const startSilent = async () => {
  const keys: unknown[] = [];
  const left: unknown[] = [];
  const server = createServer((request) => {
    keys.push(request.headers['x-api-key']);
    request.socket.on('close', () => left.push(request.headers['x-api-key']));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { keys, left, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

/** The keys as the doctor opens them: two for Claude and one for GPT. */
const setUp = async (claudeUrl: string, gptUrl: string) => {
  const dataDir = temporaryDir();
  const { storage } = await sqliteStorage(dataDir);
  const clock = new ManualClock();
  const { events } = recordingEvents();
  const { logger } = recordingLogger();
  const { engine: settings } = loadConfig(
    {
      FINCLAW_DATA_DIR: dataDir,
      ANTHROPIC_API_KEY: CLAUDE_KEYS.join(','),
      ANTHROPIC_BASE_URL: claudeUrl,
      OPENAI_API_KEY: GPT_KEY,
      OPENAI_BASE_URL: gptUrl,
    },
    dataDir,
    CHANNELS,
  );
  const keys = await openKeyRing({
    settings,
    savedKeys: createAuthProfileRows(storage),
    clock,
    events,
    logger,
  });
  const providers = createProviders({
    settings: settings.providers,
    offline: offline({ readSentence: async () => ({ calls: [] }) }),
    clock,
    onBreakerChange: () => undefined,
  });
  const tryAll = (signal: AbortSignal) => tryKeys({ keys, providers, clock }, signal);
  return { tryKeys: tryAll, clock };
};

describe('a trial of all keys', () => {
  it('gives each five seconds of its own: a silent server keeps nobody from being told of the others', async () => {
    const silent = await startSilent();
    const { gpt } = await startServers({ gpt: { keys: [GPT_KEY] } });
    const { tryKeys, clock } = await setUp(silent.url, gpt.url);
    let isOver = false;
    const trying = tryKeys(new AbortController().signal).finally(() => (isOver = true));
    await until(() => silent.keys.length === 2 && gpt.history.length === 1);
    await clock.advance(4_999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    const trials = await trying;
    expect(trials.map(({ key }) => key.id)).toEqual([
      'env-anthropic-1',
      'env-anthropic-2',
      'environment:openai',
    ]);
    for (const { error } of trials.slice(0, 2)) {
      expect(error).toBeInstanceOf(FailoverError);
      expect(error).toMatchObject({ fallbackReason: 'timeout', message: 'no answer within 5 s' });
    }
    expect(trials[2]).not.toHaveProperty('error');
    await until(() => silent.left.length === 2);
    expect(clock.pendingTimers).toBe(0);
  });

  it('leaves nothing waiting behind where every server answers', async () => {
    const { claude, gpt } = await startServers({ claude: { keys: [CLAUDE_KEYS[0]] } });
    const { tryKeys, clock } = await setUp(claude.url, gpt.url);
    const trials = await tryKeys(new AbortController().signal);
    expect(trials.map(({ error }) => (error instanceof FailoverError ? error.fallbackReason : 'ok'))).toEqual(
      ['ok', 'auth', 'ok'],
    );
    expect(clock.pendingTimers).toBe(0);
  });

  it('ends at once with the reason of an abort, and lets go of the servers', async () => {
    const silent = await startSilent();
    const { tryKeys, clock } = await setUp(silent.url, silent.url);
    const controller = new AbortController();
    const reason = new Error('enough');
    const trying = tryKeys(controller.signal).catch((error: unknown) => error);
    await until(() => silent.keys.length === 3);
    controller.abort(reason);
    expect(await trying).toBe(reason);
    await until(() => silent.left.length === 3);
    expect(clock.pendingTimers).toBe(0);
  });
});
