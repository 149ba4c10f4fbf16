import Anthropic, {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIUserAbortError,
} from '@anthropic-ai/sdk';
import {
  type ContentBlock,
  type ImageBlock,
  NO_USAGE,
  type StreamChunk,
  type TokenUsage,
} from '#src/kernel/agent/model.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';
import type { AdapterOptions, ProviderAdapter, ProviderRequest } from './adapter.ts';
import {
  type ApiTurn,
  imageNote,
  resultText,
  safeId,
  safeInput,
  safeText,
  safeToolName,
  toTurns,
} from './api-turns.ts';
import { anthropicStopReason, anthropicUsage, argumentText, wordsIn } from '../models/provider-normalize.ts';
import { createBodyWriter } from './request-body.ts';
import { idsOf } from './request-ids.ts';
import { clientOptions, sdkAdapter } from './sdk-adapter.ts';
import { failedResponse } from './sdk-errors.ts';

const CACHED = { type: 'ephemeral' } as const;

const imageParam = (block: ImageBlock, canSee: boolean): Anthropic.ContentBlockParam => {
  const note = imageNote(block, canSee);
  if (note !== undefined) return { type: 'text', text: note };
  const media_type = block.mimeType as Anthropic.Base64ImageSource['media_type'];
  return { type: 'image', source: { type: 'base64', media_type, data: block.base64 } };
};

/** Only fields of the API: our own fields of a block (`malformed`, `facts`) are not sent. */
const blockParam = (
  block: ContentBlock,
  request: ProviderRequest,
): readonly Anthropic.ContentBlockParam[] => {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: safeText(block.text) }];
    case 'image':
      return [imageParam(block, request.traits.vision)];
    case 'thinking':
      return [block.opaque as Anthropic.ThinkingBlockParam];
    case 'tool_use':
      return [
        {
          type: 'tool_use',
          id: safeId(block.id),
          name: safeToolName(block.name),
          input: safeInput(block.input),
        },
      ];
    case 'tool_result':
      break;
  }
  return [
    {
      type: 'tool_result',
      tool_use_id: safeId(block.toolUseId),
      content: resultText(block),
      ...(block.isError ? { is_error: true } : {}),
    },
  ];
};

const toMessages = (turns: readonly ApiTurn[], request: ProviderRequest): Anthropic.MessageParam[] =>
  turns.map(({ side, blocks }) => ({
    role: side,
    content: blocks.flatMap((block) => blockParam(block, request)),
  }));

/** The API rejects a trailing space in an answer that it should continue. */
const trimLast = (messages: readonly Anthropic.MessageParam[]): void => {
  const last = messages.at(-1);
  const block = last?.role === 'assistant' && Array.isArray(last.content) ? last.content.at(-1) : undefined;
  if (block?.type === 'text') block.text = block.text.trimEnd();
};

/**
 * Marks the end of the newest user turn and of the one before it. The first writes the cache for the next
 * request. The second is where the last request wrote it, so that it is found whatever number of blocks
 * followed: the API looks back only twenty.
 */
const markCached = (messages: readonly Anthropic.MessageParam[]): void => {
  for (const { content } of messages.filter(({ role }) => role === 'user').slice(-2)) {
    const last = Array.isArray(content) ? content.at(-1) : undefined;
    if (last) (last as Anthropic.TextBlockParam).cache_control = CACHED;
  }
};

/** The same tools go with every message. */
const converted = new WeakMap<readonly ToolDefinition[], Anthropic.Tool[]>();

const toTools = (tools: readonly ToolDefinition[]): Anthropic.Tool[] =>
  converted.getOrInsertComputed(tools, convertTools);

const convertTools = (tools: readonly ToolDefinition[]): Anthropic.Tool[] =>
  tools.map((tool, index) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.inputSchema as Anthropic.Tool.InputSchema,
    ...(index === tools.length - 1 ? { cache_control: CACHED } : {}),
  }));

/**
 * Builds the API request. The stable part comes first, byte for byte the same: tools, system prompt,
 * conversation. Four cache marks delimit it.
 */
export const toAnthropicRequest = (request: ProviderRequest): Anthropic.MessageCreateParamsNonStreaming => {
  const messages = toMessages(toTurns(request.messages, request.model.model), request);
  trimLast(messages);
  markCached(messages);
  return {
    model: request.model.model,
    max_tokens: request.maxTokens,
    ...(request.tools.length > 0 ? { tools: toTools(request.tools) } : {}),
    ...(request.systemPrompt === ''
      ? {}
      : { system: [{ type: 'text' as const, text: safeText(request.systemPrompt), cache_control: CACHED }] }),
    messages,
    ...(request.toolChoice === 'none' && request.tools.length > 0
      ? { tool_choice: { type: 'none' as const } }
      : {}),
    ...(request.traits.thinking === 'adaptive'
      ? { thinking: { type: 'adaptive' as const, display: 'summarized' as const } }
      : {}),
    // The current API has no temperature, but compatible servers do: only a configured model has one.
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
  };
};

