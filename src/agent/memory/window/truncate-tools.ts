import type { ContentBlock, ConversationMessage } from '#src/kernel/model.ts';
import { type CountTokens, type Entry, tokensOf } from './turns.ts';

/** Longer results are shortened; what a shortened one has left is below it, so that none is shortened twice. */
const MAX_CHARS = 600;
const HEAD_CHARS = 400;
/** The end of a fence around words of strangers, or of a block of code: what follows must stay outside. */
const CLOSING_LINE = /\n(?:<\/[A-Za-z][\w-]{0,40}>|`{3,8})\s{0,10}$/;

/** The first lines as far as they go, without half a character at the end. */
const headOf = (content: string): string => {
  const head = content.slice(0, HEAD_CHARS);
  const lineEnd = head.lastIndexOf('\n');
  const whole = lineEnd > HEAD_CHARS / 2 ? head.slice(0, lineEnd) : head;
  return whole.replace(/[\uD800-\uDBFF]$/, '');
};

const shortContent = (content: string): string => {
  const head = headOf(content);
  const closing = CLOSING_LINE.exec(content.slice(-60))?.[0] ?? '';
  const removed = content.length - head.length - closing.length;
  return `${head}\n[… ${removed} characters removed to save space]${closing}`;
};

const shortBlock = (block: ContentBlock): ContentBlock =>
  block.type === 'tool_result' && !block.isError && block.content.length > MAX_CHARS
    ? { ...block, content: shortContent(block.content) }
    : block;

/** The message with the beginning of each long result only; the same message where there is nothing to shorten. */
export const withShortResults = (message: ConversationMessage): ConversationMessage => {
  if (message.role !== 'tool') return message;
  const content = message.content.map(shortBlock);
  return content.every((block, index) => block === message.content[index])
    ? message
    : { ...message, content };
};

/** Shortens results of tools, the oldest first, in the first `end` entries, until all entries fit or none is left. */
export const truncateTools = <E extends Entry>(
  entries: readonly E[],
  end: number,
  maxTokens: number,
  count: CountTokens,
): readonly E[] => {
  let tokens = tokensOf(entries, count);
  return entries.map((entry, index) => {
    if (tokens <= maxTokens || index >= end) return entry;
    const message = withShortResults(entry.message);
    const saved = count(entry.message) - count(message);
    if (message === entry.message || saved <= 0) return entry;
    tokens -= saved;
    return { ...entry, message };
  });
};
