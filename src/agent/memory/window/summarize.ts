import { NoAnswerError } from '#src/kernel/errors.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import { raceAbort } from '#src/platform/concurrency/abort.ts';
import type { Uses } from '#src/platform/services.ts';
import { withoutRepaired } from '../transcript/repaired-answers.ts';
import { type DigestLine, selectLines } from './digest-lines.ts';
import { identifiersIn } from './identifiers.ts';
import { bullet, summaryLines } from './summary-message.ts';
import { type CountTokens, textMessage } from './turns.ts';

/** Limit for one result or one set of arguments; the answer after it says what mattered. */
const MAX_RESULT_CHARS = 600;
const MAX_CHUNKS = 16;
/** Shorter chunks are not worth a request. */
const MIN_CHUNK_TOKENS = 1_000;
/** Caps the number of chunks after a compaction that saved nearly nothing. */
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

/** A message as plain text, without thinking. */
const plainText = ({ role, isSummary, content }: ConversationMessage): string => {
  const said = content.map(blockText).filter((text) => text.trim() !== '');
  return said.length === 0 ? '' : `[${isSummary ? 'summary' : role}]: ${said.join('\n')}`;
};

/**
 * The number of chunks: enough for each to fit into one request, and more after a compaction that saved little,
 * because shorter chunks give denser summaries. Undefined if it would take too many requests.
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

/** The conversation as plain text, one text per message. */
export const plainTexts = (messages: readonly ConversationMessage[]): readonly string[] =>
  withoutRepaired(messages.map((message) => ({ message })))
    .map(({ message }) => plainText(message))
    .filter((text) => text !== '');

/** Joins the texts into about `count` chunks of equal length. A text is split only if it is longer than a chunk. */
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

/** Requests summaries from a model. Both functions reject on failure. */
export interface Summarizer {
  /** Sends the conversation as before with one more question, to use the provider's cache. */
  readonly ofConversation: (
    messages: readonly ConversationMessage[],
    instruction: string,
    signal: AbortSignal,
  ) => Promise<string>;
  /** Sends a chunk of the conversation as plain text, in a separate request. */
  readonly ofText: (text: string, instruction: string, signal: AbortSignal) => Promise<string>;
}

export interface SummaryTask {
  /** The messages to summarize, as they were sent. */
  readonly messages: readonly ConversationMessage[];
  /** The identifiers of these messages that must not be lost. */
  readonly lines: readonly DigestLine[];
  /** Further lines to keep, which the model does not summarize. */
  readonly otherLines: readonly DigestLine[];
  readonly maxTokens: number;
  readonly maxChunkTokens: number;
  /** The tokens after the previous compaction, divided by the tokens before it. */
  readonly compressionRatio: number;
}

/** A summary that lost a larger share of the required identifiers is rejected. */
const MAX_LOST = 0.2;
/** The maximum for a Korean word. */
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

/** Adds lines for the identifiers that the summary lost. Undefined if it is empty, too long, or lost too much. */
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
  // Only the identifiers that fit into half of the room are required, because no summary keeps a thousand numbers.
  const required = identifiersIn(selectLines(lines, Math.floor(maxTokens / 2), countLine).join('\n'));
  const lost = required.difference(kept);
  if (lost.size > required.size * MAX_LOST) return undefined;
  return [...selectLines([...lines, ...otherLines], left, countLine, kept), ...summary];
};

/**
 * Summarizes with a model, as a whole or else in chunks, and returns the lines. Undefined if both failed, so that the
 * caller truncates instead; each fallback is reported. Rejects at once on abort, and if no request is allowed at all.
 */
export const summarize = async (
  task: SummaryTask,
  deps: Uses<'events.emit'> & { readonly summarizer: Summarizer; readonly count: CountTokens },
  signal: AbortSignal,
): Promise<readonly string[] | undefined> => {
  const { summarizer, count, events } = deps;
  const attempt = async (ask: () => Promise<string>): Promise<readonly string[] | undefined> => {
    try {
      return completed(await ask(), task, count);
    } catch (error) {
      // Any failure has a fallback, except an abort and an exhausted budget.
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
