import * as fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  budgetFor,
  compactContext,
  type CompactionOptions,
  withShortResults,
} from '#src/agent/memory/window/compaction.ts';
import type { Summarizer } from '#src/agent/memory/window/summarize.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { conversation } from './random-conversation.ts';
import {
  count,
  depsOf,
  entriesOf,
  failing,
  messagesOf,
  problemsOf,
  summarizerOf,
  type TestEntry,
  tokens,
  wordsOf,
} from './support.ts';

const options: fc.Arbitrary<CompactionOptions> = fc.record({
  strategy: fc.constantFrom('summarize', 'truncate-oldest', 'truncate-tools', 'hybrid'),
  targetTokens: fc.oneof(fc.integer({ min: 300, max: 4_000 }), fc.integer({ min: 1_000, max: 20_000 })),
  preserveRecentMessages: fc.integer({ min: 0, max: 14 }),
});

const summarizer: fc.Arbitrary<Summarizer | undefined> = fc.constantFrom(
  undefined,
  failing,
  summarizerOf(() => 'Nothing much.'),
  summarizerOf(
    () => 'AAPL $182.50 10주, 005930 ₩81,200, TSLA, NVDA $1,234.5, BTC/KRW Nov 13, 000660 7주 120,000원',
  ),
);

const setup = fc.record({ messages: conversation, options, summarizer });

const compacted = async ({
  messages,
  options,
  summarizer,
}: {
  readonly messages: readonly ConversationMessage[];
  readonly options: CompactionOptions;
  readonly summarizer: Summarizer | undefined;
}) => {
  const entries = entriesOf(messages);
  const { deps, seen } = depsOf(summarizer);
  const result = await compactContext(entries, options, deps, new AbortController().signal);
  return { entries, result, seen, after: messagesOf(result.compactedEntries) };
};

const lastIndex = (messages: readonly ConversationMessage[], role: ConversationMessage['role']): number =>
  messages.findLastIndex((message) => message.role === role);

/** The turn that is going on, as small as it may become. */
const leastOf = (messages: readonly ConversationMessage[]): readonly ConversationMessage[] => {
  const start = messages.findLastIndex(
    ({ role }, i) =>
      role === 'user' && (i === 0 || messages[i - 1]?.role === 'assistant' || messages[i - 1]?.isSummary),
  );
  const newestUser = lastIndex(messages, 'user');
  const lastTool = lastIndex(messages, 'tool');
  const isInTurn = lastTool > start;
  let call = lastTool;
  while (messages[call]?.role === 'tool') call -= 1;
  while (messages[call - 1]?.role === 'assistant') call -= 1;
  return messages.flatMap((message, i) => {
    if (i < start) return [];
    if (message.role === 'user') return i >= newestUser ? [message] : [];
    if (isInTurn && i < call) return [];
    return [i < lastTool ? withShortResults(message) : message];
  });
};

type Outcome = Awaited<ReturnType<typeof compacted>>;

const check = async (predicate: (outcome: Outcome, options: CompactionOptions) => void): Promise<void> => {
  const property = fc.asyncProperty(setup, async (given) => {
    predicate(await compacted(given), given.options);
  });
  await fc.assert(property, { numRuns: 80 });
};

/** The same message, or the same with shorter results. */
const isFrom = (message: ConversationMessage, original: ConversationMessage): boolean =>
  message === original || isDeepStrictEqual(message, withShortResults(original));

