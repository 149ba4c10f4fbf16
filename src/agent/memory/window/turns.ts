import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';

/** Anything that carries a message; copied as plain data when its message is shortened. */
export interface Entry {
  readonly message: ConversationMessage;
}

export type CountTokens = (message: ConversationMessage) => number;

/** A plain text message of the person. */
export const textMessage = (text: string): ConversationMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
});

export const tokensOf = (entries: readonly Entry[], count: CountTokens): number =>
  entries.reduce((sum, { message }) => sum + count(message), 0);

/**
 * The start positions of turns, the first at 0: where the person speaks after an answer. A message during tool
 * calls follows their results and belongs to the running turn, and so does a request to correct an answer.
 */
export const turnStarts = (entries: readonly Entry[]): readonly number[] =>
  entries.flatMap(({ message }, index) =>
    index === 0 ||
    (message.role === 'user' && !message.isRepair && entries[index - 1]?.message.role === 'assistant')
      ? [index]
      : [],
  );

/** The prefixes of the program's context, of files and of quotes in a person's message. */
const OF_THE_PROGRAM = /^<context>/;
const OF_OTHERS = /^<(?:attachment name="|earlier_messages>|quoted>)/;

/** Files and quotes in a person's message. The person's own text comes first. */
export const blocksOfOthers = ({ content }: ConversationMessage): readonly ContentBlock[] =>
  content.filter((block, index) => index > 0 && block.type === 'text' && OF_OTHERS.test(block.text));

/** The person's own text, without the program's context, files and quotes. */
export const personText = ({ role, content }: ConversationMessage): readonly string[] => {
  if (role !== 'user') return [];
  return content.flatMap((block, index) => {
    if (block.type !== 'text' || OF_THE_PROGRAM.test(block.text)) return [];
    // The person's text comes first: what looks like a file there was typed.
    return index > 0 && OF_OTHERS.test(block.text) ? [] : [block.text];
  });
};
