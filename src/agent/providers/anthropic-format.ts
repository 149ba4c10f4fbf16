import type Anthropic from '@anthropic-ai/sdk';
import type { ContentBlock, ImageBlock } from '#src/kernel/model.ts';
import type { ToolDefinition } from '#src/kernel/tool.ts';
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
} from './conversation.ts';

const CACHED = { type: 'ephemeral' } as const;

const imageParam = (block: ImageBlock, canSee: boolean): Anthropic.ContentBlockParam => {
  const note = imageNote(block, canSee);
  if (note !== undefined) return { type: 'text', text: note };
  const media_type = block.mimeType as Anthropic.Base64ImageSource['media_type'];
  return { type: 'image', source: { type: 'base64', media_type, data: block.base64 } };
};

/** Only what the API knows: our own marks on a block (`malformed`, `facts`) stay with us. */
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

/** An answer that is to be gone on with may not end in a blank. */
const trimLast = (messages: readonly Anthropic.MessageParam[]): void => {
  const last = messages.at(-1);
  const block = last?.role === 'assistant' && Array.isArray(last.content) ? last.content.at(-1) : undefined;
  if (block?.type === 'text') block.text = block.text.trimEnd();
};

/**
 * Marks the end of the newest user turn and of the one before it. The first writes the cache for the next
 * request; the second is where the last request wrote it, so that it is found however many blocks (many
 * calls at once, and their results) came since: the API itself looks back only twenty.
 */
const markCached = (messages: readonly Anthropic.MessageParam[]): void => {
  for (const { content } of messages.filter(({ role }) => role === 'user').slice(-2)) {
    const last = Array.isArray(content) ? content.at(-1) : undefined;
    if (last) (last as Anthropic.TextBlockParam).cache_control = CACHED;
  }
};

const toTools = (tools: readonly ToolDefinition[]): Anthropic.Tool[] =>
  tools.map((tool, index) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.inputSchema as Anthropic.Tool.InputSchema,
    ...(index === tools.length - 1 ? { cache_control: CACHED } : {}),
  }));

/**
 * The request in the API's form. What stays the same comes first and byte by byte the same: tools, system
 * prompt, the conversation; four marks say up to where it may be cached.
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
    // Gone from the API of today, but not from every server that speaks it: only a configured model has one.
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
  };
};
