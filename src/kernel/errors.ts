export interface FinClawErrorOptions {
  readonly statusCode?: number;
  /** True for what the world does to us (bad input, a network fault); false for a bug of ours. */
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

/** What a thrown value says, whatever was thrown. Several errors at once often say it only in their parts. */
export const errorMessage = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(errorMessage).join('; ');
  return error instanceof Error ? error.message : String(error);
};

/** Why a run was ended from outside: a person asked for it, or the process is going down. */
export class RunAbortedError extends FinClawError {
  override readonly name = 'RunAbortedError';
  readonly kind: 'stopped' | 'shutdown' | 'timeout' | 'superseded';

  constructor(kind: RunAbortedError['kind']) {
    super(`The run was ended: ${kind}`, 'RUN_ABORTED');
    this.kind = kind;
  }
}

/** Why the engine has no answer, in the words on which the sentence to the person depends. */
export type NoAnswerReason =
  | 'rate-limited'
  | 'unavailable'
  | 'key-refused'
  | 'too-long'
  /** The person's message alone does not fit, with what came with it: a new conversation would not help. */
  | 'message-too-long'
  | 'refused'
  /** The provider refused the person's message before a model read it. */
  | 'message-refused'
  | 'empty'
  | 'user-budget'
  | 'total-budget'
  /** Requests under way have reserved what is left. */
  | 'budget-busy';

/** No model gave an answer. The log has the causes; the person gets one sentence and, where known, when to try again. */
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

/** Why a platform did not take something. */
export type ChannelFailure =
  /** It said no, and will say no again: the message is too long, the chat is gone, a permission is missing. */
  | 'refused'
  /** No answer, or one that a moment later may be another. It may have arrived all the same. */
  | 'unreachable'
  | 'rate-limited';

export class ChannelError extends FinClawError {
  override readonly name = 'ChannelError';
  readonly failure: ChannelFailure;
  /** How long the platform asks to wait. */
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
