import type { ModelEntry } from '../../models/catalog.ts';

/** Models with smaller windows get the minimal prompt and few tools, because the full set would leave no room for a conversation. */
const SMALL_WINDOW_TOKENS = 40_000;
/** Share of a small window that the tool definitions may take. */
const TOOL_SHARE = 1 / 5;
/** Share of any window that is kept free for the answer at most. */
const RESERVE_SHARE = 1 / 4;

/** The operator's limits, whatever the model supports. */
export interface WindowLimits {
  readonly maxOutputTokens: number;
  readonly maxContextTokens: number;
}

/** The size of a model's window, and how it is divided. */
export interface ModelWindow {
  /** The model's window, or the operator's lower limit. Compaction works with this. */
  readonly windowTokens: number;
  /** Kept free for the answer. */
  readonly reserveTokens: number;
  readonly isSmall: boolean;
  /** Limit for tool definitions. */
  readonly toolTokens: number;
}

type Sizes = Pick<ModelEntry, 'provider' | 'contextWindow' | 'maxOutputTokens'>;

/** Without a model, only the limits apply. */
export const windowOf = (entry: Sizes | undefined, limits: WindowLimits): ModelWindow => {
  const windowTokens = Math.min(entry?.contextWindow ?? Infinity, limits.maxContextTokens);
  const maxOutputTokens = Math.min(entry?.maxOutputTokens ?? Infinity, limits.maxOutputTokens);
  // The offline model works by rules, so no list of tools is too long for it.
  const isSmall = windowTokens < SMALL_WINDOW_TOKENS && entry?.provider !== 'offline';
  return {
    windowTokens,
    reserveTokens: Math.min(maxOutputTokens, Math.floor(windowTokens * RESERVE_SHARE)),
    isSmall,
    toolTokens: isSmall ? Math.floor(windowTokens * TOOL_SHARE) : Infinity,
  };
};
