import { z } from 'zod';
import type { Locale } from './i18n.ts';
import type { ChannelId, SessionKey, UserId } from './ids.ts';
import type { ChatType } from './message.ts';

export type ToolGroupId = 'finance' | 'system' | 'web' | 'data' | 'communication' | 'custom';

/** One number (or date, or name) that an answer may state, with where it is from and as of when. */
export interface Fact {
  /** The symbol or other thing it is about. */
  readonly entity: string;
  readonly metric: string;
  /** Decimal as text. */
  readonly value: string;
  readonly unit: string;
  /** ISO 8601 instant. */
  readonly asOf: string;
  readonly source: string;
  /** True for made-up data: every answer that rests on it is marked. */
  readonly isSample: boolean;
}

/** What the model is told about a tool. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** The same with what policy, timeouts and breakers need to know. */
export interface RegisteredToolDefinition extends ToolDefinition {
  readonly group: ToolGroupId;
  readonly requiresApproval: boolean;
  /** Changes something that cannot simply be done again. */
  readonly isTransactional: boolean;
  readonly accessesSensitiveData: boolean;
  /** Depends on a service outside the process: it gets a circuit breaker. */
  readonly isExternal: boolean;
  readonly timeoutMs: number;
}

export interface ToolExecutionContext {
  readonly sessionKey: SessionKey;
  readonly userId: UserId;
  readonly channelId: ChannelId;
  readonly chatType: ChatType;
  readonly locale: Locale;
  readonly timeZone: string;
}

export interface ToolResult {
  readonly content: string;
  readonly isError: boolean;
  readonly facts?: readonly Fact[];
  /** A person has to decide first: the run rests, and the call is made again after that. */
  readonly isSuspended?: boolean;
}

/** `invoke` takes whatever the model wrote; input that does not fit the schema is an error result, not a throw. */
export interface Tool {
  readonly definition: RegisteredToolDefinition;
  readonly invoke: (
    input: unknown,
    context: ToolExecutionContext,
    signal: AbortSignal,
  ) => Promise<ToolResult>;
}

interface ToolSpec<Schema extends z.ZodType> extends Partial<
  Omit<RegisteredToolDefinition, 'name' | 'description' | 'inputSchema' | 'group'>
> {
  readonly name: string;
  readonly description: string;
  readonly group: ToolGroupId;
  readonly input: Schema;
  readonly run: (
    input: z.output<Schema>,
    context: ToolExecutionContext,
    signal: AbortSignal,
  ) => Promise<ToolResult>;
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const DEFAULT_TIMEOUT_MS = 30_000;

/** Closes over the input type, so that tools of different inputs live in one list. */
export const defineTool = <Schema extends z.ZodType>(spec: ToolSpec<Schema>): Tool => {
  if (!TOOL_NAME.test(spec.name)) throw new Error(`Tool name "${spec.name}" must match ${TOOL_NAME.source}`);
  return {
    definition: {
      name: spec.name,
      description: spec.description,
      inputSchema: z.toJSONSchema(spec.input, { io: 'input' }),
      group: spec.group,
      requiresApproval: spec.requiresApproval ?? false,
      isTransactional: spec.isTransactional ?? false,
      accessesSensitiveData: spec.accessesSensitiveData ?? false,
      isExternal: spec.isExternal ?? false,
      timeoutMs: spec.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    },
    invoke: async (input, context, signal) => {
      const parsed = spec.input.safeParse(input);
      if (parsed.success) return spec.run(parsed.data, context, signal);
      return { content: `Invalid input for ${spec.name}: ${z.prettifyError(parsed.error)}`, isError: true };
    },
  };
};
