import type { z } from 'zod';
import type { PipelineMsgContext, RunStatus } from './execution.ts';
import type { MsgContext } from './message.ts';
import type { ProcessOutcome } from './stage.ts';
import type { defineTool, Tool, ToolExecutionContext, ToolResult } from './tool.ts';

/** Before a message goes through the pipeline: its words may be changed, or the message left unanswered. */
export interface BeforeMessageProcessPayload {
  readonly ctx: MsgContext;
  readonly body: string;
  readonly skip?: boolean;
  /** With `skip`: what is said instead. Without it, nothing is. */
  readonly skipReply?: string;
}

export interface AfterMessageProcessPayload {
  readonly ctx: MsgContext;
  readonly outcome: ProcessOutcome['outcome'];
  readonly durationMs: number;
}

/** Before the model is asked: notes are added to what it knows about this one message. */
export interface BeforeAgentRunPayload {
  readonly ctx: PipelineMsgContext;
  readonly notes: readonly string[];
}

export interface AfterAgentRunPayload {
  readonly ctx: PipelineMsgContext;
  readonly status: RunStatus;
  readonly turns: number;
  readonly durationMs: number;
}

/** After the policy, before the call: the input may be changed, or the call replaced by `skipResult`. */
export interface BeforeToolExecutePayload {
  readonly toolName: string;
  readonly input: unknown;
  readonly context: ToolExecutionContext;
  readonly skip?: boolean;
  readonly skipResult?: ToolResult;
}

export interface AfterToolExecutePayload {
  readonly toolName: string;
  readonly input: unknown;
  readonly context: ToolExecutionContext;
  readonly result: ToolResult;
  readonly durationMs: number;
}

export interface HookPayloads {
  readonly beforeMessageProcess: BeforeMessageProcessPayload;
  readonly afterMessageProcess: AfterMessageProcessPayload;
  readonly beforeAgentRun: BeforeAgentRunPayload;
  readonly afterAgentRun: AfterAgentRunPayload;
  readonly beforeToolExecute: BeforeToolExecutePayload;
  readonly afterToolExecute: AfterToolExecutePayload;
}

export type HookName = keyof HookPayloads;

/** What a hook returns is merged over the payload; nothing changes nothing. A void hook's answer is not read. */
export type HookHandler<Payload> = (
  payload: Payload,
) => Partial<Payload> | void | undefined | Promise<Partial<Payload> | void | undefined>;

/** What a plugin is given. */
export interface PluginApi {
  /** Both of the program's own making, so that a plugin outside its folder needs nothing to be installed. */
  readonly defineTool: typeof defineTool;
  readonly z: typeof z;
  readonly registerTool: (tool: Tool) => void;
  /** Higher priorities run first; equal ones in the order of registration. */
  readonly on: <Name extends HookName>(
    name: Name,
    handler: HookHandler<HookPayloads[Name]>,
    options?: { readonly priority?: number },
  ) => void;
}

/** The default export of a plugin's module. */
export interface Plugin {
  readonly name: string;
  readonly setup: (api: PluginApi) => void | Promise<void>;
}
