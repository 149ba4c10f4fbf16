import { describe, expect, it } from 'vitest';
import { repairTranscript } from '#src/agent/memory/transcript/transcript-repair.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { assistant, call, result, results, user } from '#test/agent/providers/request.ts';
import { everyRow } from '#test/support/every-row.ts';
import { CLOSING, NONE, oneTurn, repaired, UNAVAILABLE } from './repair-support.ts';
import { entriesOf, messagesOf, turn } from './support.ts';

describe('a whole transcript', () => {
  everyRow<[string, readonly ConversationMessage[]]>([
    ['a question and its answer', [user('q'), assistant('a')]],
    ['several messages of the person in a row', [user('q'), user('and'), assistant('a')]],
    [
      'a call with its result',
      [user('q'), assistant('hm', call('c1')), results(result('c1')), assistant('a')],
    ],
    [
      'results of one message in several, as a restart leaves them',
      [
        user('q'),
        assistant(call('c1'), call('c2')),
        results(result('c2')),
        results(result('c1')),
        assistant('a'),
      ],
    ],
    [
      'words of the person between the steps',
      [user('q'), assistant(call('c1')), results(result('c1')), user('wait'), assistant('a')],
    ],
    [
      'an answer in parts that the provider paused',
      [user('q'), { ...assistant('a'), isPaused: true }, assistant('b')],
    ],
    [
      'an id that a later call has again',
      [
        user('q'),
        assistant(call('c1')),
        results(result('c1', 'x')),
        assistant(call('c1')),
        results(result('c1', 'y')),
        assistant('a'),
      ],
    ],
    [
      'a tool that had nothing to say',
      [user('q'), assistant(call('c1')), results(result('c1', '')), assistant('a')],
    ],
    [
      'a name that is no tool any more',
      [user('q'), assistant(call('c1', 'long_gone')), results(result('c1')), assistant('a')],
    ],
  ])('is left as it is: %s', (_what, messages) => {
    const { entries, types } = oneTurn(...messages);
    expect(types).toEqual([]);
    expect(entries).toEqual(entriesOf(1, messages));
  });

  it('may begin in the middle of a turn whose beginning is summed up', () => {
    const summary = entriesOf('summary', [{ ...user('before'), isSummary: true }]);
    const rest = entriesOf(1, [assistant(call('c1')), results(result('c1')), assistant('a')]);
    const { entries, types } = repaired([...summary, ...rest]);
    expect(types).toEqual([]);
    expect(entries).toEqual([...summary, ...rest]);
    // Only the turn directly behind the summary.
    const other = entriesOf(2, [assistant('b')]);
    expect(repaired([...summary, ...rest, ...other]).types).toEqual(['invalid-role-sequence']);
  });

  it('has the parts of a turn that waited together, which is no damage', () => {
    const waited = entriesOf(1, [
      user('sell'),
      assistant(call('c1')),
      results(result('c1')),
      assistant('sold'),
    ]);
    const between = entriesOf(2, [user('hi'), assistant('hello')]);
    const { entries, types } = repaired([...waited.slice(0, 2), ...between, ...waited.slice(2)]);
    expect(types).toEqual([]);
    expect(entries).toEqual([...between, ...waited]);
  });

  it('of nothing has nothing to repair', () => {
    const report = repairTranscript([], NONE);
    expect(report).toMatchObject({ corruptions: [], isRecoverable: true });
    expect(report.entries).toEqual([]);
  });
});

describe('the name of a call', () => {
  it.each([
    ['finance:quote', 'finance_quote'],
    ['[unknown-tool]', '_unknown-tool_'],
    ['x'.repeat(80), 'x'.repeat(64)],
    ['시세', 'unknown_tool'],
    ['', 'unknown_tool'],
  ])('%s, which no provider takes, is replaced, and is no damage by itself', (name, legal) => {
    const { messages, types } = oneTurn(
      user('q'),
      assistant(call('c1', name)),
      results(result('c1')),
      assistant('a'),
    );
    expect(types).toEqual([]);
    expect(messages[1]).toEqual(assistant(call('c1', legal)));
  });
});

describe('a turn that is live', () => {
  const waiting = entriesOf(1, [user('sell'), assistant(call('c1'), call('c2')), results(result('c2', ''))]);
  const live = new Set([turn(1)]);

  it('is left where it stopped, while the others are repaired', () => {
    const other = entriesOf(2, [user('hi')]);
    const { messages, types } = repaired([...waiting, ...other], live);
    expect(types).toEqual(['invalid-role-sequence']);
    expect(messages).toMatchObject([...messagesOf(waiting), user('hi'), CLOSING]);
  });

  it('loses what cannot be read and what is there twice', () => {
    const [question] = waiting;
    if (!question) throw new Error('no entries');
    const { entries, types } = repaired([...waiting, { unreadable: true }, question], live);
    expect(types).toEqual(['truncated-json', 'duplicate-entry']);
    expect(entries).toEqual(waiting);
  });

  it('is closed as soon as it is live no more', () => {
    expect(repaired(waiting).messages.slice(2)).toMatchObject([
      { content: [{ toolUseId: 'c2', content: '[Execution aborted]' }] },
      { content: [{ toolUseId: 'c1', ...UNAVAILABLE }] },
      CLOSING,
    ]);
  });
});
