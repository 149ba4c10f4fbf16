import type { z } from 'zod';
import type { CommandCategory, CommandFlags } from './command-definition.ts';
import type { PipelineMsgContext, RunStatus } from './execution.ts';
import type { MsgContext } from './message.ts';
import type { KeyedProvider } from './model.ts';
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

/** English for everybody, or English with Korean beside it. One line. */
export type PluginText = string | { readonly en: string; readonly ko?: string };

/** One field, where a platform shows commands as forms. In a typed command the values follow each other. */
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
  /** The words behind the name, without the flags. */
  readonly args: readonly string[];
  readonly flags: CommandFlags;
  /** The message: who wrote it, where, in which language. */
  readonly ctx: MsgContext;
}

/** What a command of a plugin says: text in Markdown. `ephemeral`: to the person who typed it alone. */
export type PluginCommandAnswer = string | { readonly content: string; readonly ephemeral?: boolean };

export interface PluginCommand {
  /** `^[a-z][a-z0-9_-]{0,31}$`; neither it nor an alias may be the name of another command. */
  readonly name: string;
  /** A Korean one is the command's name on Korean Discord. */
  readonly aliases?: readonly string[];
  /** For `/help` and the platforms; at most 100 characters. */
  readonly description: PluginText;
  /** As a person types it. Default: the name and its options. */
  readonly usage?: PluginText;
  /** Where `/help` lists it. Default: `general`. */
  readonly category?: CommandCategory;
  /** The sender needs one of these roles; administrators have them all. */
  readonly requiredRoles?: readonly string[];
  readonly cooldownMs?: number;
  /** Everything it answers is visible to its sender only. */
  readonly isPrivate?: boolean;
  readonly options?: readonly PluginCommandOption[];
  /** It is given up after so long. Default 10 s, at most 60 s. */
  readonly timeoutMs?: number;
  /** The signal aborts when the person stops it, when its time is up and when the bot stops. */
  readonly run: (
    call: PluginCommandCall,
    signal: AbortSignal,
  ) => PluginCommandAnswer | Promise<PluginCommandAnswer>;
}

export interface PluginModel {
  /** What its server calls it; neither it nor an alias may be the name of another model. */
  readonly id: string;
  readonly displayName?: string;
  readonly aliases?: readonly string[];
  /** Whose protocol it speaks, and whose keys it uses where it has no server of its own. */
  readonly provider: KeyedProvider;
  /** Where it is served, with a key of its own: the provider's keys are never sent there. */
  readonly server?: {
    /** https; plain http only on this machine and in private networks. */
    readonly baseUrl: string;
    readonly apiKey: string;
    /** Of `openai`. Default: `chat`, which compatible servers speak. */
    readonly api?: 'responses' | 'chat';
  };
  /** At least 6,000 tokens. */
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** US dollars for a million tokens; null where the price is not known: its cost is then unknown, and no budget counts it. */
  readonly pricing: {
    readonly inputPerMillion: number;
    readonly outputPerMillion: number;
    readonly cacheReadPerMillion?: number | undefined;
    readonly cacheWritePerMillion?: number | undefined;
  } | null;
  /** Default: false. */
  readonly vision?: boolean;
  /** Default: true. */
  readonly functionCalling?: boolean;
  /** Default: true. */
  readonly streaming?: boolean;
  /** Whether it takes a temperature. Default: true for `openai` with a server of its own, otherwise false. */
  readonly temperature?: boolean;
  /** How far its sums can be trusted. Default: `low`. */
  readonly numericalReasoningTier?: 'low' | 'medium' | 'high';
}

/** What a plugin is given. */
export interface PluginApi {
  /** Both of the program's own making, so that a plugin outside its folder needs nothing to be installed. */
  readonly defineTool: typeof defineTool;
  readonly z: typeof z;
  readonly registerTool: (tool: Tool) => void;
  /** Everybody who passes the gates can call it. The tool policy does not apply, since a command is not a tool. */
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
