export interface FinClawErrorOptions {
  readonly statusCode?: number;
  /** True for external causes (bad input, a network failure); false for a bug. */
  readonly isOperational?: boolean;
  readonly cause?: unknown;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The base of every error we throw. `code` is stable and machine-readable, `message` is for the log. */
export class FinClawError extends Error {
  override readonly name: string = 'FinClawError';
  readonly code: string;
  readonly statusCode: number;
  readonly isOperational: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, code: string, options: FinClawErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.statusCode = options.statusCode ?? 500;
    this.isOperational = options.isOperational ?? true;
    this.details = options.details ?? {};
  }
}

/** The message of any thrown value. An aggregate error without a message has it in its parts. */
export const errorMessage = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(errorMessage).join('; ');
  return error instanceof Error ? error.message : String(error);
};

/** What the network said. SDKs and `fetch` put words of their own around it, which say nothing. */
export const networkReason = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? networkReason(error.cause) : errorMessage(error);

/** What an operator can fix, as a sentence. Undefined for a bug of ours. */
export const operationalMessage = (error: unknown): string | undefined =>
  error instanceof FinClawError && error.isOperational ? error.message : undefined;

/** A run was ended from outside: by a person, a newer message, a deadline or the shutdown. */
export class RunAbortedError extends FinClawError {
  override readonly name = 'RunAbortedError';
  readonly kind: 'stopped' | 'shutdown' | 'timeout' | 'superseded';

  constructor(kind: RunAbortedError['kind']) {
    super(`The run was ended: ${kind}`, 'RUN_ABORTED');
    this.kind = kind;
  }
}

/** Why the engine has no answer. Each reason has its own message to the person. */
export type NoAnswerReason =
  | 'rate-limited'
  | 'unavailable'
  | 'key-refused'
  | 'too-long'
  /** The message with its attachments does not fit by itself, so a new conversation would not help. */
  | 'message-too-long'
  | 'refused'
  /** The provider refused the person's message before a model read it. */
  | 'message-refused'
  | 'empty'
  | 'user-budget'
  | 'total-budget'
  /** Other requests have reserved the rest of the budget. */
  | 'budget-busy';

/** No model gave an answer. The causes are in the log. */
export class NoAnswerError extends FinClawError {
  override readonly name = 'NoAnswerError';
  readonly reason: NoAnswerReason;
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: NoAnswerReason,
    message: string,
    options: { readonly cause?: unknown; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message, 'NO_ANSWER', { statusCode: 503, ...(options.cause ? { cause: options.cause } : {}) });
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export type ChannelFailure =
  /** A retry would fail too: the message is too long, the chat is gone, a permission is missing. */
  | 'refused'
  /** No answer, or a temporary failure. The message may have arrived nevertheless. */
  | 'unreachable'
  | 'rate-limited';

export class ChannelError extends FinClawError {
  override readonly name = 'ChannelError';
  readonly failure: ChannelFailure;
  /** The wait that the platform asked for. */
  readonly retryAfterMs: number | undefined;

  constructor(
    failure: ChannelFailure,
    message: string,
    options: { readonly cause?: unknown; readonly retryAfterMs?: number } = {},
  ) {
    super(message, 'CHANNEL_FAILED', { statusCode: 502, ...(options.cause ? { cause: options.cause } : {}) });
    this.failure = failure;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** How long the platform asked to wait before another attempt. */
export const askedToWaitMs = (error: unknown): number | undefined =>
  error instanceof ChannelError ? error.retryAfterMs : undefined;
