import type OpenAI from 'openai';
import { createHash } from 'node:crypto';
import type { ContentBlock, StreamChunk } from '#src/kernel/agent/model.ts';
import { argumentText, openAiUsage, responseStopReason, wordsIn } from '../models/provider-normalize.ts';
import type { ProviderRequest } from './adapter.ts';
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
import { idsOf } from './request-ids.ts';
import { failedResponse } from './sdk-errors.ts';

type Item = OpenAI.Responses.ResponseInputItem;
type Part = OpenAI.Responses.ResponseInputContent;

const inputPart = (block: ContentBlock, canSee: boolean): readonly Part[] => {
  if (block.type === 'text') return [{ type: 'input_text', text: safeText(block.text) }];
  if (block.type !== 'image') return [];
  const note = imageNote(block, canSee);
  if (note !== undefined) return [{ type: 'input_text', text: note }];
  return [
    { type: 'input_image', detail: 'auto', image_url: `data:${block.mimeType};base64,${block.base64}` },
  ];
};

const userItems = (blocks: readonly ContentBlock[], request: ProviderRequest): readonly Item[] => {
  const results = blocks.flatMap((block): readonly Item[] =>
    block.type === 'tool_result'
      ? [
          {
            type: 'function_call_output',
            call_id: safeId(block.toolUseId),
            output: block.isError ? `Error: ${resultText(block)}` : resultText(block),
          },
        ]
      : [],
  );
  const content = blocks.flatMap((block) => inputPart(block, request.traits.vision));
  return [...results, ...(content.length > 0 ? [{ role: 'user' as const, content }] : [])];
};

/** The provider stores nothing, so it can read back only encrypted reasoning. */
const isEncrypted = (opaque: unknown): boolean =>
  typeof (opaque as { readonly encrypted_content?: unknown } | null)?.encrypted_content === 'string';

const assistantItems = (blocks: readonly ContentBlock[]): readonly Item[] =>
  blocks.flatMap((block, index): readonly Item[] => {
    if (block.type === 'text') return [{ role: 'assistant', content: safeText(block.text) }];
    if (block.type === 'tool_use') {
      return [
        {
          type: 'function_call',
          call_id: safeId(block.id),
          name: safeToolName(block.name),
          arguments: JSON.stringify(safeInput(block.input)),
        },
      ];
    }
    // The API accepts reasoning only before the item it led to.
    if (block.type !== 'thinking' || !isEncrypted(block.opaque)) return [];
    const next = blocks[index + 1];
    return next?.type === 'text' || next?.type === 'tool_use' ? [block.opaque as Item] : [];
  });

const toItems = (turns: readonly ApiTurn[], request: ProviderRequest): Item[] =>
  turns.flatMap(({ side, blocks }) =>
    side === 'user' ? userItems(blocks, request) : assistantItems(blocks),
  );

/** At most 64 characters, without revealing the session key. */
export const promptCacheKey = (cacheKey: string): string =>
  createHash('sha256').update(cacheKey).digest('hex').slice(0, 32);

const MIN_OUTPUT_TOKENS = 16;

export const toResponsesRequest = (
  request: ProviderRequest,
): OpenAI.Responses.ResponseCreateParamsNonStreaming => ({
  model: request.model.model,
  ...(request.systemPrompt === '' ? {} : { instructions: safeText(request.systemPrompt) }),
  input: toItems(toTurns(request.messages, request.model.model), request),
  max_output_tokens: Math.max(MIN_OUTPUT_TOKENS, request.maxTokens),
  // We keep the conversation; the provider stores nothing, so its reasoning is sent encrypted.
  store: false,
  ...(request.traits.extendedThinking ? { include: ['reasoning.encrypted_content' as const] } : {}),
  prompt_cache_key: promptCacheKey(request.cacheKey),
  ...(request.tools.length > 0
    ? {
        tools: request.tools.map((tool) => ({
          type: 'function' as const,
          name: tool.name,
          description: tool.description,
          parameters: { ...tool.inputSchema },
          strict: false,
        })),
        tool_choice: request.toolChoice,
      }
    : {}),
  ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
});

const IN_STREAM = 'openai, in the stream';

type ThinkingChunk = Extract<StreamChunk, { type: 'thinking_end' }>;