interface ErrorEvent {
  readonly type: 'error';
  readonly error?: { readonly type?: string; readonly message?: string };
}

/** Pings and unknown newer events arrive too. */
type WireEvent = Anthropic.RawMessageStreamEvent | ErrorEvent;

type OpenBlock =
  | { readonly kind: 'text' }
  | { readonly kind: 'call'; readonly id: string; input: unknown }
  | { readonly kind: 'thinking'; text: string; signature: string }
  | { readonly kind: 'redacted'; readonly data: string };

/** Converts the events of one stream to chunks. Throws on an error inside the stream, which has no HTTP status. */
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

  /** A stop reason says that the answer is whole: the event behind it may be missing. */
  end(): readonly StreamChunk[] {
    if (this.#stopReason === null || this.#open.size > 0) return [];
    return [{ type: 'done', stopReason: anthropicStopReason(this.#stopReason) }];
  }

  #start(event: Anthropic.RawContentBlockStartEvent): readonly StreamChunk[] {
    const { index, content_block: block } = event;
    if (block.type === 'tool_use') {
      this.#open.set(index, { kind: 'call', id: block.id, input: block.input });
      return [{ type: 'tool_use_start', id: block.id, name: block.name }];
    }
    if (block.type === 'thinking') this.#open.set(index, { kind: 'thinking', text: '', signature: '' });
    if (block.type === 'redacted_thinking') this.#open.set(index, { kind: 'redacted', data: block.data });
    if (block.type === 'text') this.#open.set(index, { kind: 'text' });
    return [];
  }

  #delta({ index, delta }: Anthropic.RawContentBlockDeltaEvent): readonly StreamChunk[] {
    if (delta.type === 'text_delta') return [{ type: 'text_delta', text: wordsIn(delta.text) }];
    const open = this.#open.get(index);
    if (delta.type === 'input_json_delta' && open?.kind === 'call') {
      const piece = argumentText(delta.partial_json);
      if (piece !== '') open.input = undefined;
      return [{ type: 'tool_input_delta', id: open.id, delta: piece }];
    }
    if (open?.kind !== 'thinking') return [];
    if (delta.type === 'signature_delta') open.signature += wordsIn(delta.signature);
    if (delta.type !== 'thinking_delta') return [];
    const text = wordsIn(delta.thinking);
    open.text += text;
    return [{ type: 'thinking_delta', text }];
  }

  #stop(index: number): readonly StreamChunk[] {
    const open = this.#open.get(index);
    this.#open.delete(index);
    if (open?.kind === 'call') {
      const { id } = open;
      // Input that came in no pieces came at the beginning.
      const delta = argumentText(open.input);
      return [
        ...(delta === '' || delta === '{}' ? [] : [{ type: 'tool_input_delta' as const, id, delta }]),
        { type: 'tool_use_end', id },
      ];
    }
    if (open?.kind === 'redacted') return [this.#thought('', { type: 'redacted_thinking', data: open.data })];
    if (open?.kind !== 'thinking') return [];
    const opaque = { type: 'thinking', thinking: open.text, signature: open.signature };
    return [this.#thought(open.text, opaque)];
  }

  #thought(text: string, opaque: unknown): StreamChunk {
    return { type: 'thinking_end', block: { type: 'thinking', model: this.#model, text, opaque } };
  }
}

/** The adapter for Claude. */
export const anthropic = (options: AdapterOptions): ProviderAdapter => {
  const client = new Anthropic({ ...clientOptions(options), authToken: null });
  const write = createBodyWriter();
  return sdkAdapter(options, {
    provider: 'anthropic',
    errors: {
      timeout: APIConnectionTimeoutError,
      connection: APIConnectionError,
      userAbort: APIUserAbortError,
    },
    modelNames: /^claude-/,
    readerFor: ({ model }) => new AnthropicEventReader(model.model),
    openStream: (request, signal) => {
      const params = { ...toAnthropicRequest(request), stream: true } as const;
      return client.messages.create(params, { signal, ...write(params, request) }).asResponse();
    },
    complete: (request, signal) => client.messages.create(toAnthropicRequest(request), { signal }),
    listModels: async (signal) => client.models.list({ limit: 1 }, { signal }),
  });
};
