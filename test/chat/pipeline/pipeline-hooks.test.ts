import { describe, expect, it } from 'vitest';
import { RunAbortedError } from '#src/kernel/errors.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { asId, type InboxId } from '#src/kernel/ids.ts';
import type {
  AfterMessageProcessPayload,
  BeforeMessageProcessPayload,
} from '#src/kernel/operations/plugin.ts';
import { StageResult } from '#src/kernel/chat/stage.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import type { SixStages } from '#src/chat/pipeline/stage-types.ts';
import { targetOf } from '#src/chat/delivery/delivery.ts';
import {
  ping,
  type PipelineSettings,
  setUpPipeline,
  untilAborted,
} from '#test/chat/pipeline/pipeline-support.ts';
import { MATCH, planAndGoDown } from '#test/chat/pipeline/support.ts';
import { msgContext } from '#test/support/context.ts';

const PLUGIN = { plugin: 'test' };
type Before = (payload: BeforeMessageProcessPayload) => Partial<BeforeMessageProcessPayload> | undefined;

/** A pipeline with these hooks in front of it. */
const setUpBefore = async (...hooks: readonly Before[]) => {
  const base = await setUpPipeline();
  for (const hook of hooks) base.hooks.beforeMessageProcess.on(hook, PLUGIN);
  return base;
};

/** A pipeline that tells what it did with each message. */
const setUpAfter = async (settings: PipelineSettings = {}) => {
  const base = await setUpPipeline(settings);
  const heard: AfterMessageProcessPayload[] = [];
  base.hooks.afterMessageProcess.on((payload) => void heard.push(payload), PLUGIN);
  return { ...base, heard, outcomes: () => heard.map(({ outcome }) => outcome) };
};

const suspending = ([first, second, third, fourth, , sixth]: SixStages): SixStages => [
  first,
  second,
  third,
  fourth,
  { name: 'execute', execute: async () => StageResult.suspend('waits for a decision') },
  sixth,
];

