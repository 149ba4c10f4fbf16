import type { Links } from '#src/kernel/links.ts';
import type { ConversationMessage, ToolCall } from '#src/kernel/model.ts';
import { stripControlCharacters, withoutOurMarkup } from '#src/kernel/text.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { blocksIn, linksIn, samplesIn, textsIn } from '../../content-blocks.ts';
import type { Entry } from './turns.ts';

/** The content of a summary message. */
export interface Summary {
  readonly lines: readonly string[];
  /** Removed calls of the running turn. */
  readonly steps: string;
  /** Sample numbers of the removed messages. */
  readonly facts: readonly Fact[];
  /** Web addresses of the removed messages. */
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

/** Splits untrusted text into lines that cannot end the summary early. */
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

/** The newest sample number of each kind, so that its mark as a sample survives the summary. */
export const factsOf = (entries: readonly Entry[]): readonly Fact[] => {
  const byKind = new Map<string, Fact>();
  for (const fact of entries.flatMap(({ message }) => samplesIn(message))) {
    const kind = JSON.stringify([fact.entity, fact.metric, fact.source]);
    byKind.delete(kind);
    byKind.set(kind, fact);
  }
  return [...byKind.values()].slice(-MAX_FACTS);
};

/** The newest links within the limit. A person is asked again about forgotten ones. */
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

/** Appends the calls among dropped entries to those dropped before, and keeps the newest within the limit. */
export const stepsText = (before: string, dropped: readonly Entry[]): string => {
  const calls = blocksIn(
    dropped.map(({ message }) => message),
    'tool_use',
  );
  const all = [...(before === '' ? [] : before.split('; ')), ...calls.map(callText)];
  while (all.length > 1 && all.join('; ').length > MAX_STEPS_CHARS) all.shift();
  return all.join('; ');
};

/** Reads earlier summaries back. */
export const readSummaries = (entries: readonly Entry[]): Summary => {
  const texts = textsIn(...entries.map(({ message }) => message))
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
