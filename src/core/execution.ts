import type { ChannelCapabilities } from './channel.ts';
import type { Alert, MarketSession, NewsItem, Portfolio } from './finance.ts';
import type { AgentId } from './ids.ts';
import type { MsgContext } from './message.ts';
import type { TokenUsage } from './model.ts';
import type { Fact } from './tool.ts';

/** The message with all that is known about it when the model is asked. */
export interface PipelineMsgContext extends MsgContext {
  readonly agentId: AgentId;
  readonly normalizedBody: string;
  readonly mentions: readonly string[];
  readonly urls: readonly string[];
  readonly channelCapabilities: ChannelCapabilities;
  readonly resolvedModel?: string;
  /** Absent: not asked for. Named in `unavailable`: asked for and failed. */
  readonly marketSession?: readonly MarketSession[];
  readonly activeAlerts?: readonly Alert[];
  readonly portfolioSnapshot?: Portfolio | null;
  readonly watchlist?: readonly string[];
  readonly newsContext?: readonly NewsItem[];
  readonly unavailable: readonly string[];
}

/** What the person may see while the answer is being made. */
export type ExecutionEvent =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'tool_start'; readonly toolName: string; readonly input: unknown }
  | { readonly type: 'tool_end'; readonly toolName: string; readonly isError: boolean };

export interface ExecutionResult {
  readonly status: 'completed' | 'max_turns';
  readonly content: string;
  readonly facts: readonly Fact[];
  readonly usage: TokenUsage;
}

/** The bridge from the pipeline to the engine. Throws when no answer could be made; on abort, the signal's reason. */
export interface ExecutionAdapter {
  readonly execute: (
    ctx: PipelineMsgContext,
    signal: AbortSignal,
    onEvent: (event: ExecutionEvent) => void,
  ) => Promise<ExecutionResult>;
}
