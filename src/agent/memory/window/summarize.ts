import { NoAnswerError } from '#src/kernel/errors.ts';
import type { Events } from '#src/kernel/events.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/model.ts';
import { raceAbort } from '#src/platform/abort.ts';
import { type DigestLine, selectLines } from './digest.ts';
import { identifiersIn } from './identifiers.ts';
import { bullet, summaryLines } from './summary-message.ts';
import { type CountTokens, textMessage } from './turns.ts';

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

/** Asks a model. Both reject when they fail. */
export interface Summarizer {
  /** The conversation so far as it was sent, and one more question: reads the provider's cache. */
  readonly ofConversation: (
    messages: readonly ConversationMessage[],
    instruction: string,
    signal: AbortSignal,
  ) => Promise<string>;
  /** A piece of it as plain text, in a request of its own. */
  readonly ofText: (text: string, instruction: string, signal: AbortSignal) => Promise<string>;
}

export interface SummaryTask {
  /** What is to be summed up, as it was sent. */
  readonly messages: readonly ConversationMessage[];
  /** What must not be lost of it. */
  readonly lines: readonly DigestLine[];
  /** What must not be lost either, though the model is not asked about it. */
  readonly otherLines: readonly DigestLine[];
  readonly maxTokens: number;
  readonly maxChunkTokens: number;
  /** Tokens after the compaction before, by those before it. */
  readonly compressionRatio: number;
}

/** A summary that lost more than this part of what it had to keep is not completed but refused. */
const MAX_LOST = 0.2;
/** A word is up to so many tokens, in Korean. */
const TOKENS_PER_WORD = 4;
const MIN_WORDS = 40;

const instructionFor = (maxTokens: number): string => {
  const words = Math.max(MIN_WORDS, Math.floor(maxTokens / TOKENS_PER_WORD));
  return [
    'Sum up the conversation so far. It will be removed, and only this summary of it stays.',
    `Write in the language of the conversation, in short bullet points, at most ${words} words in all.`,
    'Keep exactly as they are written: tickers and codes, prices, amounts and other numbers with their units, quantities, dates.',
    'Keep what was decided, what the person prefers, and which questions are still open. Take over what an earlier summary says.',
    'Add no new facts and no advice. Answer with the bullet points only, and call no tool.',
  ].join('\n');
};

/** A summary with the lines for what it lost; undefined where it is empty, too long, or lost too much. */
const completed = (
  text: string,
  { lines, otherLines, maxTokens }: SummaryTask,
  count: CountTokens,
): readonly string[] | undefined => {
  const countLine = (line: string): number => count(textMessage(bullet(line)));
  const summary = summaryLines(text);
  const left = maxTokens - summary.reduce((sum, line) => sum + countLine(line), 0);
  if (summary.length === 0 || left < 0) return undefined;
  const kept = identifiersIn(summary.join('\n'));
  // What lines in half of the room would have kept: of a thousand numbers no summary keeps them all.
  const required = identifiersIn(selectLines(lines, Math.floor(maxTokens / 2), countLine).join('\n'));
  const lost = required.difference(kept);
  if (lost.size > required.size * MAX_LOST) return undefined;
  return [...selectLines([...lines, ...otherLines], left, countLine, kept), ...summary];
};

/**
 * The lines of a summary by a model: of the whole at once, or else of its pieces. Undefined when both failed, which
 * leaves it to cutting; every step down is reported. Rejects with the reason of an abort, and then at once, or where no request is allowed at all.
 */
export const summarize = async (
  task: SummaryTask,
  deps: {
    readonly summarizer: Summarizer;
    readonly count: CountTokens;
    readonly events: Pick<Events, 'emit'>;
  },
  signal: AbortSignal,
): Promise<readonly string[] | undefined> => {
  const { summarizer, count, events } = deps;
  const attempt = async (ask: () => Promise<string>): Promise<readonly string[] | undefined> => {
    try {
      return completed(await ask(), task, count);
    } catch (error) {
      // Whatever failed, there is another way, except for who does not want one any more, or may not pay for one.
      signal.throwIfAborted();
      if (error instanceof NoAnswerError) throw error;
      return undefined;
    }
  };
  const instruction = instructionFor(task.maxTokens);
  const whole = await attempt(() =>
    raceAbort(summarizer.ofConversation(task.messages, instruction, signal), signal),
  );
  if (whole) return whole;

  const texts = plainTexts(task.messages);
  const pieces = chunkCount(count(textMessage(texts.join('\n'))), task.maxChunkTokens, task.compressionRatio);
  const stepDown = (fromStrategy: string, toStrategy: string): void =>
    events.emit('context:compact:fallback', { fromStrategy, toStrategy });
  if (pieces === undefined) {
    stepDown('summarize', 'truncate-oldest');
    return undefined;
  }
  stepDown('summarize', 'summarize-chunks');
  const inPieces = await attempt(async () => {
    const chunks = textChunks(texts, pieces);
    const chunkInstruction = instructionFor(task.maxTokens / chunks.length);
    const summaries: string[] = [];
    for (const chunk of chunks) {
      const summary = await raceAbort(summarizer.ofText(chunk, chunkInstruction, signal), signal);
      if (summary.trim() === '') return '';
      summaries.push(summary);
    }
    return summaries.join('\n');
  });
  if (!inPieces) stepDown('summarize-chunks', 'truncate-oldest');
  return inPieces;
};
