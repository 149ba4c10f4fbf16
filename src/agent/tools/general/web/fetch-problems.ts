import { STATUS_CODES } from '#src/platform/http.ts';

const NETWORK_PROBLEMS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'does not exist, or has no address: check the spelling',
  ENODATA: 'does not exist, or has no address: check the spelling',
  EAI_AGAIN: 'could not be looked up just now: try again later',
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'broke off the connection',
  EPIPE: 'broke off the connection',
  ETIMEDOUT: 'cannot be reached',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
};

const CERTIFICATE = /CERT|SIGNED|SIGNATURE|ERR_TLS|ERR_SSL|EPROTO/;

const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
};

/** One sentence about a request that the network did not answer. The error's own words may name inner addresses. */
export const networkProblem = (host: string, error: unknown): string => {
  const code = codeOf(error);
  const known = NETWORK_PROBLEMS[code];
  if (known !== undefined) return `${host} ${known}.`;
  if (CERTIFICATE.test(code)) return `${host} offers no secure connection that can be trusted.`;
  if (code.startsWith('HPE_')) return `${host} answered with something that is not HTTP.`;
  if (code.startsWith('Z_') || code.startsWith('ERR_') || code.startsWith('ZSTD_'))
    return `The answer of ${host} is damaged and cannot be unpacked.`;
  return `${host} could not be read${code === '' ? '' : ` (${code})`}.`;
};

const ADVICE: Readonly<Record<number, string>> = {
  401: 'it wants a login, so it cannot be read',
  403: 'it does not let programs read it',
  404: 'there is no such page; check the address',
  410: 'the page is gone',
  429: 'it gets too many requests; try again later',
  451: 'it is withheld for legal reasons',
};

/** One sentence about an answer that is no page. */
export const statusProblem = (host: string, statusCode: number): string => {
  const advice =
    ADVICE[statusCode] ?? (statusCode >= 500 ? 'the server has a fault; try again later' : 'no page came');
  const name = STATUS_CODES[statusCode];
  return `${host} answered with status ${statusCode}${name ? ` (${name})` : ''}: ${advice}.`;
};
