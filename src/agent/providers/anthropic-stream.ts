import type Anthropic from '@anthropic-ai/sdk';
import { NO_USAGE, type StreamChunk, type TokenUsage } from '#src/kernel/model.ts';
import { anthropicStopReason, anthropicUsage } from '../models/provider-normalize.ts';
import { idsOf } from './provider-ids.ts';
import { failedResponse } from './sdk-errors.ts';

interface ErrorEvent {
  readonly type: 'error';
  readonly error?: { readonly type?: string; readonly message?: string };
}

/** Beside these come pings, and whatever is newer than this program. */
type WireEvent = Anthropic.RawMessageStreamEvent | ErrorEvent;

type OpenBlock =
  | { readonly kind: 'text' }
  | { readonly kind: 'call'; readonly id: string }
  | { readonly kind: 'thinking'; text: string; signature: string }
  | { readonly kind: 'redacted'; readonly data: string };

/** Turns the events of one stream into chunks. Throws on an error inside the stream, which has no HTTP status. */
export class AnthropicEventReader {
  readonly #model: string;
  readonly #open = new Map<number, OpenBlock>();
  #usage: TokenUsage = NO_USAGE;
  #stopReason: string | null = null;

  constructor(model: string) {
    this.#model = model;
  }

  read(data: string): readonly StreamChunk[] {
    const event = JSON.parse(data) as WireEvent;
    switch (event.type) {
      case 'content_block_delta':
        return this.#delta(event);
      case 'content_block_start':
        return this.#start(event);
      case 'content_block_stop':
        return this.#stop(event.index);
      case 'message_start':
        this.#usage = anthropicUsage(event.message.usage, this.#usage);
        return [
          { type: 'message_start', ...idsOf(undefined, event.message.id) },
          { type: 'usage', usage: this.#usage },
        ];
      case 'message_delta':
        this.#stopReason = event.delta.stop_reason;
        this.#usage = anthropicUsage(event.usage, this.#usage);
        return [{ type: 'usage', usage: this.#usage }];
      case 'message_stop':
        return [{ type: 'done', stopReason: anthropicStopReason(this.#stopReason) }];
      case 'error':
        throw failedResponse('anthropic, in the stream', event.error);
      default:
        return [];
    }
  }

  #start(event: Anthropic.RawContentBlockStartEvent): readonly StreamChunk[] {
    const { index, content_block: block } = event;
    if (block.type === 'tool_use') {
      this.#open.set(index, { kind: 'call', id: block.id });
      return [{ type: 'tool_use_start', id: block.id, name: block.name }];
    }
    if (block.type === 'thinking') this.#open.set(index, { kind: 'thinking', text: '', signature: '' });
    if (block.type === 'redacted_thinking') this.#open.set(index, { kind: 'redacted', data: block.data });
    if (block.type === 'text') this.#open.set(index, { kind: 'text' });
    return [];
  }

  #delta({ index, delta }: Anthropic.RawContentBlockDeltaEvent): readonly StreamChunk[] {
    if (delta.type === 'text_delta') return [{ type: 'text_delta', text: delta.text }];
    const open = this.#open.get(index);
    if (delta.type === 'input_json_delta' && open?.kind === 'call')
      return [{ type: 'tool_input_delta', id: open.id, delta: delta.partial_json }];
    if (open?.kind !== 'thinking') return [];
    if (delta.type === 'signature_delta') open.signature += delta.signature;
    if (delta.type !== 'thinking_delta') return [];
    open.text += delta.thinking;
    return [{ type: 'thinking_delta', text: delta.thinking }];
  }

  #stop(index: number): readonly StreamChunk[] {
    const open = this.#open.get(index);
    this.#open.delete(index);
    if (open?.kind === 'call') return [{ type: 'tool_use_end', id: open.id }];
    if (open?.kind === 'redacted') return [this.#thought('', { type: 'redacted_thinking', data: open.data })];
    if (open?.kind !== 'thinking') return [];
    const opaque = { type: 'thinking', thinking: open.text, signature: open.signature };
    return [this.#thought(open.text, opaque)];
  }

  #thought(text: string, opaque: unknown): StreamChunk {
    return { type: 'thinking_end', block: { type: 'thinking', model: this.#model, text, opaque } };
  }
}
