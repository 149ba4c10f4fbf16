import type { TurnContext } from '../chat/message.ts';

/** One stage of the tool policy, for administrators. */
export interface PolicyStageView {
  readonly stage: string;
  readonly verdict: 'allow' | 'deny' | 'require-approval' | 'continue';
  readonly reason: string;
}

export interface PolicyView {
  readonly toolName: string;
  readonly group: string;
  readonly verdict: 'allow' | 'deny' | 'require-approval';
  readonly decidingStage: string;
  readonly reason: string;
  readonly stages: readonly PolicyStageView[];
}

/** Port: the tool policy, for `/debug policy`. */
export interface ToolPolicies {
  readonly names: () => readonly string[];
  /** The verdict for this sender in this chat; undefined for an unknown tool. */
  readonly explain: (toolName: string, ctx: TurnContext) => PolicyView | undefined;
}
