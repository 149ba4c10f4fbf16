import type { ContentBlock, ConversationMessage } from '#src/core/model.ts';

/** Of one result or one set of arguments: how it went is in what was said about it. */
const MAX_RESULT_CHARS = 600;
const MAX_CHUNKS = 16;
/** Shorter pieces are not worth a request, however little was saved before. */
const MIN_CHUNK_TOKENS = 1_000;
/** A compaction before that saved nearly nothing asks for as many pieces as one that saved a tenth. */
const MAX_RATIO = 0.9;

const clipped = (text: string): string =>
  text.length > MAX_RESULT_CHARS ? `${text.slice(0, MAX_RESULT_CHARS).toWellFormed()}…` : text;

const blockText = (block: ContentBlock): string => {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return '';
    case 'image':
      return `(an image: ${block.name})`;
    case 'tool_use':
      return `(calls ${block.name} ${clipped(JSON.stringify(block.input) ?? '')})`;
    case 'tool_result':
      break;
  }
  return `${block.isError ? '(failed) ' : ''}${clipped(block.content)}`;
};

/** A message in plain text; nothing of what a model thought. */
const plainText = ({ role, isSummary, content }: ConversationMessage): string => {
  const said = content.map(blockText).filter((text) => text.trim() !== '');
  return said.length === 0 ? '' : `[${isSummary ? 'summary' : role}]: ${said.join('\n')}`;
};

/**
 * How many pieces: as many as fit into one request each, and more after a compaction that saved little, for
 * shorter pieces are summed up more closely. Undefined where it would take too many requests.
 */
export const chunkCount = (
  tokens: number,
  maxChunkTokens: number,
  compressionRatio: number,
): number | undefined => {
  const ratio = Math.min(MAX_RATIO, Math.max(0, compressionRatio));
  const byRatio = Math.min(Math.round(1 / (1 - ratio)), Math.floor(tokens / MIN_CHUNK_TOKENS));
  const count = Math.max(2, Math.ceil(tokens / maxChunkTokens), byRatio);
  return count > MAX_CHUNKS ? undefined : count;
};

/** The conversation in plain text, one text a message. */
export const plainTexts = (messages: readonly ConversationMessage[]): readonly string[] =>
  messages.map(plainText).filter((text) => text !== '');

/** The texts in about so many pieces of the same length; each stays whole unless it is longer than a piece. */
export const textChunks = (texts: readonly string[], count: number): readonly string[] => {
  const all = texts.reduce((sum, text) => sum + text.length + 1, 0);
  const size = Math.max(1, Math.ceil(all / count));
  const chunks: string[] = [];
  let current = '';
  for (const text of texts) {
    if (current !== '' && current.length + text.length > size) {
      chunks.push(current);
      current = '';
    }
    current = current === '' ? text : `${current}\n${text}`;
    while (current.length > size * 1.5) {
      chunks.push(current.slice(0, size).toWellFormed());
      current = current.slice(size).toWellFormed();
    }
  }
  return current === '' ? chunks : [...chunks, current];
};
