import type { FinClawLogger } from '../logging/logger.ts';
import { proxiesOf, proxyEnvironment, type ProxySettings } from './settings.ts';
import { tunnelWebSockets } from './tunnel.ts';
import { watchProxies } from './watch-proxies.ts';

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
