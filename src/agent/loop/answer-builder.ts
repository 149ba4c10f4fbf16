import type {
  ContentBlock,
  ConversationMessage,
  StopReason,
  StreamChunk,
  ToolCall,
} from '#src/kernel/agent/model.ts';

/** A finished call. `malformed` calls are answered with an error and never run. */
export type BufferedCall =
  | { readonly status: 'complete'; readonly call: ToolCall }
  | { readonly status: 'malformed'; readonly call: ToolCall; readonly reason: string };

interface PendingCall {
  readonly name: string;
  json: string;
}

/** Assembles the arguments of tool calls from their pieces. Pieces of parallel calls may be interleaved. */
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

  /** The finished calls, in the order in which they ended. */
  get calls(): readonly BufferedCall[] {
    return this.#finished;
  }

  #finish(id: string): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    const { name, json } = pending;
    try {
      // A call without arguments has no argument text.
      const input: unknown = json.trim() === '' ? {} : JSON.parse(json);
      this.#finished.push({ status: 'complete', call: { id, name, input } });
    } catch {
      const reason = `The arguments of ${name} are not valid JSON. Call it again with valid JSON.`;
      this.#finished.push({ status: 'malformed', call: { id, name, input: {} }, reason });
    }
  }
}

const CUT_OFF =
  'The call was cut off by the length limit of the answer. Call it again, with less text before it.';

type Slot =
  | { readonly kind: 'text'; pieces: string }
  | { readonly kind: 'call'; readonly id: string }
  | { readonly kind: 'block'; readonly block: ContentBlock };

/** Assembles one answer from its chunks. Its parts are in the order in which they began. */
export class AnswerBuilder {
  readonly #slots: Slot[] = [];
  readonly #calls = new ToolInputBuffer();
  #received = '';

  feed(chunk: StreamChunk): void {
    this.#calls.feed(chunk);
    switch (chunk.type) {
      case 'text_delta': {
        this.#received += chunk.text;
        const last = this.#slots.at(-1);
        if (last?.kind === 'text') last.pieces += chunk.text;
        else this.#slots.push({ kind: 'text', pieces: chunk.text });
        break;
      }
      case 'tool_use_start':
        this.#slots.push({ kind: 'call', id: chunk.id });
        break;
      case 'thinking_end':
        this.#slots.push({ kind: 'block', block: chunk.block });
        break;
      case 'thinking_delta':
        this.#received += chunk.text;
        break;
      case 'tool_input_delta':
        this.#received += chunk.delta;
        break;
      case 'message_start':
      case 'tool_use_end':
      case 'usage':
      case 'done':
        break;
    }
  }

  /** All output so far, shown or not: the minimum that a failed request has cost. */
  get received(): string {
    return this.#received;
  }

  /**
   * The whole answer, without calls that never ended. Undefined for an empty answer or thinking alone. After a
   * cut at the length limit no call may run, because any may be incomplete.
   */
  finish(stopReason: StopReason): ConversationMessage | undefined {
    const calls = new Map(this.#calls.calls.map((entry) => [entry.call.id, entry]));
    const content = this.#slots.flatMap((slot): readonly ContentBlock[] => {
      if (slot.kind === 'block') return [slot.block];
      if (slot.kind === 'text') return slot.pieces.trim() === '' ? [] : [{ type: 'text', text: slot.pieces }];
      const entry = calls.get(slot.id);
      if (!entry) return [];
      const malformed =
        stopReason === 'max_tokens' ? CUT_OFF : entry.status === 'malformed' ? entry.reason : undefined;
      return [{ type: 'tool_use', ...entry.call, ...(malformed === undefined ? {} : { malformed }) }];
    });
    if (content.every((block) => block.type === 'thinking')) return undefined;
    return { role: 'assistant', content, ...(stopReason === 'pause_turn' ? { isPaused: true } : {}) };
  }
}
