import {
  DiscordAPIError,
  HTTPError,
  type InternalRequest,
  type RateLimitData,
  RateLimitError,
  type RawFile,
  RequestMethod,
  REST,
  type RESTOptions,
  type RouteLike,
} from 'discord.js';
import { ChannelError, errorMessage } from '#src/kernel/errors.ts';
import type { DiscordSettings } from './settings.ts';

/** What Discord answers with, as far as we act on it. */
export const CODES = {
  unknownChannel: 10_003,
  unknownGuild: 10_004,
  unknownMember: 10_007,
  unknownMessage: 10_008,
  unknownWebhook: 10_015,
  unknownInteraction: 10_062,
  tooLarge: 40_005,
  alreadyAcknowledged: 40_060,
  missingAccess: 50_001,
  cannotWriteToPerson: 50_007,
  missingPermissions: 50_013,
  invalidWebhookToken: 50_027,
} as const;

/** A failure in our words. It never carries the request: addresses and bodies hold tokens and what people wrote. */
export class DiscordError extends ChannelError {
  /** Discord's own code; undefined where it gave none. */
  readonly discordCode: number | undefined;
  readonly httpStatus: number | undefined;

  constructor(
    failure: ChannelError['failure'],
    message: string,
    details: {
      readonly discordCode?: number | undefined;
      readonly httpStatus?: number | undefined;
      readonly retryAfterMs?: number;
    } = {},
  ) {
    super(failure, message, details.retryAfterMs === undefined ? {} : { retryAfterMs: details.retryAfterMs });
    this.discordCode = details.discordCode;
    this.httpStatus = details.httpStatus;
  }
}

export const hasCode = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof DiscordError && error.discordCode !== undefined && codes.includes(error.discordCode);

export const isRefusal = (error: unknown): boolean =>
  error instanceof ChannelError && error.failure === 'refused';

export interface ApiRequest {
  readonly body?: unknown;
  readonly files?: readonly RawFile[];
  readonly query?: Readonly<Record<string, string>>;
  /** False for what a token in the address allows already. */
  readonly auth?: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface DiscordApi {
  /** Waits for rate limits of its own chat. Throws `DiscordError`, or the signal's reason. */
  readonly request: <T>(
    method: Method,
    route: RouteLike,
    request: ApiRequest,
    signal: AbortSignal,
  ) => Promise<T>;
  readonly close: () => void;
}

/** A sign (typing, a reaction) that comes late is worth nothing; an answer is worth waiting for. */
const LONGEST_SIGN_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 30_000;
const TIMEOUT_MS = 15_000;

const isTooLong = ({ route, timeToReset }: RateLimitData): boolean =>
  timeToReset > (/\/(?:typing|reactions)/.test(route) ? LONGEST_SIGN_WAIT_MS : LONGEST_WAIT_MS);

const withoutTokens = (route: string): string =>
  route
    .replace(/^\/webhooks\/(\d+)\/[^/?]+/, '/webhooks/$1/:token')
    .replace(/^\/interactions\/(\d+)\/[^/?]+/, '/interactions/$1/:token');

const toDiscordError = (error: unknown, method: string, route: string, auth: boolean): DiscordError => {
  const where = `(${method} ${withoutTokens(route)})`;
  if (error instanceof RateLimitError) {
    const { retryAfter: retryAfterMs } = error;
    return new DiscordError('rate-limited', `Discord asks to wait ${retryAfterMs} ms ${where}`, {
      retryAfterMs,
    });
  }
  if (error instanceof DiscordAPIError) {
    const { status: httpStatus, code, message } = error;
    const discordCode = typeof code === 'number' ? code : undefined;
    // A token that is wrong says nothing about what was sent: it is owed until the operator has mended that.
    const failure = httpStatus === 401 && auth ? 'unreachable' : 'refused';
    return new DiscordError(failure, `Discord refused: ${discordCode ?? httpStatus} ${message} ${where}`, {
      discordCode,
      httpStatus,
    });
  }
  if (error instanceof HTTPError) {
    const { status: httpStatus } = error;
    return new DiscordError('unreachable', `Discord answered with ${httpStatus} ${where}`, { httpStatus });
  }
  return new DiscordError('unreachable', `Discord is out of reach: ${errorMessage(error)} ${where}`);
};

/**
 * Node's own way to ask. The library brings another one, which goes wrong with files once a newer version of it
 * was loaded by somebody else, as Slack's library does.
 */
export const makeRequest: RESTOptions['makeRequest'] = (url, init) =>
  fetch(url, init as unknown as RequestInit);

/**
 * Requests to Discord beside the gateway, so that answers arrive while it is down. Nothing is repeated in here:
 * whoever asks knows whether a second time is safe.
 */
export const createApi = ({ token, apiUrl }: DiscordSettings): DiscordApi => {
  const rest = new REST({
    ...(apiUrl === undefined ? {} : { api: apiUrl }),
    retries: 0,
    makeRequest,
    timeout: TIMEOUT_MS,
    rejectOnRateLimit: isTooLong,
  });
  const closing = new AbortController();

  const run = async <T>(request: InternalRequest, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted();
    // The queue sleeps through aborts, and its listeners stay on a signal for ever: it gets one of its own.
    const own = new AbortController();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => {
      own.abort();
      reject(signal.aborted ? signal.reason : new Error('the connection was closed'));
    };
    aborted.catch(() => undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    closing.signal.addEventListener('abort', onAbort, { once: true });
    if (closing.signal.aborted) onAbort();
    try {
      // One answer of 401 makes the library forget the token; the next request may well be allowed.
      rest.setToken(token);
      const response = rest.request({ ...request, signal: own.signal });
      response.catch(() => undefined);
      // The body is what the route promises; the caller names its type.
      return (await Promise.race([response, aborted])) as T;
    } finally {
      signal.removeEventListener('abort', onAbort);
      closing.signal.removeEventListener('abort', onAbort);
    }
  };

  return {
    request: async <T>(
      method: Method,
      route: RouteLike,
      { body, files, query, auth }: ApiRequest,
      signal: AbortSignal,
    ) => {
      try {
        return await run<T>(
          {
            fullRoute: route,
            method: RequestMethod[METHOD_NAMES[method]],
            ...(body === undefined ? {} : { body }),
            ...(files && files.length > 0 ? { files: [...files] } : {}),
            ...(query ? { query: new URLSearchParams(query) } : {}),
            ...(auth === false ? { auth: false } : {}),
          },
          signal,
        );
      } catch (error) {
        signal.throwIfAborted();
        throw toDiscordError(error, method, route, auth !== false);
      }
    },
    close: () => {
      closing.abort();
      rest.clearHandlerSweeper();
      rest.clearHashSweeper();
    },
  };
};

const METHOD_NAMES = { GET: 'Get', POST: 'Post', PUT: 'Put', PATCH: 'Patch', DELETE: 'Delete' } as const;
