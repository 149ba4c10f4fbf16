import type { z } from 'zod';
import type { CommandCategory, CommandFlags } from '../chat/command-definition.ts';
import type { PipelineMsgContext, RunStatus } from '../agent/execution.ts';
import type { TurnContext } from '../chat/message.ts';
import type { KeyedProvider, MODEL_PRICES } from '../agent/model.ts';
import type { ProcessOutcome } from '../chat/stage.ts';
import type { defineTool, Tool, ToolExecutionContext, ToolResult } from '../agent/tool.ts';

/** Before the pipeline. A handler may change the text or skip the message. */
export interface BeforeMessageProcessPayload {
  readonly ctx: TurnContext;
  readonly body: string;
  readonly skip?: boolean;
  /** With `skip`: the reply. Absent: no reply. */
  readonly skipReply?: string;
}

export interface AfterMessageProcessPayload {
  readonly ctx: TurnContext;
  readonly outcome: ProcessOutcome['outcome'];
  readonly durationMs: number;
}

/** Before the model request. A handler may add notes to the context of this message. */
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

/** After the policy check and before the call. A handler may change the input or replace the call by `skipResult`. */
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

/** A returned object is merged into the payload. Return values of `after…` hooks are ignored. */
export type HookHandler<Payload> = (
  payload: Payload,
) => Partial<Payload> | void | undefined | Promise<Partial<Payload> | void | undefined>;

/** One line, in English or in both languages. */
export type PluginText = string | { readonly en: string; readonly ko?: string };

/** One field on platforms that show commands as forms. In a typed command, the values follow each other. */
export interface PluginCommandOption {
  /** `^[a-z0-9_-]{1,32}$`. */
  readonly name: string;
  /** At most 100 characters. */
  readonly description: PluginText;
  /** Default: `text`, a word or several. `flag`: true becomes `--name`. */
  readonly type?: 'text' | 'integer' | 'flag';
  readonly isRequired?: boolean;
}

export interface PluginCommandCall {
  /** Words after the name, without flags. */
  readonly args: readonly string[];
  readonly flags: CommandFlags;
  /** The message with its sender, chat and language. */
  readonly ctx: TurnContext;
}

/** Markdown. `ephemeral`: visible to the sender only. */
export type PluginCommandAnswer = string | { readonly content: string; readonly ephemeral?: boolean };

export interface PluginCommand {
  /** `^[a-z][a-z0-9_-]{0,31}$`. Names and aliases must be unique across all commands. */
  readonly name: string;
  /** A Korean alias becomes the command's name on Korean Discord. */
  readonly aliases?: readonly string[];
  /** Shown by `/help` and the platforms; at most 100 characters. */
  readonly description: PluginText;
  /** As a person types it. Default: the name and its options. */
  readonly usage?: PluginText;
  /** Where `/help` lists it. Default: `general`. */
  readonly category?: CommandCategory;
  /** The sender needs one of these roles. Administrators have all roles. */
  readonly requiredRoles?: readonly string[];
  readonly cooldownMs?: number;
  /** All answers are visible to the sender only. */
  readonly isPrivate?: boolean;
  readonly options?: readonly PluginCommandOption[];
  /** Default 10 s, at most 60 s. */
  readonly timeoutMs?: number;
  /** The signal aborts on `/stop`, on the timeout and on shutdown. */
  readonly run: (
    call: PluginCommandCall,
    signal: AbortSignal,
  ) => PluginCommandAnswer | Promise<PluginCommandAnswer>;
}

export interface PluginModel {
  /** The server's name of the model. Ids and aliases must be unique across all models. */
  readonly id: string;
  readonly displayName?: string;
  readonly aliases?: readonly string[];
  /** The protocol, and the keys unless it has its own server. */
  readonly provider: KeyedProvider;
  /** Its own server and key. The provider's keys are never sent there. */
  readonly server?: {
    /** Must be https, except on this machine and in private networks. */
    readonly baseUrl: string;
    readonly apiKey: string;
    /** For `openai`. Default: `chat`, which compatible servers support. */
    readonly api?: 'responses' | 'chat';
  };
  /** At least 6,000 tokens. */
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** US dollars per million tokens. Null: unknown, so that no budget counts its requests. */
  readonly pricing: Readonly<z.infer<typeof MODEL_PRICES>> | null;
  /** Default: false. */
  readonly vision?: boolean;
  /** Default: true. */
  readonly functionCalling?: boolean;
  /** Default: true. */
  readonly streaming?: boolean;
  /** Whether it accepts a temperature. Default: true for `openai` with its own server, otherwise false. */
  readonly temperature?: boolean;
  /** How reliable its arithmetic is. Default: `low`. */
  readonly numericalReasoningTier?: 'low' | 'medium' | 'high';
}

export interface PluginApi {
  /** `defineTool` and `z` of the program, so that a plugin needs no dependencies of its own. */
  readonly defineTool: typeof defineTool;
  readonly z: typeof z;
  readonly registerTool: (tool: Tool) => void;
  /** Everybody who passes the gates can call it. The tool policy does not apply to commands. */
  readonly registerCommand: (command: PluginCommand) => void;
  readonly registerModel: (model: PluginModel) => void;
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
