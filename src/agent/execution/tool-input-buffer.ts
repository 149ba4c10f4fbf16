import type { StreamChunk, ToolCall } from '#src/core/model.ts';

/** A call as the model finished it; `malformed` calls are answered with an error and never run. */
export type BufferedCall =
  | { readonly status: 'complete'; readonly call: ToolCall }
  | { readonly status: 'malformed'; readonly call: ToolCall; readonly reason: string };

interface PendingCall {
  readonly name: string;
  json: string;
}

/** Puts the arguments of tool calls together from their pieces; parallel calls may arrive interleaved. */
export class ToolInputBuffer {
  readonly #pending = new Map<string, PendingCall>();
  readonly #finished: BufferedCall[] = [];

  feed(chunk: StreamChunk): void {
    if (chunk.type === 'tool_use_start') this.#pending.set(chunk.id, { name: chunk.name, json: '' });
    if (chunk.type === 'tool_input_delta') {
      const pending = this.#pending.get(chunk.id);
      if (pending) pending.json += chunk.delta;
    }
    if (chunk.type === 'tool_use_end') this.#finish(chunk.id);
  }

  /** In the order the model finished them. A call whose end never came is not among them. */
  get calls(): readonly BufferedCall[] {
    return this.#finished;
  }

  #finish(id: string): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    const { name, json } = pending;
    try {
      // No argument text at all is how a model calls a tool without arguments.
      const input: unknown = json.trim() === '' ? {} : JSON.parse(json);
      this.#finished.push({ status: 'complete', call: { id, name, input } });
    } catch {
      const reason = `The arguments of ${name} are not valid JSON. Call it again with valid JSON.`;
      this.#finished.push({ status: 'malformed', call: { id, name, input: {} }, reason });
    }
  }
}
