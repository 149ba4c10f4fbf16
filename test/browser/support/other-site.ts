import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { REBOUND_NAME } from '#test/support/chromium.ts';
import { freePort } from '#test/support/database.ts';

/** A site of somebody else. On this machine it is even the same site for cookies, which do not know of ports. */
export interface OtherSite {
  readonly onThisMachine: string;
  readonly elsewhere: string;
  /** What it serves now. */
  readonly serve: (body: string) => void;
  /** The cookies that browsers sent with each request. */
  readonly heard: readonly string[];
}

export const startOtherSite = async (): Promise<OtherSite> => {
  const port = await freePort();
  const heard: string[] = [];
  let page = '';
  const server = createServer(({ headers: { cookie = '' } }, response) => {
    heard.push(cookie);
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><title>Other</title><link rel="icon" href="data:,"><body>${page}</body>`);
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    onThisMachine: `http://127.0.0.1:${port}`,
    elsewhere: `http://${REBOUND_NAME}:${port}`,
    serve: (body) => {
      page = body;
    },
    heard,
  };
};
