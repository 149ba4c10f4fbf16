import { describe, expect, it } from 'vitest';
import {
  compactContext,
  shrinkNewestTurn,
  truncateTools,
  withShortResults,
} from '#src/agent/memory/window/compaction.ts';
import { turnStarts } from '#src/agent/memory/window/turns.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import {
  answered,
  called,
  count,
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
import * as fc from 'fast-check';

const LONG = 'a line of a long result\n'.repeat(150);

const STEP = (n: number): readonly ConversationMessage[] => [called(`c${n}`), resulted(LONG, `c${n}`)];

const LIMIT: ConversationMessage = {
  role: 'user',
  content: [text('<context>\nThe limit is reached.\n</context>')],
};

const shrink = (messages: readonly ConversationMessage[], maxTokens: number) => {
  const { kept, dropped } = shrinkNewestTurn(entriesOf(messages), maxTokens, count);
  return {
    kept: kept.map(({ id }) => id),
    dropped: dropped.map(({ id }) => id),
    shortened: kept.flatMap(({ id, message }) => (message === messages[id] ? [] : [id])),
  };
};

describe('shrinkNewestTurn', () => {
  const turn = [said('compare them'), ...STEP(1), ...STEP(2), ...STEP(3)];

  it('leaves a turn that fits as it is', () => {
    expect(shrink(turn, tokens(turn))).toEqual({ kept: [0, 1, 2, 3, 4, 5, 6], dropped: [], shortened: [] });
  });

  it('shortens older results, the oldest first, but never the last', () => {
    expect(shrink(turn, tokens(turn) - 1)).toMatchObject({ dropped: [], shortened: [2] });
    expect(shrink(turn, tokens(turn) - 1_500)).toMatchObject({ dropped: [], shortened: [2, 4] });
  });

  it('drops the oldest calls with their results where that is not enough', () => {
    expect(shrink(turn, 1_500)).toEqual({ kept: [0, 3, 4, 5, 6], dropped: [1, 2], shortened: [4] });
    expect(shrink(turn, 1_300)).toEqual({ kept: [0, 5, 6], dropped: [1, 2, 3, 4], shortened: [] });
    expect(shrink(turn, 0)).toEqual({ kept: [0, 5, 6], dropped: [1, 2, 3, 4], shortened: [] });
  });

  it('drops parts of an answer that the provider had paused after together with its calls', () => {
    const paused: ConversationMessage = { ...answered('searching …'), isPaused: true };
    const messages = [said('compare'), paused, paused, ...STEP(1), paused, ...STEP(2)];
    expect(shrink(messages, 0)).toMatchObject({ kept: [0, 5, 6, 7], dropped: [1, 2, 3, 4] });
  });

  it('keeps the answer that is being corrected, the note on it and the question', () => {
    const correction: ConversationMessage = { ...LIMIT, isRepair: true };
    const messages = [said('compare'), ...STEP(1), answered('It is 201.'), correction, ...STEP(2)];
    expect(shrink(messages, 0)).toMatchObject({ kept: [0, 3, 4, 5, 6], dropped: [1, 2] });
    expect(turnStarts(entriesOf([said('before'), answered('so'), ...messages]))).toEqual([0, 2]);
  });

  it('keeps the steps that changed something, for the person is still to be told of them', () => {
    const { role, content } = resulted(LONG, 'c1');
    const receipt = { effect: 'recorded', text: 'Recorded as #1' } as const;
    const changed = { role, content: content.map((block) => ({ ...block, receipt })) };
    const messages = [said('record it'), called('c1'), changed, ...STEP(2), ...STEP(3)];
    expect(shrink(messages, 0)).toMatchObject({ kept: [0, 1, 2, 5, 6], dropped: [3, 4] });
  });

  it('keeps what a call got in two messages together', () => {
    const split = [called('a', 'b'), resulted(LONG, 'a'), resulted(LONG, 'b')];
    expect(shrink([said('q'), ...split, ...STEP(1)], 0)).toMatchObject({ kept: [0, 4, 5] });
    expect(shrink([said('q'), ...STEP(1), ...split], 0)).toEqual({
      kept: [0, 3, 4, 5],
      dropped: [1, 2],
      shortened: [4],
    });
  });

  it('gives up what the person said before their newest words last of all', () => {
    const messages = [said('first '.repeat(500)), ...STEP(1), said('rather this'), ...STEP(2), LIMIT];
    expect(shrink(messages, 2_400).dropped).toEqual([1, 2]);
    // Not the newest words, though the program spoke after them.
    expect(shrink(messages, 0)).toMatchObject({ kept: [3, 4, 5, 6], dropped: [0, 1, 2] });
  });

  it('has nothing to take from words alone', () => {
    expect(shrink([said('long '.repeat(5_000))], 0)).toEqual({ kept: [0], dropped: [], shortened: [] });
    expect(shrink([LIMIT], 0)).toEqual({ kept: [0], dropped: [], shortened: [] });
  });
});

