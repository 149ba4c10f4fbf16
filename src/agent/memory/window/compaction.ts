import type { Events } from '#src/kernel/operations/events.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { type Cut, cutConversation, truncateTools } from './cut-conversation.ts';
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
import { type CountTokens, type Entry, textMessage, tokensOf, turnStarts } from './turns.ts';

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
