import { z } from 'zod';
import type { ToolCall } from '#src/kernel/agent/model.ts';
import {
  inputSchemaOf,
  type RegisteredToolDefinition,
  type ToolDefinition,
  toolInput,
} from '#src/kernel/agent/tool.ts';
import { estimateTokens, toolTokens } from '../tokens.ts';
import { toolLine } from './tool-line.ts';

/**
 * Two fixed tools give access to all rarely used ones. The list of tools is part of the cached prompt, and a
 * list that grew with every group would be paid for in every request. In a small window they replace most other
 * tools too.
 */
const callInput = toolInput(() =>
  z.object({
    name: z.string().min(1).max(64).describe('The name of the tool, as find_tools gave it.'),
    input: z.record(z.string(), z.unknown()).default({}).describe('Its input, by its own schema.'),
  }),
);

const findInput = toolInput(() =>
  z.object({
    query: z.string().max(200).default('').describe('What it should do, in a few words; empty lists all.'),
  }),
);

const definitionOf = (name: string, description: string, input: z.ZodType): ToolDefinition => ({
  name,
  description,
  get inputSchema() {
    return inputSchemaOf(input);
  },
});

export const FIND_TOOLS = definitionOf(
  'find_tools',
  'Lists tools beside those you already have, with their inputs. Use it before you say that something cannot be done.',
  findInput,
);

export const CALL_TOOL = definitionOf(
  'call_tool',
  'Calls a tool that find_tools listed. A tool that needs the consent of the person asks for it by itself.',
  callInput,
);

/** They are not registered, but their names are reserved. */
export const STAND_INS: ReadonlyMap<string, ToolDefinition> = new Map(
  [FIND_TOOLS, CALL_TOOL].map((definition) => [definition.name, definition]),
);

export type Unwrapped =
  | { readonly status: 'call'; readonly call: ToolCall }
  | { readonly status: 'find'; readonly query: string }
  | { readonly status: 'invalid'; readonly problem: string };

/** Weak models send the inner input as a JSON string. Invalid JSON is passed on and refused later. */
const withReadInput = (given: unknown): unknown => {
  if (typeof given !== 'object' || given === null || !('input' in given)) return given;
  if (typeof given.input !== 'string') return given;
  try {
    return { ...given, input: JSON.parse(given.input) as unknown };
  } catch {
    return given;
  }
};

/** Unwraps `call_tool` to the tool it names, with the id of the call. */
export const unwrapCall = (call: ToolCall): Unwrapped => {
  if (call.name === FIND_TOOLS.name) {
    const parsed = findInput.safeParse(call.input);
    if (!parsed.success) return { status: 'invalid', problem: z.prettifyError(parsed.error) };
    return { status: 'find', query: parsed.data.query };
  }
  if (call.name !== CALL_TOOL.name) return { status: 'call', call };
  const parsed = callInput.safeParse(withReadInput(call.input));
  if (!parsed.success) return { status: 'invalid', problem: z.prettifyError(parsed.error) };
  const { name, input } = parsed.data;
  return { status: 'call', call: { id: call.id, name, input } };
};

/** Most requested first: in a small window these stay in the list. */
const MOST_USED = [
  'get_quote',
  'calculate',
  'get_news',
  'convert_currency',
  'get_history',
  'get_portfolio',
  'get_market_hours',
  'set_alert',
  'search_symbol',
  'compare',
  'get_datetime',
  'fetch_url',
  'notify',
  'get_fundamentals',
  'make_chart',
  'get_indicators',
  'get_market_overview',
  'record_transaction',
];

const rankOf = ({ name }: ToolDefinition): number => {
  const rank = MOST_USED.indexOf(name);
  return rank < 0 ? MOST_USED.length : rank;
};

/** The most used tools that fit into the list beside `find_tools` and `call_tool`. */
export const mostUsed = (
  tools: readonly ToolDefinition[],
  standIns: readonly ToolDefinition[],
  maxTokens: number,
): readonly ToolDefinition[] => {
  let left = standIns.reduce((room, tool) => room - toolTokens(tool), maxTokens);
  const ranked = tools.toSorted((a, b) => rankOf(a) - rankOf(b));
  const end = ranked.findIndex((tool) => (left -= toolTokens(tool)) < 0);
  return end < 0 ? ranked : ranked.slice(0, end);
};

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Counts the words of the query that occur in the tool's name and description. */
const scoreOf = (definition: RegisteredToolDefinition, query: readonly string[]): number => {
  const own = new Set(wordsIn(`${definition.name.replaceAll('_', ' ')} ${definition.description}`));
  return query.filter((word) => own.has(word)).length;
};

export interface FoundTool {
  readonly definition: RegisteredToolDefinition;
  readonly asksFirst: boolean;
}

const titleOf = ({ definition: { name, group }, asksFirst }: FoundTool): string =>
  `${name} (${group}${asksFirst ? ', asks the person first' : ''})`;

const inFull = (found: FoundTool): string => {
  const { description, inputSchema } = found.definition;
  return `${titleOf(found)}: ${description}\n  input: ${JSON.stringify(inputSchema)}`;
};

/** Schema keywords that only explain or limit a value, dropped where room is short. */
const EXPLAINING: ReadonlySet<string> = new Set(['description', 'minLength', 'maxLength']);

const inShort = (found: FoundTool): string => {
  const input = JSON.stringify(found.definition.inputSchema, (key, value: unknown) =>
    EXPLAINING.has(key) && typeof value !== 'object' ? undefined : value,
  );
  return `${titleOf(found)}\n  input: ${input}`;
};

const BY_NAME = 'Search for one by its name to see its input.';

const sizeOf = (text: string): number => estimateTokens(text, 'json');

/**
 * Lists all tools with their inputs if there is room; otherwise the best matches for the query that fit, with
 * the names of the others; or one line each if nothing matches. Best matches come first.
 */
export const describeTools = (
  found: readonly FoundTool[],
  query: string,
  maxTokens: number = Infinity,
): string => {
  if (found.length === 0) return 'There are no further tools for this person in this chat.';
  const words = wordsIn(query);
  const scores = new Map(found.map((tool) => [tool, scoreOf(tool.definition, words)]));
  const ranked = found.toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0));
  const whole = ranked.map(inFull).join('\n');
  if (sizeOf(whole) <= maxTokens) return whole;

  const othersThan = (shown: ReadonlyMap<FoundTool, string>): string => {
    const names = ranked.flatMap((tool) => (shown.has(tool) ? [] : [tool.definition.name]));
    return `Others: ${names.join(', ')}. ${BY_NAME}`;
  };
  const shown = new Map<FoundTool, string>();
  const best = Math.max(...scores.values());
  let left = maxTokens - sizeOf(othersThan(shown));
  for (const tool of ranked) {
    // A half match is usually a word that many tools share.
    if ((scores.get(tool) ?? 0) <= best / 2) break;
    const text = [inFull(tool), inShort(tool)].find((form) => sizeOf(form) <= left);
    if (text === undefined) continue;
    left -= sizeOf(text);
    shown.set(tool, text);
  }
  if (shown.size === 0) return [...ranked.map(({ definition }) => toolLine(definition)), BY_NAME].join('\n');
  return [...shown.values(), othersThan(shown)].join('\n');
};
