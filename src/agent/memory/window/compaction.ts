import type { Events } from '#src/kernel/operations/events.ts';
import type { ConversationMessage, ContentBlock } from '#src/kernel/agent/model.ts';
import { digestLines, selectLines } from './digest-lines.ts';
import { summarize, type Summarizer } from './summarize.ts';
import {
  bullet,
  factsOf,
  linksOf,
  readSummaries,
  stepsText,
  type Summary,
  summaryMessage,
} from './summary-message.ts';
import { type CountTokens, type Entry, textMessage, tokensOf, turnStarts, personText } from './turns.ts';

/** Counts are estimates, so the target is reduced by this margin. */
const SAFETY_MARGIN = 1.2;
/** The most that a summary may take, whatever the window. */
const SUMMARIZATION_OVERHEAD_TOKENS = 4_096;
/** The part of a small target that the summary may take. */
const SUMMARY_SHARE = 1 / 3;
/** Share of the summary's room that is kept for earlier turns, however long the newest turn is. */
const LEAST_SHARE = 1 / 4;

/** The division of a compaction's target. */
interface Budget {
  readonly targetTokens: number;
  /** The target less the safety margin. */
  readonly safeTokens: number;
  readonly keptTokens: number;
  readonly summaryTokens: number;
  readonly leastSummaryTokens: number;
}

export const budgetFor = (targetTokens: number): Budget => {
  const safeTokens = Math.floor(targetTokens / SAFETY_MARGIN);
  const summaryTokens = Math.min(SUMMARIZATION_OVERHEAD_TOKENS, Math.floor(safeTokens * SUMMARY_SHARE));
  return {
    targetTokens,
    safeTokens,
    keptTokens: safeTokens - summaryTokens,
    summaryTokens,
    leastSummaryTokens: Math.floor(summaryTokens * LEAST_SHARE),
  };
};

export type CompactionStrategy = 'summarize' | 'truncate-oldest' | 'truncate-tools' | 'hybrid';

/** The operator's settings. */
export interface CompactionSettings {
  /** Share of the window, without the reserve, from which on the log warns. */
  readonly warnAt: number;
  /** Share of the window, without the reserve, from which on older parts are shortened. */
  readonly compactAt: number;
  /** Share of the room for the conversation that is still filled after a compaction. */
  readonly target: number;
  /** Number of last messages that stay unchanged. */
  readonly keepMessages: number;
  readonly strategy: CompactionStrategy;
}

export interface CompactionOptions {
  readonly strategy: CompactionStrategy;
  readonly targetTokens: number;
  /** This many of the last messages stay unchanged, if the target can be reached with them. */
  readonly preserveRecentMessages: number;
}

export interface CompactionResult<E> {
  readonly compactedEntries: readonly E[];
  /** Number of removed entries, including earlier summaries; shortened ones do not count. */
  readonly removedCount: number;
  readonly beforeTokens: number;
  /** Above the target only if the newest turn leaves no choice. */
  readonly afterTokens: number;
  /** The strategy that was used in the end. */
  readonly strategy: CompactionStrategy;
}

export interface CompactionDeps<E> {
  /** Undefined if no model can summarize. */
  readonly summarizer: Summarizer | undefined;
  readonly countTokens: CountTokens;
  readonly makeEntry: (message: ConversationMessage) => E;
  readonly events: Pick<Events, 'emit'>;
  /** Evaluated at the end: false leaves everything unchanged. */
  readonly isAcceptable?: () => boolean;
  /** The previous compaction's tokens after it divided by tokens before it. */
  readonly compressionRatio?: number;
}

/** Below this excess, shortening tool results is enough. */
const SMALL_EXCESS = 0.2;
/** Less text than this is not worth a model request. */
const MIN_SUMMARIZED_TOKENS = 200;
/** A summary needs at least this much room. */
const MIN_SUMMARY_TOKENS = 80;
const DEFAULT_RATIO = 0.5;

