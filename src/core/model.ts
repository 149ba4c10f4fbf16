import type { Fact } from './tool.ts';

export interface ModelRef {
  readonly provider: string;
  readonly model: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

/** A whole call of the model: only calls whose arguments were complete become one. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Why it must not be run: its arguments were no JSON. Stored with the call, so that a restart knows it too. */
  readonly malformed?: string;
}

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'tool_use' } & ToolCall)
  | {
      readonly type: 'tool_result';
      readonly toolUseId: string;
      readonly content: string;
      readonly isError: boolean;
      readonly facts?: readonly Fact[];
    };

export interface ConversationMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: readonly ContentBlock[];
}

/** `inputTokens` are the uncached ones, whichever provider reports them. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'stop_sequence' | 'refusal';

/** What a provider streams. A stream without its `done` has failed. */
export type StreamChunk =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  | { readonly type: 'tool_use_start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool_input_delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'tool_use_end'; readonly id: string }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'done'; readonly stopReason: StopReason };
