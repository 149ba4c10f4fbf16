import type { Brand } from '#src/kernel/ids.ts';
import { type ContentBlock, type ConversationMessage, NO_USAGE, type TokenUsage } from '#src/kernel/model.ts';
import type { ToolDefinition } from '#src/kernel/tool.ts';

export type TextKind = 'prose' | 'json';

/**
 * An estimate that no experience went into yet. Only such a one may be compared with what was really used:
 * measured against its own corrections, the ratio would settle at the square root of the truth.
 */
export type UncorrectedTokens = Brand<number, 'UncorrectedTokens'>;

/** What of a request fills the window. */
export interface EstimatedRequest {
  readonly systemPrompt: string;
  readonly messages: readonly ConversationMessage[];
  readonly tools: readonly ToolDefinition[];
}

const IMAGE_TOKENS = 1_600;
const MIN_RATIO = 0.3;
const MAX_RATIO = 3;
/** How much one request changes the ratio: half of an error is gone after three. */
const WEIGHT = 0.2;

/** UTF-8 bytes by 3 for prose, in Korean as in English, and by 2.2 for JSON, rounded up. */
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

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Every request brings the same list of tools along: it is counted once. */
const countedTools = new WeakMap<readonly ToolDefinition[], number>();

const toolListTokens = (tools: readonly ToolDefinition[]): number => {
  const known = countedTools.get(tools);
  if (known !== undefined) return known;
  const counted = sum(tools.map(toolTokens));
  countedTools.set(tools, counted);
  return counted;
};

/** A whole request, uncorrected: what `observe` compares with the usage that came back. */
export const estimateRequest = ({ systemPrompt, messages, tools }: EstimatedRequest): UncorrectedTokens => {
  let tokens = estimateTokens(systemPrompt) + toolListTokens(tools);
  for (const message of messages) for (const block of message.content) tokens += blockTokens(block);
  return tokens as UncorrectedTokens;
};

const clamp = (ratio: number): number => Math.min(MAX_RATIO, Math.max(MIN_RATIO, ratio));

const isCount = (value: number): boolean => Number.isFinite(value) && value > 0;

/** Estimates that learn, per model, how its tokenizer differs from ours. */
export class TokenEstimator {
  readonly #ratios = new Map<string, number>();

  /** `actualTokens` is the whole input of that request. Counts that cannot be true teach nothing. */
  observe(modelId: string, estimatedTokens: UncorrectedTokens, actualTokens: number): void {
    if (!isCount(estimatedTokens) || !isCount(actualTokens)) return;
    // Clamped before it is averaged, so that one absurd request moves the ratio no further than a plausible one.
    const seen = clamp(actualTokens / estimatedTokens);
    const ratio = this.#ratioOf(modelId);
    this.#ratios.set(modelId, ratio + WEIGHT * (seen - ratio));
  }

  /** An estimate with what was learnt about the model. */
  correct(modelId: string, tokens: UncorrectedTokens): number {
    return Math.ceil(tokens * this.#ratioOf(modelId));
  }

  #ratioOf(modelId: string): number {
    return this.#ratios.get(modelId) ?? 1;
  }
}

/** What a run used in all. */
export class TokenCounter {
  #total: TokenUsage = NO_USAGE;

  /** The usage of one whole request. */
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
