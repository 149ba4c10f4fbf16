import { z } from 'zod';
import { FinClawError } from '#src/kernel/errors.ts';
import {
  type ContentBlock,
  type KeyedProvider,
  NO_USAGE,
  type ProviderIds,
  type StopReason,
  type StreamChunk,
  type TokenUsage,
} from '#src/kernel/agent/model.ts';
import { newId } from '#src/platform/ids.ts';

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  pause_turn: 'pause_turn',
  refusal: 'refusal',
  model_context_window_exceeded: 'context_overflow',
};

/** An unknown newer stop reason ends the turn normally. */
export const anthropicStopReason = (raw: string | null | undefined): StopReason =>
  STOP_REASONS[raw ?? ''] ?? 'end_turn';

interface AnthropicUsage {
  readonly input_tokens?: number | null | undefined;
  readonly output_tokens?: number | null | undefined;
  readonly cache_read_input_tokens?: number | null | undefined;
  readonly cache_creation_input_tokens?: number | null | undefined;
}

/** `input_tokens` are the uncached ones here; later reports are cumulative and replace what they name. */
export const anthropicUsage = (raw: AnthropicUsage, before: TokenUsage): TokenUsage => ({
  inputTokens: raw.input_tokens ?? before.inputTokens,
  outputTokens: raw.output_tokens ?? before.outputTokens,
  cacheReadTokens: raw.cache_read_input_tokens ?? before.cacheReadTokens,
  cacheWriteTokens: raw.cache_creation_input_tokens ?? before.cacheWriteTokens,
});

const tokens = z.number().nullish();
const bodySchema = z.object({
  model: z.string(),
  stop_reason: z.string().nullable(),
  usage: z.object({
    input_tokens: tokens,
    output_tokens: tokens,
    cache_read_input_tokens: tokens,
    cache_creation_input_tokens: tokens,
  }),
  content: z.array(z.looseObject({ type: z.string() })),
});

const textSchema = z.object({ text: z.string() });
const thinkingSchema = z.object({ thinking: z.string(), signature: z.string() });
const toolUseSchema = z.object({ id: z.string(), name: z.string(), input: z.unknown() });

/** Throws if the body is no message of the Messages API. Unknown newer block types are dropped. */
const readAnthropicBody = (raw: unknown): ReadBody => {
  const body = bodySchema.parse(raw);
  const blocks = body.content.flatMap((block): readonly ContentBlock[] => {
    if (block.type === 'text') return [{ type: 'text', text: textSchema.parse(block).text }];
    if (block.type === 'tool_use') return [{ type: 'tool_use', ...toolUseSchema.parse(block) }];
    if (block.type === 'thinking') {
      const { thinking, signature } = thinkingSchema.parse(block);
      const opaque = { type: 'thinking', thinking, signature };
      return [{ type: 'thinking', model: body.model, text: thinking, opaque }];
    }
    if (block.type === 'redacted_thinking')
      return [{ type: 'thinking', model: body.model, text: '', opaque: block }];
    return [];
  });
  return {
    blocks,
    stopReason: anthropicStopReason(body.stop_reason),
    usage: anthropicUsage(body.usage, NO_USAGE),
    modelId: body.model,
  };
};

interface CacheDetails {
  readonly cached_tokens?: number | null | undefined;
  readonly cache_write_tokens?: number | null | undefined;
}

/** OpenAI includes cache reads and writes in the input; we subtract them. */
export const openAiUsage = (
  input: number | undefined,
  details: CacheDetails | null | undefined,
  output: number | undefined,
): TokenUsage => {
  const cacheReadTokens = details?.cached_tokens ?? 0;
  const cacheWriteTokens = details?.cache_write_tokens ?? 0;
  return {
    inputTokens: Math.max(0, (input ?? 0) - cacheReadTokens - cacheWriteTokens),
    outputTokens: output ?? 0,
    cacheReadTokens,
    cacheWriteTokens,
  };
};

/** The arguments of a call. Some servers leave them out, others send an object in place of its JSON. */
export const argumentText = (raw: unknown): string => {
  if (typeof raw === 'string') return raw;
  return typeof raw === 'object' && raw !== null ? JSON.stringify(raw) : '';
};

