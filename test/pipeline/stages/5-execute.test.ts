import { describe, expect, it } from 'vitest';
import { RunAbortedError } from '#src/core/errors.ts';
import type { ExecutionAdapter, ExecutionResult, PipelineMsgContext } from '#src/core/execution.ts';
import { texts } from '#src/core/i18n.ts';
import type { MsgContext } from '#src/core/message.ts';
import { PipelineError } from '#src/pipeline/errors.ts';
import type { Enriched } from '#src/pipeline/flow.ts';
import { execute } from '#src/pipeline/stages/5-execute.ts';
import { acknowledged, fact, NEVER_ABORTED, received } from '#test/pipeline/support.ts';
import { msgContext } from '#test/support/context.ts';

const answering = (result: Partial<ExecutionResult>): ExecutionAdapter => ({
  execute: async () => ({
    status: 'completed',
    content: 'Apple rose.',
    facts: [],
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
    isCut: false,
    ...result,
  }),
});

const enriched = async (ctx: Partial<MsgContext> = {}): Promise<Enriched> => {
  const input = await acknowledged({ ctx: msgContext(ctx) });
  const { channel, match, normalizedBody, mentions, urls } = input;
  return {
    ...input,
    enriched: {
      ...input.ctx,
      agentId: match.agentId,
      normalizedBody,
      mentions,
      urls,
      channelCapabilities: channel.capabilities,
      unavailable: [],
      attachments: [],
    },
  };
};

const answerOf = async (result: Partial<ExecutionResult>, ctx: Partial<MsgContext> = {}): Promise<string> => {
  const outcome = await execute({ adapter: answering(result) }).execute(await enriched(ctx), NEVER_ABORTED);
  if (outcome.action !== 'continue') throw new Error(`ended with ${outcome.action}: ${outcome.reason}`);
  return outcome.data.answer.cleanContent;
};

