import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import type { SlackConnectionDeps } from '#channels/slack/connect/connection.ts';
import { createSocketConnection } from '#channels/slack/connect/socket-connection.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { trustedCertificate } from '#test/agent/tools/general/self-signed.ts';
import { startBehindProxy } from '#test/support/use-fake-proxy.ts';

/** The part of Slack that opens sockets, over TLS, at a name that only the proxy can look up. */
const startSlack = async () => {
  const server = createServer(trustedCertificate('slack.example'));
  server.on('request', (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, url: `wss://slack.example:${port}/link/?ticket=1` }));
  });
  const sockets = new WebSocketServer({ noServer: true });
  let isRefusing = false;
  server.on('upgrade', (request, socket, head) => {
    if (isRefusing) socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    else
      sockets.handleUpgrade(request, socket, head, (open) =>
        open.send('{"type":"hello","num_connections":1}'),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
  });
  return {
    apiUrl: `https://slack.example:${port}/api/`,
    target: `slack.example:${port}`,
    clients: sockets.clients,
    refuse: (refuses: boolean) => {
      isRefusing = refuses;
    },
  };
};

const connect = (apiUrl: string) => {
  const log: string[] = [];
  const logger = createLogger({
    level: 'debug',
    pretty: false,
    secrets: [],
    write: (line) => void log.push(line),
  });
  const opened = Promise.withResolvers<void>();
  const deps: SlackConnectionDeps = {
    clock: systemClock,
    logger,
    onEnvelope: async () => undefined,
    onFailed: () => undefined,
    onConnecting: () => undefined,
    onConnected: () => opened.resolve(),
  };
  const settings = { botToken: 'xoxb-1', appToken: 'xapp-1', apiUrl };
  const connection = createSocketConnection({ ...deps, settings, onRefused: () => undefined });
  onTestFinished(connection.close);
  connection.open();
  return { connection, opened: opened.promise, log };
};

describe('the socket of Slack behind a proxy', () => {
  it('is a tunnel in which TLS goes to Slack itself', async () => {
    const slack = await startSlack();
    const { proxy } = await startBehindProxy();
    const { connection, opened } = connect(slack.apiUrl);
    await opened;
    expect(connection.isConnected()).toBe(true);
    expect(new Set(proxy.history.map(({ kind, target }) => `${kind} ${target}`))).toEqual(
      new Set([`tunnel ${slack.target}`]),
    );
    expect(proxy.openTunnels()).toBeGreaterThan(0);
  });

  it('is ended at once, also where Slack does not answer any more', async () => {
    const slack = await startSlack();
    await startBehindProxy();
    const { connection, opened } = connect(slack.apiUrl);
    await opened;
    const [client] = slack.clients;
    client?.pause();
    await connection.close();
    client?.resume();
    await expect.poll(() => slack.clients.size).toBe(0);
  });

  it('that is refused is tried again', async () => {
    const slack = await startSlack();
    slack.refuse(true);
    await startBehindProxy();
    const { opened, log } = connect(slack.apiUrl);
    await expect.poll(() => log.join()).toContain('Slack: could not connect; retrying');
    slack.refuse(false);
    await opened;
  });
});