/** A call with invalid JSON arguments is kept, marked, and never run. */
export const openAiToolUse = (id: string, name: string, json: string): ContentBlock => {
  try {
    return { type: 'tool_use', id, name, input: json.trim() === '' ? {} : JSON.parse(json) };
  } catch {
    const malformed = `The arguments of ${name} are not valid JSON. Call it again with valid JSON.`;
    return { type: 'tool_use', id, name, input: {}, malformed };
  }
};

const details = z
  .object({ cached_tokens: z.number().nullish(), cache_write_tokens: z.number().nullish() })
  .nullish();

/** The parts of a list, without anything of an unknown form. */
const partsIn = (
  content: unknown,
): readonly { readonly type?: unknown; readonly [field: string]: unknown }[] =>
  Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : [];

/** The words in the content of a chat message: a text, or parts of which some are thoughts. Others are dropped. */
export const wordsIn = (content: unknown, type: 'text' | 'thinking' = 'text'): string => {
  if (typeof content === 'string') return type === 'text' ? content : '';
  return partsIn(content)
    .filter((part) => part.type === type)
    .map((part) =>
      type === 'text' ? (typeof part['text'] === 'string' ? part['text'] : '') : wordsIn(part['thinking']),
    )
    .join('');
};

const chatSchema = z.object({
  model: z.string(),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.unknown().optional(),
          refusal: z.string().nullish(),
          tool_calls: z
            .array(z.object({ function: z.object({ name: z.string(), arguments: z.unknown().optional() }) }))
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: z
    .object({ prompt_tokens: z.number(), completion_tokens: z.number(), prompt_tokens_details: details })
    .nullish(),
});

const CHAT_STOP_REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
  model_context_window_exceeded: 'context_overflow',
};

/** OpenRouter and DeepSeek end an answer that failed in the middle with these. */
const FAILED_REASONS: ReadonlySet<unknown> = new Set(['error', 'insufficient_system_resource']);

/** The error in a chat completion or a chunk of one. Undefined: there is none. */
export const chatErrorIn = ({
  error,
  choices,
}: {
  readonly error?: unknown;
  readonly choices?: unknown;
}): unknown => {
  const [choice] = partsIn(choices);
  if (error) return error;
  return FAILED_REASONS.has(choice?.['finish_reason']) ? (choice?.['error'] ?? {}) : undefined;
};

/** Small servers report `stop` even with tool calls. */
export const chatStopReason = (
  raw: string | null | undefined,
  wasRefused: boolean,
  hasCalls: boolean,
): StopReason => {
  if (wasRefused) return 'refusal';
  const reason = CHAT_STOP_REASONS[raw ?? ''] ?? 'end_turn';
  return reason === 'end_turn' && hasCalls ? 'tool_use' : reason;
};

/** Our own call id, because small servers' ids are not unique. Chat completions accept 40 characters. */
export const newCallId = (): string => `call_${newId().replaceAll('-', '')}`;

const readChat = (raw: unknown): ReadBody => {
  const body = chatSchema.parse(raw);
  const [choice] = body.choices;
  const { content, refusal, tool_calls: calls } = choice?.message ?? {};
  const words = refusal || wordsIn(content);
  return {
    blocks: [
      ...(words ? [{ type: 'text' as const, text: words }] : []),
      ...(calls ?? []).map((call) =>
        openAiToolUse(newCallId(), call.function.name, argumentText(call.function.arguments)),
      ),
    ],
    stopReason: chatStopReason(choice?.finish_reason, Boolean(refusal), Boolean(calls?.length)),
    usage: openAiUsage(
      body.usage?.prompt_tokens,
      body.usage?.prompt_tokens_details,
      body.usage?.completion_tokens,
    ),
    modelId: body.model,
  };
};

const responseSchema = z.object({
  model: z.string(),
  status: z.string().nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  output: z.array(z.looseObject({ type: z.string() })),
  usage: z
    .object({ input_tokens: z.number(), output_tokens: z.number(), input_tokens_details: details })
    .nullish(),
});
const messageSchema = z.object({
  content: z.array(
    z.looseObject({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() }),
  ),
});
const callSchema = z.object({ call_id: z.string(), name: z.string(), arguments: z.unknown().optional() });
const reasoningSchema = z.object({ summary: z.array(z.object({ text: z.string() })).default([]) });