describe('execute stage', () => {
  it('hands the enriched context and the signal to the engine, and its answer on', async () => {
    const calls: { readonly ctx: PipelineMsgContext; readonly signal: AbortSignal }[] = [];
    const facts = [fact(true)];
    const adapter: ExecutionAdapter = {
      execute: async (ctx, signal, onEvent) => {
        calls.push({ ctx, signal });
        onEvent({ type: 'text_delta', delta: 'Apple' });
        return answering({ facts }).execute(ctx, signal, onEvent);
      },
    };
    const input = await enriched();
    const { signal } = new AbortController();
    const result = await execute({ adapter }).execute(input, signal);
    expect(calls).toEqual([{ ctx: input.enriched, signal }]);
    expect(calls[0]?.signal).toBe(signal);
    expect(result).toMatchObject({
      action: 'continue',
      data: { answer: { cleanContent: 'Apple rose.' }, result: { facts }, ctx: input.ctx },
    });
  });

  it('shows that the model is at work before it asks it', async () => {
    const order: string[] = [];
    const { acknowledgement } = received();
    const input: Enriched = {
      ...(await enriched()),
      acknowledgement: { ...acknowledgement, modelAtWork: () => order.push('typing') },
    };
    const adapter: ExecutionAdapter = {
      execute: async (...args) => {
        order.push('model');
        return answering({}).execute(...args);
      },
    };
    await execute({ adapter }).execute(input, NEVER_ABORTED);
    expect(order).toEqual(['typing', 'model']);
  });

  it.each([
    { token: 'NO_REPLY', reason: 'the model chose not to reply' },
    { token: 'SILENT_REPLY', reason: 'silent reply' },
  ])('ends in silence when the model says $token, whatever else it wrote', async ({ token, reason }) => {
    const stage = execute({ adapter: answering({ content: `Never mind.\n<<${token}>>` }) });
    expect(await stage.execute(await enriched(), NEVER_ABORTED)).toEqual({ action: 'skip', reason });
  });

  it.each(['<<HEARTBEAT_OK>>', '  <<HEARTBEAT_OK>>\n', '<<HEARTBEAT_OK>> <<ATTACH_DISCLAIMER>>'])(
    'sends nothing for a heartbeat alone: %j',
    async (content) => {
      const stage = execute({ adapter: answering({ content }) });
      const skipped = { action: 'skip', reason: 'heartbeat' };
      expect(await stage.execute(await enriched(), NEVER_ABORTED)).toEqual(skipped);
    },
  );

  it.each(['Apple rose. <<HEARTBEAT_OK>>', '<<HEARTBEAT_OK>>\nApple rose.'])(
    'sends the words that came with a heartbeat: %j',
    async (content) => {
      expect(await answerOf({ content })).toBe('Apple rose.');
    },
  );

  it.each(['NO_REPLY', 'SILENT_REPLY'])('is silent for a heartbeat with %s, whatever else', async (token) => {
    const stage = execute({ adapter: answering({ content: `Hm. <<HEARTBEAT_OK>> <<${token}>>` }) });
    expect(await stage.execute(await enriched(), NEVER_ABORTED)).toMatchObject({ action: 'skip' });
  });

  it.each(['NEED_INPUT', 'ATTACH_QUOTE'])(
    'sends an answer with %s, and hands the token on',
    async (token) => {
      const stage = execute({ adapter: answering({ content: `Which one? <<${token}>>` }) });
      expect(await stage.execute(await enriched(), NEVER_ABORTED)).toMatchObject({
        action: 'continue',
        data: { answer: { cleanContent: 'Which one?', tokens: new Set([token]) } },
      });
    },
  );

  it.each(['en', 'ko'] as const)('appends the disclaimer that the model asked for (%s)', async (locale) => {
    expect(await answerOf({ content: 'Apple rose. <<ATTACH_DISCLAIMER>>' }, { locale })).toBe(
      `Apple rose.\n\n${texts(locale).disclaimer()}`,
    );
  });

  it.each(['en', 'ko'] as const)('says that it stopped after too many steps (%s)', async (locale) => {
    expect(await answerOf({ status: 'max_turns' }, { locale })).toBe(
      `Apple rose.\n\n${texts(locale).maxTurns()}`,
    );
  });

  it.each(['en', 'ko'] as const)('says that the answer was cut at its length limit (%s)', async (locale) => {
    expect(await answerOf({ isCut: true }, { locale })).toBe(`Apple rose.\n\n${texts(locale).answerCut()}`);
  });

  it('says nothing while a person has to decide, whatever the model said before it', async () => {
    const stage = execute({ adapter: answering({ status: 'suspended', content: 'I will sell it.' }) });
    expect(await stage.execute(await enriched(), NEVER_ABORTED)).toEqual({
      action: 'suspend',
      reason: 'waits for a decision',
    });
  });

  it('says both, the disclaimer last', async () => {
    const { maxTurns, disclaimer } = texts('en');
    expect(await answerOf({ status: 'max_turns', content: 'A <<ATTACH_DISCLAIMER>>' })).toBe(
      `A\n\n${maxTurns()}\n\n${disclaimer()}`,
    );
  });

  it('says only that it stopped when there is no text at all', async () => {
    expect(await answerOf({ status: 'max_turns', content: '' })).toBe(texts('en').maxTurns());
  });

  it('adds nothing by itself', async () => {
    expect(await answerOf({ content: 'Use <<EOF>> here.' })).toBe('Use <<EOF>> here.');
    expect(await answerOf({ content: '' })).toBe('');
  });

  it.each([new Error('model is down'), 'a bare string'])(
    'makes EXECUTION_FAILED of what the engine throws, with its cause',
    async (cause) => {
      const adapter: ExecutionAdapter = { execute: () => Promise.reject(cause) };
      const failure = execute({ adapter }).execute(await enriched(), NEVER_ABORTED);
      await expect(failure).rejects.toBeInstanceOf(PipelineError);
      await expect(failure).rejects.toMatchObject({ code: 'EXECUTION_FAILED', cause });
    },
  );

  it.each(['stopped', 'shutdown', 'timeout'] as const)(
    'rethrows why the run was ended (%s), whatever the engine made of it',
    async (kind) => {
      const controller = new AbortController();
      const reason = new RunAbortedError(kind);
      const adapter: ExecutionAdapter = {
        execute: async () => {
          controller.abort(reason);
          throw new Error('the stream broke off');
        },
      };
      const failure = execute({ adapter }).execute(await enriched(), controller.signal);
      await expect(failure).rejects.toBe(reason);
    },
  );
});
