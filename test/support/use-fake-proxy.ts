import { onTestFinished } from 'vitest';
import { proxyConfig } from '#src/platform/config/proxy-config.ts';
import { useProxy } from '#src/platform/proxy/use-proxy.ts';
import { type FakeProxy, type FakeProxyOptions, startFakeProxy } from '#test/fakes/proxy.ts';

export const openFakeProxy = async (options?: FakeProxyOptions): Promise<FakeProxy> => {
  const proxy = await startFakeProxy(options);
  onTestFinished(proxy.close);
  return proxy;
};

/** This process follows these variables until the test ends. The log of it, and a way to end it earlier. */
export const followProxy = (env: {
  readonly HTTPS_PROXY?: string;
  readonly HTTP_PROXY?: string;
  readonly NO_PROXY?: string;
}): { readonly log: readonly string[]; readonly end: () => void } => {
  const settings = proxyConfig(env);
  if (!settings) throw new Error('These variables name no proxy');
  const log: string[] = [];
  const note = (line: string): void => void log.push(line);
  let end: (() => void) | undefined = useProxy(settings, { info: note, error: note });
  const endOnce = (): void => {
    end?.();
    end = undefined;
  };
  onTestFinished(endOnce);
  return { log, end: endOnce };
};

/** The same with a proxy of its own for everything. */
export const startBehindProxy = async (NO_PROXY?: string) => {
  const proxy = await openFakeProxy();
  const env = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, ...(NO_PROXY !== undefined && { NO_PROXY }) };
  return { proxy, ...followProxy(env) };
};
