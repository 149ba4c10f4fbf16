import type { AgentOptions, ClientRequest } from 'node:http';
import { urlToHttpOptions } from 'node:url';

/**
 * The parts of `node:http` and `node:https` that this program uses. An `import` of those modules reads all of their
 * exports, one of which loads Node's fetch client and costs 35 ms at every start.
 */
const http = process.getBuiltinModule('node:http');
const https = process.getBuiltinModule('node:https');
export const { Agent: HttpAgent, createServer, request: requestHttp, STATUS_CODES } = http;
export const { Agent: HttpsAgent, request: requestHttps } = https;

/** Options with which an agent of its own goes through the same proxy as all others; undefined without a proxy. */
export const proxyOptions = (): Pick<AgentOptions, 'proxyEnv'> | undefined => {
  const { proxyEnv } = https.globalAgent.options;
  return proxyEnv && { proxyEnv };
};

/** A request that opens a WebSocket. Node's modules are asked each time, because a proxy changes how they do it. */
export const requestSocket = (url: URL, headers: Readonly<Record<string, string>>): ClientRequest =>
  (url.protocol === 'https:' ? https : http).request({
    ...urlToHttpOptions(url),
    headers: { ...headers, Connection: 'Upgrade', Upgrade: 'websocket' },
  });
