import { z } from 'zod';
import type { Locale } from '../locale.ts';
import { liveTexts } from '../chat/texts/live.ts';
import type { AgentId, ChannelId, InboxId, SessionKey, TurnId, UserId } from '../ids.ts';
import type { AddressBook, LinkSource } from './links.ts';
import type { ChatType, MediaAttachment, ReplyTarget } from '../chat/message.ts';
import type { ChangeReceipt } from '../chat/receipt.ts';
import { visibleLine } from '../text.ts';
import type { ZoneSource } from '../time.ts';
import type { ToolDisplay } from '../chat/tool-display.ts';
import type { Fact } from '../market/fact.ts';

export type ToolGroupId = 'finance' | 'system' | 'web' | 'data' | 'communication' | 'custom';

/** A tool as described to the model. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A definition with the data for policy, timeouts and circuit breakers. */
export interface RegisteredToolDefinition extends ToolDefinition {
  readonly group: ToolGroupId;
  readonly requiresApproval: boolean;
  /** Has an effect that must not happen twice. */
  readonly isTransactional: boolean;
  readonly accessesSensitiveData: boolean;
  /** Only for configured administrators. */
  readonly adminsOnly: boolean;
  /** Depends on an external service, so it gets a circuit breaker. */
  readonly isExternal: boolean;
  readonly timeoutMs: number;
}

/** The requester of a tool call. Policy, budget and account data are always this person's. */
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
  /** How the time zone is known. Absent: it is certainly the person's own. */
  readonly zoneFrom?: ZoneSource;
  readonly target: ReplyTarget;
  /** The message and its run. */
  readonly inboxId: InboxId;
  readonly turnId: TurnId;
  /** The run is resumed, so a person may have been asked about its calls before. */
  readonly isResumed: boolean;
  /** The web addresses that the person chose. */
  readonly addresses?: AddressBook;
  /** The sample numbers of the conversation that a text repeats, for a text that is sent later. */
  readonly samplesIn?: (text: string) => readonly Fact[];
  /** Token limits of a model with a small window. Absent: no limit. */
  readonly model?: { readonly toolTokens: number; readonly resultTokens: number };
}

/**
 * Why a call failed, for the program. The text is for the model alone: the program must not interpret it.
 */
export const TOOL_RESULT_CODES = [
  'approval-denied',
  'approval-expired',
  /** The request was given up before it was decided, or before the approved call began. */
  'approval-given-up',
  /** The person could not be asked. */
  'approval-not-asked',
  /** The call differs from the one that the person approved. */
  'approval-mismatch',
  /** The program ended during the call, so its effect is unknown. */
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
  /** The same for people, who read less than a model. Absent: `content`. Only built-in tools may set it. */
  readonly brief?: string;
  readonly isError: boolean;
  readonly code?: ToolResultCode;
  readonly facts?: readonly Fact[];
  /** Images and files for the answer. */
  readonly media?: readonly MediaAttachment[];
  /** Contains untrusted text (a page, news), which the model gets marked as data. */
  readonly isUntrusted?: boolean;
  /** The web addresses that `fetch_url` may open because of this result. Only built-in tools may set it. */
  readonly linkSource?: LinkSource;
  /** What the command would show beside these words. Only built-in tools may set it. */
  readonly display?: ToolDisplay;
  /** For a call that changed what is stored, and no other. Only built-in tools may set it. */
  readonly receipt?: ChangeReceipt;
  /** A local time was stored in the person's zone. If the zone is a guess, they are asked below the answer. */
  readonly dependsOnZone?: boolean;
  /** Approval is needed: the run is suspended, and the call is made again after the decision. */
  readonly isSuspended?: boolean;
}

/** Why a single call needs approval although its tool does not. */
export interface ApprovalNeed {
  /** For administrators and the model, in English. */
  readonly reason: string;
  /** For the person, in their language. */
  readonly words: string;
}

/** A checked call: a summary for the approval request, or the result if it is refused at once. */
export type PreparedCall =
  | { readonly status: 'ready'; readonly summary: string }
  | { readonly status: 'refused'; readonly result: ToolResult };

