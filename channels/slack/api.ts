import { type Logger, LogLevel, webApi } from '@slack/bolt';
import { requestText } from '#src/platform/net/http-transport.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import { ChannelError, networkReason } from '#src/kernel/errors.ts';
import { NEVER_ABORTED, withDeadline } from '#src/platform/concurrency/abort.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { Semaphore } from '#src/platform/concurrency/semaphore.ts';
import type { SlackSettings } from './settings.ts';
import type { SlackMessage } from './wire.ts';

/**
 * Bolt's log at level debug, because we report connections and failures ourselves. Bolt's debug lines are dropped,
 * because they contain messages of people.
 */
export const boltLogger = (logger: FinClawLogger): Logger => {
  const log = (...parts: readonly unknown[]): void =>
    logger.debug(
      `Slack: ${parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ')}`,
    );
  return {
    debug: () => undefined,
    info: log,
    warn: log,
    error: log,
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
};

type Arguments = Readonly<Record<string, unknown>>;

/** Slack refused a request with an error code. */
export class SlackRefusedError extends ChannelError {
  readonly slackCode: string;

  constructor(method: string, slackCode: string, needed: string | undefined) {
    const failure = OF_THE_TOKEN.has(slackCode) ? 'unreachable' : 'refused';
    super(failure, `Slack refused ${method}: ${slackCode}${needed ? ` (needs ${needed})` : ''}`);
    this.slackCode = slackCode;
  }
}

export const isRefusedWith = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof SlackRefusedError && codes.includes(error.slackCode);

/** Transient errors on Slack's side. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  'org_login_required',
  'external_channel_migrating',
]);

/** Errors about the token, not the message. The message is retried until the operator fixes the token. */
const OF_THE_TOKEN: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'missing_scope',
  'not_allowed_token_type',
  'two_factor_setup_required',
]);

const DEFAULT_RETRY_AFTER_MS = 10_000;

const limited = (method: string, retryAfterMs = DEFAULT_RETRY_AFTER_MS): ChannelError =>
  new ChannelError('rate-limited', `Slack limits ${method}`, { retryAfterMs });

const failedWithStatus = (method: string, status: number): ChannelError => {
  const isRefused = status >= 400 && status < 500 && status !== 408;
  return new ChannelError(isRefused ? 'refused' : 'unreachable', `Slack answered ${method} with ${status}`);
};

const failedWithCode = (method: string, code: string, needed: string | undefined): ChannelError => {
  if (code === 'ratelimited' || code === 'rate_limited') return limited(method);
  // Anything but a code comes from a proxy, not from Slack.
  const isCode = /^[a-z0-9_.-]{1,80}$/i.test(code);
  return TRANSIENT.has(code) || !isCode
    ? new ChannelError('unreachable', `Slack failed at ${method}: ${isCode ? code : 'no JSON'}`)
    : new SlackRefusedError(method, code, needed);
};

/** The error never contains the request, which holds messages of people. */
export const toChannelError = (method: string, error: unknown): ChannelError => {
  if (error instanceof ChannelError) return error;
  if (error instanceof webApi.WebAPIRateLimitedError) return limited(method, error.retryAfter * 1_000);
  if (error instanceof webApi.WebAPIHTTPError) return failedWithStatus(method, error.statusCode);
  if (error instanceof webApi.WebAPIPlatformError) {
    const { error: code, needed } = error.data as { readonly error: string; readonly needed?: string };
    return failedWithCode(method, code, needed);
  }
  return new ChannelError('unreachable', `Slack cannot be reached for ${method}: ${networkReason(error)}`, {
    cause: error,
  });
};

type Client = webApi.WebClient;

