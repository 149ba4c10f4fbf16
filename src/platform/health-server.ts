import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { createServer } from './http.ts';
import { listen, LOOPBACK } from './listen.ts';
import type { FinClawLogger } from './logger.ts';

/** Answers a request as a whole. It rejects if it cannot. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The place of the operator page. */
export const OPERATOR_PATH = '/operator';

export interface HealthDeps {
  readonly port: number;
  /** The IP address to listen on. Default: only this machine. */
  readonly host?: string | undefined;
  /** Named checks; one that throws makes the program not ready. */
  readonly readiness: Readonly<Record<string, () => Promise<void>>>;
  /** The load that `/healthz` reports. */
  readonly load: () => Readonly<Record<string, unknown>>;
  /** Without it there is no `/metrics`. */
  readonly metrics?: { readonly contentType: string; readonly render: () => Promise<string> } | undefined;
  /** Answers `/operator` and everything below it, and checks the host of those requests itself. */
  readonly operator?: RequestHandler | undefined;
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

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';

const isForOperator = (path: string): boolean =>
  path === OPERATOR_PATH || path.startsWith(`${OPERATOR_PATH}/`);

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
 * `/healthz`: the process answers. `/readyz`: it can also accept messages. `/metrics`: its metrics. `/operator`: the page
 * for operators. The error of a page that fails is logged and not shown to the client. Throws `PORT_UNUSABLE`.
 */
export const startHealthServer = async (deps: HealthDeps): Promise<HealthServer> => {
  const { port, host = LOOPBACK, operator, logger } = deps;
  const pages = pagesOf(deps);

  const pageFor = async (request: IncomingMessage): Promise<Page> => {
    const { method = '', headers } = request;
    if (!isTrustedHost(headers.host))
      return json(421, { status: 'misdirected: ask for 127.0.0.1 or localhost' });
    const path = pathOf(request);
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
  const respondAsOperator = async (
    handle: RequestHandler,
    ...[request, response]: Parameters<RequestHandler>
  ) => {
    try {
      await handle(request, response);
    } catch (error) {
      logger.error('The operator page could not be answered', { error });
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'content-type': 'text/plain' }).end('failed');
    }
  };
  const respond: RequestHandler = async (request, response) => {
    if (operator && isForOperator(pathOf(request))) return respondAsOperator(operator, request, response);
    const { status, contentType, body } = await pageFor(request);
    const allow = status === 405 ? { allow: [...METHODS].join(', ') } : {};
    response.writeHead(status, { 'content-type': contentType, ...allow }).end(body);
  };
  const server = createServer((request, response) => void respond(request, response));

  await listen(
    server,
    { host, port },
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
