import type { Links } from '#src/kernel/links.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/model.ts';

/** Whatever carries a message; it is copied as plain data where its message is shortened. */
export interface Entry {
  readonly message: ConversationMessage;
}

export type CountTokens = (message: ConversationMessage) => number;

/** The web addresses that came with a message. */
export const linksIn = ({ links = [], content }: ConversationMessage): readonly Links[] => [
  ...links,
  ...content.flatMap((block) => (block.type === 'tool_result' && block.links ? [block.links] : [])),
];

/** A message of plain words, on the person's side. */
export const textMessage = (text: string): ConversationMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
});

export const tokensOf = (entries: readonly Entry[], count: CountTokens): number =>
  entries.reduce((sum, { message }) => sum + count(message), 0);

/**
 * Where turns begin, the first at 0: where the person speaks after an answer. What is said while tools run
 * stands behind their results and belongs to the turn that goes on.
 */
export const turnStarts = (entries: readonly Entry[]): readonly number[] =>
  entries.flatMap(({ message }, index) =>
    index === 0 || (message.role === 'user' && entries[index - 1]?.message.role === 'assistant')
      ? [index]
      : [],
  );

/** How the program marks its own words, a file, and what others said, among the texts of a person's message. */
const OF_THE_PROGRAM = /^<context>/;
const OF_OTHERS = /^<(?:attachment name="|earlier_messages>|quoted>)/;

/** What stands in a file or was said by others, among the texts of a person's message. The words come first. */
export const blocksOfOthers = ({ content }: ConversationMessage): readonly ContentBlock[] =>
  content.filter((block, index) => index > 0 && block.type === 'text' && OF_OTHERS.test(block.text));

/** What the person wrote: not what the program added, not what stands in a file, not what others said. */
export const personText = ({ role, content }: ConversationMessage): readonly string[] => {
  if (role !== 'user') return [];
  return content.flatMap((block, index) => {
    if (block.type !== 'text' || OF_THE_PROGRAM.test(block.text)) return [];
    // The words come first: what begins like a file there was typed.
    return index > 0 && OF_OTHERS.test(block.text) ? [] : [block.text];
  });
};