/** Caches counts, because every message is counted several times. */
const remembered = (count: CountTokens): CountTokens => {
  const counts = new Map<ConversationMessage, number>();
  return (message) => counts.getOrInsertComputed(message, count);
};

interface Work<E> {
  readonly entries: readonly E[];
  /** Earlier summaries, and the other entries. */
  readonly earlier: readonly E[];
  readonly talk: readonly E[];
  readonly budget: Budget;
  readonly count: CountTokens;
  readonly makeEntry: (message: ConversationMessage) => E;
}

/** Room for a summary beside the kept entries. */
const summaryRoom = (kept: readonly Entry[], { budget, count }: Work<Entry>): number => {
  const left = budget.targetTokens - tokensOf(kept, count);
  return Math.min(budget.summaryTokens, Math.max(budget.leastSummaryTokens, left));
};

/** A summary without its lines, and the room for its lines. */
const summaryFrame = <E extends Entry>(
  { removed, kept, dropped }: Cut<E>,
  work: Work<E>,
): { readonly frame: Summary; readonly earlierLines: readonly string[]; readonly lineTokens: number } => {
  const before = readSummaries(work.earlier);
  const frame: Summary = {
    lines: [],
    // Dropped calls matter only while their turn is running.
    steps: stepsText(removed.length > 0 ? '' : before.steps, dropped),
    facts: factsOf([...work.earlier, ...removed, ...dropped]),
    links: linksOf([...work.earlier, ...removed, ...dropped]),
  };
  const lineTokens = summaryRoom(kept, work) - work.count(summaryMessage(frame));
  return { frame, earlierLines: before.lines, lineTokens: Math.max(0, lineTokens) };
};

interface Outcome<E> {
  readonly entries: readonly E[];
  readonly keptCount: number;
  readonly strategy: CompactionStrategy;
}

const withSummary = <E extends Entry>(
  { kept }: Cut<E>,
  summary: Summary,
  work: Work<E>,
  strategy: CompactionStrategy,
): Outcome<E> => ({
  entries: [work.makeEntry(summaryMessage(summary)), ...kept],
  keptCount: kept.length,
  strategy,
});

/** Shortens tool results outside the preserved messages; undefined if that is not enough. */
const shortened = <E extends Entry>(work: Work<E>, options: CompactionOptions): Outcome<E> | undefined => {
  const { entries, budget, count } = work;
  const newest = turnStarts(entries).at(-1) ?? 0;
  const end = Math.min(newest, entries.length - options.preserveRecentMessages);
  const short = truncateTools(entries, end, budget.safeTokens, count);
  return tokensOf(short, count) <= budget.targetTokens
    ? { entries: short, keptCount: short.length, strategy: 'truncate-tools' }
    : undefined;
};

/** Without a model: drops the oldest turns as needed, and keeps their lines that name something. */
const truncated = <E extends Entry>(work: Work<E>, mayShorten: boolean): Outcome<E> => {
  const { talk, earlier, budget, count } = work;
  const options = { maxTokens: budget.keptTokens, preserveRecentMessages: Infinity, mayShorten };
  const cut = cutConversation(talk, options, count);
  const gone = [...cut.removed, ...cut.dropped];
  const strategy = gone.length > 0 ? 'truncate-oldest' : 'truncate-tools';
  const isEarlierFine = earlier.length <= 1 && tokensOf(earlier, count) <= summaryRoom(cut.kept, work);
  if (gone.length === 0 && isEarlierFine) {
    const entries = [...earlier, ...cut.kept];
    return { entries, keptCount: entries.length, strategy };
  }
  const { frame, earlierLines, lineTokens } = summaryFrame(cut, work);
  const lines = selectLines(digestLines(earlierLines, gone), lineTokens, (line) =>
    count(textMessage(bullet(line))),
  );
  return withSummary(cut, { ...frame, lines }, work, strategy);
};

