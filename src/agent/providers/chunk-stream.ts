import type { IncomingMessage } from 'node:http';
import { FinClawError } from '#src/kernel/errors.ts';
import type { StreamChunk } from '#src/kernel/model.ts';
import type { Clock } from '#src/platform/clock.ts';
import { FailoverError } from '../errors.ts';
import { createIdleGuard, type IdleGuard } from './idle-guard.ts';
import { requestIdIn } from './request-ids.ts';

const LINE_ENDS = /\r\n?/g;

/** The data of one server-sent event. Its name is not read: the data names its type too. */
const parseBlock = (block: string): string | undefined => {
  let data: string | undefined;
  for (const line of block.split('\n')) {
    if (!line.startsWith('data:')) continue;
    const value = line.charCodeAt(5) === 32 ? line.slice(6) : line.slice(5);
    data = data === undefined ? value : `${data}\n${value}`;
  }
  return data === '' ? undefined : data;
};

/**
 * Takes a body apart, however its bytes are cut. An event is one only when a blank line has closed it: what
 * a body ends with was cut off, and never comes out.
 */
export class SseParser {
  readonly #decoder = new TextDecoder();
  #rest = '';

  /** The data of the events that these bytes completed. */
  push(bytes: Uint8Array): readonly string[] {
    let text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    let half = '';
    if (text.includes('\r')) {
      // A carriage return at the end may be half of a line end: it waits for what follows.
      if (text.endsWith('\r')) half = '\r';
      text = text.slice(0, text.length - half.length).replaceAll(LINE_ENDS, '\n');
    }
    const end = text.lastIndexOf('\n\n');
    if (end < 0) {
      this.#rest = text + half;
      return [];
    }
    this.#rest = text.slice(end + 2) + half;
    const events: string[] = [];
    for (const block of text.slice(0, end).split('\n\n')) {
      const event = parseBlock(block);
      if (event !== undefined) events.push(event);
    }
    return events;
  }
}

/** What is particular about one provider's stream. */
interface ChunkSource {
  /** Sends the request; undefined where the answer is no stream. */
  readonly open: (signal: AbortSignal) => Promise<IncomingMessage | undefined>;
  /** What an event means. May throw. */
  readonly read: (data: string) => readonly StreamChunk[];
  /** What was thrown, in our words. */
  readonly explain: (error: unknown, signal: AbortSignal) => unknown;
  readonly idleTimeoutMs: number;
  readonly clock: Clock;
}

/** How long a connection may take to end behind the last event. */
const LINGER_MS = 2_000;

/** An event that is not what its API says is the provider's fault, not ours. */
const unreadable = (): FailoverError =>
  // Without its cause: what JSON cannot parse, it quotes, and errors are logged.
  new FailoverError('An event of the stream cannot be read', 'server-error');

const END: IteratorResult<StreamChunk> = { done: true, value: undefined };

/**
 * The chunks of one request. Written by hand and not as a generator: an answer has hundreds of chunks, and
 * most of them are there already when they are asked for.
 */
class ChunkStream implements AsyncIterableIterator<StreamChunk> {
  readonly #source: ChunkSource;
  readonly #guard: IdleGuard;
  readonly #parser = new SseParser();
  #body: IncomingMessage | undefined;
  #isOpen = false;
  #ready: StreamChunk[] = [];
  #next = 0;
  /** How the body ended. What came before it is handed out first: its usage was spent. */
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(source: ChunkSource, signal: AbortSignal) {
    this.#source = source;
    this.#guard = createIdleGuard(signal, source.idleTimeoutMs, source.clock);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<StreamChunk>> {
    const value = this.#ready[this.#next];
    if (value === undefined) return this.#fill();
    this.#next += 1;
    return Promise.resolve({ done: false, value });
  }

  /** Whoever stops reading early lets go of the connection too. */
  async return(): Promise<IteratorResult<StreamChunk>> {
    this.#close();
    this.#end ??= {};
    this.#wake?.();
    return END;
  }

  async #fill(): Promise<IteratorResult<StreamChunk>> {
    try {
      if (!this.#isOpen) await this.#open();
      for (;;) {
        this.#guard.signal.throwIfAborted();
        const value = this.#ready[this.#next];
        if (value !== undefined) {
          this.#next += 1;
          return { done: false, value };
        }
        if (this.#end) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if ('error' in this.#end) throw this.#end.error;
      this.#close();
      return END;
    } catch (error) {
      const explained = this.#source.explain(error, this.#guard.signal);
      this.#close();
      throw explained;
    }
  }

  async #open(): Promise<void> {
    this.#isOpen = true;
    const { signal } = this.#guard;
    this.#body = await this.#source.open(signal);
    if (!this.#body) this.#end = {};
    const requestId = requestIdIn((name) => this.#body?.headers[name]);
    if (requestId !== undefined) this.#ready.push({ type: 'message_start', requestId });
    // Not left to the SDK: it stops listening as soon as its response, which nobody keeps, is collected.
    signal.addEventListener('abort', () => {
      this.#finish({ error: signal.reason });
      this.#body?.destroy();
    });
    this.#body?.on('data', (bytes: Buffer) => this.#take(bytes));
    this.#body?.once('end', () => this.#finish({}));
    this.#body?.once('error', (error) => this.#finish({ error }));
    // A body that was cut off says so by an error; this is for one that says nothing at all.
    this.#body?.once('close', () => this.#finish({}));
  }

  #take(bytes: Buffer): void {
    this.#guard.touch();
    if (this.#next === this.#ready.length) {
      this.#ready = [];
      this.#next = 0;
    }
    try {
      for (const event of this.#parser.push(bytes)) this.#ready.push(...this.#source.read(event));
      // The answer is whole: what the connection still brings, or does not, is of no interest.
      if (this.#ready.at(-1)?.type === 'done') this.#finish({});
    } catch (error) {
      this.#finish({ error: error instanceof FinClawError ? error : unreadable() });
    }
    this.#wake?.();
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#wake?.();
  }

  #close(): void {
    const body = this.#body;
    const isWhole = this.#isOpen && this.#end !== undefined && !('error' in this.#end) && body !== undefined;
    this.#ready = [];
    // An error of a connection that nobody listens to any more is nobody's.
    body?.on('error', () => undefined);
    if (!isWhole) {
      this.#guard.abandon();
      body?.destroy();
      return;
    }
    this.#guard.clear();
    if (body.complete) return;
    // A moment for the end of the body, so that the connection can be used again.
    const cancel = this.#source.clock.after(LINGER_MS, () => body.destroy());
    body.once('close', cancel);
  }
}

/** Nothing is asked before the first chunk is. Abandoned half-way, it closes the connection. */
export const streamChunks = (source: ChunkSource, signal: AbortSignal): AsyncIterable<StreamChunk> => ({
  [Symbol.asyncIterator]: () => new ChunkStream(source, signal),
});

/** An answer in one piece brings nothing before it is finished: it may be silent longer than a stream. */
const PATIENCE = 4;

/** Sends a request whose answer comes in one piece. Rejects in our words, and not later than a stall is one. */
export const completeAnswer = async <T>(
  send: (signal: AbortSignal) => Promise<T>,
  { idleTimeoutMs, clock, explain }: Pick<ChunkSource, 'idleTimeoutMs' | 'clock' | 'explain'>,
  signal: AbortSignal,
): Promise<T> => {
  const guard = createIdleGuard(signal, PATIENCE * idleTimeoutMs, clock);
  try {
    return await send(guard.signal);
  } catch (error) {
    throw explain(error, guard.signal);
  } finally {
    guard.clear();
  }
};
