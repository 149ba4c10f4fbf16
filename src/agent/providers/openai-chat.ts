import type OpenAI from 'openai';
import { type ContentBlock, NO_USAGE, type StreamChunk, type TokenUsage } from '#src/kernel/agent/model.ts';
import {
  argumentText,
  chatErrorIn,
  chatStopReason,
  newCallId,
  openAiUsage,
  wordsIn,
} from '../models/provider-normalize.ts';
import type { ProviderRequest } from './adapter.ts';
import { imageNote, resultText, safeId, safeInput, safeText, safeToolName, toTurns } from './api-turns.ts';
import { idsOf } from './request-ids.ts';
import { failedResponse } from './sdk-errors.ts';

type Message = OpenAI.Chat.ChatCompletionMessageParam;
type UserPart = OpenAI.Chat.ChatCompletionContentPart;

const userPart = (block: ContentBlock, canSee: boolean): readonly UserPart[] => {
  if (block.type === 'text') return [{ type: 'text', text: safeText(block.text) }];
  if (block.type !== 'image') return [];
  const note = imageNote(block, canSee);
  if (note !== undefined) return [{ type: 'text', text: note }];
  return [{ type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.base64}` } }];
};

const userMessages = (blocks: readonly ContentBlock[], request: ProviderRequest): readonly Message[] => {
  const results = blocks.flatMap((block): readonly Message[] =>
    block.type === 'tool_result'
      ? [
          {
            role: 'tool',
            tool_call_id: safeId(block.toolUseId),
            content: block.isError ? `Error: ${resultText(block)}` : resultText(block),
          },
        ]
      : [],
  );
  const parts = blocks.flatMap((block) => userPart(block, request.traits.vision));
  // Small servers accept plain text only, so parts are used only with pictures.
  const isPlain = parts.every((part) => part.type === 'text');
  const content = isPlain
    ? parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n')
    : [...parts];
  return [...results, ...(parts.length > 0 ? [{ role: 'user' as const, content }] : [])];
};

const assistantMessage = (blocks: readonly ContentBlock[]): readonly Message[] => {
  const words = blocks.flatMap((block) => (block.type === 'text' ? [safeText(block.text)] : [])).join('');
  const calls = blocks.flatMap((block) =>
    block.type === 'tool_use'
      ? [
          {
            id: safeId(block.id),
            type: 'function' as const,
            function: { name: safeToolName(block.name), arguments: JSON.stringify(safeInput(block.input)) },
          },
        ]
      : [],
  );
  if (words === '' && calls.length === 0) return [];
  return [{ role: 'assistant', content: words || null, ...(calls.length > 0 ? { tool_calls: calls } : {}) }];
};

export const toChatRequest = (
  request: ProviderRequest,
): OpenAI.Chat.ChatCompletionCreateParamsNonStreaming => ({
  model: request.model.model,
  messages: [
    ...(request.systemPrompt === ''
      ? []
      : [{ role: 'system' as const, content: safeText(request.systemPrompt) }]),
    ...toTurns(request.messages, request.model.model).flatMap(({ side, blocks }) =>
      side === 'user' ? userMessages(blocks, request) : assistantMessage(blocks),
    ),
  ],
  max_tokens: request.maxTokens,
  ...(request.tools.length > 0
    ? {
        tools: request.tools.map((tool) => ({
          type: 'function' as const,
          function: { name: tool.name, description: tool.description, parameters: { ...tool.inputSchema } },
        })),
        tool_choice: request.toolChoice,
      }
    : {}),
  ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
});

/** The actual wire format, in which the index may be missing. */
type WireCall = Omit<OpenAI.Chat.ChatCompletionChunk.Choice.Delta.ToolCall, 'index'> & {
  readonly index?: number;
};

interface WireChunk extends Partial<Pick<OpenAI.Chat.ChatCompletionChunk, 'id' | 'usage'>> {
  readonly choices?: readonly {
    readonly delta?: {
      /** A text, or parts. */
      readonly content?: unknown;
      readonly refusal?: string | null;
      readonly tool_calls?: readonly WireCall[] | null;
    } | null;
    readonly finish_reason?: string | null;
    readonly error?: unknown;
  }[];
  readonly error?: unknown;
}

/**
 * Converts the events of one stream to chunks. Calls are keyed by index; id and name come in the first piece
 * only.
 */
export class ChatEventReader {
  /** Our own call ids, in order: small servers restart numbering with every answer, or send no ids. */
  readonly #ids: string[] = [];
  readonly #places = new Map<number | string, number>();
  #finishReason: string | null = null;
  #wasRefused = false;
  #hasStarted = false;
  #usage: TokenUsage | undefined;

  read(data: string): readonly StreamChunk[] {
    const chunk = JSON.parse(data) as WireChunk;
    const error = chatErrorIn(chunk);
    if (error !== undefined) throw failedResponse('openai, in the stream', error);
    if (this.#hasStarted) return this.#read(chunk);
    this.#hasStarted = true;
    return [{ type: 'message_start', ...idsOf(undefined, chunk.id) }, ...this.#read(chunk)];
  }

  #read(chunk: WireChunk): readonly StreamChunk[] {
    const choice = chunk.choices?.[0];
    if (chunk.usage) {
      const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = chunk.usage;
      this.#usage = openAiUsage(input, details, output);
    }
    if (!choice) return [];
    const { content, refusal, tool_calls: calls } = choice.delta ?? {};
    if (refusal) this.#wasRefused = true;
    if (choice.finish_reason) this.#finishReason = choice.finish_reason;
    const words = refusal || wordsIn(content);
    const thoughts = wordsIn(content, 'thinking');
    return [
      ...(thoughts ? [{ type: 'thinking_delta' as const, text: thoughts }] : []),
      ...(words ? [{ type: 'text_delta' as const, text: words }] : []),
      ...(calls ?? []).flatMap((call) => this.#piece(call)),
    ];
  }

  #piece(call: WireCall): readonly StreamChunk[] {
    // Without an index, a new id starts a new call, and a piece without id belongs to the last call.
    const key = call.index ?? (call.id || [...this.#places.keys()].at(-1) || 0);
    const place = this.#places.get(key) ?? this.#ids.length;
    const isNew = place === this.#ids.length;
    if (isNew) {
      this.#places.set(key, place);
      this.#ids.push(newCallId());
    }
    const id = this.#ids[place] ?? '';
    const delta = argumentText(call.function?.arguments);
    return [
      ...(isNew ? [{ type: 'tool_use_start' as const, id, name: call.function?.name ?? '' }] : []),
      ...(delta === '' ? [] : [{ type: 'tool_input_delta' as const, id, delta }]),
    ];
  }

  /**
   * A finish reason says that the answer is whole: the mark behind it may be missing. Some servers give no
   * reason, but count the tokens once they are through.
   */
  end(isMarked: boolean): readonly StreamChunk[] {
    const isWhole = this.#finishReason !== null || (isMarked && this.#usage !== undefined);
    if (!isWhole) return [];
    return [
      ...this.#ids.map((id) => ({ type: 'tool_use_end' as const, id })),
      { type: 'usage', usage: this.#usage ?? NO_USAGE },
      {
        type: 'done',
        stopReason: chatStopReason(this.#finishReason, this.#wasRefused, this.#ids.length > 0),
      },
    ];
  }
}
