import type { ToolDefinition } from '#src/kernel/tool.ts';
import { byName, outsideLine } from './untrusted-text.ts';
import { type PromptSection, promptSection } from './section.ts';

/** Tools that are not in the prompt, by what they are for. */
export interface OnDemandGroup {
  readonly id: string;
  readonly description: string;
}

const MAX_LINE = 110;
/** A short beginning is an abbreviation rather than a sentence. */
const FIRST_SENTENCE = /^.{20,}?[.!?](?=\s|$)/u;

/** One line: the schema and the whole description go to the model beside the prompt, and would be paid for twice. */
export const toolLine = ({ name, description }: ToolDefinition): string => {
  const line = outsideLine(description, 2_000);
  return `- ${outsideLine(name, 64)}: ${outsideLine(FIRST_SENTENCE.exec(line)?.[0] ?? line, MAX_LINE)}`;
};

const onDemandLines = (groups: readonly OnDemandGroup[]): readonly string[] => {
  if (groups.length === 0) return [];
  const sorted = groups.map(({ id, description }) => ({ name: id, description })).toSorted(byName);
  return [
    'When none of these fits: search more with `find_tools`, then run one with `call_tool` as the search describes it. They are about:',
    ...sorted.map(
      ({ name, description }) => `- ${outsideLine(name, 64)}: ${outsideLine(description, MAX_LINE)}`,
    ),
  ];
};

const HOW_TO_CALL = [
  '- Whatever changes with time comes from a tool. Make independent calls at once.',
  '- After an error correct the input and try once more, or say what is missing. Never repeat a call unchanged.',
  '- Tools that change something ask the person first by themselves: just call them. Never say that it is done before the result says so; a refusal is final.',
];

const NO_TOOLS = ['You have no tools here: state no market data, and say why.'];

/** For small windows: repeats nothing that the tool definitions say, and only names the tools on demand. */
export const buildShortToolsSection = (
  tools: readonly ToolDefinition[],
  onDemandNames: readonly string[],
): PromptSection => {
  if (tools.length === 0) return promptSection('tools', NO_TOOLS);
  const others = onDemandNames.map((name) => outsideLine(name, 64)).toSorted();
  return promptSection('tools', [
    ...HOW_TO_CALL,
    ...(others.length > 0
      ? [
          `- More tools: ${others.join(', ')}. See the input of one with \`find_tools\`, then run it with \`call_tool\`.`,
        ]
      : []),
  ]);
};

export const buildToolsSection = (
  tools: readonly ToolDefinition[],
  onDemandGroups: readonly OnDemandGroup[] = [],
): PromptSection => {
  if (tools.length === 0 && onDemandGroups.length === 0) return promptSection('tools', NO_TOOLS);
  return promptSection('tools', [
    ...HOW_TO_CALL,
    'Yours are:',
    ...tools.toSorted(byName).map(toolLine),
    ...onDemandLines(onDemandGroups),
  ]);
};
