import { z } from 'zod';
import type { ToolCall } from '#src/core/model.ts';
import type { RegisteredToolDefinition, ToolDefinition } from '#src/core/tool.ts';

/**
 * Two tools that never change stand for all that are seldom needed: the list of tools is part of the cached
 * prompt, and one that grew with every group would be paid for in every request.
 */
const callInput = z.object({
  name: z.string().min(1).max(64).describe('The name of the tool, as find_tools gave it.'),
  input: z.record(z.string(), z.unknown()).default({}).describe('Its input, by its own schema.'),
});

const findInput = z.object({
  query: z.string().max(200).default('').describe('What it should do, in a few words; empty lists all.'),
});

const definitionOf = (name: string, description: string, input: z.ZodType): ToolDefinition => ({
  name,
  description,
  inputSchema: z.toJSONSchema(input, { io: 'input' }),
});

export const FIND_TOOLS = definitionOf(
  'find_tools',
  'Lists tools beside those you already have (system, personal data, plugins) with their inputs. Use it before you say that something cannot be done.',
  findInput,
);

export const CALL_TOOL = definitionOf(
  'call_tool',
  'Calls a tool that find_tools listed. A tool that needs the consent of the person asks for it by itself.',
  callInput,
);

/** They are in no list of tools, and their names are taken. */
export const STAND_INS: ReadonlyMap<string, ToolDefinition> = new Map(
  [FIND_TOOLS, CALL_TOOL].map((definition) => [definition.name, definition]),
);

export type Unwrapped =
  | { readonly status: 'call'; readonly call: ToolCall }
  | { readonly status: 'find'; readonly query: string }
  | { readonly status: 'invalid'; readonly problem: string };

/** What is really meant by a call: `call_tool` is the tool it names, under the id of the call. */
export const unwrapCall = (call: ToolCall): Unwrapped => {
  if (call.name === FIND_TOOLS.name) {
    const parsed = findInput.safeParse(call.input);
    if (!parsed.success) return { status: 'invalid', problem: z.prettifyError(parsed.error) };
    return { status: 'find', query: parsed.data.query };
  }
  if (call.name !== CALL_TOOL.name) return { status: 'call', call };
  const parsed = callInput.safeParse(call.input);
  if (!parsed.success) return { status: 'invalid', problem: z.prettifyError(parsed.error) };
  const { name, input } = parsed.data;
  return { status: 'call', call: { id: call.id, name, input } };
};

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** How many words of the query a tool's name and description hold. */
const scoreOf = (definition: RegisteredToolDefinition, query: readonly string[]): number => {
  const own = new Set(wordsIn(`${definition.name.replaceAll('_', ' ')} ${definition.description}`));
  return query.filter((word) => own.has(word)).length;
};

/** All of them, for there are few; those that fit the query best come first. */
export const describeTools = (
  found: readonly { readonly definition: RegisteredToolDefinition; readonly asksFirst: boolean }[],
  query: string,
): string => {
  if (found.length === 0) return 'There are no further tools for this person in this chat.';
  const words = wordsIn(query);
  return found
    .toSorted((a, b) => scoreOf(b.definition, words) - scoreOf(a.definition, words))
    .map(({ definition: { name, group, description, inputSchema }, asksFirst }) =>
      [
        `${name} (${group}${asksFirst ? ', asks the person first' : ''}): ${description}`,
        `  input: ${JSON.stringify(inputSchema)}`,
      ].join('\n'),
    )
    .join('\n');
};