/** The events that are handled here. */
type WireEvent = Extract<
  OpenAI.Responses.ResponseStreamEvent,
  {
    type:
      | 'response.created'
      | 'response.output_text.delta'
      | 'response.refusal.delta'
      | 'response.reasoning_summary_text.delta'
      | 'response.function_call_arguments.delta'
      | 'response.output_item.added'
      | 'response.output_item.done'
      | 'response.completed'
      | 'response.incomplete'
      | 'response.failed'
      | 'error';
  }
>;

/**
 * Converts the events of one stream to chunks. Argument pieces of parallel calls come in any order, keyed by
 * item.
 */
export class ResponsesEventReader {
  readonly #model: string;
  readonly #callIds = new Map<string, string>();
  readonly #withPieces = new Set<string>();
  #wasRefused = false;
  /** Reasoning whose item is still unknown. It is sent back only with that item, and dropped if blank. */
  #held: ThinkingChunk | undefined;
  #blank = '';

  constructor(model: string) {
    this.#model = model;
  }

  read(data: string): readonly StreamChunk[] {
    const event = JSON.parse(data) as WireEvent;
    switch (event.type) {
      case 'response.created':
        return [{ type: 'message_start', ...idsOf(undefined, event.response.id) }];
      case 'response.output_text.delta':
        return this.#words(wordsIn(event.delta));
      case 'response.refusal.delta':
        this.#wasRefused = true;
        return this.#words(wordsIn(event.delta));
      case 'response.reasoning_summary_text.delta':
        return [{ type: 'thinking_delta', text: wordsIn(event.delta) }];
      case 'response.function_call_arguments.delta': {
        this.#withPieces.add(event.item_id);
        const delta = argumentText(event.delta);
        return [{ type: 'tool_input_delta', id: this.#callIds.get(event.item_id) ?? '', delta }];
      }
      case 'response.output_item.added':
        return this.#added(event.item);
      case 'response.output_item.done':
        return this.#finished(event.item);
      case 'response.completed':
      case 'response.incomplete':
        return this.#ended(event.response);
      case 'response.failed':
        throw failedResponse(IN_STREAM, event.response.error ?? {});
      case 'error': {
        // Some servers nest the error one level deeper.
        throw failedResponse(
          IN_STREAM,
          (event as { readonly error?: unknown }).error ?? { ...event, type: undefined },
        );
      }
      default:
        return [];
    }
  }

  /** Without its last event an answer is cut off, whatever mark is behind it. */
  end(): readonly StreamChunk[] {
    return [];
  }

  #words(delta: string): readonly StreamChunk[] {
    if (!this.#held) return [{ type: 'text_delta', text: delta }];
    this.#blank += delta;
    if (this.#blank.trim() === '') return [];
    const text = this.#blank;
    return [...this.#release(), { type: 'text_delta', text }];
  }

  #release(): readonly StreamChunk[] {
    const held = this.#held;
    this.#held = undefined;
    this.#blank = '';
    return held ? [held] : [];
  }

  #added(item: OpenAI.Responses.ResponseOutputItem): readonly StreamChunk[] {
    if (item.type !== 'function_call') return [];
    this.#callIds.set(item.id ?? item.call_id, item.call_id);
    return [...this.#release(), { type: 'tool_use_start', id: item.call_id, name: item.name }];
  }

  #finished(item: OpenAI.Responses.ResponseOutputItem): readonly StreamChunk[] {
    if (item.type === 'reasoning') {
      const text = item.summary.map((part) => part.text).join('\n');
      const block = { type: 'thinking' as const, model: this.#model, text, opaque: item };
      this.#held = { type: 'thinking_end', block };
      return [];
    }
    if (item.type === 'message') this.#release();
    if (item.type !== 'function_call') return [];
    const id = item.call_id;
    // Some servers send the arguments only at the end.
    const isWhole = this.#withPieces.has(item.id ?? id);
    return [
      ...(isWhole ? [] : [{ type: 'tool_input_delta' as const, id, delta: argumentText(item.arguments) }]),
      { type: 'tool_use_end', id },
    ];
  }

  #ended({ usage, incomplete_details: incomplete }: OpenAI.Responses.Response): readonly StreamChunk[] {
    const seen = { refusal: this.#wasRefused, calls: this.#callIds.size > 0 };
    return [
      {
        type: 'usage',
        usage: openAiUsage(usage?.input_tokens, usage?.input_tokens_details, usage?.output_tokens),
      },
      { type: 'done', stopReason: responseStopReason(incomplete?.reason, seen) },
    ];
  }
}
