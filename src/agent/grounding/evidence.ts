import type { ConversationMessage } from '#src/kernel/model.ts';
import { blocksIn, textsIn, type ToolUseBlock } from '../content-blocks.ts';
import { withoutWithdrawn } from './mark-answer.ts';
import type { Evidence, KnownFact } from './verdict.ts';

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

/** Collects what the answer at the end of a conversation may rest on: facts, the person's words and untyped text. */
export const evidenceIn = (
  messages: readonly ConversationMessage[],
  today: Temporal.PlainDate,
  isInstrument?: Evidence['isInstrument'],
): Evidence => {
  const tools = new Map(blocksIn(messages, 'tool_use').map((call) => [call.id, toolNameOf(call)]));
  const facts: KnownFact[] = [];
  const own: string[] = [];
  const loose: string[] = [];
  const context: string[] = [];
  const headlines: string[] = [];
  for (const message of messages) {
    for (const fact of message.facts ?? []) facts.push({ fact, tool: EARLIER_TOOL });
    for (const result of blocksIn([message], 'tool_result')) {
      const tool = tools.get(result.toolUseId) ?? EARLIER_TOOL;
      for (const fact of result.facts ?? []) facts.push({ fact, tool });
      if (result.isUntrusted || !result.facts || result.facts.length === 0) loose.push(result.content);
    }
    // The note of a repair repeats the wrong numbers.
    if (message.role !== 'user' || message.isRepair) continue;
    for (const text of textsIn(message))
      if (isContext(text) && !message.isSummary) context.push(text);
      else if (isQuoted(text)) {
        const lines = text.split('\n');
        headlines.push(...lines.filter((line) => line.startsWith(HEADLINE)));
        // The rest is names.
        loose.push(...lines.filter((line) => line.startsWith(PASSED_ON)).map(withoutWithdrawn));
      } else if (isFenced(text) || message.isSummary) loose.push(withoutWithdrawn(text));
      else own.push(text);
  }
  const said = {
    facts,
    ownText: own.join('\n'),
    looseText: loose.join('\n'),
    // Earlier ones are of earlier moments.
    contextText: context.at(-1) ?? '',
    headlineText: headlines.join('\n'),
    today,
  };
  return isInstrument ? { ...said, isInstrument } : said;
};