describe('compactContext, for any conversation', () => {
  it('leaves one that every provider takes, with at most one summary, at its beginning', async () => {
    await check(({ after }) => expect(problemsOf(after)).toEqual([]));
  });

  it('keeps the newest message of the person and what follows it, and the last results as they are', async () => {
    await check(({ entries, after }) => {
      const before = messagesOf(entries);
      const newest = lastIndex(before, 'user');
      const place = after.indexOf(before[newest] as ConversationMessage);
      expect(place).toBeGreaterThanOrEqual(0);
      const lastTool = lastIndex(before, 'tool');
      if (lastTool > newest) expect(after).toContain(before[lastTool]);
      const following = before.slice(newest);
      for (const message of after.slice(place))
        expect(following.some((original) => isFrom(message, original))).toBe(true);
      expect(after.at(-1)).toBe(before.at(-1));
    });
  });

  it('reaches the target, or leaves no more than it must', async () => {
    await check(({ entries, result, after }, { targetTokens }) => {
      expect(result.afterTokens).toBe(tokens(after));
      if (result.afterTokens <= targetTokens) return;
      const least = tokens(leastOf(messagesOf(entries)));
      const summaries = after.filter(({ isSummary }) => isSummary);
      const frame = 60 + 250;
      const { leastSummaryTokens } = budgetFor(targetTokens);
      if (result.compactedEntries === entries) {
        expect(result.beforeTokens).toBeLessThanOrEqual(least + leastSummaryTokens + frame);
        return;
      }
      expect(tokens(after) - tokens(summaries)).toBe(least);
      expect(tokens(summaries)).toBeLessThanOrEqual(Math.max(leastSummaryTokens, frame));
    });
  });

  it('counts what is gone, keeps the order, and copies only what it shortened', async () => {
    await check(({ entries, result }) => {
      const kept = result.compactedEntries.filter(({ id }) => id >= 0);
      expect(result.removedCount).toBe(entries.length - kept.length);
      expect(kept.map(({ id }) => id)).toEqual(kept.map(({ id }) => id).toSorted((a, b) => a - b));
      for (const entry of kept) {
        const original = entries[entry.id] as TestEntry;
        if (entry === original) continue;
        expect(entry.message).toEqual(withShortResults(original.message));
        expect(count(entry.message)).toBeLessThan(count(original.message));
      }
    });
  });

  it('is smaller afterwards and says so, or is the same and says nothing', async () => {
    await check(({ entries, result, seen }, { targetTokens, strategy }) => {
      const events = seen.filter(([name]) => name === 'context:compact');
      if (result.compactedEntries === entries) {
        expect(result).toMatchObject({ removedCount: 0, strategy, afterTokens: result.beforeTokens });
        expect(events).toEqual([]);
        return;
      }
      const { beforeTokens, afterTokens } = result;
      expect(beforeTokens).toBeGreaterThan(targetTokens);
      expect(afterTokens).toBeLessThan(beforeTokens);
      const { strategy: used, removedCount } = result;
      expect(events).toEqual([
        ['context:compact', { strategy: used, removedCount, beforeTokens, afterTokens }],
      ]);
    });
  });

  it('has nothing to do a second time', async () => {
    await fc.assert(
      fc.asyncProperty(setup, async (given) => {
        const { after, result } = await compacted(given);
        if (result.afterTokens > given.options.targetTokens) return;
        const again = await compacted({ ...given, messages: after });
        expect(again.result.compactedEntries).toBe(again.entries);
        expect(again.seen).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  it('remembers the numbers of what is gone, and no word of thoughts', async () => {
    await check(({ entries, result, after }) => {
      const kept = new Set(result.compactedEntries.map(({ id }) => id));
      const gone = entries.filter(({ id }) => !kept.has(id)).map(({ message }) => message);
      const facts = gone.flatMap((message) => [
        ...(message.facts ?? []),
        ...message.content.flatMap((block) => (block.type === 'tool_result' ? (block.facts ?? []) : [])),
      ]);
      const sample = new Set(facts.filter(({ isSample }) => isSample).map(({ entity }) => entity));
      const isRealGone = facts.some(({ entity }) => entity === 'real');
      const remembered = new Set(
        after.find(({ isSummary }) => isSummary)?.facts?.map(({ entity }) => entity),
      );
      if (gone.length > 0 && sample.size <= 40) expect(sample.isSubsetOf(remembered)).toBe(true);
      if (gone.length > 0 && isRealGone) expect(remembered.has('real')).toBe(true);
      for (const message of after) if (message.isSummary) expect(wordsOf(message)).not.toContain('hmm');
    });
  });

  it('lets nobody end the summary early or speak in it for the program', async () => {
    await check(({ result, after }) => {
      if (result.removedCount === 0) return;
      const words = wordsOf(after[0] as ConversationMessage);
      expect(words.match(/<\/?context>/g)).toEqual(['<context>', '</context>']);
      expect(words).not.toContain('<<NO_REPLY>>');
      expect(words.endsWith('\n</context>')).toBe(true);
    });
  });
});
