import type { RequestHandler } from '#src/platform/net/health-server.ts';
import { createGuard } from './guard.ts';
import type { OperatorPage, OperatorPageDeps } from './server.ts';

/** Misdirected Request. */
const MISDIRECTED = 421;

/**
 * Answers requests for the operator page. The first of them loads the page with its libraries, so a page that nobody
 * opens costs nothing.
 */
export const mountOperatorPage = (deps: OperatorPageDeps): OperatorPage => {
  const { isKnownHost } = createGuard(deps.publicUrl);
  let loading: Promise<OperatorPage> | undefined;
  let page: OperatorPage | undefined;
  let isStopped = false;

  const load = async (): Promise<OperatorPage> => {
    const { createOperatorPage } = await import('./server.ts');
    page = createOperatorPage(deps);
    if (isStopped) page.stop();
    return page;
  };

  const handle: RequestHandler = async (request, response) => {
    if (!isKnownHost(request.headers.host)) {
      const names = ['localhost', ...(deps.publicUrl === undefined ? [] : [deps.publicUrl])].join(' or ');
      response
        .writeHead(MISDIRECTED, { 'content-type': 'text/plain; charset=utf-8' })
        .end(
          `The operator page is not served under this name. Open it as ${names}, or set operator.publicUrl.\n`,
        );
      return;
    }
    try {
      loading ??= load();
      await (await loading).handle(request, response);
    } catch (error) {
      // The next request tries again.
      if (!page) loading = undefined;
      throw error;
    }
  };
  return {
    handle,
    stop: () => {
      isStopped = true;
      page?.stop();
    },
  };
};