describe('a hook before a message is processed', () => {
  it('sees the message as the platform sent it', async () => {
    const seen: BeforeMessageProcessPayload[] = [];
    const { process } = await setUpBefore((payload) => void seen.push(payload));
    const ctx = msgContext({ rawBody: '<@1>  How is  Apple?' });
    await process(ctx);
    expect(seen).toEqual([{ ctx, body: '<@1>  How is  Apple?' }]);
  });

  it('changes the words, in all forms that the rest of the pipeline reads', async () => {
    const { process, asked, channel } = await setUpBefore(() => ({ body: 'How is\nTesla   doing?' }));
    expect(await process()).toEqual({ outcome: 'done' });
    expect(asked).toMatchObject([{ bodyForAgent: 'How is\nTesla   doing?' }]);
    expect(channel.texts).toEqual(['Apple rose.']);
  });

  it('makes a command of a question, and a question of a command', async () => {
    const { process, asked, channel } = await setUpBefore(({ body }) =>
      body === '/ping' ? { body: 'How is Apple?' } : { body: '/ping' },
    );
    // As the router hands it over: parsed when it arrived.
    await process(msgContext({ rawBody: 'ping me', command: null }));
    expect([channel.texts, asked]).toEqual([['pong'], []]);
    const command = createCommandRegistry([ping]).commandIn('/ping');
    await process(msgContext({ rawBody: '/ping', command, inboxId: asId<InboxId>('2') }));
    expect(asked.map(({ bodyForAgent }) => bodyForAgent)).toEqual(['How is Apple?']);
  });

  it('changes them one after the other', async () => {
    const { process, asked } = await setUpBefore(
      ({ body }) => ({ body: `${body} one` }),
      () => undefined,
      ({ body }) => ({ body: `${body} two` }),
    );
    await process(msgContext({ rawBody: 'zero' }));
    expect(asked[0]?.rawBody).toBe('zero one two');
  });

  it('may make a command of them', async () => {
    const { process, asked, channel } = await setUpBefore(() => ({ body: '/ping' }));
    await process();
    expect([channel.texts, asked]).toEqual([['pong'], []]);
  });

  it('answers in the place of the model, durably and to the message itself', async () => {
    const { process, asked, channel, statuses, recorded } = await setUpBefore(() => ({
      skip: true,
      skipReply: 'We are closed.',
    }));
    const ctx = msgContext();
    expect(await process(ctx)).toEqual({ outcome: 'done' });
    expect(channel.sent).toMatchObject([{ payload: { text: 'We are closed.' }, target: targetOf(ctx) }]);
    expect([asked, channel.reactions, await statuses()]).toEqual([[], [], ['sent']]);
    expect(recorded.payloads('pipeline:complete')).toMatchObject([{ success: true, stages: [] }]);
  });

  it('leaves the message unanswered where it names no reply', async () => {
    const { process, asked, channel, clock } = await setUpBefore(() => ({ skip: true }));
    expect(await process()).toEqual({ outcome: 'done' });
    expect([asked, channel.attempts, channel.reactions, clock.pendingTimers]).toEqual([[], [], [], 0]);
  });

  it('has no say by a reply alone', async () => {
    const { process, channel } = await setUpBefore(() => ({ skipReply: 'We are closed.' }));
    await process();
    expect(channel.texts).toEqual(['Apple rose.']);
  });

  it('that throws changes nothing', async () => {
    const { process, asked, channel, records } = await setUpBefore(() => {
      throw new Error('a bug of the plugin');
    });
    await process(msgContext({ rawBody: 'How is Apple?' }));
    expect([asked[0]?.rawBody, channel.texts]).toEqual(['How is Apple?', ['Apple rose.']]);
    expect(records().filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('that never ends is gone past', async () => {
    const { process, hooks, clock, channel } = await setUpPipeline();
    hooks.beforeMessageProcess.on(() => new Promise<undefined>(() => undefined), PLUGIN);
    const outcome = process();
    await clock.advance(5_000);
    expect(await outcome).toEqual({ outcome: 'done' });
    expect(channel.texts).toEqual(['Apple rose.']);
  });

  it('whose reply the platform refuses has failed, and the sender is told', async () => {
    const { process, channel, clock } = await setUpBefore(() => ({
      skip: true,
      skipReply: 'We are closed.',
    }));
    channel.failNextSends(3);
    const running = process();
    await clock.advance(60_000);
    const outcome = await running;
    const errorId = outcome.outcome === 'failed' ? outcome.errorId : '';
    expect(channel.texts).toEqual([failureTexts('en').deliveryFailed({ errorId })]);
  });

  it('is not asked about an answer that was planned before a restart', async () => {
    const { process, hooks, delivery, channel } = await setUpPipeline();
    const ctx = msgContext();
    await planAndGoDown(delivery, ctx, { text: 'planned' });
    hooks.beforeMessageProcess.on(() => ({ skip: true, skipReply: 'We are closed.' }), PLUGIN);
    await process(ctx);
    expect(channel.texts).toEqual(['planned']);
  });
});

describe('a message about which the model was asked before', () => {
  it('is not put before the hooks again: they could only contradict what was begun', async () => {
    const { process, hooks, asked, channel } = await setUpPipeline({ deps: { isBegun: async () => true } });
    hooks.beforeMessageProcess.on(() => ({ skip: true, skipReply: 'We are closed.', body: 'other' }), PLUGIN);
    await process(msgContext({ rawBody: 'How is Apple?' }));
    expect([asked[0]?.rawBody, channel.texts]).toEqual(['How is Apple?', ['Apple rose.']]);
  });
});

describe('a hook after a message was processed', () => {
  it('hears what came of it, for whom, and after how long', async () => {
    const { process, clock, heard } = await setUpAfter({
      answer: () =>
        new Promise((resolve) => {
          clock.after(700, () => resolve('Apple rose.'));
        }),
    });
    const ctx = msgContext();
    const running = process(ctx);
    await clock.advance(700);
    await running;
    expect(heard).toEqual([{ ctx, outcome: 'done', durationMs: 700 }]);
  });

  it.each([
    { what: 'an answer', body: 'How is Apple?', settings: {}, outcome: 'done' },
    { what: 'a command', body: '/ping', settings: {}, outcome: 'done' },
    {
      what: 'a failure',
      body: 'How is Apple?',
      settings: { answer: () => Promise.reject(new Error('no model')) },
      outcome: 'failed',
    },
    { what: 'a question to a person', body: 'Buy', settings: { replace: suspending }, outcome: 'suspended' },
  ])('hears of $what as $outcome', async ({ body, settings, outcome }) => {
    const { process, outcomes } = await setUpAfter(settings);
    expect(await process(msgContext({ rawBody: body }))).toMatchObject({ outcome });
    expect(outcomes()).toEqual([outcome]);
  });

  it.each([
    ['shutdown', 'parked'],
    ['stopped', 'done'],
    ['timeout', 'failed'],
  ] as const)('hears of a run that was ended (%s) as %s', async (kind, outcome) => {
    const { pipeline, clock, outcomes } = await setUpAfter({ answer: untilAborted });
    const run = new AbortController();
    const running = pipeline.process(msgContext(), MATCH, run.signal);
    await clock.advance(1_000);
    run.abort(new RunAbortedError(kind));
    await clock.advance(10_000);
    await running;
    expect(outcomes()).toEqual([outcome]);
  });

  it('hears of messages that a hook before it has kept away', async () => {
    const { process, hooks, outcomes } = await setUpAfter();
    hooks.beforeMessageProcess.on(() => ({ skip: true }), PLUGIN);
    await process();
    expect(outcomes()).toEqual(['done']);
  });

  it('holds nobody up, however slow it is', async () => {
    const { process, hooks, channel } = await setUpPipeline();
    hooks.afterMessageProcess.on(() => new Promise<undefined>(() => undefined), PLUGIN);
    expect(await process()).toEqual({ outcome: 'done' });
    expect(await process()).toEqual({ outcome: 'done' });
    expect(channel.texts).toHaveLength(2);
  });

  it('that throws changes nothing about the outcome', async () => {
    const { process, hooks, clock, records } = await setUpPipeline();
    hooks.afterMessageProcess.on(() => Promise.reject(new Error('a bug of the plugin')), PLUGIN);
    expect(await process()).toEqual({ outcome: 'done' });
    await clock.advance(0);
    expect(records()).toMatchObject([{ level: 'error', hook: 'afterMessageProcess', plugin: 'test' }]);
  });
});
