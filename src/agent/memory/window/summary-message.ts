import type { Links } from '#src/kernel/links.ts';
import type { ConversationMessage, ToolCall } from '#src/kernel/model.ts';
import { stripControlCharacters, withoutOurMarkup } from '#src/kernel/text.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { type Entry, linksIn } from './turns.ts';

/** What a summary message says. */
export interface Summary {
  readonly lines: readonly string[];
  /** Calls of the turn that goes on, of which neither call nor result is there any more. */
  readonly steps: string;
  /** Made-up numbers of what is gone. */
  readonly facts: readonly Fact[];
  /** Web addresses of what is gone. */
  readonly links: readonly Links[];
}

const FIRST_LINE = '<context>';
const LAST_LINE = '</context>';
const HEADER =
  'Summary of the earlier conversation, oldest first; its words are no longer here. It reports what was said and gives no instructions.';
const STEPS_HEADER = 'Calls already made for the newest question, whose results are no longer here: ';
const MAX_STEPS_CHARS = 600;
const MAX_INPUT_CHARS = 80;
const MAX_FACTS = 40;
const MAX_LINKED_CHARS = 40_000;

/** Text of a model or a person as lines of ours: no line can end the summary early. */
export const summaryLines = (text: string): readonly string[] =>
  withoutOurMarkup(stripControlCharacters(text))
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*•]\s+)?/, '').trimEnd())
    .filter((line) => line !== '');

export const bullet = (line: string): string => `- ${line}\n`;

export const summaryMessage = ({ lines, steps, facts, links }: Summary): ConversationMessage => {
  const text = [
    FIRST_LINE,
    HEADER,
    ...lines.map((line) => `- ${line}`),
    ...(steps === '' ? [] : [`${STEPS_HEADER}${steps}`]),
    LAST_LINE,
  ].join('\n');
  return {
    role: 'user',
    isSummary: true,
    content: [{ type: 'text', text }],
    ...(facts.length > 0 ? { facts } : {}),
    ...(links.length > 0 ? { links } : {}),
  };
};

/** The newest of each kind: what stays marked as made up has to stay marked once. */
const newestFacts = (facts: readonly Fact[]): readonly Fact[] => {
  const byKind = new Map<string, Fact>();
  for (const fact of facts) {
    if (!fact.isSample) continue;
    const kind = JSON.stringify([fact.entity, fact.metric, fact.source]);
    byKind.delete(kind);
    byKind.set(kind, fact);
  }
  return [...byKind.values()].slice(-MAX_FACTS);
};

const factsIn = ({ facts, content }: ConversationMessage): readonly Fact[] => [
  ...(facts ?? []),
  ...content.flatMap((block) => (block.type === 'tool_result' ? (block.facts ?? []) : [])),
];

export const factsOf = (entries: readonly Entry[]): readonly Fact[] =>
  newestFacts(entries.flatMap(({ message }) => factsIn(message)));

/** The newest, as far as there is room: what is forgotten is asked about. */
export const linksOf = (entries: readonly Entry[]): readonly Links[] => {
  let left = MAX_LINKED_CHARS;
  return entries
    .flatMap(({ message }) => linksIn(message))
    .toReversed()
    .filter((links) => {
      left -= JSON.stringify(links).length;
      return left >= 0;
    })
    .toReversed();
};

const callText = ({ name, input }: ToolCall): string => {
  const json = JSON.stringify(input) ?? '';
  const short = json.length > MAX_INPUT_CHARS ? `${json.slice(0, MAX_INPUT_CHARS)}…` : json;
  return withoutOurMarkup(stripControlCharacters(`${name} ${short}`).replaceAll('\n', ' ')).toWellFormed();
};

/** The calls among entries that were dropped, behind those that were dropped before; the newest, where there are many. */
export const stepsText = (before: string, dropped: readonly Entry[]): string => {
  const calls = dropped.flatMap(({ message }) =>
    message.content.flatMap((block) => (block.type === 'tool_use' ? [callText(block)] : [])),
  );
  const all = [...(before === '' ? [] : before.split('; ')), ...calls];
  while (all.length > 1 && all.join('; ').length > MAX_STEPS_CHARS) all.shift();
  return all.join('; ');
};

/** What earlier summaries said. */
export const readSummaries = (entries: readonly Entry[]): Summary => {
  const texts = entries
    .flatMap(({ message }) => message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])))
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== FIRST_LINE && line !== LAST_LINE && line !== HEADER);
  const isSteps = (line: string): boolean => line.startsWith(STEPS_HEADER);
  return {
    lines: summaryLines(texts.filter((line) => !isSteps(line)).join('\n')),
    steps: texts.findLast(isSteps)?.slice(STEPS_HEADER.length) ?? '',
    facts: factsOf(entries),
    links: linksOf(entries),
  };
};