const compact = async (
  messages: readonly ConversationMessage[],
  targetTokens: number,
  summarizer = failing,
) => {
  const { deps } = depsOf(summarizer);
  const options = { strategy: 'hybrid', targetTokens, preserveRecentMessages: 4 } as const;
  const result = await compactContext(entriesOf(messages), options, deps, new AbortController().signal);
  const after = messagesOf(result.compactedEntries);
  expect(problemsOf(after)).toEqual([]);
  return { result, after, summary: wordsOf(after[0] ?? said('')) };
};
const steps = (count: number) => Array.from({ length: count }, (_, n) => STEP(n)).flat();

describe('compactContext, in a turn that is too long by itself', () => {
  it('first shortens results and needs no summary for it', async () => {
    const { result, after } = await compact([said('compare them'), ...steps(6)], 6_000);
    expect(result).toMatchObject({ strategy: 'truncate-tools', removedCount: 0 });
    expect(after).toHaveLength(13);
  });

  it('names the calls that it dropped, so that they are not made again, and adds later ones to them', async () => {
    const { result, after, summary } = await compact([said('compare them'), ...steps(40)], 4_000);
    expect(result).toMatchObject({ strategy: 'truncate-oldest' });
    expect(result.afterTokens).toBeLessThanOrEqual(4_000);
    expect(summary).toContain('Calls already made for the newest question');
    expect(summary).toContain('get_quote {"symbol":"c20"}');
    expect(after[1]).toEqual(said('compare them'));
    // Not all forty: the newest that fit into a few lines.
    expect(summary).not.toContain('"c0"');
    expect(summary.length).toBeLessThan(1_000);

    const more = Array.from({ length: 8 }, (_, n) => STEP(100 + n)).flat();
    const again = await compact([...after, ...more], 4_000);
    expect(again.after.filter(({ isSummary }) => isSummary)).toHaveLength(1);
    expect(again.summary.match(/Calls already made/g)).toHaveLength(1);
    expect(again.summary).toContain('"c30"');
    expect(again.summary).toContain('"c100"');
  });

  it('forgets dropped calls once their turn is gone', async () => {
    const first = await compact([said('compare TAX'), ...steps(40)], 4_000);
    expect(first.summary).toContain('Calls already made');
    const later = [...first.after, answered('done '.repeat(2_000)), said('and now?')];
    const { summary } = await compact(later, 4_000);
    expect(summary).toContain('user: compare TAX');
    expect(summary).not.toContain('Calls already made');
  });

  it('remembers words of the turn that had to go, beside the summary of a model', async () => {
    const before = [said('TAX at $1.25'), answered('noted '.repeat(400))];
    const turn = [said(`OLDX at $5.75 ${'x '.repeat(4_000)}`), ...steps(2), said('rather this'), ...STEP(9)];
    const { after, summary } = await compact(
      [...before, ...turn],
      3_500,
      summarizerOf(() => 'bought TAX at $1.25'),
    );
    expect(after.slice(1)).toEqual(turn.slice(-3));
    expect(summary).toContain('bought TAX at $1.25');
    expect(summary).toContain('user: OLDX at $5.75');
  });

  it('keeps the made-up numbers of dropped results', async () => {
    const sample = resulted(LONG, 'x').content.map((block) => ({ ...block, facts: [factOf('AAPL')] }));
    const { after } = await compact(
      [said('q'), called('x'), { role: 'tool', content: sample }, ...steps(40)],
      4_000,
    );
    expect(after[0]?.facts).toEqual([factOf('AAPL')]);
  });

  it('leaves something for what was said before, however long the newest message is', async () => {
    const before = [said('BRK.B at $482.35'), answered('noted '.repeat(400))];
    const { result, summary } = await compact([...before, said('x '.repeat(20_000))], 4_000);
    expect(result.afterTokens).toBeGreaterThan(4_000);
    expect(result.afterTokens).toBeLessThan(result.beforeTokens);
    expect(summary).toContain('BRK.B at $482.35');
  });
});

