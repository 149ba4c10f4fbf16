import type { StreamChunk } from '#src/core/model.ts';
import type { Clock } from '#src/infra/clock.ts';
import { createIdleGuard, type IdleGuard } from './idle-guard.ts';
import { type SseEvent, SseParser } from './sse.ts';

/** What is particular about one provider's stream. */
export interface ChunkSource {
  readonly open: (signal: AbortSignal) => Promise<Response>;
  /** What an event means. May throw. */
  readonly read: (event: SseEvent) => readonly StreamChunk[];
  /** What was thrown, in our words. */
  readonly explain: (error: unknown, signal: AbortSignal) => unknown;
  readonly idleTimeoutMs: number;
  readonly clock: Clock;
}

const END: IteratorResult<StreamChunk> = { done: true, value: undefined };

/**
 * The chunks of one request. Written by hand and not as a generator: an answer has hundreds of chunks, and
 * most of them are there already when they are asked for.
 */
class ChunkStream implements AsyncIterableIterator<StreamChunk> {
  readonly #source: ChunkSource;
  readonly #guard: IdleGuard;
  readonly #parser = new SseParser();
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #ready: readonly StreamChunk[] = [];
  #next = 0;
  #isOver = false;
  /** Thrown by an event whose predecessors are still to be handed out: their usage was spent. */
  #failure: { readonly error: unknown } | undefined;

  constructor(source: ChunkSource, signal: AbortSignal) {
    this.#source = source;
    this.#guard = createIdleGuard(signal, source.idleTimeoutMs, source.clock);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<StreamChunk>> {
    const value = this.#ready[this.#next];
    if (value === undefined) return this.#isOver ? Promise.resolve(END) : this.#fill();
    this.#next += 1;
    return Promise.resolve({ done: false, value });
  }

  /** Whoever stops reading early lets go of the connection too. */
  async return(): Promise<IteratorResult<StreamChunk>> {
    this.#end();
    await this.#reader?.cancel().catch(() => undefined);
    return END;
  }

  async #fill(): Promise<IteratorResult<StreamChunk>> {
    try {
      while (!this.#failure) {
        this.#reader ??= (await this.#source.open(this.#guard.signal)).body?.getReader();
        const read = await this.#reader?.read();
        if (!read || read.done) {
          this.#end();
          return END;
        }
        this.#guard.touch();
        this.#ready = this.#readAll(this.#parser.push(read.value));
        this.#next = 1;
        const [value] = this.#ready;
        if (value !== undefined) return { done: false, value };
      }
      throw this.#failure.error;
    } catch (error) {
      const explained = this.#source.explain(error, this.#guard.signal);
      await this.return();
      throw explained;
    }
  }

  #readAll(events: readonly SseEvent[]): readonly StreamChunk[] {
    const chunks: StreamChunk[] = [];
    try {
      for (const event of events) chunks.push(...this.#source.read(event));
    } catch (error) {
      this.#failure = { error };
    }
    return chunks;
  }

  #end(): void {
    this.#isOver = true;
    this.#ready = [];
    this.#guard.clear();
  }
}

/** Nothing is asked before the first chunk is. Abandoned half-way, it closes the connection. */
export const streamChunks = (source: ChunkSource, signal: AbortSignal): AsyncIterable<StreamChunk> => ({
  [Symbol.asyncIterator]: () => new ChunkStream(source, signal),
});
