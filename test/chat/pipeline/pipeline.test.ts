import { planAndGoDown } from '#test/chat/pipeline/support.ts';
import { describe, expect, it } from 'vitest';
import { FinClawError, RunAbortedError } from '#src/kernel/errors.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { type PipelineStage, StageResult } from '#src/kernel/chat/stage.ts';
import type { SixStages } from '#src/chat/pipeline/stage-types.ts';
import { setUpPipeline } from '#test/chat/pipeline/pipeline-support.ts';
import { msgContext } from '#test/support/context.ts';

const SIX = ['normalize', 'command', 'ack', 'context', 'execute', 'deliver'];

/** A context stage that does not go on. */
const withContext =
  (execute: () => ReturnType<PipelineStage<never, never>['execute']>) =>
  ([first, second, third, , fifth, sixth]: SixStages): SixStages => [
    first,
    second,
    third,
    { name: 'context', execute },
    fifth,
    sixth,
  ];
const broken = new Error('broken with sk-secret');

describe('AutoReplyPipeline', () => {
  it('takes a message through the six stages in order, and reports each with its duration', async () => {
    const { process, clock, channel, recorded, statuses } = await setUpPipeline({
      answer: () =>
        new Promise((resolve) => {
          clock.after(700, () => resolve('Apple rose.'));
        }),
    });
    const ctx = msgContext();
    const outcome = process(ctx);
    await clock.advance(700);
    expect(await outcome).toEqual({ outcome: 'done' });
    expect(channel.texts).toEqual(['Apple rose.']);
    expect(await statuses()).toEqual(['sent']);

    const { sessionKey, inboxId, channelId, chatType } = ctx;
    expect(recorded.payloads('pipeline:start')).toEqual([
      { sessionKey, inboxId, channelId, chatType, isFirst: false },
    ]);
    expect(recorded.payloads('pipeline:stage')).toEqual(
      SIX.map((stage) => ({
        sessionKey,
        inboxId,
        stage,
        action: 'continue',
        durationMs: stage === 'execute' ? 700 : 0,
      })),
    );
    expect(recorded.payloads('pipeline:complete')).toMatchObject([
      { sessionKey, inboxId, success: true, outcome: 'answered', durationMs: 700, stages: SIX, tools: 0 },
    ]);
    expect(recorded.payloads('pipeline:error')).toEqual([]);
  });

  it('shows signs while it works and takes them back at the end, leaving no timer', async () => {
    const seen: (readonly string[])[] = [];
    const { process, channel, clock } = await setUpPipeline({
      answer: async () => {
        await clock.advance(400);
        seen.push(channel.visibleReactions);
        return 'Apple rose.';
      },
    });
    await process();
    expect(seen).toEqual([['👀']]);
    expect(channel.visibleReactions).toEqual([]);
    expect(channel.typing).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it('ends with the stage that skips: a command is answered and asks no model', async () => {
    let isAsked = false;
    const { process, channel, recorded } = await setUpPipeline({
      answer: async () => {
        isAsked = true;
        return '';
      },
    });
    expect(await process(msgContext({ rawBody: '/ping' }))).toEqual({ outcome: 'done' });
    expect(channel.texts).toEqual(['pong']);
    expect(channel.reactions).toEqual([]);
    expect(isAsked).toBe(false);
    expect(recorded.payloads('pipeline:stage').map(({ stage, action }) => `${stage} ${action}`)).toEqual([
      'normalize continue',
      'command skip',
    ]);
    expect(recorded.payloads('pipeline:complete')).toMatchObject([
      { success: true, stages: ['normalize', 'command'] },
    ]);
  });

  it('stays silent when the model asks for it, and takes the signs back', async () => {
    const { process, channel, recorded } = await setUpPipeline({ answer: async () => '<<NO_REPLY>>' });
    expect(await process()).toEqual({ outcome: 'done' });
    expect(channel.attempts).toEqual([]);
    expect(channel.visibleReactions).toEqual([]);
    expect(recorded.payloads('pipeline:complete')).toMatchObject([{ success: true }]);
  });

  it('only sends an answer that was planned before a restart, running no stage', async () => {
    const { process, delivery, channel, recorded } = await setUpPipeline({
      answer: () => Promise.reject(new Error('the model must not be asked again')),
    });
    const ctx = msgContext();
    await planAndGoDown(delivery, ctx, { text: 'planned' });
    expect(await process(ctx)).toEqual({ outcome: 'done' });
    expect(channel.texts).toEqual(['planned']);
    expect(recorded.payloads('pipeline:stage')).toEqual([]);
    expect(recorded.payloads('pipeline:complete')).toMatchObject([{ success: true, stages: [] }]);
  });
});

describe('AutoReplyPipeline, when something fails', () => {
  it.each([
    {
      what: 'a stage aborts with an error',
      result: async () => StageResult.abort('no', broken),
      error: broken,
    },
    {
      what: 'a stage aborts without an error',
      result: async () => StageResult.abort('for a reason'),
      error: expect.objectContaining({ code: 'STAGE_FAILED', message: 'for a reason' }) as unknown,
    },
    { what: 'a stage throws', result: () => Promise.reject(broken), error: broken },
  ])('tells the sender in one sentence with the error id: $what', async ({ result, error }) => {
    const { process, channel, recorded, clock } = await setUpPipeline({ replace: withContext(result) });
    const outcome = await process();
    const errorId = outcome.outcome === 'failed' ? outcome.errorId : '';
    expect(outcome).toEqual({
      outcome: 'failed',
      errorId: expect.stringMatching(/^[0-9a-f]{8}$/) as unknown,
    });
    expect(channel.texts).toEqual([failureTexts('en').internalError({ errorId })]);
    expect(recorded.payloads('pipeline:error')).toMatchObject([{ errorId, error }]);
    expect(recorded.payloads('pipeline:complete')).toMatchObject([{ success: false }]);
    expect(channel.visibleReactions).toEqual(['⚠️']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('says in the language of the sender that the model failed', async () => {
    const { process, channel } = await setUpPipeline({ answer: () => Promise.reject(broken) });
    const outcome = await process(msgContext({ locale: 'ko' }));
    const errorId = outcome.outcome === 'failed' ? outcome.errorId : '';
    expect(channel.texts).toEqual([failureTexts('ko').executionFailed({ errorId })]);
  });

  it('gives every failure an id of its own', async () => {
    const { process } = await setUpPipeline({ answer: () => Promise.reject(broken) });
    const ids = [await process(), await process()].map(
      (outcome) => outcome.outcome === 'failed' && outcome.errorId,
    );
    expect(new Set(ids).size).toBe(2);
  });

  it('fails, and does not throw, when the channel is unknown', async () => {
    const unknown = new FinClawError('There is no channel test', 'CHANNEL_UNKNOWN');
    const { process, channel, recorded, clock } = await setUpPipeline({
      deps: {
        channelOf: () => {
          throw unknown;
        },
      },
    });
    expect(await process()).toMatchObject({ outcome: 'failed' });
    expect(channel.attempts).toEqual([]);
    expect(recorded.payloads('pipeline:error')).toMatchObject([{ error: unknown }]);
    expect(recorded.payloads('pipeline:complete')).toMatchObject([{ success: false, stages: [] }]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('tells the sender all the same, and logs it under the error id, when the sentence cannot be stored', async () => {
    const { process, channel, clock, records, storage } = await setUpPipeline({
      answer: async () => {
        await storage.db.schema.dropTable('outbox').execute();
        throw broken;
      },
    });
    const outcome = await process();
    expect(outcome).toMatchObject({ outcome: 'failed' });
    const errorId = outcome.outcome === 'failed' ? outcome.errorId : '';
    expect(channel.texts).toEqual([failureTexts('en').executionFailed({ errorId })]);
    expect(clock.pendingTimers).toBe(0);
    expect(records()).toMatchObject([
      {
        level: 'error',
        message: 'A failure message was sent but could not be stored',
        errorId,
        error: { code: 'EXECUTION_FAILED' },
        cause: { message: expect.stringContaining('outbox') as unknown },
      },
    ]);
  });

  it('fails, and reports it, when the platform does not even take the sentence', async () => {
    const { process, channel, clock, recorded, statuses } = await setUpPipeline({
      answer: () => Promise.reject(broken),
    });
    channel.failNextSends(9);
    const outcome = process();
    await clock.advance(60_000);
    expect(await outcome).toMatchObject({ outcome: 'failed' });
    expect(await statuses()).toEqual(['failed']);
    expect(recorded.payloads('delivery:failed')).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it('fails when a part of the answer could not be delivered, having sent the others', async () => {
    const { process, channel, clock } = await setUpPipeline({
      maxMessageLength: 34,
      answer: async () => 'first part 123456\nsecond part 12345\nthird part 123456',
    });
    channel.onSend = ({ payload }) => {
      if (payload.text.startsWith('second')) throw new Error('refused');
    };
    const outcome = process();
    await clock.advance(60_000);
    expect(await outcome).toMatchObject({ outcome: 'failed' });
    expect(channel.texts).toEqual(['first part 123456', 'third part 123456']);
    expect(channel.visibleReactions).toEqual(['⚠️']);
  });
});

describe('AutoReplyPipeline, aborted before the start', () => {
  it('says that it was stopped, and runs no stage', async () => {
    const { process, run, channel, recorded } = await setUpPipeline();
    run.abort(new RunAbortedError('stopped'));
    expect(await process()).toEqual({ outcome: 'done' });
    expect(channel.texts).toEqual([failureTexts('en').stopped()]);
    expect(recorded.payloads('pipeline:stage')).toEqual([]);
  });

  it('tells the sender, with an error id, when the run was refused for another reason', async () => {
    const { process, run, channel, recorded } = await setUpPipeline();
    const refusal = new FinClawError('tried too often', 'TOO_MANY_ATTEMPTS');
    run.abort(refusal);
    const outcome = await process();
    const errorId = outcome.outcome === 'failed' ? outcome.errorId : '';
    expect(outcome).toEqual({ outcome: 'failed', errorId });
    expect(channel.texts).toEqual([failureTexts('en').internalError({ errorId })]);
    expect(recorded.payloads('pipeline:error')).toMatchObject([{ error: refusal }]);
    expect(recorded.payloads('pipeline:stage')).toEqual([]);
  });

  it('parks the message in silence when the process is going down', async () => {
    const { process, run, channel } = await setUpPipeline();
    run.abort(new RunAbortedError('shutdown'));
    expect(await process()).toEqual({ outcome: 'parked' });
    expect(channel.attempts).toEqual([]);
  });
});

describe('SixStages', () => {
  it('compiles in the one order alone', async () => {
    const { stages } = await setUpPipeline();
    const [normalize, command, ack, context, execute, deliver] = stages;
    // @ts-expect-error command needs what normalize makes
    const first: SixStages = [command, normalize, ack, context, execute, deliver];
    // @ts-expect-error ack is for what is no command
    const second: SixStages = [normalize, ack, command, context, execute, deliver];
    // @ts-expect-error context comes after ack
    const third: SixStages = [normalize, command, context, ack, execute, deliver];
    // @ts-expect-error execute needs the context
    const fourth: SixStages = [normalize, command, ack, execute, context, deliver];
    // @ts-expect-error deliver needs the answer
    const fifth: SixStages = [normalize, command, ack, context, deliver, execute];
    // @ts-expect-error none may be left out
    const short: SixStages = [normalize, command, ack, context, execute];
    expect([first, second, third, fourth, fifth, short].map(({ length }) => length)).toEqual([
      6, 6, 6, 6, 6, 5,
    ]);
    expect(stages.map(({ name }) => name)).toEqual(SIX);
  });
});