const contentOf = ({ content }: ConversationMessage): string =>
  content.map((block) => (block.type === 'tool_result' ? block.content : '')).join('|');

const LONG_RESULT = Array.from({ length: 100 }, (_, i) => `line ${i} of the result`).join('\n');

describe('withShortResults', () => {
  it('leaves the first lines of a long result and says how much is gone', () => {
    const short = contentOf(withShortResults(resulted(LONG_RESULT, 'a')));
    const [head = '', note] = short.split('\n[');
    expect(LONG_RESULT.startsWith(`${head}\n`)).toBe(true);
    expect(head).toMatch(/^line 0 of the result\nline 1 /);
    expect(note).toBe(`… ${LONG_RESULT.length - head.length} characters removed to save space]`);
  });

  it('keeps the facts, the ids and the errors', () => {
    const facts = [factOf('AAPL')];
    const message: ConversationMessage = {
      role: 'tool',
      content: [
        { type: 'tool_result', toolUseId: 'a', content: LONG_RESULT, isError: false, facts },
        { type: 'tool_result', toolUseId: 'b', content: LONG_RESULT, isError: true },
        { type: 'tool_result', toolUseId: 'c', content: 'short', isError: false },
      ],
    };
    const short = withShortResults(message);
    expect(short.content[0]).toMatchObject({ toolUseId: 'a', facts, isError: false });
    expect(short.content[1]).toBe(message.content[1]);
    expect(short.content[2]).toBe(message.content[2]);
  });

  it('leaves messages without a long result as they are', () => {
    for (const message of [resulted('short', 'a'), said(LONG_RESULT)])
      expect(withShortResults(message)).toBe(message);
  });

  it('does not leave the end of a fence away', () => {
    const fenced = `<untrusted source="news">\n${LONG_RESULT}\n</untrusted>`;
    expect(contentOf(withShortResults(resulted(fenced, 'a')))).toMatch(/to save space\]\n<\/untrusted>$/);
    const code = `\`\`\`json\n${LONG_RESULT}\n\`\`\`\n`;
    expect(contentOf(withShortResults(resulted(code, 'a')))).toMatch(/to save space\]\n```\n$/);
  });

  it('is shorter than before, whole characters only, and not shortened again', () => {
    const content = fc.oneof(
      fc.string({ minLength: 580, maxLength: 700 }),
      fc.integer({ min: 0, max: 3 }).map((shift) => `${'x'.repeat(shift)}${'📈'.repeat(400)}`),
    );
    fc.assert(
      fc.property(content, (words) => {
        const message = resulted(words, 'a');
        const short = withShortResults(message);
        expect(withShortResults(short)).toBe(short);
        if (short === message) return;
        expect(contentOf(short).length).toBeLessThan(words.length);
        expect(contentOf(short).isWellFormed()).toBe(words.isWellFormed());
      }),
    );
  });
});

describe('truncateTools', () => {
  const messages = [
    said('a'),
    resulted(LONG_RESULT, '1'),
    resulted(LONG_RESULT, '2'),
    resulted(LONG_RESULT, '3'),
    resulted(LONG_RESULT, '4'),
  ];
  const entries = entriesOf(messages);
  const whole = tokens(messages);
  const changed = (end: number, maxTokens: number): readonly number[] =>
    truncateTools(entries, end, maxTokens, count).flatMap((entry, i) => (entry === entries[i] ? [] : [i]));

  it('shortens the oldest first, and no more than it must', () => {
    expect(changed(5, whole)).toEqual([]);
    expect(changed(5, whole - 1)).toEqual([1]);
    expect(changed(5, whole - 700)).toEqual([1, 2]);
  });

  it('shortens all that it may where that is not enough', () => {
    expect(changed(5, 0)).toEqual([1, 2, 3, 4]);
    expect(changed(3, 0)).toEqual([1, 2]);
    expect(changed(-1, 0)).toEqual([]);
  });

  it('keeps what else an entry carries', () => {
    expect(truncateTools(entries, 5, 0, count).map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
  });
});
