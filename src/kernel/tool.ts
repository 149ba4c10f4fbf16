import { z } from 'zod';
import type { Locale } from './locale.ts';
import { liveMessages } from './messages/live.ts';
import type { AgentId, ChannelId, InboxId, SessionKey, TurnId, UserId } from './ids.ts';
import type { AddressBook, LinkSource } from './links.ts';
import type { ChatType, MediaAttachment, ReplyTarget } from './message.ts';
import { visibleLine } from './text.ts';
import type { ZoneSource } from './time-zone.ts';

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
  /** Only for those whom the configuration names as administrators. */
  readonly adminsOnly: boolean;
  /** Depends on a service outside the process: it gets a circuit breaker. */
  readonly isExternal: boolean;
  readonly timeoutMs: number;
}

/** For whom a tool is called: policy, budget and personal data always belong to this one person. */
export interface ToolExecutionContext {
  readonly agentId: AgentId;
  readonly sessionKey: SessionKey;
  readonly userId: UserId;
  readonly userName: string;
  readonly userRoles: readonly string[];
  readonly isAdmin: boolean;
  readonly channelId: ChannelId;
  readonly chatType: ChatType;
  readonly locale: Locale;
  readonly timeZone: string;
  /** How the zone is known. Absent: it is the person's own for certain. */
  readonly zoneFrom?: ZoneSource;
  /** Where an answer to the requester goes. */
  readonly target: ReplyTarget;
  /** The message, and the run that answers it. */
  readonly inboxId: InboxId;
  readonly turnId: TurnId;
  /** The run was begun before and is taken up again: a person may have been asked about its calls. */
  readonly isResumed: boolean;
  /** Which web addresses the person chose. Absent: none is known. */
  readonly addresses?: AddressBook;
  /** For a model with a small window: the tokens that its list of tools and one result may take. Absent: no limit. */
  readonly model?: { readonly toolTokens: number; readonly resultTokens: number };
}

/**
 * Why a call came to nothing, for the program. The model reads `content`; nothing in the program may recognise a
 * result by the words of it.
 */
export const TOOL_RESULT_CODES = [
  /** The person said no. */
  'approval-denied',
  'approval-expired',
  /** The question was given up before it was decided, or before the approved call began. */
  'approval-given-up',
  /** The question could not be put to the person. */
  'approval-not-asked',
  /** The call is not the one that the person was asked about. */
  'approval-mismatch',
  /** It had begun when the program ended: nobody knows whether it took effect. */
  'maybe-done',
  'not-allowed',
  'invalid-input',
  'unknown-tool',
  'tool-failed',
  /** The run ended before the call began. */
  'not-run',
] as const;

export type ToolResultCode = (typeof TOOL_RESULT_CODES)[number];

export interface ToolResult {
  readonly content: string;
  readonly isError: boolean;
  readonly code?: ToolResultCode;
  readonly facts?: readonly Fact[];
  /** Pictures and files that go out with the answer. */
  readonly media?: readonly MediaAttachment[];
  /** Words of strangers (a page, the news): they reach the model fenced, as data. */
  readonly isUntrusted?: boolean;
  /** The web addresses that `fetch_url` may open because of this result. It counts for tools of the program alone. */
  readonly linkSource?: LinkSource;
  /** Something was set by the clock of the person's zone: where that is a guess, they are asked below the answer. */
  readonly dependsOnZone?: boolean;
  /** A person has to decide first: the run rests, and the call is made again after that. */
  readonly isSuspended?: boolean;
}

/** Why one call needs a person's approval although the tool as a whole does not. */
export interface ApprovalNeed {
  /** For administrators and the model, in English. */
  readonly reason: string;
  /** For the person who is asked, in their language. */
  readonly words: string;
}

/** What came of checking a call: words for the person who is asked, or why it is not even asked about. */
export type PreparedCall =
  | { readonly status: 'ready'; readonly summary: string }
  | { readonly status: 'refused'; readonly result: ToolResult };

