import { describe, expect, it } from 'vitest';
import { compactContext, type CompactionOptions } from '#src/agent/memory/window/compaction.ts';
import type { Summarizer } from '#src/agent/memory/window/summarize.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import {
  answered,
  called,
  depsOf,
  entriesOf,
  factOf,
  failing,
  messagesOf,
  problemsOf,
  resulted,
  said,
  summarizerOf,
  text,
  tokens,
  wordsOf,
} from './support.ts';

const LONG = 'a line of a long result\n'.repeat(150);
const BRIEF = 'It is at the price that you see, and it was a quiet day. '.repeat(5);

/** A question with a ticker and a price of its own, a call, a result of 1,200 tokens, an answer. */
const turn = (n: number): readonly ConversationMessage[] => [
  said(`Remember T${'ABCDEFGHIJ'[n]}X at $${n}.25`),
  called(`c${n}`),
  resulted(LONG, `c${n}`),
  answered(`${n}: ${BRIEF}`),
];

const turns = (count: number): readonly ConversationMessage[] =>
  Array.from({ length: count }, (_, n) => turn(n)).flat();

const NAMES = (n: number): string =>
  Array.from({ length: n }, (_, i) => `T${'ABCDEFGHIJ'[i]}X $${i}.25`).join(', ');

const compact = async (
  messages: readonly ConversationMessage[],
  options: Partial<CompactionOptions> = {},
  summarizer: Summarizer | undefined = summarizerOf(() => `- ${NAMES(10)}`),
  signal = new AbortController().signal,
) => {
  const entries = entriesOf(messages);
  const { deps, seen } = depsOf(summarizer);
  const whole = { strategy: 'hybrid', targetTokens: 6_000, preserveRecentMessages: 4, ...options } as const;
  const result = await compactContext(entries, whole, deps, signal);
  const after = messagesOf(result.compactedEntries);
  expect(problemsOf(after)).toEqual([]);
  return { entries, result, after, seen, names: seen.map(([name]) => name) };
};

const withFact = (n: number, value: string): readonly ConversationMessage[] =>
  turn(n).map((message) =>
    message.role === 'tool'
      ? {
          ...message,
          content: message.content.map((block) => ({
            ...block,
            facts: [factOf('AAPL', { value }), factOf('MSFT', { isSample: false })],
          })),
        }
      : message,
  );

const resultOf = ({ content }: ConversationMessage): string =>
  content.map((block) => (block.type === 'tool_result' ? block.content : '')).join('');

const summaryOf = (messages: readonly ConversationMessage[]): string => wordsOf(messages[0] ?? said(''));

