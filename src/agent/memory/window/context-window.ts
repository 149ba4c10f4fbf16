import type { SessionKey } from '#src/kernel/ids.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';
import { estimateMessage, estimateRequest, type UncorrectedTokens } from '../../tokens.ts';

/** Shares of the window, without the reserve. Each is reported once for a conversation when it is passed. */
const CONTEXT_THRESHOLDS = [0.8, 0.95] as const;

type ContextThreshold = (typeof CONTEXT_THRESHOLDS)[number];

const MAX_SESSIONS = 10_000;

interface Passed {
  readonly maxTokens: number;
  readonly thresholds: ReadonlySet<ContextThreshold>;
}

/** The highest threshold that is passed. */
export const thresholdAt = (ratio: number): ContextThreshold | undefined =>
  CONTEXT_THRESHOLDS.findLast((threshold) => ratio >= threshold);

/** Tracks the thresholds that each conversation has passed, until the size of its window changes. */
export class ThresholdWatch {
  readonly #passed = new Map<SessionKey, Passed>();

  /** The newly passed thresholds, lowest first. */
  pass(sessionKey: SessionKey, usedTokens: number, maxTokens: number): readonly ContextThreshold[] {
    const before = this.#passed.get(sessionKey);
    const known: ReadonlySet<ContextThreshold> =
      before?.maxTokens === maxTokens ? before.thresholds : new Set();
    const added = CONTEXT_THRESHOLDS.filter(
      (threshold) => usedTokens / maxTokens >= threshold && !known.has(threshold),
    );
    if (added.length === 0) return added;
    if (this.#passed.size >= MAX_SESSIONS && !before) this.#passed.clear();
    this.#passed.set(sessionKey, { maxTokens, thresholds: new Set([...known, ...added]) });
    return added;
  }

  /** The conversation became shorter, so thresholds above its new size can be passed again. */
  shrink(sessionKey: SessionKey, usedTokens: number): void {
    const before = this.#passed.get(sessionKey);
    if (!before) return;
    const left = [...before.thresholds].filter((threshold) => usedTokens / before.maxTokens >= threshold);
    this.#passed.set(sessionKey, { ...before, thresholds: new Set(left) });
  }

  forget(sessionKey: SessionKey): void {
    this.#passed.delete(sessionKey);
  }
}

/** Window usage by source. */
export interface TokenBreakdown {
  readonly systemPrompt: number;
  readonly tools: number;
  readonly toolResults: number;
  readonly conversation: number;
  readonly summary: number;
}

interface WindowGuardConfig {
  readonly warningThreshold: number;
  readonly criticalThreshold: number;
  /** Kept free for the answer. */
  readonly reserveTokens: number;
}

export interface ContextMeasure {
  readonly currentTokens: number;
  /** Adds up to `currentTokens`. */
  readonly breakdown: TokenBreakdown;
  /** True if a provider counted everything up to its last request. */
  readonly isMeasured: boolean;
}

export interface ContextWindowState {
  readonly currentTokens: number;
  /** The window less the reserve. */
  readonly maxTokens: number;
  readonly usageRatio: number;
  readonly status: 'safe' | 'warning' | 'critical' | 'exceeded';
  readonly compactionNeeded: boolean;
  readonly breakdown: TokenBreakdown;
}

/** A shorter conversation is not worth compacting. `small` is for windows below 32K. */
export const ABSOLUTE_MIN_TOKENS = { small: 16_384, standard: 32_768 } as const;

const STANDARD_WINDOW = 32_768;
const NO_TOOLS: readonly ToolDefinition[] = [];
const NO_MESSAGES: readonly ConversationMessage[] = [];

type Parts = { -readonly [Source in keyof TokenBreakdown]: number };

const SOURCES = ['systemPrompt', 'tools', 'toolResults', 'conversation', 'summary'] as const;

const noParts = (): Parts => ({ systemPrompt: 0, tools: 0, toolResults: 0, conversation: 0, summary: 0 });

const sourceOf = (message: ConversationMessage): keyof TokenBreakdown => {
  if (message.isSummary) return 'summary';
  return message.role === 'tool' ? 'toolResults' : 'conversation';
};

const total = (parts: Parts): number => SOURCES.reduce((tokens, source) => tokens + parts[source], 0);

/** Scales to another total in whole tokens; the rounding rest goes to the largest. */
const scaledTo = (parts: Parts, tokens: number): Parts => {
  const whole = total(parts);
  const scaled = noParts();
  if (whole <= 0) return { ...scaled, conversation: tokens };
  for (const source of SOURCES) scaled[source] = Math.floor((parts[source] / whole) * tokens);
  const largest = SOURCES.reduce((best, source) => (scaled[source] > scaled[best] ? source : best));
  scaled[largest] += tokens - total(scaled);
  return scaled;
};

const sumOf = (a: Parts, b: Parts): Parts => {
  const sum = noParts();
  for (const source of SOURCES) sum[source] = a[source] + b[source];
  return sum;
};

/** The provider's count of the last request of this conversation, void after a compaction. */
export interface LastRequest {
  /** The whole input, cached or not. */
  readonly inputTokens: number;
  /** Number of messages in the request. */
  readonly messageCount: number;
  /** Tokens of the answer, if it is the next message. */
  readonly outputTokens?: number;
}

const estimated = (messages: readonly ConversationMessage[]): Parts => {
  const parts = noParts();
  for (const message of messages) parts[sourceOf(message)] += estimateMessage(message);
  return parts;
};

/** Measures the next request. A provider's count is preferred; only later messages are then estimated. */
export const measureContext = (
  context: {
    readonly systemPrompt: string;
    readonly tools: readonly ToolDefinition[];
    readonly messages: readonly ConversationMessage[];
  },
  correct: (tokens: UncorrectedTokens) => number,
  lastRequest?: LastRequest,
): ContextMeasure => {
  const { systemPrompt, tools, messages } = context;
  const corrected = (parts: Parts): Parts => scaledTo(parts, correct(total(parts) as UncorrectedTokens));
  const fixed: Parts = {
    ...noParts(),
    systemPrompt: estimateRequest({ systemPrompt, tools: NO_TOOLS, messages: NO_MESSAGES }),
    tools: estimateRequest({ systemPrompt: '', tools, messages: NO_MESSAGES }),
  };
  const isMeasured =
    lastRequest !== undefined && lastRequest.inputTokens > 0 && lastRequest.messageCount <= messages.length;
  if (!isMeasured) {
    const breakdown = corrected(sumOf(fixed, estimated(messages)));
    return { currentTokens: total(breakdown), breakdown, isMeasured };
  }
  const { inputTokens, messageCount, outputTokens } = lastRequest;
  const sent = scaledTo(sumOf(fixed, estimated(messages.slice(0, messageCount))), inputTokens);
  const hasAnswer = outputTokens !== undefined && messages[messageCount]?.role === 'assistant';
  const later = corrected(estimated(messages.slice(messageCount + (hasAnswer ? 1 : 0))));
  const answer = { ...noParts(), conversation: hasAnswer ? outputTokens : 0 };
  const breakdown = sumOf(sumOf(sent, answer), later);
  return { currentTokens: total(breakdown), breakdown, isMeasured };
};

const statusOf = (usageRatio: number, config: WindowGuardConfig): ContextWindowState['status'] => {
  if (usageRatio >= 1) return 'exceeded';
  if (usageRatio >= config.criticalThreshold) return 'critical';
  return usageRatio >= config.warningThreshold ? 'warning' : 'safe';
};

/** Minimum size for a compaction: at most half of the room for the conversation. */
const minTokensOf = (contextWindow: number, roomTokens: number): number =>
  Math.min(
    contextWindow < STANDARD_WINDOW ? ABSOLUTE_MIN_TOKENS.small : ABSOLUTE_MIN_TOKENS.standard,
    roomTokens / 2,
  );

export const evaluateContextWindow = (
  { currentTokens, breakdown }: ContextMeasure,
  contextWindow: number,
  config: WindowGuardConfig,
): ContextWindowState => {
  const maxTokens = Math.max(1, contextWindow - config.reserveTokens);
  const usageRatio = currentTokens / maxTokens;
  const status = statusOf(usageRatio, config);
  const spokenTokens = breakdown.toolResults + breakdown.conversation + breakdown.summary;
  const roomTokens = maxTokens - breakdown.systemPrompt - breakdown.tools;
  const isWorthIt = spokenTokens >= minTokensOf(contextWindow, roomTokens);
  return {
    currentTokens,
    maxTokens,
    usageRatio,
    status,
    compactionNeeded: status === 'exceeded' || (status === 'critical' && isWorthIt),
    breakdown,
  };
};
