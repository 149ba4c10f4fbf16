import { describe, expect, it } from 'vitest';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { assistant, call, result, results, text, user } from '#test/agent/providers/request.ts';
import { everyRow } from '#test/support/every-row.ts';
import { CLOSING, MISSING, oneTurn, repaired, UNAVAILABLE } from './repair-support.ts';
import { apiProblem, entriesOf, turn } from './support.ts';

describe('truncated-json', () => {
  it('is left out, and the rest is kept', () => {
    const [question, answer] = entriesOf(1, [user('q'), assistant('a')]);
    if (!question || !answer) throw new Error('no entries');
    const { entries, report } = repaired([question, { unreadable: true }, answer, { unreadable: true }]);
    expect(entries).toEqual([question, answer]);
    expect(report).toMatchObject({
      isRecoverable: true,
      corruptions: [
        { type: 'truncated-json', index: 1 },
        { type: 'truncated-json', index: 3 },
      ],
    });
  });

  it('of everything leaves nothing to recover', () => {
    const { entries, report } = repaired([{ unreadable: true }, { unreadable: true }]);
    expect(entries).toEqual([]);
    expect(report.isRecoverable).toBe(false);
  });
});

describe('duplicate-entry', () => {
  it('is the same turn, time and content; the first one stays', () => {
    const [q, a, b] = entriesOf(1, [user('q'), user('q'), assistant('a')]);
    if (!q || !a || !b) throw new Error('no entries');
    const { entries, report } = repaired([q, a, structuredClone(q), b, b]);
    expect(entries).toEqual([q, a, b]);
    expect(report.corruptions).toMatchObject([
      { type: 'duplicate-entry', index: 2 },
      { type: 'duplicate-entry', index: 4 },
    ]);
  });

  it('is not the same words in another turn, nor other words at the same time', () => {
    const [first, answer] = entriesOf(1, [user('q'), assistant('a')]);
    const [second, other] = entriesOf(2, [user('q'), assistant('a')]);
    if (!first || !answer || !second || !other) throw new Error('no entries');
    const differing = { ...first, message: user('q!') };
    const lines = [first, differing, answer, second, other];
    expect(repaired(lines)).toMatchObject({ types: [], entries: lines });
  });

  it('is a second result for a call, and a second call of one id in a message', () => {
    const { messages, types } = oneTurn(
      user('q'),
      assistant(call('c1'), call('c1')),
      results(result('c1', 'first'), result('c1', 'second')),
      results(result('c1', 'third')),
      assistant('a'),
    );
    expect(types).toEqual(['duplicate-entry', 'duplicate-entry', 'duplicate-entry']);
    expect(messages).toEqual([
      user('q'),
      assistant(call('c1')),
      results(result('c1', 'first')),
      assistant('a'),
    ]);
  });
});

describe('orphan-tool-result', () => {
  it('gets a call, in the message before it where that is the assistant’s', () => {
    const { messages, types } = oneTurn(
      user('q'),
      assistant('hm'),
      results(result('c1', '42')),
      assistant('a'),
    );
    expect(types).toEqual(['orphan-tool-result']);
    expect(messages).toEqual([
      user('q'),
      assistant('hm', call('c1', 'unknown_tool')),
      results(result('c1', '42')),
      assistant('a'),
    ]);
  });

  it('gets a message with a call where there is none', () => {
    const { messages, types } = oneTurn(user('q'), results(result('c1'), result('c2')), assistant('a'));
    expect(types).toEqual(['orphan-tool-result', 'orphan-tool-result']);
    expect(messages).toEqual([
      user('q'),
      assistant(call('c1', 'unknown_tool'), call('c2', 'unknown_tool')),
      results(result('c1'), result('c2')),
      assistant('a'),
    ]);
  });

  it('is there once for each call; the first one stays', () => {
    const { messages, types } = oneTurn(
      user('q'),
      results(result('c1', 'first')),
      results(result('c1', 'second')),
      assistant('a'),
    );
    expect(types).toEqual(['orphan-tool-result', 'duplicate-entry']);
    expect(messages[2]).toEqual(results(result('c1', 'first')));
    expect(messages).toHaveLength(4);
  });

  it('stands beside results that have their call', () => {
    const { messages } = oneTurn(
      user('q'),
      assistant(call('c1')),
      results(result('c1')),
      results(result('c9')),
      assistant('a'),
    );
    expect(messages[1]).toEqual(assistant(call('c1'), call('c9', 'unknown_tool')));
  });

  everyRow([
    ['Invalid input for get_quote: symbols: required', 'get_quote'],
    ['The tool sell-all failed: no connection', 'sell-all'],
    ['There is no tool "get_price". Available: a, b', 'get_price'],
    ['{"tool": "get_news", "items": []}', 'get_news'],
    ['{"items": [], "toolName":"get_news"}', 'get_news'],
    ['Apple stands at 304.12', 'unknown_tool'],
    ['The tool finance.quote failed', 'unknown_tool'],
    [`The tool ${'x'.repeat(65)} failed`, 'unknown_tool'],
  ])('is called by the name that its words tell: %s', (words, name) => {
    const { messages } = oneTurn(user('q'), results(result('c1', words)), assistant('a'));
    expect(messages[1]).toEqual(assistant(call('c1', name)));
  });

  it.each([
    ['behind', [user('q'), assistant(call('c1')), user('wait'), results(result('c1', '42')), assistant('a')]],
    ['before', [user('q'), results(result('c1', '42')), assistant(call('c1')), user('wait'), assistant('a')]],
  ])('is brought to its call where that is elsewhere in the turn: %s it', (_what, order) => {
    const { messages, types } = oneTurn(...order);
    expect(types).toEqual(['orphan-tool-result']);
    expect(messages).toEqual([
      user('q'),
      assistant(call('c1')),
      results(result('c1', '42')),
      user('wait'),
      assistant('a'),
    ]);
  });
});

