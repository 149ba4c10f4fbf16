import { createServer, type Server } from 'node:http';
import { FinClawError } from '#src/core/errors.ts';

export interface HealthDeps {
  readonly port: number;
  /** Named checks; one that throws makes the program not ready. */
  readonly readiness: Readonly<Record<string, () => Promise<void>>>;
  /** What `/healthz` tells beside that it answers: how much is under way. */
  readonly load: () => Readonly<Record<string, unknown>>;
}

export interface HealthServer {
  readonly close: () => Promise<void>;
}

const runChecks = async (checks: HealthDeps['readiness']): Promise<Readonly<Record<string, boolean>>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await check();
          return [name, true] as const;
        } catch {
          return [name, false] as const;
        }
      }),
    ),
  );

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    // Loopback only: what it tells is for the machine's own monitoring.
    server.listen(port, '127.0.0.1', resolve);
  });

/** `/healthz`: the process answers. `/readyz`: it can also take messages. Throws `PORT_UNUSABLE`. */
export const startHealthServer = async ({ port, readiness, load }: HealthDeps): Promise<HealthServer> => {
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/healthz') return send(200, { status: 'ok', ...load() });
    if (request.url !== '/readyz') return send(404, { status: 'not found' });
    void runChecks(readiness).then((checks) => {
      const isReady = Object.values(checks).every(Boolean);
      send(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', checks });
    });
  });
  try {
    await listen(server, port);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const why = code === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${code})`;
    throw new FinClawError(
      `Port ${port} ${why}. Set FINCLAW_HTTP_PORT to a free port, or leave it out to run without the health server.`,
      'PORT_UNUSABLE',
      { cause },
    );
  }
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