/** `invoke` takes whatever the model wrote; input that does not fit the schema is an error result, not a throw. */
export interface Tool {
  readonly definition: RegisteredToolDefinition;
  /** What is wrong with an input, in words that the model can act on; undefined where nothing is. */
  readonly problemWith: (input: unknown) => string | undefined;
  /** What a call would do, for the person who has to allow it. Only for input without a problem. */
  readonly describe: (input: unknown, locale: Locale) => string;
  /**
   * Checks a call against what is known now, before a person is asked about it. Only for input without a problem; changes
   * nothing. Absent: `describe` says what it would do.
   */
  readonly prepare?: (
    input: unknown,
    context: ToolExecutionContext,
    signal: AbortSignal,
  ) => Promise<PreparedCall>;
  /** What is being done while a call runs, in a few words, for those who wait: "삼성전자 시세 조회 중…". Never throws. */
  readonly progress: (input: unknown, locale: Locale) => string;
  /** Whether this very call needs approval. Only for input without a problem. Absent: no call does by itself. */
  readonly approvalFor?: (input: unknown, context: ToolExecutionContext) => ApprovalNeed | undefined;
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
  /** What a call would do, in a person's words. Default: the name and every argument. */
  readonly describe?: (input: z.output<Schema>, locale: Locale) => string;
  /** In the place of `describe`, where what a call would do has to be looked up. Its summary is quoted. */
  readonly prepare?: (
    input: z.output<Schema>,
    context: ToolExecutionContext,
    signal: AbortSignal,
  ) => Promise<PreparedCall>;
  /** Default: that the tool of this name is at work. */
  readonly progress?: (input: z.output<Schema>, locale: Locale) => string;
  /** Asks for approval of single calls, by what they would do. A rule that allows this tool by its name lifts it. */
  readonly approvalFor?: (input: z.output<Schema>, context: ToolExecutionContext) => ApprovalNeed | undefined;
  readonly run: (
    input: z.output<Schema>,
    context: ToolExecutionContext,
    signal: AbortSignal,
  ) => Promise<ToolResult>;
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const DEFAULT_TIMEOUT_MS = 30_000;

/** What JSON has no words for. */
const plain = (_key: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Map || value instanceof Set ? [...value] : value;
};

/** A value on one line, as code: no argument can look like another one, or like words of ours. */
const asCode = (value: unknown): string =>
  `\`${visibleLine(JSON.stringify(value, plain) ?? 'nothing').replaceAll('`', "'")}\``;

/** The exact arguments, one a line: who allows a call has to see all of them, as they will be used. */
const describeArguments = (name: string, input: unknown): string => {
  const fields = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  return [name, ...fields.map(([field, value]) => `- ${asCode(field)}: ${asCode(value)}`)].join('\n');
};

/** Words about a call: its arguments may be in them, and must not end the question early. */
const asQuotation = (words: string): string =>
  words
    .split('\n')
    .map((line) => `> ${visibleLine(line).replace(/^> /, '')}`)
    .join('\n');

/** What a call would do, as it is put before a person, whoever wrote the tool. */
export const summaryOf = (tool: Tool, input: unknown, locale: Locale): string => {
  try {
    return asQuotation(tool.describe(input, locale));
  } catch {
    // The exact arguments tell it too.
    return asQuotation(describeArguments(tool.definition.name, input));
  }
};

/** Without the address of the dialect, which no provider reads and every request would pay for. */
export const inputSchemaOf = (input: z.ZodType): ToolDefinition['inputSchema'] => {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema;
};

/** Closes over the input type, so that tools of different inputs live in one list. */
export const defineTool = <Schema extends z.ZodType>(spec: ToolSpec<Schema>): Tool => {
  if (!TOOL_NAME.test(spec.name)) throw new Error(`Tool name "${spec.name}" must match ${TOOL_NAME.source}`);
  const { approvalFor, prepare } = spec;
  const problemWith = (input: unknown): string | undefined => {
    const { error } = spec.input.safeParse(input);
    return error && `Invalid input for ${spec.name}: ${z.prettifyError(error)}`;
  };
  let inputSchema: ToolDefinition['inputSchema'] | undefined;
  return {
    definition: {
      name: spec.name,
      description: spec.description,
      // Made when a model is first told of the tool: making all of them would delay the start.
      get inputSchema() {
        inputSchema ??= inputSchemaOf(spec.input);
        return inputSchema;
      },
      group: spec.group,
      requiresApproval: spec.requiresApproval ?? false,
      isTransactional: spec.isTransactional ?? false,
      accessesSensitiveData: spec.accessesSensitiveData ?? false,
      adminsOnly: spec.adminsOnly ?? false,
      isExternal: spec.isExternal ?? false,
      timeoutMs: spec.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    },
    problemWith,
    describe: (input, locale) => {
      const parsed = spec.input.parse(input);
      return asQuotation(spec.describe?.(parsed, locale) ?? describeArguments(spec.name, parsed));
    },
    ...(prepare && {
      prepare: async (input: unknown, context: ToolExecutionContext, signal: AbortSignal) => {
        const prepared = await prepare(spec.input.parse(input), context, signal);
        return prepared.status === 'ready'
          ? { status: 'ready' as const, summary: asQuotation(prepared.summary) }
          : prepared;
      },
    }),
    progress: (input, locale) => {
      const fallback = liveMessages(locale).usingTool({ name: spec.name });
      try {
        const parsed = spec.input.safeParse(input);
        return parsed.success ? (spec.progress?.(parsed.data, locale) ?? fallback) : fallback;
      } catch {
        return fallback;
      }
    },
    ...(approvalFor && {
      approvalFor: (input: unknown, context: ToolExecutionContext) =>
        approvalFor(spec.input.parse(input), context),
    }),
    invoke: async (input, context, signal) => {
      const problem = problemWith(input);
      if (problem !== undefined) return { content: problem, isError: true, code: 'invalid-input' };
      return spec.run(spec.input.parse(input), context, signal);
    },
  };
};
