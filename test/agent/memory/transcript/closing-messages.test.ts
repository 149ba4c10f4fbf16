import { describe, expect, it } from 'vitest';
import {
  closingMessages,
  interrupted,
  notRun,
  unansweredCalls,
} from '#src/agent/memory/transcript/closing-messages.ts';
import {
  assistant,
  interruptedResult,
  note,
  notRunResult,
  result,
  results,
  text,
  use,
  user,
} from '../../loop/runner-support.ts';

const asked = [user('go'), assistant(text('Looking.'), use('c1', 'lookup'), use('c2', 'lookup'))];

describe('unansweredCalls', () => {
  it.each([
    ['nothing was said', []],
    ['only a question was asked', [user('go')]],
    ['the answer is there', [user('go'), assistant(text('ok'))]],
    ['all have their results', [...asked, results(result('c1', 'a'), result('c2', 'b'))]],
    ['the results came in pieces', [...asked, results(result('c2', 'b')), results(result('c1', 'a'))]],
    [
      'the person wrote behind the results',
      [...asked, results(result('c1', 'a'), result('c2', 'b')), user('and?')],
    ],
    [
      'the calls are of an earlier answer',
      [...asked, results(result('c1', 'a'), result('c2', 'b')), assistant(text('ok'))],
    ],
  ])('are none when %s', (_what, messages) => {
    expect(unansweredCalls(messages)).toEqual([]);
  });

  it('are all calls of the last answer, in their order, when none has a result', () => {
    expect(unansweredCalls(asked).map(({ id }) => id)).toEqual(['c1', 'c2']);
  });

  it('are those that have no result among results for others', () => {
    expect(unansweredCalls([...asked, results(result('c1', 'a'))]).map(({ id }) => id)).toEqual(['c2']);
    expect(unansweredCalls([...asked, results(result('c2', 'a', true))]).map(({ id }) => id)).toEqual(['c1']);
  });

  it('keep the mark that they must not be run', () => {
    expect(unansweredCalls([user('go'), assistant(use('c1', 'lookup', {}, 'no JSON'))])).toMatchObject([
      { id: 'c1', malformed: 'no JSON' },
    ]);
  });
});

describe('notRun', () => {
  it('is an error with the reason, for that call', () => {
    expect(notRun({ id: 'c9', name: 'lookup', input: {} }, 'it failed')).toEqual(
      result('c9', 'Not run: it failed.', true, 'not-run'),
    );
  });
});

describe('interrupted', () => {
  it('is an error for that call which does not claim that nothing was done', () => {
    const block = interrupted({ id: 'c9', name: 'lookup', input: {} });
    expect(block).toEqual(interruptedResult('c9'));
    expect(unansweredCalls([...asked, results({ ...block, toolUseId: 'c1' })]).map(({ id }) => id)).toEqual([
      'c2',
    ]);
  });
});

describe('closingMessages', () => {
  it('are none for a conversation that is whole', () => {
    expect(closingMessages([user('go'), assistant(text('ok'))], '', 'it failed')).toEqual([]);
  });

  it('end a question without an answer with words of the assistant', () => {
    expect(closingMessages([user('go')], '', 'it failed')).toEqual([note('[No answer: it failed.]')]);
  });

  it.each(['', ' ', '\n\n'])('do not keep words that say nothing: %j', (partial) => {
    expect(closingMessages([user('go')], partial, 'it failed')).toEqual([note('[No answer: it failed.]')]);
  });

  it('keep what was said, with the reason behind it', () => {
    expect(closingMessages([user('go')], 'It is 3 \n', 'the user stopped it')).toEqual([
      note('It is 3\n\n[Ended here: the user stopped it.]'),
    ]);
  });

  it('answer every open call, directly behind it, before those words', () => {
    expect(closingMessages(asked, '', 'it failed')).toEqual([
      results(notRunResult('c1', 'it failed'), notRunResult('c2', 'it failed')),
      note('[No answer: it failed.]'),
    ]);
  });

  it('do not answer a call again that has its result', () => {
    expect(closingMessages([...asked, results(result('c1', 'a'))], '', 'it failed')).toEqual([
      results(notRunResult('c2', 'it failed')),
      note('[No answer: it failed.]'),
    ]);
    expect(closingMessages([...asked, results(result('c1', 'a'), result('c2', 'b'))], '', 'x')).toEqual([
      note('[No answer: x.]'),
    ]);
  });

  it('end an answer in whose middle the provider paused', () => {
    const paused = { ...assistant(text('Part one.')), isPaused: true };
    expect(closingMessages([user('go'), paused], 'Part', 'it took too long')).toEqual([
      note('Part\n\n[Ended here: it took too long.]'),
    ]);
  });
});