describe('missing-tool-result', () => {
  it('is put behind the call, together with the results that are there', () => {
    const { messages, entries, types } = oneTurn(
      user('q'),
      assistant(call('c1'), call('c2')),
      results(result('c2')),
      user('and?'),
      assistant('a'),
    );
    expect(types).toEqual(['missing-tool-result']);
    expect(messages).toMatchObject([
      user('q'),
      assistant(call('c1'), call('c2')),
      results(result('c2')),
      { role: 'tool', content: [{ toolUseId: 'c1', ...UNAVAILABLE }] },
      user('and?'),
      assistant('a'),
    ]);
    // Where it stands in time: with what it belongs to.
    expect(entries[3]).toMatchObject({ turnId: turn(1), at: entries[2]?.at });
  });

  it('is put in without parting an answer that the provider had paused', () => {
    const paused = { ...assistant('a'), isPaused: true };
    const { messages, types } = oneTurn(
      user('q'),
      paused,
      assistant('b', call('c1')),
      user('so?'),
      assistant('c'),
    );
    expect(types).toEqual(['missing-tool-result']);
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'assistant',
      'tool',
      'user',
      'assistant',
    ]);
  });

  it('closes a turn that broke off in a call', () => {
    const { messages, types } = oneTurn(user('q'), assistant(call('c1')));
    expect(types.toSorted()).toEqual(['invalid-role-sequence', 'missing-tool-result']);
    expect(messages.slice(2)).toMatchObject([{ content: [{ toolUseId: 'c1', ...UNAVAILABLE }] }, CLOSING]);
  });

  it('is an empty result from which nobody went on', () => {
    const { messages, types } = oneTurn(user('q'), assistant(call('c1')), results(result('c1', ' ')));
    expect(types.toSorted()).toEqual(['invalid-role-sequence', 'missing-tool-result']);
    expect(messages.slice(2)).toMatchObject([
      { content: [{ toolUseId: 'c1', content: '[Execution aborted]', isError: true }] },
      CLOSING,
    ]);
  });

  it('is an error without words', () => {
    const { messages, types } = oneTurn(
      user('q'),
      assistant(call('c1')),
      results(result('c1', '', true)),
      assistant('a'),
    );
    expect(types).toEqual(['missing-tool-result']);
    expect(messages[2]).toEqual(results(result('c1', '[Execution aborted]', true)));
  });
});

describe('invalid-role-sequence', () => {
  it('puts in what it puts in twice as two entries, also at the same time', () => {
    const [question, first] = entriesOf(1, [user('q'), assistant('a')]);
    if (!question || !first) throw new Error('no entries');
    const lines = ['b', 'c'].map((words) => ({ ...first, message: assistant(words) }));
    const { messages } = repaired([question, first, ...lines]);
    expect(messages).toMatchObject([
      user('q'),
      assistant('a'),
      MISSING,
      assistant('b'),
      MISSING,
      assistant('c'),
    ]);
  });

  it('is two answers in a row; what the person said between them is gone', () => {
    const { messages, types } = oneTurn(user('q'), assistant('a'), assistant('b'));
    expect(types).toEqual(['invalid-role-sequence']);
    expect(messages).toMatchObject([user('q'), assistant('a'), MISSING, assistant('b')]);
  });

  it.each([
    ['an answer', [assistant('a')], [MISSING, assistant('a')]],
    [
      'a result',
      [results(result('c1')), assistant('a')],
      [MISSING, assistant(call('c1', 'unknown_tool')), results(result('c1')), assistant('a')],
    ],
  ])('is a turn that begins with %s', (_what, order, expected) => {
    const { messages, types } = oneTurn(...order);
    expect(types).toContain('invalid-role-sequence');
    expect(messages).toMatchObject(expected);
    expect(apiProblem(oneTurn(...order).entries)).toBeUndefined();
  });

  it.each<[string, readonly ConversationMessage[]]>([
    ['a question', [user('q')]],
    ['a result', [user('q'), assistant(call('c1')), results(result('c1'))]],
    ['a pause', [user('q'), { ...assistant('a'), isPaused: true }]],
  ])('is a finished turn that ends with %s: it gets the note that a stopped run gets', (_what, order) => {
    const { messages, types } = oneTurn(...order);
    expect(types).toEqual(['invalid-role-sequence']);
    expect(messages).toMatchObject([...order, CLOSING]);
  });

  it('is what has no place in a message, and a message that says nothing', () => {
    const { messages, types } = oneTurn(
      user('q', result('c1'), call('c2')),
      user(),
      assistant('a', result('c3')),
      { role: 'tool', content: [text('words')] },
    );
    expect(new Set(types)).toEqual(new Set(['invalid-role-sequence']));
    expect(types).toHaveLength(5);
    expect(messages).toEqual([user('q'), assistant('a')]);
  });
});