/** `invoke` accepts any input of the model. Input that violates the schema gives an error result, not a throw. */
export interface Tool {
  readonly definition: RegisteredToolDefinition;
  /** Explains to the model what is wrong with the input; undefined if it is valid. */
  readonly problemWith: (input: unknown) => string | undefined;
  /** What a call would do, for the approval request. Only for valid input. */
  readonly describe: (input: unknown, locale: Locale) => string;
  /**
   * Checks a call against current data before a person is asked. Only for valid input; changes nothing. Absent: the
   * approval request uses `describe`.
   */
  readonly prepare?: (
    input: unknown,
    context: ToolExecutionContext,
    signal: AbortSignal,
  ) => Promise<PreparedCall>;
  /** The status line while a call runs: "삼성전자 시세 조회 중…". Never throws. */
  readonly progress: (input: unknown, locale: Locale) => string;
  /** Whether this call needs approval. Only for valid input. */
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
  /** What a call would do. Default: the name and every argument. */
  readonly describe?: (input: z.output<Schema>, locale: Locale) => string;
  /** Replaces `describe` if the description needs a look-up. Its summary is quoted. */
  readonly prepare?: (
    input: z.output<Schema>,
    context: ToolExecutionContext,
    signal: AbortSignal,
  ) => Promise<PreparedCall>;
  /** Default: the name of the tool. */
  readonly progress?: (input: z.output<Schema>, locale: Locale) => string;
  /** Requires approval for single calls. A policy rule that allows this tool by name overrides it. */
  readonly approvalFor?: (input: z.output<Schema>, context: ToolExecutionContext) => ApprovalNeed | undefined;
  readonly run: (
    input: z.output<Schema>,
    context: ToolExecutionContext,
    signal: AbortSignal,
  ) => Promise<ToolResult>;
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const DEFAULT_TIMEOUT_MS = 30_000;

/** Converts values that JSON does not support. */
const plain = (_key: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Map || value instanceof Set ? [...value] : value;
};

/** A value as code on one line, so that no argument can imitate another argument or the program's text. */
const asCode = (value: unknown): string =>
  `\`${visibleLine(JSON.stringify(value, plain) ?? 'nothing').replaceAll('`', "'")}\``;

/** All exact arguments, one per line, because the approval is bound to them. */
const describeArguments = (name: string, input: unknown): string => {
  const fields = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  return [name, ...fields.map(([field, value]) => `- ${asCode(field)}: ${asCode(value)}`)].join('\n');
};

/** Quotes a description, so that arguments in it cannot imitate the end of the approval request. */
const asQuotation = (words: string): string =>
  words
    .split('\n')
    .map((line) => `> ${visibleLine(line).replace(/^> /, '')}`)
    .join('\n');

/** The summary for an approval request, even if the tool's own `describe` fails. */
export const summaryOf = (tool: Tool, input: unknown, locale: Locale): string => {
  try {
    return asQuotation(tool.describe(input, locale));
  } catch {
    // `describe` failed, so the exact arguments are shown.
    return asQuotation(describeArguments(tool.definition.name, input));
  }
};

/** Schemas of tools live as long as the program, so each is converted once. */
const inputSchemas = new WeakMap<z.ZodType, ToolDefinition['inputSchema']>();

/** Without the address of the dialect, which no provider reads and every request would pay for. */
export const inputSchemaOf = (input: z.ZodType): ToolDefinition['inputSchema'] =>
  inputSchemas.getOrInsertComputed(input, () => {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: 'input' });
    return schema;
  });

/**
 * The input of a built-in tool, outside of the function that makes the tool: the schema is built once, when a model is
 * first told of it, because building all of them would delay the start.
 */
export const toolInput = <Schema extends z.ZodType>(build: () => Schema): z.ZodLazy<Schema> => {
  let schema: Schema | undefined;
  // Zod itself calls the function more than once.
  return z.lazy(() => (schema ??= build()));
};

/** Closes over the input type, so that tools of different inputs live in one list. */
export const defineTool = <Schema extends z.ZodType>(spec: ToolSpec<Schema>): Tool => {
  if (!TOOL_NAME.test(spec.name)) throw new Error(`Tool name "${spec.name}" must match ${TOOL_NAME.source}`);
  const { approvalFor, prepare } = spec;
  const problemOf = (error: z.ZodError): string =>
    `Invalid input for ${spec.name}: ${z.prettifyError(error)}`;
  return {
    definition: {
      name: spec.name,
      description: spec.description,
      get inputSchema() {
        return inputSchemaOf(spec.input);
      },
      group: spec.group,
      requiresApproval: spec.requiresApproval ?? false,
      isTransactional: spec.isTransactional ?? false,
      accessesSensitiveData: spec.accessesSensitiveData ?? false,
      adminsOnly: spec.adminsOnly ?? false,
      isExternal: spec.isExternal ?? false,
      timeoutMs: spec.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    },
    problemWith: (input) => {
      const { error } = spec.input.safeParse(input);
      return error && problemOf(error);
    },
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
      const fallback = liveTexts(locale).usingTool({ name: spec.name });
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
      const { data, error } = spec.input.safeParse(input);
      if (error) return { content: problemOf(error), isError: true, code: 'invalid-input' };
      return spec.run(data, context, signal);
    },
  };
};
