import { createConnection } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type HealthDeps, startHealthServer } from '#src/infra/health-server.ts';
import { freePort } from '#test/support/database.ts';

const OK = async (): Promise<void> => undefined;
const BROKEN = async (): Promise<void> => {
  throw new Error('the disk is full: /secret/path');
};

const IDLE = (): Readonly<Record<string, unknown>> => ({});

const setUp = async (readiness: HealthDeps['readiness'] = {}, load: HealthDeps['load'] = IDLE) => {
  const port = await freePort();
  const server = await startHealthServer({ port, readiness, load });
  onTestFinished(() => server.close());
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, body: await response.json() };
  };
  return { port, server, get };
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
    expect((await get('/readyz')).body).toEqual({ status: 'ready', checks: { database: true } });
    expect((await get('/')).body).toEqual({ status: 'not found' });
    expect(active).toBe(2);
  });

  it('is ready when every check passes, and names them', async () => {
    const { get } = await setUp({ database: OK, channels: OK });
    expect(await get('/readyz')).toEqual({
      status: 200,
      body: { status: 'ready', checks: { database: true, channels: true } },
    });
  });

  it('is not ready when one check fails, and names it without telling why', async () => {
    const { get } = await setUp({ database: BROKEN, channels: OK });
    expect(await get('/readyz')).toEqual({
      status: 503,
      body: { status: 'not ready', checks: { database: false, channels: true } },
    });
  });

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

  it('says in a sentence which port is in use and what to set', async () => {
    const { port } = await setUp();
    await expect(startHealthServer({ port, readiness: {}, load: IDLE })).rejects.toMatchObject({
      code: 'PORT_UNUSABLE',
      isOperational: true,
      message: `Port ${port} is already in use. Set FINCLAW_HTTP_PORT to a free port, or leave it out to run without the health server.`,
    });
  });

  it('frees the port when it closes, also while a request still waits for its answer', async () => {
    const asked = Promise.withResolvers<void>();
    const { port, server, get } = await setUp({
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
    const next = await startHealthServer({ port, readiness: {}, load: IDLE });
    await next.close();
  });
});