describe('compactContext', () => {
  it('does nothing to a conversation that fits, and asks nobody', async () => {
    const messages = turns(3);
    const { entries, result, seen } = await compact(messages, { targetTokens: tokens(messages) }, failing);
    expect(result.compactedEntries).toBe(entries);
    expect(result).toMatchObject({ removedCount: 0, strategy: 'hybrid', afterTokens: result.beforeTokens });
    expect(seen).toEqual([]);
  });

  it('only shortens old results where little is too much', async () => {
    const messages = turns(6);
    const { after, result, names } = await compact(
      messages,
      { targetTokens: tokens(messages) * 0.85 },
      failing,
    );
    expect(result).toMatchObject({ strategy: 'truncate-tools', removedCount: 0 });
    expect(names).toEqual(['context:compact']);
    expect(after).toHaveLength(messages.length);
    expect(resultOf(after[2] ?? said(''))).toContain('removed to save space');
    // The newest turn and the last messages are as they were.
    expect(after.slice(-4)).toEqual(messages.slice(-4));
  });

  it('asks nobody where shorter results were wanted and are enough', async () => {
    const { result, names } = await compact(turns(8), { strategy: 'truncate-tools' }, failing);
    expect(result).toMatchObject({ strategy: 'truncate-tools', removedCount: 0 });
    expect(names).toEqual(['context:compact']);
  });

  it('does not shorten the last results, though nothing else is long', async () => {
    const [first, second] = [said('TAX'), answered('ok '.repeat(100))];
    const messages = [first, second, said('TBX'), called('c'), resulted(LONG, 'c')];
    const options = { strategy: 'truncate-tools', targetTokens: 1_250, preserveRecentMessages: 0 } as const;
    const { after } = await compact(messages, options, failing);
    expect(after.slice(-3)).toEqual(messages.slice(-3));
  });

  it('goes on to a summary where shorter results are not enough', async () => {
    const spoken = Array.from({ length: 30 }, (_, n) => [said(`TAX ${n}`), answered(BRIEF.repeat(5))]).flat();
    const target = tokens(spoken) * 0.9;
    for (const strategy of ['hybrid', 'truncate-tools'] as const) {
      const { result } = await compact(
        spoken,
        { strategy, targetTokens: target },
        summarizerOf(() => 'TAX'),
      );
      expect(result.strategy).toBe('summarize');
      expect(result.afterTokens).toBeLessThanOrEqual(target);
    }
  });

  it('sums up all but the last messages where much is too much', async () => {
    const messages = turns(8);
    const { after, result, names } = await compact(messages, { preserveRecentMessages: 6 });
    expect(result).toMatchObject({ strategy: 'summarize', removedCount: 24 });
    expect(names).toEqual(['context:compact']);
    expect(summaryOf(after)).toMatch(
      /^<context>\nSummary of the earlier conversation.*\n- TAX \$0\.25, .*\n<\/context>$/s,
    );
    expect(after[0]).toMatchObject({ role: 'user', isSummary: true });
    // Six messages reach into the middle of a turn: all of it stays.
    expect(after.slice(1)).toEqual(messages.slice(-8));
  });

  it('asks about what goes, exactly as it was sent', async () => {
    const messages = turns(8);
    const asked: (readonly ConversationMessage[])[] = [];
    const summarizer: Summarizer = {
      ...failing,
      ofConversation: async (sent) => {
        asked.push(sent);
        return NAMES(10);
      },
    };
    await compact(messages, {}, summarizer);
    expect(asked[0]?.every((message, i) => message === messages[i])).toBe(true);
    expect(asked[0]).toHaveLength(28);
  });

  it('shortens results beside the summary before it gives up messages that are to be preserved', async () => {
    const messages = turns(8);
    const options = { targetTokens: 4_500, preserveRecentMessages: 12 };
    const { after, result } = await compact(messages, options);
    expect(result).toMatchObject({ strategy: 'hybrid', removedCount: 20 });
    expect(resultOf(after[3] ?? said(''))).toContain('removed to save space');
    expect(after.slice(-4)).toEqual(messages.slice(-4));
    // Asked to sum up only, it leaves results alone.
    const plain = await compact(messages, { ...options, strategy: 'summarize' });
    expect(plain.result).toMatchObject({ strategy: 'summarize', removedCount: 28 });
  });

  it.each([
    ['there is no model', undefined, ['context:compact:fallback', 'context:compact']],
    ['it fails', failing, ['context:compact:fallback', 'context:compact:fallback', 'context:compact']],
  ])('removes the oldest turns and keeps what they name when %s', async (_what, summarizer, events) => {
    const messages = turns(8);
    const entries = entriesOf(messages);
    const { deps, seen } = depsOf(summarizer);
    const options = { strategy: 'summarize', targetTokens: 6_000, preserveRecentMessages: 4 } as const;
    const result = await compactContext(entries, options, deps, new AbortController().signal);
    const after = messagesOf(result.compactedEntries);
    expect(result.strategy).toBe('truncate-oldest');
    expect(seen.map(([name]) => name)).toEqual(events);
    // As few as it takes, whole, and from the beginning.
    const kept = (after.length - 1) / 4;
    expect(kept).toBe(2);
    expect(after.slice(1)).toEqual(messages.slice(-4 * kept));
    for (let n = 0; n < 8 - kept; n += 1)
      expect(summaryOf(after)).toContain(`user: Remember T${'ABCDEFGHIJ'[n]}X at $${n}.25`);
  });

  it('needs no model to remove the oldest, and tells of no step down', async () => {
    const { result, names, after } = await compact(turns(8), { strategy: 'truncate-oldest' }, failing);
    expect(result.strategy).toBe('truncate-oldest');
    expect(names).toEqual(['context:compact']);
    expect(after.some((message) => resultOf(message).includes('removed'))).toBe(false);
  });

  it('asks no model to sum up next to nothing', async () => {
    const messages = [said('AAPL'), answered('ok'), said('NVDA '.repeat(6_000)), answered('ok')];
    const asked: string[] = [];
    const summarizer = summarizerOf((words) => {
      asked.push(words);
      return 'AAPL';
    });
    const { result, entries } = await compact(messages, { targetTokens: 6_000 }, summarizer);
    expect(asked).toEqual([]);
    // The summary would be longer than what it stands for.
    expect(result.compactedEntries).toBe(entries);
  });

  it('asks no model for a summary for which there is no room', async () => {
    const asked: string[] = [];
    const summarizer = summarizerOf((words) => {
      asked.push(words);
      return 'TAX';
    });
    const { result, names } = await compact([...turns(3), said('NVDA')], { targetTokens: 300 }, summarizer);
    expect(asked).toEqual([]);
    expect(names).toEqual(['context:compact:fallback', 'context:compact']);
    expect(result.strategy).toBe('truncate-oldest');
  });

  it('folds an earlier summary into the new one', async () => {
    const old: ConversationMessage = {
      role: 'user',
      isSummary: true,
      content: [text('<context>\nSummary of before\n- OLDX at $77.25\n- likes dividends\n</context>')],
      facts: [factOf('OLDX')],
    };
    for (const summarizer of [
      failing,
      summarizerOf((asked) => `${NAMES(10)}${asked.includes('OLDX') ? ' OLDX $77.25 dividends' : ''}`),
    ]) {
      const { after, result } = await compact([old, ...turns(8)], { strategy: 'summarize' }, summarizer);
      expect(after.filter(({ isSummary }) => isSummary)).toHaveLength(1);
      expect(after).not.toContain(old);
      expect(summaryOf(after)).toMatch(/OLDX.*\$77\.25/);
      expect(summaryOf(after)).toContain('dividends');
      expect(after[0]?.facts).toEqual([factOf('OLDX')]);
      expect(result.removedCount).toBe(1 + 32 - (after.length - 1));
      const again = await compact([...after, ...turns(8)], { strategy: 'summarize' }, failing);
      expect(again.after.filter(({ isSummary }) => isSummary)).toHaveLength(1);
      expect(summaryOf(again.after).match(/Summary of the earlier/g)).toHaveLength(1);
    }
  });

  it('shortens an earlier summary that was made for a larger window', async () => {
    const lines = Array.from(
      { length: 400 },
      (_, i) => `- it was ${i}.25 on that day, and nothing else happened`,
    );
    const old: ConversationMessage = {
      role: 'user',
      isSummary: true,
      content: [text(['<context>', 'Summary', ...lines, '</context>'].join('\n'))],
    };
    const { after, result } = await compact([old, ...turns(1)], {}, failing);
    expect(result.afterTokens).toBeLessThanOrEqual(6_000);
    expect(after.slice(1)).toEqual(turns(1));
    expect(summaryOf(after)).toContain('399.25');
    expect(summaryOf(after)).toContain('- 0.25');
  });

  it('keeps the numbers of what is gone, the newest of each kind, and the made-up ones marked', async () => {
    const { after } = await compact([...withFact(0, '1'), ...withFact(1, '2'), ...turns(6)]);
    expect(after[0]?.facts).toEqual([factOf('AAPL', { value: '2' }), factOf('MSFT', { isSample: false })]);
  });

  it.each([2_000, 8_000, 30_000])(
    'has room for a summary and the newest turn at a target of %i',
    async (targetTokens) => {
      for (const summarizer of [failing, summarizerOf(() => NAMES(10))]) {
        const { result, after } = await compact(
          turns(40).map((m) => m),
          { targetTokens },
          summarizer,
        );
        expect(result.afterTokens).toBeLessThanOrEqual(targetTokens);
        expect(summaryOf(after)).toContain('TAX');
      }
    },
  );

  it('rejects before it does anything when it was stopped already, and at once when it is stopped later', async () => {
    const reason = new Error('stopped');
    await expect(compact(turns(8), {}, failing, AbortSignal.abort(reason))).rejects.toBe(reason);
    const cutting = { strategy: 'truncate-oldest' } as const;
    await expect(compact(turns(8), cutting, failing, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const never = summarizerOf(async () => {
      queueMicrotask(() => controller.abort(reason));
      return new Promise<string>(() => undefined);
    });
    await expect(compact(turns(8), {}, never, controller.signal)).rejects.toBe(reason);
  });
});
