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
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { checkRequest, requestText } from '#src/platform/net/http-transport.ts';
import type { DiscordSettings } from './settings.ts';
import { fieldsIn } from './wire.ts';

/** The error codes of Discord that we act on. */
export const CODES = {
  unknownChannel: 10_003,
  unknownGuild: 10_004,
  unknownMember: 10_007,
  unknownMessage: 10_008,
  unknownWebhook: 10_015,
  unknownInteraction: 10_062,
  explicitContent: 20_009,
  slowmode: 20_016,
  announcementEdits: 20_022,
  channelWrites: 20_028,
  serverWrites: 20_029,
  editsOfOldMessages: 30_046,
  sendingPaused: 40_004,
  tooLarge: 40_005,
  featurePaused: 40_006,
  alreadyAcknowledged: 40_060,
  serviceLimited: 40_062,
  missingAccess: 50_001,
  messageOfOthers: 50_005,
  cannotWriteToPerson: 50_007,
  notText: 50_008,
  missingPermissions: 50_013,
  systemMessage: 50_021,
  invalidWebhookToken: 50_027,
  invalidForm: 50_035,
  fileTooLarge: 50_045,
  invalidFile: 50_046,
  invalidMessageType: 50_068,
  archivedThread: 50_083,
  fileNotFound: 50_146,
  noMutualServers: 50_278,
  overloaded: 130_000,
  mayNotReply: 160_002,
  lockedThread: 160_005,
  tooManyThreads: 160_006,
  moderatedMessage: 200_000,
  moderatedTitle: 200_001,
  harmfulLinks: 240_000,
  noUploads: 400_001,
} as const;

/** Refusals that are over some time later. */
const TEMPORARY: ReadonlySet<number | undefined> = new Set([
  CODES.slowmode,
  CODES.channelWrites,
  CODES.serverWrites,
  CODES.sendingPaused,
  CODES.featurePaused,
  CODES.serviceLimited,
  CODES.overloaded,
]);

/** A failed request. It never contains the request, whose address and body hold tokens and messages of people. */
export class DiscordError extends ChannelError {
  /** Discord's own error code, if it gave one. */
  readonly discordCode: number | undefined;
  readonly httpStatus: number | undefined;
  /** The fields of the request that Discord found to be invalid. */
  readonly invalidFields: readonly string[];

  constructor(
    failure: ChannelError['failure'],
    message: string,
    details: {
      readonly discordCode?: number | undefined;
      readonly httpStatus?: number | undefined;
      readonly retryAfterMs?: number;
      readonly invalidFields?: readonly string[];
    } = {},
  ) {
    super(failure, message, details.retryAfterMs === undefined ? {} : { retryAfterMs: details.retryAfterMs });
    this.discordCode = details.discordCode;
    this.httpStatus = details.httpStatus;
    this.invalidFields = details.invalidFields ?? [];
  }
}

export const hasCode = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof DiscordError && error.discordCode !== undefined && codes.includes(error.discordCode);

export const isRefusal = (error: unknown): boolean =>
  error instanceof ChannelError && error.failure === 'refused';

interface ApiRequest {
  readonly body?: unknown;
  readonly files?: readonly RawFile[];
  readonly query?: Readonly<Record<string, string>>;
  /** False if a token in the route authorizes the request. */
  readonly auth?: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type DiscordApi = ReturnType<typeof createApi>;

const MAX_IDLE_HANDLERS = 1_000;
const BUSY_REQUESTS = 20;
const BUSY_WINDOW_MS = 1_000;

/** Late typing indicators and reactions are useless; answers are worth a longer wait. */
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
    // With a wrong token nothing is known about the message, so it is retried until the operator fixes the token.
    const isWrongToken = httpStatus === 401 && auth;
    const failure = isWrongToken ? 'unreachable' : TEMPORARY.has(discordCode) ? 'rate-limited' : 'refused';
    return new DiscordError(failure, `Discord refused: ${discordCode ?? httpStatus} ${message} ${where}`, {
      discordCode,
      httpStatus,
      invalidFields: Object.keys(fieldsIn(fieldsIn(error.rawError)['errors'])),
    });
  }
  if (error instanceof HTTPError) {
    const { status: httpStatus } = error;
    return new DiscordError('unreachable', `Discord answered with ${httpStatus} ${where}`, { httpStatus });
  }
  return new DiscordError('unreachable', `Discord cannot be reached: ${errorMessage(error)} ${where}`);
};

