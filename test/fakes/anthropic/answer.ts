import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { ContentBlock, Message, StopReason, Usage } from '@anthropic-ai/sdk/resources/messages';
import type { FakeAnswer, FakeUsage } from '../model-reply.ts';
import type { AnthropicBody } from './body.ts';
import type { CachedPrompt } from './cache.ts';
import { tokensOfText } from './prompt.ts';

/** A block of an answer; the arguments of a call are still text, for they may be no JSON at all. */
export type AnswerBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly json: string };

/** Signs thoughts so that they are known again, for the model that had them and for no other. */
export interface Signer {
  readonly sign: (model: string, thinking: string) => string;
  readonly isSigned: (model: string) => (thinking: string, signature: string) => boolean;
}

export const createSigner = (): Signer => {
  const secret = randomBytes(16);
  const sign: Signer['sign'] = (model, thinking) =>
    createHmac('sha256', secret).update(`${model}\0${thinking}`).digest('base64');
  return { sign, isSigned: (model) => (thinking, signature) => sign(model, thinking) === signature };
};

const uniqueId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`;

export const newRequestId = (): string => uniqueId('req');

export const blocksOfAnswer = (
  { thinking, text, toolCalls = [] }: FakeAnswer,
  sign: (thinking: string) => string,
): readonly AnswerBlock[] => [
  ...(thinking ? [{ type: 'thinking', thinking, signature: sign(thinking) } as const] : []),
  ...(text ? [{ type: 'text', text } as const] : []),
  ...toolCalls.map(({ id, name, input, json }) => ({
    type: 'tool_use' as const,
    id: id ?? uniqueId('toolu'),
    name,
    json: json ?? JSON.stringify(input ?? {}),
  })),
];

/** In the words of the script, which may be none that this version of the SDK knows. */
export const stopReasonOf = (stopReason: string | undefined, blocks: readonly AnswerBlock[]): StopReason =>
  (stopReason ?? (blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn')) as StopReason;

const tokensOf = (block: AnswerBlock): number => {
  if (block.type === 'text') return tokensOfText(block.text);
  return tokensOfText(block.type === 'thinking' ? block.thinking : block.name + block.json);
};

/** Never 0: the API counts the end of an answer too. */
export const outputTokensOf = (blocks: readonly AnswerBlock[]): number =>
  Math.max(
    1,
    blocks.reduce((sum, block) => sum + tokensOf(block), 0),
  );

export const usageOf = (prompt: CachedPrompt, output: number): Usage => ({
  input_tokens: prompt.uncached,
  cache_read_input_tokens: prompt.read,
  cache_creation_input_tokens: prompt.written5m + prompt.written1h,
  cache_creation: {
    ephemeral_5m_input_tokens: prompt.written5m,
    ephemeral_1h_input_tokens: prompt.written1h,
  },
  output_tokens: output,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: 'standard',
  inference_geo: null,
  speed: null,
});

export const neutralUsage = (prompt: CachedPrompt, output: number): FakeUsage => ({
  input: prompt.uncached,
  output,
  cacheRead: prompt.read,
  cacheWrite: prompt.written5m + prompt.written1h,
});

/** The end of a message: why it stopped, in the three fields that say so. */
export const stopFields = (
  reason: StopReason,
  body: AnthropicBody,
): Pick<Message, 'stop_reason' | 'stop_sequence' | 'stop_details'> => ({
  stop_reason: reason,
  stop_sequence: reason === 'stop_sequence' ? (body.stop_sequences?.[0] ?? null) : null,
  stop_details: reason === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null,
});

/** A message that has just begun. */
export const emptyMessage = (model: string, usage: Usage): Message => ({
  id: uniqueId('msg'),
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  container: null,
  diagnostics: null,
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  usage,
});

const parsedOrEmpty = (json: string): unknown => {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return {};
  }
};

/** A whole block, as a reply that is not streamed has it. */
export const wholeBlock = (block: AnswerBlock): ContentBlock => {
  if (block.type === 'thinking') return block;
  if (block.type === 'text') return { ...block, citations: null };
  const { type, id, name, json } = block;
  return { type, id, name, input: parsedOrEmpty(json), caller: { type: 'direct' } };
};
