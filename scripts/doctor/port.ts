import type { Config } from '#src/platform/config/config.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import { directoryId } from '#src/platform/files/directory-id.ts';
import { requestText } from '#src/platform/net/http-transport.ts';
import { LOOPBACK } from '#src/platform/net/listen.ts';
import { bad, note, ok } from './check.ts';

/** Why a start could not listen there. */
const obstacleIn = (refusal: unknown): string | undefined =>
  refusal instanceof Error ? ((refusal.cause as NodeJS.ErrnoException | undefined)?.code ?? '') : undefined;

const ASK_MS = 2_000;
/** A server that listens on all addresses is reached by this machine's own. */
const ALL: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

interface Health {
  readonly status?: unknown;
  readonly dataDirectory?: unknown;
}

/** What the program behind the port says of itself, if it is a FinClaw. */
const askHealth = async (port: number, host: string): Promise<Health | undefined> => {
  const name = ALL.has(host) ? LOOPBACK : host;
  try {
    const { text } = await requestText(`http://${name.includes(':') ? `[${name}]` : name}:${port}/healthz`, {
      method: 'GET',
      headers: {},
      body: undefined,
      timeoutMs: ASK_MS,
      isLocal: true,
    });
    if (!text.startsWith('{"status":"ok"')) return undefined;
    return JSON.parse(text) as Health;
  } catch {
    return undefined;
  }
};

const takenPort = async ({
  httpPort: port = 0,
  httpHost: host,
  dataDir,
}: Pick<Config, 'httpPort' | 'httpHost' | 'dataDir'>): Promise<Finding> => {
  const health = await askHealth(port, host);
  const own = directoryId(dataDir);
  if (health && own !== undefined && health.dataDirectory === own)
    return ok(`Health server: the running FinClaw of this data directory answers on port ${port}`);
  const owner = health ? 'a FinClaw with another data directory' : 'another program';
  return bad(
    `Health server: port ${port} is taken by ${owner}, so a start would fail`,
    'Choose another FINCLAW_HTTP_PORT, or stop what uses this one.',
  );
};

const LOCAL = /^(?:localhost|127\.|::1$)/;

/** `refusal`: what a start would be refused with. */
export const checkPort = async (
  config: Pick<Config, 'httpPort' | 'httpHost' | 'dataDir'>,
  refusal: unknown,
): Promise<readonly Finding[]> => {
  const { httpPort: port, httpHost: host } = config;
  if (port === undefined) return [note('Health server: off (FINCLAW_HTTP_PORT is not set)')];
  const open = LOCAL.test(host)
    ? []
    : [
        note(
          `Health server: FINCLAW_HTTP_HOST is ${host}, so other machines reach port ${port}, which asks for no password`,
          'In a container with a network of its own that is right. Elsewhere let only your proxy reach it, or leave FINCLAW_HTTP_HOST out.',
        ),
      ];
  const code = obstacleIn(refusal);
  if (code === undefined) return [ok(`Health server: port ${port} is free`), ...open];
  if (code === 'EADDRINUSE') return [await takenPort(config), ...open];
  return [
    bad(
      `Health server: port ${port} of ${host} cannot be used (${code}), so a start would fail`,
      'Set FINCLAW_HTTP_PORT to a port from 1024 on, and FINCLAW_HTTP_HOST to an address of this machine, or leave it out.',
    ),
    ...open,
  ];
};