/**
 * Sends requests without files over `node:http`, which takes a third of the CPU of `fetch`, and files with Node's own
 * `fetch`. The library's copy of undici fails at file uploads once another package (Slack's) has loaded a newer version.
 */
export const makeRequest: RESTOptions['makeRequest'] = async (url, { method, headers, body, signal }) => {
  const isWhole = body === undefined || body === null || typeof body === 'string';
  if (!isWhole) {
    checkRequest();
    return fetch(url, { method, headers, body, signal } as unknown as RequestInit);
  }
  const answer = await requestText(url, {
    method: method ?? 'GET',
    headers: headers as Readonly<Record<string, string>>,
    body: body ?? undefined,
    signal: signal ?? undefined,
  });
  // The library would take a redirect for a success.
  if (answer.status >= 300 && answer.status < 400) throw new Error(`redirected with ${answer.status}`);
  return {
    status: answer.status,
    statusText: '',
    ok: answer.status >= 200 && answer.status < 300,
    headers: new Headers(answer.headers as Record<string, string>),
    body: null,
    bodyUsed: false,
    text: () => Promise.resolve(answer.text),
    json: async () => JSON.parse(answer.text) as unknown,
    arrayBuffer: async () => new TextEncoder().encode(answer.text).buffer,
  };
};

/**
 * REST requests, independent of the gateway, so that answers arrive while it is down. Nothing is retried here: only the
 * caller knows whether a second request is safe.
 */
export const createApi = ({ token, apiUrl }: DiscordSettings, clock: Clock) => {
  const rest = new REST({
    ...(apiUrl === undefined ? {} : { api: apiUrl }),
    retries: 0,
    makeRequest,
    timeout: TIMEOUT_MS,
    rejectOnRateLimit: isTooLong,
  });
  const closing = new AbortController();
  /** When the latest requests began, the oldest first. */
  const begun: number[] = [];

  const run = async <T>(request: InternalRequest, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted();
    begun.push(clock.monotonicMs());
    if (begun.length > BUSY_REQUESTS) begun.shift();
    // The library's queue ignores aborts and never removes its listeners, so each request has its own signal.
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
      // After a 401 the library drops the token, although the next request may be allowed.
      rest.setToken(token);
      const response = rest.request({ ...request, signal: own.signal });
      response.catch(() => undefined);
      // The route determines the type of the body; the caller names it.
      return (await Promise.race([response, aborted])) as T;
    } finally {
      signal.removeEventListener('abort', onAbort);
      closing.signal.removeEventListener('abort', onAbort);
      // The library keeps one for each chat, for an hour.
      if (rest.handlers.size > MAX_IDLE_HANDLERS) rest.handlers.sweep(({ inactive }) => inactive);
    }
  };

  return {
    /** Waits while the chat is rate-limited. Throws `DiscordError`, or the reason of the signal. */
    request: async <T>(
      method: Method,
      route: RouteLike,
      { body, files, query, auth }: ApiRequest,
      signal: AbortSignal,
    ): Promise<T> => {
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
    /** Whether the bot comes near Discord's limit of 50 requests a second. What can wait then leaves the rest to answers. */
    isBusy: (): boolean => {
      const [oldestMs = -Infinity] = begun;
      return begun.length >= BUSY_REQUESTS && clock.monotonicMs() - oldestMs < BUSY_WINDOW_MS;
    },
    close: () => {
      closing.abort();
      rest.clearHandlerSweeper();
      rest.clearHashSweeper();
    },
  };
};

const METHOD_NAMES = { GET: 'Get', POST: 'Post', PUT: 'Put', PATCH: 'Patch', DELETE: 'Delete' } as const;
