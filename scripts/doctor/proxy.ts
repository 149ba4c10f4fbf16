import { connect } from 'node:net';
import type { Config } from '#src/platform/config/config.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import { type ProxyAddress, proxiesOf } from '#src/platform/proxy/settings.ts';
import { bad, ok } from './check.ts';

const TIMEOUT_MS = 4_000;

/** Why nothing listens there; undefined where somebody does. */
const obstacle = ({ host, port }: ProxyAddress): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    const settle = (code?: string): void => {
      socket.destroy();
      resolve(code);
    };
    socket.once('connect', () => settle());
    // Other checks load modules meanwhile: the connection may be there, and not yet noticed.
    socket.once('timeout', () => setImmediate(settle, 'ETIMEDOUT'));
    socket.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => settle(code));
  });

export const checkProxy = async ({ proxy }: Pick<Config, 'proxy'>): Promise<readonly Finding[]> =>
  Promise.all(
    (proxy ? proxiesOf(proxy) : []).map(async (address) => {
      const code = await obstacle(address);
      return code === undefined
        ? ok(`Outbound connections go through the proxy ${address.shown}`)
        : bad(
            `Outbound connections go through the proxy ${address.shown}, which cannot be reached (${code})`,
            'Check HTTPS_PROXY and HTTP_PROXY; NO_PROXY names what is reached without it.',
          );
    }),
  );