/** With a model; undefined if it failed or there is nothing to summarize. */
const summarized = async <E extends Entry>(
  work: Work<E>,
  options: CompactionOptions,
  deps: CompactionDeps<E>,
  signal: AbortSignal,
): Promise<Outcome<E> | undefined> => {
  const { talk, earlier, budget, count } = work;
  const { preserveRecentMessages, strategy } = options;
  const mayShorten = strategy !== 'summarize';
  const cut = cutConversation(
    talk,
    { maxTokens: budget.keptTokens, preserveRecentMessages, mayShorten },
    count,
  );
  if (tokensOf(cut.removed, count) < MIN_SUMMARIZED_TOKENS) return undefined;
  const { summarizer, events } = deps;
  const { frame, earlierLines, lineTokens } = summaryFrame(cut, work);
  if (!summarizer || lineTokens < MIN_SUMMARY_TOKENS) {
    events.emit('context:compact:fallback', { fromStrategy: 'summarize', toStrategy: 'truncate-oldest' });
    return undefined;
  }
  const task = {
    messages: [...earlier, ...cut.removed].map(({ message }) => message),
    lines: digestLines(earlierLines, cut.removed),
    otherLines: digestLines([], cut.dropped),
    maxTokens: lineTokens,
    maxChunkTokens: budget.safeTokens,
    compressionRatio: deps.compressionRatio ?? DEFAULT_RATIO,
  };
  const lines = await summarize(task, { summarizer, count, events }, signal);
  if (!lines) return undefined;
  return withSummary(cut, { ...frame, lines }, work, cut.isShortened ? 'hybrid' : 'summarize');
};

/**
 * Makes a conversation fit into `targetTokens`: by shorter tool results if that is enough, by a summary of its
 * older part, or, without a model, by dropping the oldest turns except for what the person named in them. The
 * newest turn stays, calls stay with their results, and a conversation that fits is returned unchanged. Rejects
 * only on abort, and then at once.
 */
export const compactContext = async <E extends Entry>(
  entries: readonly E[],
  options: CompactionOptions,
  deps: CompactionDeps<E>,
  signal: AbortSignal,
): Promise<CompactionResult<E>> => {
  signal.throwIfAborted();
  const { strategy, targetTokens } = options;
  const count = remembered(deps.countTokens);
  const beforeTokens = tokensOf(entries, count);
  const asItIs: CompactionResult<E> = {
    compactedEntries: entries,
    removedCount: 0,
    beforeTokens,
    afterTokens: beforeTokens,
    strategy,
  };
  if (beforeTokens <= targetTokens) return asItIs;

  const work: Work<E> = {
    entries,
    earlier: entries.filter(({ message }) => message.isSummary),
    talk: entries.filter(({ message }) => !message.isSummary),
    budget: budgetFor(targetTokens),
    count,
    makeEntry: deps.makeEntry,
  };
  const isSmall = (beforeTokens - targetTokens) / beforeTokens < SMALL_EXCESS;
  const isToolsFirst = strategy === 'truncate-tools' || (strategy === 'hybrid' && isSmall);
  const usesModel = strategy !== 'truncate-oldest';
  const mayShorten = strategy === 'hybrid' || strategy === 'truncate-tools';
  const outcome =
    (isToolsFirst ? shortened(work, options) : undefined) ??
    (usesModel ? await summarized(work, options, deps, signal) : undefined) ??
    truncated(work, mayShorten);

  const afterTokens = tokensOf(outcome.entries, count);
  // The newest turn is nearly everything, so a summary of the rest would be longer than the rest.
  if (afterTokens >= beforeTokens || !(deps.isAcceptable?.() ?? true)) return asItIs;
  const result: CompactionResult<E> = {
    compactedEntries: outcome.entries,
    removedCount: entries.length - outcome.keptCount,
    beforeTokens,
    afterTokens,
    strategy: outcome.strategy,
  };
  const { removedCount } = result;
  deps.events.emit('context:compact', { strategy: result.strategy, removedCount, beforeTokens, afterTokens });
  return result;
};

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
interface Cut<E> {
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
const cutConversation = <E extends Entry>(
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
