import { describe, expect, it } from 'vitest';
import { NoAnswerError } from '#src/core/errors.ts';
import { PipelineError } from '#src/pipeline/errors.ts';
import { DefaultPipelineObserver } from '#src/pipeline/observer.ts';
import { msgContext, recordingEvents } from '#test/support/context.ts';

describe('DefaultPipelineObserver', () => {
  it('reports what it sees as events, each under the session', () => {
    const { events, names, payloads } = recordingEvents();
    const observer = new DefaultPipelineObserver(events);
    const ctx = msgContext();
    const { sessionKey, inboxId } = ctx;
    const error = new Error('broken');

    observer.onPipelineStart(ctx);
    observer.onStageComplete(ctx, 'command', 'skip', 12);
    observer.onPipelineError(ctx, error, 'c0ffee00');
    observer.onPipelineComplete(ctx, { success: false, stagesExecuted: ['normalize'], durationMs: 34 });

    expect(names()).toEqual(['pipeline:start', 'pipeline:stage', 'pipeline:error', 'pipeline:complete']);
    expect(payloads('pipeline:start')).toEqual([{ sessionKey, inboxId }]);
    expect(payloads('pipeline:stage')).toEqual([
      { sessionKey, stage: 'command', action: 'skip', durationMs: 12 },
    ]);
    expect(payloads('pipeline:error')).toEqual([{ sessionKey, errorId: 'c0ffee00', error }]);
    expect(payloads('pipeline:complete')).toEqual([
      { sessionKey, success: false, durationMs: 34, stages: ['normalize'] },
    ]);
  });

  it('reports of a missing answer why there was none, and not once more all that was logged before', () => {
    const { events, payloads } = recordingEvents();
    const observer = new DefaultPipelineObserver(events);
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
    const observer = new DefaultPipelineObserver(events);
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
    const { onPipelineStart } = new DefaultPipelineObserver(events);
    onPipelineStart(msgContext());
    expect(names()).toEqual(['pipeline:start']);
  });
});