/** The Slack methods that the bot calls, with the types of the client. */
interface Methods {
  'assistant.threads.setSuggestedPrompts': Client['assistant']['threads']['setSuggestedPrompts'];
  'assistant.threads.setStatus': Client['assistant']['threads']['setStatus'];
  'assistant.threads.setTitle': Client['assistant']['threads']['setTitle'];
  'auth.test': Client['auth']['test'];
  'chat.appendStream': Client['chat']['appendStream'];
  'chat.delete': Client['chat']['delete'];
  'chat.postEphemeral': Client['chat']['postEphemeral'];
  'chat.postMessage': Client['chat']['postMessage'];
  'chat.startStream': Client['chat']['startStream'];
  'chat.stopStream': Client['chat']['stopStream'];
  'chat.update': Client['chat']['update'];
  'conversations.history': Client['conversations']['history'];
  'conversations.info': Client['conversations']['info'];
  'conversations.members': Client['conversations']['members'];
  'conversations.open': Client['conversations']['open'];
  'conversations.replies': Client['conversations']['replies'];
  'files.completeUploadExternal': Client['files']['completeUploadExternal'];
  'files.getUploadURLExternal': Client['files']['getUploadURLExternal'];
  'files.info': Client['files']['info'];
  'reactions.add': Client['reactions']['add'];
  'reactions.remove': Client['reactions']['remove'];
  'users.info': Client['users']['info'];
  'views.open': Client['views']['open'];
  'views.publish': Client['views']['publish'];
  'views.update': Client['views']['update'];
}
type SlackMethod = keyof Methods;
export type ArgumentsOf<M extends SlackMethod> = NonNullable<Parameters<Methods[M]>[0]>;

/** The Web API. Every failure is a `ChannelError`. Nothing is retried here: a second post would be a second message. */
export interface SlackApi {
  readonly call: <M extends SlackMethod>(method: M, args: ArgumentsOf<M>) => ReturnType<Methods[M]>;
}

/** What was sent as a message, and the answer to it. */
export type OnSent = (
  args: Pick<SlackMessage, 'ts' | 'thread_ts' | 'metadata'> & { readonly channel?: string },
  answer: { readonly ts?: string; readonly message?: SlackMessage },
) => void;

const SENDING: ReadonlySet<SlackMethod> = new Set(['chat.postMessage', 'chat.update', 'chat.stopStream']);

const POSTING: ReadonlySet<SlackMethod> = new Set(['chat.postMessage', 'chat.postEphemeral']);

const REQUEST_TIMEOUT_MS = 15_000;
const MAX_REQUESTS = 50;

/** For the SDK's own clients, which open connections. Everything else goes through `createSlackApi`. */
export const clientOptions = (
  settings: Pick<SlackSettings, 'apiUrl'>,
  logger: FinClawLogger,
): webApi.WebClientOptions => ({
  ...(settings.apiUrl === undefined ? {} : { slackApiUrl: settings.apiUrl }),
  logger: boltLogger(logger),
  // The client of the socket would use the way that the socket takes.
  fetch,
  // A failure is reported at once: the connection has its own retries, and the doctor says what is wrong.
  rejectRateLimitedCalls: true,
  retryConfig: { retries: 0 },
  timeout: REQUEST_TIMEOUT_MS,
});

const DEFAULT_API_URL = 'https://slack.com/api/';

/** Slack's own form of arguments: text as it is, everything else as JSON. */
const formOf = (args: object): string => {
  const fields: string[] = [];
  for (const [name, value] of Object.entries<unknown>({ ...args })) {
    if (value === undefined || value === null) continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    fields.push(`${name}=${encodeURIComponent(text.toWellFormed())}`);
  }
  return fields.join('&');
};

/** The fields that every answer may have. */
interface WebAnswer {
  readonly ok?: boolean;
  readonly error?: string;
  readonly needed?: string;
  readonly ts?: string;
  readonly message?: SlackMessage;
  response_metadata?: { scopes?: readonly string[] };
}

const readAnswer = (text: string): WebAnswer => {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null) return answer;
  } catch {
    // A proxy answers with a page.
  }
  return { ok: false, error: '' };
};

/**
 * One request of the Web API. The client of the SDK would take three times the CPU: it goes through web streams, two
 * queues, and writes requests and responses as text for a log that is off.
 */
