import type { LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { HttpAgent, HttpsAgent, requestHttp, requestHttps } from '#src/platform/http.ts';

/** Answers with what was checked, whatever is asked: the name is never resolved a second time. */
const pinnedTo =
  (addresses: readonly [LookupAddress, ...LookupAddress[]]): LookupFunction =>
  (_hostname, options, callback) => {
    const [{ address, family }] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, address, family);
  };

/**
 * One GET over a connection of its own to one of the given addresses. Name, certificate and Host header stay
 * those of the URL. Rejects with what the network said, or once the signal aborts; redirects are not followed.
 */
export const requestPinned = (
  url: URL,
  addresses: readonly [LookupAddress, ...LookupAddress[]],
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    // Agents of our own: the global ones may go through a proxy, which would resolve the name by itself.
    const [start, agent] =
      url.protocol === 'https:' ? [requestHttps, new HttpsAgent()] : [requestHttp, new HttpAgent()];
    const request = start(url, { agent, headers, lookup: pinnedTo(addresses), signal });
    request.once('response', resolve);
    // For good: a connection may break more than once, and an error that nobody hears ends the process.
    request.on('error', reject);
    request.end();
  });
