import { describe, expect, it } from 'vitest';
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

  it('works when its methods are handed on without it', () => {
    const { events, names } = recordingEvents();
    const { onPipelineStart } = new DefaultPipelineObserver(events);
    onPipelineStart(msgContext());
    expect(names()).toEqual(['pipeline:start']);
  });
});
