import { type Logger, LogLevel, webApi } from '@slack/bolt';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { ChannelError, errorMessage } from '#src/kernel/errors.ts';
import { NEVER_ABORTED, withDeadline } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import { Semaphore } from '#src/platform/semaphore.ts';
import type { SlackSettings } from './settings.ts';

/**
 * What Bolt logs, as details of ours: we report connections and failures ourselves. Its own details are left
 * out, for they hold what people wrote.
 */
export const boltLogger = (logger: FinClawLogger): Logger => {
  const tell = (...words: readonly unknown[]): void =>
    logger.debug(
      `Slack: ${words.map((word) => (word instanceof Error ? word.message : String(word))).join(' ')}`,
    );
  return {
    debug: () => undefined,
    info: tell,
    warn: tell,
    error: tell,
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
};

type Arguments = Readonly<Record<string, unknown>>;

/** Slack said no, with a word of its own. */
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

/** Slack's own trouble: a moment later the answer may be another one. */
const PASSING: ReadonlySet<string> = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
]);

/** About the token, and not about what was sent: it is owed until the operator has mended that. */
const OF_THE_TOKEN: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'missing_scope',
]);

const DEFAULT_RETRY_AFTER_MS = 10_000;

/** Never carries the request: it holds what people wrote. */
export const toChannelError = (method: string, error: unknown): ChannelError => {
  if (error instanceof ChannelError) return error;
  if (error instanceof webApi.WebAPIRateLimitedError)
    return new ChannelError('rate-limited', `Slack limits ${method}`, {
      retryAfterMs: error.retryAfter * 1_000,
    });
  if (error instanceof webApi.WebAPIHTTPError) {
    const isRefused = error.statusCode >= 400 && error.statusCode < 500 && error.statusCode !== 408;
    return new ChannelError(
      isRefused ? 'refused' : 'unreachable',
      `Slack answered ${method} with ${error.statusCode}`,
    );
  }
  if (error instanceof webApi.WebAPIPlatformError) {
    const { error: code, needed } = error.data as { readonly error: string; readonly needed?: string };
    if (code === 'ratelimited' || code === 'rate_limited')
      return new ChannelError('rate-limited', `Slack limits ${method}`, {
        retryAfterMs: DEFAULT_RETRY_AFTER_MS,
      });
    // A page instead of JSON is a proxy's word, not Slack's.
    const isWord = /^[a-z0-9_.-]{1,80}$/i.test(code);
    return PASSING.has(code) || !isWord
      ? new ChannelError('unreachable', `Slack failed at ${method}: ${isWord ? code : 'no JSON'}`)
      : new SlackRefusedError(method, code, needed);
  }
  return new ChannelError('unreachable', `Slack cannot be reached for ${method}: ${errorMessage(error)}`, {
    cause: error,
  });
};

/** The Slack methods that the bot calls, with the types of the client. */
const methodsOf = ({
  assistant,
  auth,
  chat,
  conversations,
  files,
  reactions,
  users,
  views,
}: webApi.WebClient) => ({
  'assistant.threads.setStatus': assistant.threads.setStatus,
  'auth.test': auth.test,
  'chat.appendStream': chat.appendStream,
  'chat.delete': chat.delete,
  'chat.postEphemeral': chat.postEphemeral,
  'chat.postMessage': chat.postMessage,
  'chat.startStream': chat.startStream,
  'chat.stopStream': chat.stopStream,
  'chat.update': chat.update,
  'conversations.history': conversations.history,
  'conversations.info': conversations.info,
  'conversations.members': conversations.members,
  'conversations.open': conversations.open,
  'conversations.replies': conversations.replies,
  'files.completeUploadExternal': files.completeUploadExternal,
  'files.getUploadURLExternal': files.getUploadURLExternal,
  'files.info': files.info,
  'reactions.add': reactions.add,
  'reactions.remove': reactions.remove,
  'users.info': users.info,
  'views.open': views.open,
  'views.update': views.update,
});
type Methods = ReturnType<typeof methodsOf>;
type SlackMethod = keyof Methods;
export type ArgumentsOf<M extends SlackMethod> = NonNullable<Parameters<Methods[M]>[0]>;

