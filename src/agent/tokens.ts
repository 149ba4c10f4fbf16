import type { Brand } from '#src/kernel/ids.ts';
import {
  type ContentBlock,
  type ConversationMessage,
  NO_USAGE,
  type TokenUsage,
} from '#src/kernel/agent/model.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';

export type TextKind = 'prose' | 'json';

/**
 * An estimate before its correction for a model. Only this one may be compared with the actual usage: compared
 * with corrected estimates, the ratio would settle at the square root of the right one.
 */
export type UncorrectedTokens = Brand<number, 'UncorrectedTokens'>;

/** The parts of a request that fill the window. */
export interface EstimatedRequest {
  readonly systemPrompt: string;
  readonly messages: readonly ConversationMessage[];
  readonly tools: readonly ToolDefinition[];
}

const IMAGE_TOKENS = 1_600;
const MIN_RATIO = 0.3;
const MAX_RATIO = 3;
/** The weight of one request in the ratio: three requests halve an error. */
const WEIGHT = 0.2;

/** UTF-8 bytes divided by 3 for prose, Korean and English alike, or by 2.2 for JSON, rounded up. */
export const estimateTokens = (text: string, kind: TextKind = 'prose'): UncorrectedTokens => {
  const bytesPerToken = kind === 'json' ? 2.2 : 3;
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken) as UncorrectedTokens;
};

const jsonTokens = (value: unknown): number => estimateTokens(JSON.stringify(value) ?? '', 'json');

const blockTokens = (block: ContentBlock): number => {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return estimateTokens(block.text);
    case 'image':
      return IMAGE_TOKENS;
    case 'tool_use':
      return estimateTokens(block.name) + jsonTokens(block.input);
    case 'tool_result':
      break;
  }
  return estimateTokens(block.content);
};

export const toolTokens = (tool: ToolDefinition): number =>
  estimateTokens(tool.name) + estimateTokens(tool.description) + jsonTokens(tool.inputSchema);

/** Requests share the same list of tools, so it is counted once. */
const countedTools = new WeakMap<readonly ToolDefinition[], number>();

const toolListTokens = (tools: readonly ToolDefinition[]): number =>
  countedTools.getOrInsertComputed(tools, () => tools.reduce((sum, tool) => sum + toolTokens(tool), 0));

/** Cached, because messages are immutable and every request of a conversation counts all of them. */
const countedMessages = new WeakMap<ConversationMessage, UncorrectedTokens>();

export const estimateMessage = (message: ConversationMessage): UncorrectedTokens =>
  countedMessages.getOrInsertComputed(
    message,
    ({ content }) => content.reduce((sum, block) => sum + blockTokens(block), 0) as UncorrectedTokens,
  );

/** The uncorrected estimate of a whole request, which `observe` compares with the actual usage. */
export const estimateRequest = ({ systemPrompt, messages, tools }: EstimatedRequest): UncorrectedTokens => {
  let tokens = estimateTokens(systemPrompt) + toolListTokens(tools);
  for (const message of messages) tokens += estimateMessage(message);
  return tokens as UncorrectedTokens;
};

const clamp = (ratio: number): number => Math.min(MAX_RATIO, Math.max(MIN_RATIO, ratio));

const isCount = (value: number): boolean => Number.isFinite(value) && value > 0;

/** Learns for each model how its tokenizer differs from our estimate. */
export class TokenEstimator {
  readonly #ratios = new Map<string, number>();

  /** `actualTokens` is the whole input of that request. Impossible counts are ignored. */
  observe(modelId: string, estimatedTokens: UncorrectedTokens, actualTokens: number): void {
    if (!isCount(estimatedTokens) || !isCount(actualTokens)) return;
    // Clamp before averaging, so that one absurd request moves the ratio no further than a plausible one.
    const seen = clamp(actualTokens / estimatedTokens);
    const ratio = this.#ratioOf(modelId);
    this.#ratios.set(modelId, ratio + WEIGHT * (seen - ratio));
  }

  /** Corrects an estimate for the model. */
  correct(modelId: string, tokens: UncorrectedTokens): number {
    return Math.ceil(tokens * this.#ratioOf(modelId));
  }

  #ratioOf(modelId: string): number {
    return this.#ratios.get(modelId) ?? 1;
  }
}

/** Sums up the usage of a run. */
export class TokenCounter {
  #total: TokenUsage = NO_USAGE;

  add(usage: TokenUsage): void {
    this.#total = {
      inputTokens: this.#total.inputTokens + usage.inputTokens,
      outputTokens: this.#total.outputTokens + usage.outputTokens,
      cacheReadTokens: this.#total.cacheReadTokens + usage.cacheReadTokens,
      cacheWriteTokens: this.#total.cacheWriteTokens + usage.cacheWriteTokens,
    };
  }

  get current(): TokenUsage {
    return this.#total;
  }
}
