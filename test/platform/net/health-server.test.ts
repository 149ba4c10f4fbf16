import { request } from 'node:http';
import { createConnection } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import { type HealthDeps, startHealthServer } from '#src/platform/net/health-server.ts';
import { createMetrics } from '#src/platform/metrics/metrics.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { freePort } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const OK = async (): Promise<void> => undefined;
const BROKEN = async (): Promise<void> => {
  throw new Error('the disk is full: /secret/path');
};

const IDLE = (): Readonly<Record<string, unknown>> => ({});

const [SLACK, DISCORD] = ['slack', 'discord'].map((id) => asId<ChannelId>(id)) as [ChannelId, ChannelId];
const UP: HealthDeps['channels'] = () => [{ id: SLACK, isConnected: true }];

const setUp = async (
  readiness: HealthDeps['readiness'] = {},
  facts: HealthDeps['facts'] = IDLE,
  metrics?: HealthDeps['metrics'],
  channels = UP,
) => {
  const port = await freePort();
  const { logger, records } = recordingLogger();
  const server = await startHealthServer({ port, channels, readiness, facts, metrics, logger });
  onTestFinished(() => server.close());
  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
  const get = async (path: string) => {
    const response = await ask(path);
    return { status: response.status, body: await response.json() };
  };
  return { port, server, get, ask, logger, records };
};

/** Whether somebody listens there; an address that does not answer within 300 ms is not reachable. */
const isReachable = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: 300 });
    const end = (reachable: boolean) => (): void => {
      socket.destroy();
      resolve(reachable);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });

describe('startHealthServer', () => {
  it('says at /healthz that the process answers, ready or not', async () => {
    const { get } = await setUp({ database: BROKEN });
    expect(await get('/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
  });

  it('tells at /healthz how much is under way, anew each time, and nowhere else', async () => {
    let active = 0;
    const load = () => ({ lanes: [{ laneId: 'main', active: (active += 1) }] });
    const { get } = await setUp({ database: OK }, load);
    for (const active of [1, 2]) {
      expect(await get('/healthz')).toEqual({
        status: 200,
        body: { status: 'ok', lanes: [{ laneId: 'main', active }] },
      });
    }
    expect((await get('/readyz')).body).toEqual({
      ok: true,
      channels: { slack: 'connected' },
      database: true,
    });
    expect((await get('/')).body).toEqual({ status: 'not found' });
    expect(active).toBe(2);
  });

  it('is not ready when one check fails, and names it without telling why', async () => {
    const { get } = await setUp({ database: BROKEN, other: OK });
    expect(await get('/readyz')).toEqual({
      status: 503,
      body: { ok: false, channels: { slack: 'connected' }, database: false, other: true },
    });
  });

  it.each([
    [200, [true, true], ['connected', 'connected']],
    [200, [true, false], ['connected', 'down: The token is wrong.']],
    [200, [false, true], ['down: not connected; the log says more', 'connected']],
    [503, [false, false], ['down: not connected; the log says more', 'down: The token is wrong.']],
  ])(
    'answers %i where Slack and Discord are connected as %j, and names the state of each',
    async (...row) => {
      const [status, [hasSlack = false, hasDiscord = false], [slack, discord]] = row;
      const { get } = await setUp({}, IDLE, undefined, () => [
        { id: SLACK, isConnected: hasSlack },
        { id: DISCORD, isConnected: hasDiscord, problem: 'The token is wrong.' },
      ]);
      expect(await get('/readyz')).toEqual({
        status,
        body: { ok: status === 200, channels: { slack, discord } },
      });
      expect((await get('/healthz')).status).toBe(200);
    },
  );

  it('is ready again once the check passes again', async () => {
    let check = BROKEN;
    const { get } = await setUp({ database: () => check() });
    expect((await get('/readyz')).status).toBe(503);
    check = OK;
    expect((await get('/readyz')).status).toBe(200);
  });

  it.each(['/', '/metrics', '/healthz/more', '/READYZ'])('does not know %s', async (path) => {
    const { get } = await setUp();
    expect(await get(path)).toEqual({ status: 404, body: { status: 'not found' } });
  });

  it('listens on the loopback address and on no other', async () => {
    const { port } = await setUp();
    const hosts = ['127.0.0.1', '127.0.0.2', '::1'];
    expect(await Promise.all(hosts.map((host) => isReachable(host, port)))).toEqual([true, false, false]);
  });

  it('answers to addresses and names without a dot, and to no name that a page in a browser could point here', async () => {
    const metrics = { contentType: 'text/plain', render: async () => 'finclaw_x 1\n' };
    const { port } = await setUp({}, IDLE, metrics);
    const statusFor = (path: string, host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const asking = request(
          { host: '127.0.0.1', port, path, setHost: false, headers: { host } },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        );
        asking.once('error', reject).end();
      });
    const addresses = ['127.0.0.1', `127.0.0.1:${port}`, '[::1]:80', '10.1.2.3:9000'];
    const allowed = [...addresses, `localhost:${port}`, 'gateway:8080', 'my_gateway'];
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      for (const host of allowed) expect([host, await statusFor(path, host)]).toEqual([host, 200]);
      for (const host of [
        `evil.example:${port}`,
        'localhost.evil.example',
        '127.0.0.1.nip.io',
        'gateway.',
        'a@b',
        'a@b c',
        'a/b',
        '',
      ])
        expect([host, await statusFor(path, host)]).toEqual([host, 421]);
    }
  });

  it('says in a sentence which port is in use and what to set', async () => {
    const { port, logger } = await setUp();
    await expect(
      startHealthServer({ port, channels: UP, readiness: {}, facts: IDLE, logger }),
    ).rejects.toMatchObject({
      code: 'PORT_UNUSABLE',
      isOperational: true,
      message: `Port ${port} is already in use. Set FINCLAW_HTTP_PORT to a free port, or leave it out to run without the health server.`,
    });
  });

  it('frees the port when it closes, also while a request still waits for its answer', async () => {
    const asked = Promise.withResolvers<void>();
    const { port, server, get, logger } = await setUp({
      stuck: () => {
        asked.resolve();
        return new Promise(() => undefined);
      },
    });
    const cutOff = expect(get('/readyz')).rejects.toThrow();
    await asked.promise;
    await server.close();
    await cutOff;
    expect(await isReachable('127.0.0.1', port)).toBe(false);
    const next = await startHealthServer({ port, channels: UP, readiness: {}, facts: IDLE, logger });
    await next.close();
  });

  it.each(['/healthz', '/readyz', '/metrics'])('answers at %s to GET and HEAD only', async (path) => {
    const metrics = { contentType: 'text/plain', render: async () => 'finclaw_x 1\n' };
    const { ask } = await setUp({}, IDLE, metrics);
    const head = await ask(path, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const refused = await ask(path, method);
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    expect((await ask(`${path}?from=scraper`)).status).toBe(200);
  });

  it('gives 500 and says why in the log when the facts cannot be told', async () => {
    const { get, records } = await setUp({}, () => {
      throw new Error('a bug');
    });
    expect(await get('/healthz')).toEqual({ status: 500, body: { status: 'failed' } });
    expect(records()).toMatchObject([{ level: 'error', error: { message: 'a bug' } }]);
    expect((await get('/readyz')).status).toBe(200);
  });
});

const realMetrics = () => {
  const { events } = recordingEvents();
  const { logger } = recordingLogger();
  const metrics = createMetrics({
    events,
    build: { version: '1' },
    channels: () => [],
    queue: () => ({ sessions: 1, running: 1, waiting: 0 }),
    lanes: () => [],
    inbox: async () => ({ pending: 0, suspended: 0 }),
    breakers: () => [],
    clock: new ManualClock(),
    logger,
  });
  onTestFinished(metrics.stop);
  return { events, metrics };
};

describe('/metrics', () => {
  it('is what Prometheus reads, of now', async () => {
    const { events, metrics } = realMetrics();
    const { ask } = await setUp({ database: BROKEN }, IDLE, metrics);
    for (const count of [1, 2]) {
      events.emit('inbox:accept', { inboxId: 'i', sessionKey: 's', channelId: 'slack', chatType: 'direct' });
      const response = await ask('/metrics');
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(await response.text()).toContain(`finclaw_messages_accepted_total{channel="slack"} ${count}\n`);
    }
  });

  it('gives 500 when a scrape fails, logs why, tells the client nothing of it, and works again after that', async () => {
    let isBroken = true;
    const render = async (): Promise<string> => {
      if (isBroken) throw new Error('secret reason');
      return 'finclaw_x 1\n';
    };
    const { get, ask, records } = await setUp({}, IDLE, { contentType: 'text/plain', render });
    expect(await get('/metrics')).toEqual({ status: 500, body: { status: 'failed' } });
    expect(records()).toMatchObject([
      { level: 'error', message: '/metrics could not be answered', error: { message: 'secret reason' } },
    ]);
    isBroken = false;
    expect(await (await ask('/metrics')).text()).toBe('finclaw_x 1\n');
  });
});
