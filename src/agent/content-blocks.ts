import type { Links } from '#src/kernel/agent/links.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import type { ChangeReceipt } from '#src/kernel/chat/receipt.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';

type BlockOf<T extends ContentBlock['type']> = Extract<ContentBlock, { type: T }>;

export type ToolUseBlock = BlockOf<'tool_use'>;
export type ToolResultBlock = BlockOf<'tool_result'>;

const isOfType = <T extends ContentBlock['type']>(block: ContentBlock, type: T): block is BlockOf<T> =>
  block.type === type;

/** All blocks of one type, in order. */
export const blocksIn = <T extends ContentBlock['type']>(
  messages: readonly ConversationMessage[],
  type: T,
): readonly BlockOf<T>[] => {
  const found: BlockOf<T>[] = [];
  for (const { content } of messages)
    for (const block of content) if (isOfType(block, type)) found.push(block);
  return found;
};

export const textsIn = (...messages: readonly ConversationMessage[]): readonly string[] =>
  blocksIn(messages, 'text').map(({ text }) => text);

/** The web addresses that came with a message. */
export const linksIn = (message: ConversationMessage): readonly Links[] => [
  ...(message.links ?? []),
  ...blocksIn([message], 'tool_result').flatMap(({ links }) => links ?? []),
];

/** The facts that came with a message. */
export const factsIn = (message: ConversationMessage): readonly Fact[] => [
  ...(message.facts ?? []),
  ...blocksIn([message], 'tool_result').flatMap(({ facts }) => facts ?? []),
];

/** Shorter numbers are in every sum. */
const TELLING_DIGITS = 3;
/** Without sign and trailing zeros. Empty for words. */
const plainNumber = (value: string): string =>
  /^-?\d+(?:\.\d+)?$/.test(value) ? new Decimal(value).abs().toFixed() : '';

/** Facts in order, with what was calculated from a sample number as one, too: the calculator does not know what it is given. */
export const withDerivedSamples = (facts: readonly Fact[]): readonly Fact[] => {
  const made = new Set<string>();
  return facts.map((fact) => {
    const { operands = [], value } = fact;
    const isSample = fact.isSample || operands.some((operand) => made.has(plainNumber(operand)));
    if (isSample && value.replaceAll(/\D/g, '').length >= TELLING_DIGITS) made.add(plainNumber(value));
    return isSample === fact.isSample ? fact : { ...fact, isSample };
  });
};

/** Sample numbers in messages, in their order. */
export const samplesIn = (messages: readonly ConversationMessage[]): readonly Fact[] =>
  withDerivedSamples(messages.flatMap(factsIn)).filter(({ isSample }) => isSample);

/** The command that undoes a change identifies it: an alert that was there already has another text. */
const keyOf = ({ text, choices }: ChangeReceipt): string => choices?.at(-1)?.command ?? text;

/** The receipts of a turn, each once: a call may be made twice, also after a crash. */
export const receiptsIn = (messages: readonly ConversationMessage[]): readonly ChangeReceipt[] => {
  const first = new Map<string, ChangeReceipt>();
  for (const { receipt } of blocksIn(messages, 'tool_result'))
    if (receipt) first.getOrInsert(keyOf(receipt), receipt);
  return [...first.values()];
};
