import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { SystemStatus } from '#src/kernel/operations/status.ts';
import { createServer } from './http.ts';
import { listen, LOOPBACK } from './listen.ts';
import type { Uses } from '../services.ts';

/** Answers a request as a whole. It rejects if it cannot. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The place of the operator page. */
export const OPERATOR_PATH = '/operator';

export interface HealthDeps extends Uses<'logger.error'> {
  readonly port: number;
  /** The IP address to listen on. Default: only this machine. */
  readonly host?: string | undefined;
  /** The program is ready while at least one of them is connected. */
  readonly channels: () => SystemStatus['channels'];
  /** Named checks; one that throws makes the program not ready. */
  readonly readiness: Readonly<Record<string, () => Promise<void>>>;
  /** What `/healthz` tells of the program and its load. */
  readonly facts: () => Readonly<Record<string, unknown>>;
  /** Without it there is no `/metrics`. */
  readonly metrics?: { readonly contentType: string; readonly render: () => Promise<string> } | undefined;
  /** Answers `/operator` and everything below it, and checks the host of those requests itself. */
  readonly operator?: RequestHandler | undefined;
}

export type HealthServer = Awaited<ReturnType<typeof startHealthServer>>;

interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const PORT = /:\d+$/;
const SINGLE_LABEL = /^[\w-]+$/;

/**
 * Allows IP addresses, and names without a dot: `localhost`, or that of a service in a network of containers. A web page
 * can make its own domain name point to this machine to read the answers, but the browser then sends that name as `Host`.
 */
const isTrustedHost = (host = ''): boolean => {
  const name = host.replace(PORT, '');
  return SINGLE_LABEL.test(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
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

const stateOf = ({ isConnected, problem }: SystemStatus['channels'][number]): string =>
  isConnected ? 'connected' : `down: ${problem ?? 'not connected; the log says more'}`;

const pagesOf = ({
  channels,
  readiness,
  facts,
  metrics,
}: HealthDeps): ReadonlyMap<string, () => Promise<Page>> => {
  const pages = new Map<string, () => Promise<Page>>([
    ['/healthz', async () => json(200, { status: 'ok', ...facts() })],
    [
      '/readyz',
      async () => {
        const checks = await runChecks(readiness);
        const all = channels();
        const ok = Object.values(checks).every(Boolean) && all.some(({ isConnected }) => isConnected);
        const states = Object.fromEntries(all.map((channel) => [channel.id, stateOf(channel)]));
        return json(ok ? 200 : 503, { ok, channels: states, ...checks });
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
export const startHealthServer = async (deps: HealthDeps) => {
  const { port, host = LOOPBACK, operator, logger } = deps;
  const pages = pagesOf(deps);

  const pageFor = async (request: IncomingMessage): Promise<Page> => {
    const { method = '', headers } = request;
    if (!isTrustedHost(headers.host))
      return json(421, { status: 'misdirected: ask for an IP address, localhost or a name without a dot' });
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
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
