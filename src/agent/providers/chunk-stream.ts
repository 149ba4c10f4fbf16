import type { IncomingMessage } from 'node:http';
import { FinClawError } from '#src/kernel/errors.ts';
import type { StreamChunk } from '#src/kernel/agent/model.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { FailoverError } from '../errors.ts';
import { createIdleGuard, type IdleGuard } from './idle-guard.ts';
import { requestIdIn } from './request-ids.ts';

const LINE_ENDS = /\r\n?/g;

/** The data of one server-sent event. The event name is ignored, because the data contains its type. */
const parseBlock = (block: string): string | undefined => {
  let data: string | undefined;
  for (const line of block.split('\n')) {
    if (!line.startsWith('data:')) continue;
    const value = line.charCodeAt(5) === 32 ? line.slice(6) : line.slice(5);
    data = data === undefined ? value : `${data}\n${value}`;
  }
  return data === '' ? undefined : data;
};

const eventsIn = (text: string): readonly string[] =>
  text.split('\n\n').flatMap((block) => parseBlock(block) ?? []);

/** Splits a body into events, however its bytes arrive. */
export class SseParser {
  readonly #decoder = new TextDecoder();
  #rest = '';
  /** A line feed that comes next is the second half of a line end. */
  #isAfterReturn = false;

  /** Returns the data of events that these bytes completed: a blank line follows them. */
  push(bytes: Uint8Array): readonly string[] {
    const piece = this.#decoder.decode(bytes, { stream: true });
    if (piece === '') return [];
    const text = this.#rest + this.#inLines(piece);
    const end = text.lastIndexOf('\n\n');
    this.#rest = end < 0 ? text : text.slice(end + 2);
    return end < 0 ? [] : eventsIn(text.slice(0, end));
  }

  /** Returns the event that the end of the body left without a blank line. It may be cut off. */
  end(): readonly string[] {
    const rest = this.#rest;
    this.#rest = '';
    return eventsIn(rest);
  }

  #inLines(piece: string): string {
    const text = this.#isAfterReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.#isAfterReturn = piece.endsWith('\r');
    return text.includes('\r') ? text.replaceAll(LINE_ENDS, '\n') : text;
  }
}

/** Converts the events of one stream to chunks. */
export interface EventReader {
  /** May throw. */
  readonly read: (data: string) => readonly StreamChunk[];
  /**
   * The chunks that end the answer, if no event is missing from it. `isMarked`: the server said that this is
   * all. Otherwise the body ended, or what came next cannot be read.
   */
  readonly end: (isMarked: boolean) => readonly StreamChunk[];
}

/** The provider-specific part of a stream. */
interface ChunkSource {
  /** Sends the request; undefined if the answer is no stream. */
  readonly open: (signal: AbortSignal) => Promise<IncomingMessage | undefined>;
  readonly reader: EventReader;
  /** Maps a thrown error to ours. */
  readonly explain: (error: unknown, signal: AbortSignal) => unknown;
  readonly idleTimeoutMs: number;
  readonly clock: Clock;
}

/** Ends the streams of OpenAI's older API, and of servers that are compatible with any other. */
const END_MARK = '[DONE]';

/** Time for a connection to close after the last event. */
const LINGER_MS = 2_000;

/** A malformed event is the provider's fault. */
const unreadable = (): FailoverError =>
  // The cause is omitted, because a JSON parse error quotes the text, and errors are logged.
  new FailoverError('An event of the stream cannot be read', 'server-error');

const END: IteratorResult<StreamChunk> = { done: true, value: undefined };

/**
 * The chunks of one request. Not a generator, for speed: an answer has hundreds of chunks, most of which are
 * already buffered when requested.
 */
class ChunkStream implements AsyncIterableIterator<StreamChunk> {
  readonly #source: ChunkSource;
  readonly #signal: AbortSignal;
  readonly #guard: IdleGuard;
  readonly #parser = new SseParser();
  #body: IncomingMessage | undefined;
  #isOpen = false;
  #ready: StreamChunk[] = [];
  #next = 0;
  /** The end of the body. Buffered chunks are delivered first, because their usage was spent. */
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(source: ChunkSource, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
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

  /** A reader that stops early releases the connection too. */
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
        this.#signal.throwIfAborted();
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
    // The SDK stops listening once its response is garbage-collected, and nobody holds it.
    signal.addEventListener('abort', () => {
      this.#finish({ error: signal.reason });
      this.#body?.destroy();
    });
    this.#body?.on('data', (bytes: Buffer) => this.#take(bytes));
    this.#body?.once('end', () => {
      this.#readAll(this.#parser.end(), true);
      this.#finish({});
    });
    this.#body?.once('error', (error) => this.#finish({ error }));
    // A truncated body emits an error; this handles one that closes silently.
    this.#body?.once('close', () => this.#finish({}));
  }

  #take(bytes: Buffer): void {
    // Chunks after a whole answer do not matter.
    if (this.#end) return;
    this.#guard.touch();
    if (this.#next === this.#ready.length) {
      this.#ready = [];
      this.#next = 0;
    }
    this.#readAll(this.#parser.push(bytes));
    this.#wake?.();
  }

  /** Reads events up to the one that ends the answer. */
  #readAll(events: readonly string[], mayBeCut = false): void {
    for (const event of events) {
      if (this.#end) return;
      try {
        const isMark = event.trim() === END_MARK;
        this.#ready.push(...(isMark ? this.#source.reader.end(true) : this.#source.reader.read(event)));
        if (isMark || this.#ready.at(-1)?.type === 'done') this.#end = {};
      } catch (error) {
        if (error instanceof FinClawError) this.#finish({ error });
        else if (!mayBeCut) this.#finish({ error: unreadable() });
      }
    }
  }

  /** Whatever ends the connection, an answer that is whole by then stays so. */
  #finish(end: { readonly error?: unknown }): void {
    if (!this.#end) {
      const last = this.#source.reader.end(false);
      this.#ready.push(...last);
      this.#end = last.length > 0 ? {} : end;
    }
    this.#wake?.();
  }

  #close(): void {
    const body = this.#body;
    const isWhole = this.#isOpen && this.#end !== undefined && !('error' in this.#end) && body !== undefined;
    this.#ready = [];
    // Errors after the last reader left are ignored.
    body?.on('error', () => undefined);
    if (!isWhole) {
      this.#guard.abandon();
      body?.destroy();
      return;
    }
    this.#guard.clear();
    if (body.complete || body.destroyed) return;
    // Let the body end, so that the connection can be reused.
    const cancel = this.#source.clock.after(LINGER_MS, () => body.destroy());
    body.once('close', cancel);
  }
}

/** Sends the request with the first read. Closes the connection if the reader stops early. */
export const streamChunks = (source: ChunkSource, signal: AbortSignal): AsyncIterable<StreamChunk> => ({
  [Symbol.asyncIterator]: () => new ChunkStream(source, signal),
});

/** A non-streamed answer sends nothing until it is finished, so it gets a longer idle timeout. */
const PATIENCE = 4;

/** Sends a request whose answer comes in one piece. Rejects with our errors, at the latest on an idle timeout. */
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