/** The Web API. Every failure is a `ChannelError`; nothing is retried here, for a second post would be a second message. */
export interface SlackApi {
  readonly call: <M extends SlackMethod>(method: M, args: ArgumentsOf<M>) => ReturnType<Methods[M]>;
}

const REQUEST_TIMEOUT_MS = 15_000;
const MAX_REQUESTS = 50;

export const clientOptions = (
  settings: Pick<SlackSettings, 'apiUrl'>,
  logger: FinClawLogger,
): webApi.WebClientOptions => ({
  ...(settings.apiUrl === undefined ? {} : { slackApiUrl: settings.apiUrl }),
  logger: boltLogger(logger),
  // Otherwise a 429 of one chat holds up the requests of all.
  rejectRateLimitedCalls: true,
  retryConfig: { retries: 0 },
  timeout: REQUEST_TIMEOUT_MS,
  maxRequestConcurrency: MAX_REQUESTS,
});

/** Of the client's places, reading may take so many at once: whatever is read, answers do not wait behind it. */
const LANES = { 'look-ups': 4, members: 4, history: 8 } as const;
const LANE_OF: Readonly<Partial<Record<SlackMethod, keyof typeof LANES>>> = {
  'users.info': 'look-ups',
  'conversations.info': 'look-ups',
  'files.info': 'look-ups',
  'conversations.members': 'members',
  'conversations.history': 'history',
  'conversations.replies': 'history',
};
/** Who would have to stand behind more, or wait for longer, does without. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 10_000;

/** What a limit is counted for: a method, and the chat it is about. */
const scopeOf = (method: SlackMethod, args: object): string => {
  const { channel, channel_id: channelId }: Arguments = { ...args };
  const chat = channel ?? channelId;
  return typeof chat === 'string' ? `${method} ${chat}` : method;
};

export const createSlackApi = (
  settings: Pick<SlackSettings, 'apiUrl' | 'botToken'>,
  logger: FinClawLogger,
  clock: Clock,
): SlackApi => {
  const methods = methodsOf(new webApi.WebClient(settings.botToken, clientOptions(settings, logger)));
  /** Until when Slack does not want to hear of it again. */
  const closedUntilMs = new Map<string, number>();

  const refuseWhileClosed = (method: string, scope: string): void => {
    const leftMs = (closedUntilMs.get(scope) ?? 0) - clock.monotonicMs();
    if (leftMs > 0)
      throw new ChannelError('rate-limited', `Slack limits ${method}`, { retryAfterMs: Math.ceil(leftMs) });
    closedUntilMs.delete(scope);
  };

  const lanes = new Map(Object.entries(LANES).map(([name, size]) => [name, new Semaphore(size)]));

  /** Resolves when a request of this kind may be made, with what ends it. */
  const enterLane = async (method: SlackMethod): Promise<() => void> => {
    const lane = lanes.get(LANE_OF[method] ?? '');
    if (!lane) return () => undefined;
    const tooBusy = (): ChannelError =>
      new ChannelError('rate-limited', `Many requests wait for ${method}`, { retryAfterMs: MAX_WAIT_MS });
    if (lane.waiting >= MAX_WAITING) throw tooBusy();
    const { signal, clear } = withDeadline(NEVER_ABORTED, MAX_WAIT_MS, clock, tooBusy);
    return lane.acquire(method, signal).finally(clear);
  };

  return {
    // A method and its arguments belong together by the type of `call`; the compiler cannot follow that into the table.
    call: (async (method: SlackMethod, args: never): Promise<unknown> => {
      const scope = scopeOf(method, args);
      refuseWhileClosed(method, scope);
      const leave = await enterLane(method);
      try {
        // A limit may have begun meanwhile.
        refuseWhileClosed(method, scope);
        return await methods[method](args);
      } catch (error) {
        const failure = toChannelError(method, error);
        if (failure.failure === 'rate-limited')
          closedUntilMs.set(scope, clock.monotonicMs() + (failure.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS));
        throw failure;
      } finally {
        leave();
      }
    }) as SlackApi['call'],
  };
};