const createRequest = (settings: Pick<SlackSettings, 'apiUrl' | 'botToken'>) => {
  const { apiUrl = DEFAULT_API_URL, botToken } = settings;
  const base = apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`;
  const headers = {
    authorization: `Bearer ${botToken}`,
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const places = new Semaphore(MAX_REQUESTS);
  return async (method: string, args: object): Promise<WebAnswer> => {
    const leave = await places.acquire(method, NEVER_ABORTED);
    try {
      const answer = await requestText(`${base}${method}`, {
        method: 'POST',
        headers,
        body: formOf(args),
        timeoutMs: REQUEST_TIMEOUT_MS,
      });
      const { status, text } = answer;
      if (status === 429) {
        const seconds = Number.parseInt(answer.headers['retry-after'] ?? '', 10);
        throw limited(method, Number.isNaN(seconds) ? undefined : seconds * 1_000);
      }
      if (status !== 200) throw failedWithStatus(method, status);
      const read = readAnswer(text);
      if (read.ok !== true) throw failedWithCode(method, read.error ?? '', read.needed);
      const scopes = answer.headers['x-oauth-scopes'];
      if (typeof scopes === 'string')
        read.response_metadata = {
          ...read.response_metadata,
          scopes: scopes.split(',').map((scope) => scope.trim()),
        };
      return read;
    } finally {
      leave();
    }
  };
};

/** Limits on concurrent reads and indicators, which leave places for answers even if Slack holds all of them. */
const LANES = { 'look-ups': 4, members: 4, history: 8, indicators: 24 } as const;
const LANE_OF: Readonly<Partial<Record<SlackMethod, keyof typeof LANES>>> = {
  'users.info': 'look-ups',
  'conversations.info': 'look-ups',
  'files.info': 'look-ups',
  'conversations.members': 'members',
  'conversations.history': 'history',
  'conversations.replies': 'history',
  'assistant.threads.setStatus': 'indicators',
  'reactions.add': 'indicators',
  'reactions.remove': 'indicators',
};
/** A request that would wait behind more others, or for longer, fails. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 10_000;

/** Slack counts its limits per method and chat. */
const scopeOf = (method: SlackMethod, args: object): string => {
  const { channel, channel_id: channelId }: Arguments = { ...args };
  const chat = channel ?? channelId;
  return typeof chat === 'string' ? `${method} ${chat}` : method;
};

export const createSlackApi = (
  settings: Pick<SlackSettings, 'apiUrl' | 'botToken'>,
  clock: Clock,
  /** Called with every message that was posted or edited. */
  onSent: OnSent = () => undefined,
  onPostRefused: (error: SlackRefusedError) => void = () => undefined,
): SlackApi => {
  const request = createRequest(settings);
  /** When Slack accepts requests of a scope again. */
  const closedUntilMs = new Map<string, number>();

  const refuseWhileClosed = (method: string, scope: string): void => {
    const leftMs = (closedUntilMs.get(scope) ?? 0) - clock.monotonicMs();
    if (leftMs > 0)
      throw new ChannelError('rate-limited', `Slack limits ${method}`, { retryAfterMs: Math.ceil(leftMs) });
    closedUntilMs.delete(scope);
  };

  const lanes = new Map(Object.entries(LANES).map(([name, size]) => [name, new Semaphore(size)]));

  /** Resolves when the request may be sent, with the function that frees its place. */
  const enterLane = async (method: SlackMethod): Promise<() => void> => {
    const lane = lanes.get(LANE_OF[method] ?? '');
    if (!lane) return () => undefined;
    const tooBusy = (): ChannelError =>
      new ChannelError('rate-limited', `Too many requests wait for ${method}`, { retryAfterMs: MAX_WAIT_MS });
    if (lane.waiting >= MAX_WAITING) throw tooBusy();
    const { signal, clear } = withDeadline(NEVER_ABORTED, MAX_WAIT_MS, clock, tooBusy);
    return lane.acquire(method, signal).finally(clear);
  };

  return {
    // The type of `call` ties a method to its arguments; the compiler cannot follow that into the table.
    call: (async (method: SlackMethod, args: never): Promise<unknown> => {
      const scope = scopeOf(method, args);
      refuseWhileClosed(method, scope);
      const leave = await enterLane(method);
      try {
        // A limit may have begun during the wait.
        refuseWhileClosed(method, scope);
        const answer = await request(method, args);
        if (SENDING.has(method)) onSent(args, answer);
        return answer;
      } catch (error) {
        const failure = toChannelError(method, error);
        if (failure.failure === 'rate-limited')
          closedUntilMs.set(scope, clock.monotonicMs() + (failure.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS));
        if (failure instanceof SlackRefusedError && failure.failure === 'refused' && POSTING.has(method))
          onPostRefused(failure);
        throw failure;
      } finally {
        leave();
      }
    }) as SlackApi['call'],
  };
};
