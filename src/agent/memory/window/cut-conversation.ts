import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import { type CountTokens, type Entry, personText, tokensOf, turnStarts } from './turns.ts';

/** Longer results are shortened, to less than this, so that none is shortened twice. */
const MAX_CHARS = 600;
const HEAD_CHARS = 400;
/** The end of a fence around untrusted text or of a code block, which must survive. */
const CLOSING_LINE = /\n(?:<\/[A-Za-z][\w-]{0,40}>|`{3,8})\s{0,10}$/;

/** The first lines that fit, without a lone surrogate at the end. */
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

/** What was shown beside a long result goes with it: it was shown. */
const shortBlock = (block: ContentBlock): ContentBlock => {
  if (block.type !== 'tool_result' || block.isError || block.content.length <= MAX_CHARS) return block;
  const { display: _shown, ...words } = block;
  return { ...words, content: shortContent(block.content) };
};

/** Keeps only the beginning of each long result; the same message if there is none. */
export const withShortResults = (message: ConversationMessage): ConversationMessage => {
  if (message.role !== 'tool') return message;
  const content = message.content.map(shortBlock);
  return content.every((block, index) => block === message.content[index])
    ? message
    : { ...message, content };
};

/** Shortens tool results in the first `end` entries, oldest first, until all entries fit. */
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

interface ShrunkTurn<E> {
  readonly kept: readonly E[];
  /** Whole steps (calls with results) and older messages of the person, in order. */
  readonly dropped: readonly E[];
}

/** The step number of each entry: an answer, in parts or whole, with its results. 0 is the person's message. */
const stepNumbers = (turn: readonly Entry[]): readonly number[] => {
  let step = 0;
  return turn.map(({ message }, index) => {
    if (message.role === 'user') return 0;
    const before = turn[index - 1]?.message.role;
    if (message.role === 'assistant' ? before !== 'assistant' : before === 'user') step += 1;
    return step;
  });
};

/**
 * Shrinks the running turn as far as needed and allowed: older results are shortened, then the oldest steps
 * dropped, then what the person said before their newest message. The last results stay whole, and so does an answer
 * that is being corrected. Steps that changed something stay, because their receipts are still to be shown.
 */
export const shrinkNewestTurn = <E extends Entry>(
  turn: readonly E[],
  maxTokens: number,
  count: CountTokens,
): ShrunkTurn<E> => {
  const lastResults = turn.findLastIndex(({ message }) => message.role === 'tool');
  const short = truncateTools(turn, lastResults, maxTokens, count);
  const steps = stepNumbers(turn);
  const lastStep = steps[lastResults] ?? 0;
  const newestWords = turn.findLastIndex(({ message }) => personText(message).length > 0);
  const newestOfPerson =
    newestWords >= 0 ? newestWords : turn.findLastIndex(({ message }) => message.role === 'user');

  const corrected = steps[turn.findLastIndex(({ message }) => message.isRepair) - 1];
  const kept = new Set([
    corrected,
    ...steps.filter((_, index) => turn[index]?.message.content.some((block) => 'receipt' in block)),
  ]);

  const gone = new Set<number>();
  let tokens = tokensOf(short, count);
  const drop = (indexes: readonly number[]): void => {
    if (tokens <= maxTokens) return;
    for (const index of indexes) gone.add(index);
    tokens -= tokensOf(
      indexes.flatMap((index) => short[index] ?? []),
      count,
    );
  };
  for (let step = 1; step < lastStep; step += 1)
    if (!kept.has(step)) drop(steps.flatMap((number, index) => (number === step ? [index] : [])));
  for (const [index, { message }] of turn.entries())
    if (message.role === 'user' && !message.isRepair && index < newestOfPerson) drop([index]);

  return {
    kept: short.filter((_, index) => !gone.has(index)),
    dropped: turn.filter((_, index) => gone.has(index)),
  };
};

/** The kept and removed parts of a conversation. */
export interface Cut<E> {
  /** Whole oldest turns, unchanged. */
  readonly removed: readonly E[];
  readonly kept: readonly E[];
  /** Parts of the newest turn. */
  readonly dropped: readonly E[];
  /** Whether results of tools in what is kept were shortened. */
  readonly isShortened: boolean;
}

interface CutOptions {
  /** Limit for the kept part. */
  readonly maxTokens: number;
  /** This many of the last messages are kept if there is room. */
  readonly preserveRecentMessages: number;
  /** Whether results of older turns may be shortened before a turn is removed for want of room. */
  readonly mayShorten: boolean;
}

/** For each position, the tokens from there to the end. */
const tokensFrom = (counts: readonly number[]): readonly number[] => {
  const sums: number[] = [];
  let sum = 0;
  for (const count of counts.toReversed()) {
    sum += count;
    sums.push(sum);
  }
  return sums.toReversed();
};

/**
 * Cuts a conversation (without summaries) at the start of a turn, so that calls stay with their results. The
 * newest turn is never removed, but shrunk if it is too long by itself.
 */
export const cutConversation = <E extends Entry>(
  talk: readonly E[],
  { maxTokens, preserveRecentMessages, mayShorten }: CutOptions,
  count: CountTokens,
): Cut<E> => {
  const starts = turnStarts(talk);
  const newest = starts.at(-1) ?? 0;
  const wanted = Math.max(0, talk.length - preserveRecentMessages);
  const earliest = starts.findLast((start) => start <= wanted) ?? 0;
  const whole = tokensFrom(talk.map(({ message }) => count(message)));
  const short = mayShorten
    ? tokensFrom(talk.map(({ message }, i) => count(i < newest ? withShortResults(message) : message)))
    : whole;
  const start = starts.find((place) => place >= earliest && (short[place] ?? 0) <= maxTokens) ?? newest;
  const removed = talk.slice(0, start);
  const rest = talk.slice(start);
  if ((whole[start] ?? 0) <= maxTokens) return { removed, kept: rest, dropped: [], isShortened: false };
  if (start < newest) {
    const kept = truncateTools(rest, newest - start, maxTokens, count);
    return { removed, kept, dropped: [], isShortened: true };
  }
  const { kept, dropped } = shrinkNewestTurn(rest, maxTokens, count);
  const isShortened = tokensOf(kept, count) + tokensOf(dropped, count) < tokensOf(rest, count);
  return { removed, kept, dropped, isShortened };
};
