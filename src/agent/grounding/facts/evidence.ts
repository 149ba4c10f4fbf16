import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { type ChangeReceipt, EFFECTS } from '#src/kernel/chat/receipt.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { blocksIn, textsIn, type ToolUseBlock } from '../../content-blocks.ts';
import { withoutWithdrawn } from './withdrawn.ts';

/** A fact with the tool that gave it. */
export interface KnownFact {
  readonly fact: Fact;
  readonly tool: string;
}

/** Who wrote a text. `stranger`: a page, a file, a forward, a headline. */
export type QuotedFrom = 'person' | 'tool' | 'stranger' | 'context' | 'answer';

export interface SourceText {
  readonly from: QuotedFrom;
  readonly text: string;
}

/** What the numbers of an answer may rest on. */
export interface Evidence {
  /** Oldest first. */
  readonly facts: readonly KnownFact[];
  /** Oldest first. */
  readonly texts: readonly SourceText[];
  /** What the person wrote last. */
  readonly question: string;
  /** What tools have changed since then. */
  readonly done: readonly ChangeReceipt['effect'][];
  readonly today: Temporal.PlainDate;
}

/** The tool of facts whose calls were summarized. */
export const EARLIER_TOOL = 'earlier';

/** The tool that calls others by name. */
const CALLING_TOOL = 'call_tool';

const toolNameOf = ({ name, input }: ToolUseBlock): string => {
  const called: unknown =
    name === CALLING_TOOL && typeof input === 'object' && input !== null
      ? Reflect.get(input, 'name')
      : undefined;
  return typeof called === 'string' ? called : name;
};

/** The program fences what the person did not write: context, quotes, files. */
const isFenced = (text: string): boolean => text.startsWith('<');
/** The block at the end of each message: time, markets, alerts, holdings. */
const isContext = (text: string): boolean => text.startsWith('<context>');
/** Names and words that others chose, and the headlines of the day. */
const isQuoted = (text: string): boolean => text.startsWith('<quoted>');
/** How the line of a headline starts in it. */
export const HEADLINE = 'headline (';
/** How a line of a message starts in it that the person passed on. */
export const PASSED_ON = '> ';

const passedOn = (text: string): string =>
  text
    .split('\n')
    // The rest is names.
    .filter((line) => line.startsWith(HEADLINE) || line.startsWith(PASSED_ON))
    .map(withoutWithdrawn)
    .join('\n');

const textsOf = (message: ConversationMessage): readonly SourceText[] => {
  // The note of a repair repeats the wrong numbers, and a program's note has none.
  if (message.isRepair || message.isNote) return [];
  if (message.role === 'assistant')
    return textsIn(message).map((text) => ({
      from: 'answer',
      text: withoutWithdrawn(message.shown ?? text),
    }));
  return textsIn(message).map((text): SourceText => {
    if (isContext(text)) return { from: message.isSummary ? 'answer' : 'context', text };
    if (isQuoted(text)) return { from: 'stranger', text: passedOn(text) };
    if (message.isSummary) return { from: 'answer', text: withoutWithdrawn(text) };
    return isFenced(text)
      ? { from: 'stranger', text: withoutWithdrawn(text) }
      : { from: message.role === 'user' ? 'person' : 'tool', text };
  });
};

const isOfPerson = ({ role, isRepair, isSummary }: ConversationMessage): boolean =>
  role === 'user' && !isRepair && !isSummary;

/** Collects what the answer at the end of a conversation may rest on. */
export const evidenceIn = (
  messages: readonly ConversationMessage[],
  today: Temporal.PlainDate,
  isOfPlugin: (tool: string) => boolean = () => false,
): Evidence => {
  const tools = new Map(blocksIn(messages, 'tool_use').map((call) => [call.id, toolNameOf(call)]));
  const facts: KnownFact[] = [];
  const texts: SourceText[] = [];
  // The answer itself supports nothing.
  const answered = messages.findLastIndex(({ role }) => role !== 'assistant') + 1;
  for (const message of messages.slice(0, answered)) {
    for (const fact of message.facts ?? []) facts.push({ fact, tool: EARLIER_TOOL });
    for (const result of blocksIn([message], 'tool_result')) {
      const tool = tools.get(result.toolUseId) ?? EARLIER_TOOL;
      for (const fact of result.facts ?? []) facts.push({ fact, tool });
      texts.push({ from: result.isUntrusted ? 'stranger' : 'tool', text: result.content });
    }
    texts.push(...textsOf(message));
  }
  const asked = messages.findLastIndex(isOfPerson);
  return {
    facts,
    texts,
    question: texts.findLast(({ from }) => from === 'person')?.text ?? '',
    done: blocksIn(messages.slice(Math.max(0, asked)), 'tool_result').flatMap(
      ({ receipt, isError, toolUseId }) =>
        // Tools of plugins give no receipt, so what they did is not known.
        receipt?.effect ?? (!isError && isOfPlugin(tools.get(toolUseId) ?? '') ? EFFECTS : []),
    ),
    today,
  };
};
