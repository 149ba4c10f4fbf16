import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { createServer } from './http.ts';
import { listen, LOOPBACK } from './listen.ts';
import type { FinClawLogger } from './logger.ts';

export interface HealthDeps {
  readonly port: number;
  /** Named checks; one that throws makes the program not ready. */
  readonly readiness: Readonly<Record<string, () => Promise<void>>>;
  /** The load that `/healthz` reports. */
  readonly load: () => Readonly<Record<string, unknown>>;
  /** Without it there is no `/metrics`. */
  readonly metrics?: { readonly contentType: string; readonly render: () => Promise<string> } | undefined;
  readonly logger: Pick<FinClawLogger, 'error'>;
}

export interface HealthServer {
  readonly close: () => Promise<void>;
}

interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * Allows only IP addresses and `localhost`. A web page can make its own domain name point to this machine to read the
 * answers, but the browser then sends that name as `Host`.
 */
const isTrustedHost = (host: string | undefined): boolean => {
  const url = host === undefined || !URL.canParse(`http://${host}`) ? undefined : new URL(`http://${host}`);
  const name = url?.hostname ?? '';
  return name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
};

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const json = (status: number, body: unknown): Page => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(body),
});

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

const pagesOf = ({ readiness, load, metrics }: HealthDeps): ReadonlyMap<string, () => Promise<Page>> => {
  const pages = new Map<string, () => Promise<Page>>([
    ['/healthz', async () => json(200, { status: 'ok', ...load() })],
    [
      '/readyz',
      async () => {
        const checks = await runChecks(readiness);
        const isReady = Object.values(checks).every(Boolean);
        return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', checks });
      },
    ],
  ]);
  if (metrics)
    pages.set('/metrics', async () => ({
      status: 200,
      contentType: metrics.contentType,
      body: await metrics.render(),
    }));
  return pages;
};

/**
 * `/healthz`: the process answers. `/readyz`: it can also accept messages. `/metrics`: its metrics. The error of a page
 * that fails is logged and not shown to the client. Throws `PORT_UNUSABLE`.
 */
export const startHealthServer = async (deps: HealthDeps): Promise<HealthServer> => {
  const { port, logger } = deps;
  const pages = pagesOf(deps);

  const pageFor = async ({ url = '', method = '', headers }: IncomingMessage): Promise<Page> => {
    if (!isTrustedHost(headers.host))
      return json(421, { status: 'misdirected: ask for 127.0.0.1 or localhost' });
    const [path = ''] = url.split('?', 1);
    const page = pages.get(path);
    if (!page) return json(404, { status: 'not found' });
    if (!METHODS.has(method)) return json(405, { status: 'method not allowed' });
    try {
      return await page();
    } catch (error) {
      logger.error(`${path} could not be answered`, { error });
      return json(500, { status: 'failed' });
    }
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, contentType, body } = await pageFor(request);
    const allow = status === 405 ? { allow: [...METHODS].join(', ') } : {};
    response.writeHead(status, { 'content-type': contentType, ...allow }).end(body);
  };
  const server = createServer((request, response) => void respond(request, response));

  // Monitoring runs on the same machine.
  await listen(
    server,
    { host: LOOPBACK, port },
    'Set FINCLAW_HTTP_PORT to a free port, or leave it out to run without the health server.',
  );
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
