import { describe, expect, it } from 'vitest';
import { NoAnswerError } from '#src/kernel/errors.ts';
import { PipelineError } from '#src/chat/delivery/errors.ts';
import { logEvents } from '#src/platform/logging/log-events.ts';
import { combineObservers, createEventObserver, type PipelineObserver } from '#src/chat/pipeline/observer.ts';
import { msgContext, recordingEvents, recordingLogger } from '#test/support/context.ts';

describe('createEventObserver', () => {
  it('reports what it sees as events, each under the session', () => {
    const { events, names, payloads } = recordingEvents();
    const observer = createEventObserver(events);
    const ctx = msgContext();
    const { sessionKey, inboxId, channelId, chatType } = ctx;
    const message = { sessionKey, inboxId, channelId, chatType };
    const error = new Error('broken');

    observer.onPipelineStart(ctx);
    observer.onStageComplete(ctx, 'command', 'skip', 12);
    observer.onPipelineError(ctx, error, 'c0ffee00');
    observer.onPipelineComplete(ctx, {
      success: false,
      outcome: 'failed',
      errorId: 'c0ffee00',
      stagesExecuted: ['normalize'],
      durationMs: 34,
    });

    expect(names()).toEqual(['pipeline:start', 'pipeline:stage', 'pipeline:error', 'pipeline:complete']);
    expect(payloads('pipeline:start')).toEqual([{ ...message, isFirst: false }]);
    expect(payloads('pipeline:stage')).toEqual([
      { sessionKey, inboxId, stage: 'command', action: 'skip', durationMs: 12 },
    ]);
    expect(payloads('pipeline:error')).toEqual([{ ...message, errorId: 'c0ffee00', error }]);
    expect(payloads('pipeline:complete')).toEqual([
      {
        ...message,
        success: false,
        outcome: 'failed',
        errorId: 'c0ffee00',
        durationMs: 34,
        stages: ['normalize'],
        tools: 0,
      },
    ]);
  });

  it('reports of a missing answer why there was none, and not once more all that was logged before', () => {
    const { events, payloads } = recordingEvents();
    const observer = createEventObserver(events);
    const refusals = new AggregateError([new Error('401 sk-1'), new Error('401 sk-2')]);
    const noAnswer = new NoAnswerError('key-refused', 'All models failed.', { cause: refusals });
    observer.onPipelineError(
      msgContext(),
      new PipelineError('No answer', 'EXECUTION_FAILED', { cause: noAnswer }),
      'c0ffee01',
    );
    expect(payloads('pipeline:error')).toMatchObject([{ errorId: 'c0ffee01', error: 'All models failed.' }]);
  });

  it('keeps every other failure whole, with its cause', () => {
    const { events, payloads } = recordingEvents();
    const observer = createEventObserver(events);
    const failures = [
      new PipelineError('No answer', 'EXECUTION_FAILED', { cause: new Error('a bug') }),
      new Error('broken'),
      'thrown as text',
      undefined,
    ];
    for (const error of failures) observer.onPipelineError(msgContext(), error, 'c0ffee02');
    expect(payloads('pipeline:error').map(({ error }) => error)).toEqual(failures);
  });

  it('works when its methods are handed on without it', () => {
    const { events, names } = recordingEvents();
    const { onPipelineStart } = createEventObserver(events);
    onPipelineStart(msgContext());
    expect(names()).toEqual(['pipeline:start']);
  });
});

const RESULT = { success: false, outcome: 'failed' as const, stagesExecuted: ['normalize'], durationMs: 34 };

/** One message, as the pipeline tells of it. */
const tellAll = (observer: PipelineObserver): void => {
  const ctx = msgContext();
  observer.onPipelineStart?.(ctx);
  observer.onStageStart?.(ctx, 'normalize');
  observer.onStageComplete?.(ctx, 'normalize', 'continue', 12);
  observer.onPipelineError?.(ctx, new Error('broken'), 'c0ffee03');
  observer.onPipelineComplete?.(ctx, RESULT);
};

describe('the log of a message', () => {
  it('has every step once: the beginning of a stage from the observer, the rest from the events', () => {
    const { events } = recordingEvents();
    const { logger, records } = recordingLogger();
    logEvents(events, logger);
    tellAll(createEventObserver(events, logger));
    expect(records().map(({ message }) => message)).toEqual([
      'pipeline:start',
      'Stage normalize started',
      'pipeline:stage',
      'failed',
      'failed',
    ]);
    expect(records().slice(3)).toMatchObject([
      { level: 'error', event: 'pipeline:error' },
      { level: 'debug', event: 'pipeline:complete' },
    ]);
    expect(records()[1]).toMatchObject({ level: 'debug', sessionKey: msgContext().sessionKey });
  });

  it('is no need: without one the events are the same', () => {
    const { events, names } = recordingEvents();
    tellAll(createEventObserver(events));
    expect(names()).toEqual(['pipeline:start', 'pipeline:stage', 'pipeline:error', 'pipeline:complete']);
  });
});

const recording = () => {
  const seen: unknown[][] = [];
  const observer: Required<PipelineObserver> = {
    onPipelineStart: ({ inboxId }) => seen.push(['start', typeof inboxId]),
    onStageStart: (_ctx, ...rest) => seen.push(['stage', ...rest]),
    onStageComplete: (_ctx, ...rest) => seen.push(['completed', ...rest]),
    onPipelineError: (_ctx, error, errorId) => seen.push(['error', String(error), errorId]),
    onPipelineComplete: (_ctx, ...rest) => seen.push(['complete', ...rest]),
  };
  return { seen, observer };
};
const ALL = [
  ['start', 'string'],
  ['stage', 'normalize'],
  ['completed', 'normalize', 'continue', 12],
  ['error', 'Error: broken', 'c0ffee03'],
  ['complete', RESULT],
];
const bug = (): never => {
  throw new Error('an observer has a bug');
};
const BROKEN: Required<PipelineObserver> = {
  onPipelineStart: bug,
  onStageStart: bug,
  onStageComplete: bug,
  onPipelineError: bug,
  onPipelineComplete: bug,
};

describe('combineObservers', () => {
  it('tells everything to each of them', () => {
    const [one, other] = [recording(), recording()];
    tellAll(combineObservers(bug, one.observer, other.observer));
    expect([one.seen, other.seen]).toEqual([ALL, ALL]);
  });

  it('goes on past one that throws, and reports each time', () => {
    const [one, other] = [recording(), recording()];
    const errors: unknown[] = [];
    const combined = combineObservers((error) => errors.push(error), one.observer, BROKEN, other.observer);
    expect(() => tellAll(combined)).not.toThrow();
    expect([one.seen, other.seen]).toEqual([ALL, ALL]);
    expect(errors.map(String)).toEqual(Array.from({ length: 5 }, () => 'Error: an observer has a bug'));
  });

  it('takes observers that listen to little or nothing', () => {
    const { seen, observer } = recording();
    const { onPipelineStart } = observer;
    expect(() => tellAll(combineObservers(bug, {}, { onPipelineStart }))).not.toThrow();
    expect(seen).toEqual([['start', 'string']]);
    expect(() => tellAll(combineObservers(bug))).not.toThrow();
  });
});
