import type { FinClawLogger } from '../logging/logger.ts';
import { proxiesOf, proxyEnvironment, type ProxySettings, type ProxyAddress } from './settings.ts';
import { tunnelWebSockets, PROXY_TIMEOUT } from './tunnel.ts';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { errorMonitor } from 'node:events';
import type { Socket } from 'node:net';
import { errorMessage } from '#src/kernel/errors.ts';

/**
 * Sends all outbound connections of this process through the proxy: requests of `node:http` and `fetch` without an agent of
 * their own, and WebSockets. Returns a function that ends this.
 */
export const useProxy = (
  settings: ProxySettings,
  logger: Pick<FinClawLogger, 'error' | 'info'>,
): (() => void) => {
  const proxies = proxiesOf(settings);
  const ends = [
    process.getBuiltinModule('node:http').setGlobalProxyFromEnv(proxyEnvironment(settings)),
    tunnelWebSockets(settings),
    watchProxies(proxies, logger),
  ];
  logger.info(`Outbound connections go through the proxy ${proxies.map(({ shown }) => shown).join(' and ')}`);
  return () => ends.forEach((end) => end());
};

/** Node publishes each outgoing connection there before it is made, whoever makes it. */
const CONNECTIONS = 'net.client.socket';

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
};

/** Of `fetch`, and of a tunnel. */
const TIMEOUTS: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', PROXY_TIMEOUT]);

/** Other errors are of requests that somebody has given up, and say nothing of the proxy. */
const isOfNetwork = (error: unknown): boolean =>
  error instanceof AggregateError
    ? error.errors.some(isOfNetwork)
    : error instanceof Error && ('syscall' in error || TIMEOUTS.has(codeOf(error)));

/**
 * Logs once when a proxy cannot be reached, and once when it is back: everything else that fails meanwhile names only
 * what it wanted to reach. Returns a function that ends this.
 */
export const watchProxies = (
  proxies: readonly ProxyAddress[],
  logger: Pick<FinClawLogger, 'error' | 'info'>,
): (() => void) => {
  const down = new Set<ProxyAddress>();

  const failed = (proxy: ProxyAddress, error: unknown): void => {
    if (down.has(proxy) || !isOfNetwork(error)) return;
    down.add(proxy);
    logger.error(
      `The proxy ${proxy.shown} cannot be reached (${codeOf(error) || errorMessage(error)}). Until it is back, the bot reaches no platform, model or market through it.`,
    );
  };

  const reached = (proxy: ProxyAddress): void => {
    if (down.delete(proxy)) logger.info(`The proxy ${proxy.shown} can be reached again.`);
  };

  const look = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    let name: string | undefined;
    let proxy: ProxyAddress | undefined;
    socket.on('lookup', (error, _address, _family, host) => {
      name = host;
      // Without an address there is no attempt.
      if (error) proxy = proxies.find((each) => each.host === host);
    });
    socket.on('connectionAttempt', (address, port) => {
      proxy = proxies.find((each) => each.port === port && (each.host === name || each.host === address));
    });
    socket.once('connect', () => {
      if (proxy) reached(proxy);
      proxy = undefined;
    });
    // A listener for errors themselves would keep others from being unhandled.
    socket.once(errorMonitor, (error: unknown) => {
      if (proxy) failed(proxy, error);
    });
  };

  subscribe(CONNECTIONS, look);
  return () => void unsubscribe(CONNECTIONS, look);
};
