import type { Agent, ClientRequest, ClientRequestArgs, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { HttpAgent, HttpsAgent, requestHttp, requestHttps } from '../net/http.ts';
import { isDirect, type ProxyAddress, type ProxySettings, readProxyAddress } from './settings.ts';

const TIMEOUT_MS = 10_000;
const WRONG_LOGIN = 407;
/** The code of the error of a proxy that does not answer. */
export const PROXY_TIMEOUT = 'PROXY_TIMEOUT';

const refusal = (proxy: ProxyAddress, target: string, status: number): Error =>
  new Error(
    status === WRONG_LOGIN
      ? `The proxy ${proxy.shown} does not accept its user and password (407)`
      : `The proxy ${proxy.shown} refuses to connect to ${target} (${status})`,
  );

/** Makes a connection through the proxy, which looks up the name. */
const openTunnel = (
  proxy: ProxyAddress,
  host: string,
  port: number,
  done: (outcome: Socket | Error) => void,
): void => {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const start = proxy.isTls ? requestHttps : requestHttp;
  const request = start({
    host: proxy.host,
    port: proxy.port,
    method: 'CONNECT',
    path: target,
    // A connection of its own, straight to the proxy.
    agent: false,
    timeout: TIMEOUT_MS,
    headers: { host: target, ...(proxy.authorization && { 'proxy-authorization': proxy.authorization }) },
  });
  request.once('connect', ({ statusCode = 0 }, socket: Socket, head) => {
    socket.setTimeout(0);
    if (statusCode !== 200) {
      socket.destroy();
      done(refusal(proxy, target, statusCode));
      return;
    }
    if (head.length > 0) socket.unshift(head);
    done(socket);
  });
  request.once('timeout', () => {
    const error = new Error(`The proxy ${proxy.shown} did not answer within ${TIMEOUT_MS / 1_000} s`);
    request.destroy(Object.assign(error, { code: PROXY_TIMEOUT }));
  });
  // Not `once`: a connection may fail more than once, and an unhandled error ends the process.
  request.on('error', done);
  request.end();
};

type Done = (error: Error | null, socket: Duplex) => void;

/** An agent whose connections are tunnels, also for plain http. Node's own agents tunnel TLS only. */
const createTunnelAgent = (settings: ProxySettings, isTls: boolean): Agent => {
  const agent = isTls ? new HttpsAgent() : new HttpAgent();
  const address = isTls ? settings.https : settings.http;
  if (address === undefined) return agent;
  const proxy = readProxyAddress(address);
  const connectDirectly = agent.createConnection.bind(agent);
  const createConnection = (
    options: ClientRequestArgs,
    done: Done,
  ): ReturnType<Agent['createConnection']> => {
    const { host, port } = options;
    if (isDirect(settings, String(host), Number(port))) return connectDirectly(options, done);
    openTunnel(proxy, String(host), Number(port), (outcome) => {
      // Nobody reads the socket of a failure.
      if (outcome instanceof Error) (done as (error: Error) => void)(outcome);
      else done(null, isTls ? connectTls({ ...(options as ConnectionOptions), socket: outcome }) : outcome);
    });
    return undefined;
  };
  return Object.assign(agent, { createConnection });
};

const opensSocket = ({ headers = {} }: RequestOptions): boolean =>
  'Upgrade' in headers && headers.Upgrade === 'websocket';

/**
 * Sends every request for a WebSocket through the proxy. Libraries that open one bring a way to connect of their own, which
 * no agent of Node's sees, and most let nobody change it. Returns a function that ends this.
 */
export const tunnelWebSockets = (settings: ProxySettings): (() => void) => {
  const modules = [
    { library: process.getBuiltinModule('node:http'), agent: createTunnelAgent(settings, false) },
    { library: process.getBuiltinModule('node:https'), agent: createTunnelAgent(settings, true) },
  ];
  const restores = modules.map(({ library, agent }) => {
    const { request } = library;
    const requestTunnelled = (options: RequestOptions, ...rest: readonly never[]): ClientRequest =>
      request(opensSocket(options) ? { ...options, agent } : options, ...rest);
    Object.assign(library, { request: requestTunnelled });
    return () => void Object.assign(library, { request });
  });
  return () => restores.forEach((restore) => restore());
};
