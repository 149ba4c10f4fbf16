import {
  at,
  cacheControlProblems,
  choiceProblems,
  extraInputs,
  type Fields,
  isFields,
  isList,
  nameProblems,
  objectProblems,
  type Problems,
} from './shape.ts';

const TOOL_FIELDS = [
  ...'name description input_schema cache_control type strict'.split(' '),
  ...'eager_input_streaming input_examples defer_loading allowed_callers'.split(' '),
];
/** Models that choose themselves whether to call a tool. */
const NO_FORCED_TOOLS = new Set(['claude-opus-5-5']);

function* schemaProblems(schema: unknown, path: string): Problems {
  if (schema === undefined) yield `${path}: Field required`;
  if (!isFields(schema)) {
    yield `${path}: Input should be a valid dictionary`;
    return;
  }
  yield* choiceProblems(schema['type'], at(path, 'type'), ['object']);
  if (['oneOf', 'allOf', 'anyOf'].some((field) => Object.hasOwn(schema, field)))
    yield `${path}: input_schema does not support oneOf, allOf, or anyOf at the top level`;
}

function* definitionProblems(tool: unknown, path: string): Problems {
  if (!isFields(tool)) {
    yield `${path}: Input should be a valid dictionary`;
    return;
  }
  // The tools that the provider itself runs have other types; the program offers none of them.
  if (tool['type'] !== undefined && tool['type'] !== null)
    yield* choiceProblems(tool['type'], at(path, 'type'), ['custom']);
  const tagged = at(path, 'custom');
  yield* nameProblems(tool['name'], at(tagged, 'name'));
  yield* extraInputs(tool, tagged, TOOL_FIELDS);
  if (tool['description'] !== undefined && typeof tool['description'] !== 'string')
    yield `${tagged}.description: Input should be a valid string`;
  yield* schemaProblems(tool['input_schema'], at(tagged, 'input_schema'));
  yield* cacheControlProblems(tool['cache_control'], at(tagged, 'cache_control'));
}

function* choiceOfToolProblems(body: Fields, names: readonly unknown[]): Problems {
  const { tool_choice: choice, thinking } = body;
  if (choice === undefined) return;
  yield* objectProblems(choice, 'tool_choice', ['type', 'name', 'disable_parallel_tool_use']);
  if (!isFields(choice)) return;
  const { type, name } = choice;
  yield* choiceProblems(type, 'tool_choice.type', ['auto', 'any', 'tool', 'none']);
  const more = { auto: ['disable_parallel_tool_use'], any: ['disable_parallel_tool_use'], none: [] };
  if (type === 'auto' || type === 'any' || type === 'none')
    yield* extraInputs(choice, `tool_choice.${type}`, ['type', ...more[type]]);
  if (names.length === 0) yield 'tool_choice: tool_choice may only be specified while providing tools';
  if (type !== 'any' && type !== 'tool') return;
  if (type === 'tool' && !names.includes(name)) yield `Tool '${String(name)}' not found in provided tools`;
  if (typeof body['model'] === 'string' && NO_FORCED_TOOLS.has(body['model']))
    yield `tool_choice: \`tool_choice.type\` '${type}' is not supported for this model`;
  if (isFields(thinking) && thinking['type'] !== 'disabled')
    yield 'Thinking may not be enabled when tool_choice forces tool use.';
}

/** The tools of a request, and which of them it asks for. */
export function* toolProblems(body: Fields): Problems {
  const tools = body['tools'] ?? [];
  if (!isList(tools)) {
    yield 'tools: Input should be a valid list';
    return;
  }
  for (const [index, tool] of tools.entries()) yield* definitionProblems(tool, `tools.${index}`);
  const names = tools.map((tool) => (isFields(tool) ? tool['name'] : undefined));
  if (new Set(names).size < names.length) yield 'tools: Tool names must be unique.';
  yield* choiceOfToolProblems(body, names);
}
