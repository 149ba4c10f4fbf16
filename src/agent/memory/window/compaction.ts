import type { Events } from '#src/kernel/events.ts';
import type { ConversationMessage } from '#src/kernel/model.ts';
import { type Cut, cutConversation, truncateTools } from './cut.ts';
import { digestLines, selectLines } from './digest.ts';
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

/** Counts are estimates: a conversation that is to fit is made this much smaller. */
const SAFETY_MARGIN = 1.2;
/** The most that a summary may take, whatever the window. */
const SUMMARIZATION_OVERHEAD_TOKENS = 4_096;
/** The part of a small target that the summary may take. */
const SUMMARY_SHARE = 1 / 3;
/** However long the newest turn is, so much of the summary's share stays for what was said before. */
const LEAST_SHARE = 1 / 4;

/** How the tokens that a compaction aims at are divided. */
interface Budget {
  readonly targetTokens: number;
  /** What is aimed at, below the target. */
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

/** What the operator chose. */
export interface CompactionSettings {
  /** Share of the window, without the reserve, from which on the log warns. */
  readonly warnAt: number;
  /** Share of the window, without the reserve, from which on older parts are shortened. */
  readonly compactAt: number;
  /** Share of the room for the conversation that is still filled after a compaction. */
  readonly target: number;
  /** How many of the last messages stay unchanged. */
  readonly keepMessages: number;
  readonly strategy: CompactionStrategy;
}

export interface CompactionOptions {
  readonly strategy: CompactionStrategy;
  readonly targetTokens: number;
  /** So many of the last messages stay as they are, as long as the target can be reached with them. */
  readonly preserveRecentMessages: number;
}

export interface CompactionResult<E> {
  readonly compactedEntries: readonly E[];
  /** How many of the entries are gone, earlier summaries included; a shortened one is not. */
  readonly removedCount: number;
  readonly beforeTokens: number;
  /** Above the target only where the newest turn leaves no other choice. */
  readonly afterTokens: number;
  /** The one that was used in the end. */
  readonly strategy: CompactionStrategy;
}

export interface CompactionDeps<E> {
  /** Undefined: there is no model that could. */
  readonly summarizer: Summarizer | undefined;
  readonly countTokens: CountTokens;
  readonly makeEntry: (message: ConversationMessage) => E;
  readonly events: Pick<Events, 'emit'>;
  /** Asked when all is done: false leaves everything as it is. */
  readonly isAcceptable?: () => boolean;
  /** Of the compaction before: tokens after it by tokens before it. */
  readonly compressionRatio?: number;
}

/** Less than this part too much: shorter results of tools will do. */
const SMALL_EXCESS = 0.2;
/** For less than this no model is asked. */
const MIN_SUMMARIZED_TOKENS = 200;
/** In less than this no model can say anything. */
const MIN_SUMMARY_TOKENS = 80;
const DEFAULT_RATIO = 0.5;

/** Every message is counted several times. */
const remembered = (count: CountTokens): CountTokens => {
  const counts = new Map<ConversationMessage, number>();
  return (message) => {
    const known = counts.get(message);
    if (known !== undefined) return known;
    const tokens = count(message);
    counts.set(message, tokens);
    return tokens;
  };
};

interface Work<E> {
  readonly entries: readonly E[];
  /** Summaries of before, and all the rest. */
  readonly earlier: readonly E[];
  readonly talk: readonly E[];
  readonly budget: Budget;
  readonly count: CountTokens;
  readonly makeEntry: (message: ConversationMessage) => E;
}

/** How much a summary may take beside what is kept. */
const summaryRoom = (kept: readonly Entry[], { budget, count }: Work<Entry>): number => {
  const left = budget.targetTokens - tokensOf(kept, count);
  return Math.min(budget.summaryTokens, Math.max(budget.leastSummaryTokens, left));
};

/** All of a summary but its lines, and what its lines may take. */
const summaryFrame = <E extends Entry>(
  { removed, kept, dropped }: Cut<E>,
  work: Work<E>,
): { readonly frame: Summary; readonly earlierLines: readonly string[]; readonly lineTokens: number } => {
  const before = readSummaries(work.earlier);
  const frame: Summary = {
    lines: [],
    // Calls that were dropped from a turn concern nobody once the turn is over.
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

/** Shortens results of tools outside the messages to preserve; undefined where that is not enough. */
const shortened = <E extends Entry>(work: Work<E>, options: CompactionOptions): Outcome<E> | undefined => {
  const { entries, budget, count } = work;
  const newest = turnStarts(entries).at(-1) ?? 0;
  const end = Math.min(newest, entries.length - options.preserveRecentMessages);
  const short = truncateTools(entries, end, budget.safeTokens, count);
  return tokensOf(short, count) <= budget.targetTokens
    ? { entries: short, keptCount: short.length, strategy: 'truncate-tools' }
    : undefined;
};

/** Without a model: as many of the oldest turns as it takes, and the lines of them that name something. */
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

/** With a model; undefined where it failed or there is nothing to ask it for. */
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
 * Makes a conversation fit into `targetTokens`: by shorter results of tools where that is enough, by a summary of
 * its older part, or, when no model can write one, by leaving out the oldest turns except for what the person
 * named in them. The newest turn stays, calls stay with their results, and what is there already is not asked for
 * again: a conversation that fits comes back as it is. Rejects only when the signal aborts, and then at once.
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
  // The newest turn is nearly all there is: a summary of the rest would be longer than the rest.
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
