import { createServer } from 'node:net';
import type { Config } from '#src/platform/config/config.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import { requestText } from '#src/platform/http-transport.ts';
import { LOOPBACK } from '#src/platform/listen.ts';
import { note, ok } from './check.ts';

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });

const ASK_MS = 2_000;

/** Whether the program behind the port answers as a health server of ours. */
const isOurs = async (port: number): Promise<boolean> => {
  try {
    const { text } = await requestText(`http://${LOOPBACK}:${port}/healthz`, {
      method: 'GET',
      headers: {},
      body: undefined,
      timeoutMs: ASK_MS,
    });
    return text.startsWith('{"status":"ok"');
  } catch {
    return false;
  }
};

const LOCAL = /^(?:localhost|127\.|::1$)/;

export const checkPort = async ({
  httpPort: port,
  httpHost: host,
}: Pick<Config, 'httpPort' | 'httpHost'>): Promise<readonly Finding[]> => {
  if (port === undefined) return [note('Health server: off (FINCLAW_HTTP_PORT is not set)')];
  const open = LOCAL.test(host)
    ? []
    : [
        note(
          `Health server: FINCLAW_HTTP_HOST is ${host}, so other machines reach port ${port}, which asks for no password`,
          'In a container that is right. Elsewhere let only your proxy reach it, or leave FINCLAW_HTTP_HOST out.',
        ),
      ];
  if (await isFree(port, host)) return [ok(`Health server: port ${port} is free`), ...open];
  return [
    (await isOurs(port))
      ? ok(`Health server: a running FinClaw answers on port ${port}`)
      : note(`Health server: port ${port} is taken by another program`, 'Choose another FINCLAW_HTTP_PORT.'),
    ...open,
  ];
};
