import { z } from 'zod';
import type { ContentBlock, StopReason, TokenUsage } from '#src/core/model.ts';
import { newId } from '#src/infra/ids.ts';
import type { ReadBody } from './provider-normalize.ts';

interface CacheDetails {
  readonly cached_tokens?: number | null | undefined;
  readonly cache_write_tokens?: number | null | undefined;
}

/** OpenAI counts what was read from the cache, and written to it, among the input; ours is the rest. */
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

/** A call whose arguments are no JSON is kept, marked, and never run. */
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

const chatSchema = z.object({
  model: z.string(),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z
            .array(z.object({ function: z.object({ name: z.string(), arguments: z.string() }) }))
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
};

/** Small servers say `stop` though they call tools. */
export const chatStopReason = (
  raw: string | null | undefined,
  wasRefused: boolean,
  hasCalls: boolean,
): StopReason => {
  if (wasRefused) return 'refusal';
  const reason = CHAT_STOP_REASONS[raw ?? ''] ?? 'end_turn';
  return reason === 'end_turn' && hasCalls ? 'tool_use' : reason;
};

/** An id of our own for a call: those of small servers are not even unique. Chat completions take 40 characters. */
export const newCallId = (): string => `call_${newId().replaceAll('-', '')}`;

const readChat = (raw: unknown): ReadBody => {
  const body = chatSchema.parse(raw);
  const [choice] = body.choices;
  const { content, refusal, tool_calls: calls } = choice?.message ?? {};
  const words = refusal || content;
  return {
    blocks: [
      ...(words ? [{ type: 'text' as const, text: words }] : []),
      ...(calls ?? []).map((call) => openAiToolUse(newCallId(), call.function.name, call.function.arguments)),
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
const callSchema = z.object({ call_id: z.string(), name: z.string(), arguments: z.string() });
const reasoningSchema = z.object({ summary: z.array(z.object({ text: z.string() })).default([]) });

/** Why a response of the Responses API ended. */
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
      return [openAiToolUse(call.call_id, call.name, call.arguments)];
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

/** Throws where the body is of neither API. */
export const readOpenAiBody = (raw: unknown): ReadBody =>
  typeof raw === 'object' && raw !== null && 'choices' in raw ? readChat(raw) : readResponse(raw);
