import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { waitAtMost } from '../concurrency/abort.ts';
import { readAtMost } from '../net/read-at-most.ts';
import { retry } from '../concurrency/retry.ts';
import { encodeSpans, type Resource, type Span } from './otlp.ts';
import type { Uses } from '../services.ts';

export type SpanExporter = ReturnType<typeof createExporter>;

export interface CollectorSettings {
  /** With its path. */
  readonly url: string;
  /** They may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

interface ExporterDeps extends Uses<'clock' | 'logger.warn'> {
  readonly config: CollectorSettings;
  readonly resource: Resource;
}

const MAX_WAITING = 2_048;
const MAX_BATCH = 512;
/** Spans of a quiet bot are sent together. */
const COLLECT_MS = 5_000;
const REQUEST_MS = 10_000;
const CLOSE_MS = 2_000;
const MINUTE_MS = 60_000;
const RETRY = { maxAttempts: 5, minDelayMs: 1_000, maxDelayMs: 15_000 };
/** A collector that asks for more gets the next batch instead. */
const LONGEST_WAIT_MS = 30_000;
const RETRYABLE = new Set([429, 502, 503, 504]);
/** What a collector says about a batch is short. */
const MAX_ANSWER_BYTES = 65_536;

class ExportError extends FinClawError {
  readonly isWorthRetrying: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, isWorthRetrying: boolean, retryAfterMs?: number, cause?: unknown) {
    super(message, 'TRACE_EXPORT', { cause });
    this.isWorthRetrying = isWorthRetrying;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Seconds, or a date. */
const readRetryAfter = (header: string | null, now: Temporal.Instant): number | undefined => {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now.epochMilliseconds;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), LONGEST_WAIT_MS) : undefined;
};

/** How many spans the collector rejected, and why. A batch that was accepted stays so if the rest of the answer is odd. */
const readRejected = async (
  answer: ReadableStream<Uint8Array> | null,
): Promise<{ readonly count: number; readonly why: string }> => {
  try {
    const body = new TextDecoder().decode(await readAtMost(answer, MAX_ANSWER_BYTES));
    const { partialSuccess } = JSON.parse(body) as {
      readonly partialSuccess?: { readonly rejectedSpans?: unknown; readonly errorMessage?: unknown };
    };
    const { rejectedSpans = 0, errorMessage: why } = partialSuccess ?? {};
    const count = Number(rejectedSpans);
    return { count: Number.isFinite(count) ? count : 0, why: typeof why === 'string' ? why : 'no reason' };
  } catch {
    return { count: 0, why: '' };
  }
};

/** Sends spans to a collector in batches, one at a time. A timer runs only while spans wait. */
export const createExporter = ({ config, resource, clock, logger }: ExporterDeps) => {
  let waiting: Span[] = [];
  let dropped = 0;
  let whyDropped = '';
  let cancelReport: (() => void) | undefined;
  let cancelSend: (() => void) | undefined;
  let sending: Promise<void> | undefined;
  let isClosing = false;
  const ending = new AbortController();

  const report = (): void => {
    logger.warn('Spans were dropped', { reason: whyDropped, dropped });
    dropped = 0;
  };

  const reportEachMinute = (): void => {
    if (dropped === 0) return;
    report();
    cancelReport = clock.after(MINUTE_MS, () => {
      cancelReport = undefined;
      reportEachMinute();
    });
  };

  /** The first loss is told at once, and more of them once a minute. */
  const drop = (count: number, why: string): void => {
    if (count === 0) return;
    dropped += count;
    whyDropped = why;
    if (!cancelReport) reportEachMinute();
  };

  const post = async (body: string): Promise<void> => {
    let response: Response;
    try {
      response = await fetch(config.url, {
        method: 'POST',
        headers: { ...config.headers, 'content-type': 'application/json' },
        body,
        // The headers may hold a key, which is for this address alone.
        redirect: 'manual',
        signal: AbortSignal.any([ending.signal, AbortSignal.timeout(REQUEST_MS)]),
      });
    } catch (error) {
      ending.signal.throwIfAborted();
      const { cause } = error as Error;
      const why = errorMessage(cause ?? error);
      throw new ExportError(`the collector cannot be reached: ${why}`, true, undefined, error);
    }
    if (response.ok) {
      const { count, why } = await readRejected(response.body);
      drop(count, `the collector rejected them: ${why}`);
      return;
    }
    await response.body?.cancel();
    const { status, headers } = response;
    const isElsewhere = status >= 300 && status < 400;
    const said = `the collector answered with HTTP ${status}${isElsewhere ? ', so it is at another address' : ''}`;
    const wait = readRetryAfter(headers.get('retry-after'), clock.now());
    throw new ExportError(said, RETRYABLE.has(status), wait);
  };

  const send = async (batch: readonly Span[]): Promise<void> => {
    const body = encodeSpans(batch, resource);
    try {
      await retry(
        () => post(body),
        {
          ...RETRY,
          clock,
          // The end of the program does not wait for a collector that is down.
          shouldRetry: (error) => !isClosing && error instanceof ExportError && error.isWorthRetrying,
          retryAfterMs: (error) => (error instanceof ExportError ? error.retryAfterMs : undefined),
        },
        ending.signal,
      );
    } catch (error) {
      drop(batch.length, ending.signal.aborted ? 'the program ended' : errorMessage(error));
    }
  };

  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await send(batch);
    }
  };

  const start = (): Promise<void> => {
    cancelSend?.();
    cancelSend = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
      if (waiting.length > 0) sendSoon();
    });
    return sending;
  };

  const sendSoon = (): void => {
    if (sending) return;
    if (waiting.length >= MAX_BATCH) void start();
    else cancelSend ??= clock.after(COLLECT_MS, () => void start());
  };

  return {
    /** Never waits and never throws. A span is dropped if too many wait already. */
    add: (span: Span) => {
      if (waiting.length >= MAX_WAITING) {
        drop(1, 'the collector is too slow');
        return;
      }
      waiting.push(span);
      sendSoon();
    },
    /** Sends what waits, as far as that takes two seconds. */
    close: async () => {
      isClosing = true;
      const isSent = await waitAtMost(
        start().then(() => true),
        CLOSE_MS,
        clock,
      );
      if (!isSent) {
        ending.abort(new FinClawError('The program ended', 'TRACE_EXPORT'));
        drop(waiting.length, 'the program ended');
        waiting = [];
        await sending;
      }
      cancelReport?.();
      if (dropped > 0) report();
    },
  };
};