/** Maps the end of a response of the Responses API. */
export const responseStopReason = (
  incompleteReason: string | null | undefined,
  seen: { readonly refusal: boolean; readonly calls: boolean },
): StopReason => {
  if (incompleteReason === 'max_output_tokens') return 'max_tokens';
  if (seen.refusal || incompleteReason === 'content_filter') return 'refusal';
  return seen.calls ? 'tool_use' : 'end_turn';
};

const readResponse = (raw: unknown): ReadBody => {
  const body = responseSchema.parse(raw);
  let wasRefused = false;
  const blocks = body.output.flatMap((item): readonly ContentBlock[] => {
    if (item.type === 'message') {
      return messageSchema.parse(item).content.map((part) => {
        wasRefused ||= part.type === 'refusal';
        return { type: 'text', text: part.refusal ?? part.text ?? '' };
      });
    }
    if (item.type === 'function_call') {
      const call = callSchema.parse(item);
      return [openAiToolUse(call.call_id, call.name, argumentText(call.arguments))];
    }
    if (item.type === 'reasoning') {
      const text = reasoningSchema
        .parse(item)
        .summary.map((part) => part.text)
        .join('\n');
      return [{ type: 'thinking', model: body.model, text, opaque: item }];
    }
    return [];
  });
  const calls = blocks.some((block) => block.type === 'tool_use');
  return {
    blocks,
    stopReason: responseStopReason(body.incomplete_details?.reason, { refusal: wasRefused, calls }),
    usage: openAiUsage(body.usage?.input_tokens, body.usage?.input_tokens_details, body.usage?.output_tokens),
    modelId: body.model,
  };
};

/** Throws if the body belongs to neither API. */
const readOpenAiBody = (raw: unknown): ReadBody =>
  typeof raw === 'object' && raw !== null && 'choices' in raw ? readChat(raw) : readResponse(raw);

/** A complete answer of any provider. */
export interface NormalizedResponse {
  /** All blocks in order: thinking, text, calls. */
  readonly blocks: readonly ContentBlock[];
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
  readonly ids?: ProviderIds;
}

/** The result of reading one provider's body. */
interface ReadBody extends Omit<NormalizedResponse, 'ids'> {
  readonly modelId: string;
}

/** `askedModel` labels the thinking blocks, because a provider may answer with a longer name of the same model. */
export type ResponseNormalizer = (raw: unknown, askedModel?: string) => NormalizedResponse;

/** Throws `PROVIDER_BAD_BODY` for anything that is no answer of the provider. */
const normalizer =
  (provider: KeyedProvider, read: (raw: unknown) => ReadBody): ResponseNormalizer =>
  (raw, askedModel) => {
    let body: ReadBody;
    try {
      body = read(raw);
    } catch (cause) {
      const what = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
      throw new FinClawError(`${provider} sent an answer of an unknown form: ${what}`, 'PROVIDER_BAD_BODY', {
        cause,
      });
    }
    const { modelId, ...answer } = body;
    const model = askedModel ?? modelId;
    const blocks = body.blocks.map((block) => (block.type === 'thinking' ? { ...block, model } : block));
    return { ...answer, blocks };
  };

export const normalizeAnthropicResponse = normalizer('anthropic', readAnthropicBody);
/** Reads bodies of both the Responses API and chat completions. */
export const normalizeOpenAIResponse = normalizer('openai', readOpenAiBody);

export const normalizers: Readonly<Record<KeyedProvider, ResponseNormalizer>> = {
  anthropic: normalizeAnthropicResponse,
  openai: normalizeOpenAIResponse,
};

/** Converts a complete answer to the chunks that a streaming model would have sent. */
export function* chunksOf(response: NormalizedResponse): Generator<StreamChunk> {
  if (response.ids) yield { type: 'message_start', ...response.ids };
  for (const block of response.blocks) {
    if (block.type === 'text') yield { type: 'text_delta', text: block.text };
    if (block.type === 'thinking') yield { type: 'thinking_end', block };
    if (block.type !== 'tool_use') continue;
    yield { type: 'tool_use_start', id: block.id, name: block.name };
    // Invalid JSON arguments stay invalid.
    const delta = block.malformed === undefined ? JSON.stringify(block.input) : '{';
    yield { type: 'tool_input_delta', id: block.id, delta };
    yield { type: 'tool_use_end', id: block.id };
  }
  yield { type: 'usage', usage: response.usage };
  yield { type: 'done', stopReason: response.stopReason };
}
