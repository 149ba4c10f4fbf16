import { describe, expect, it } from 'vitest';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { ExecutionAdapter, ExecutionResult, PipelineMsgContext } from '#src/kernel/agent/execution.ts';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { PipelineError } from '#src/chat/delivery/errors.ts';
import type { Enriched } from '#src/chat/pipeline/stage-types.ts';
import { execute, type ExecuteDeps } from '#src/chat/pipeline/5-execute.ts';
import { acknowledged, fact, NEVER_ABORTED } from '#test/chat/pipeline/support.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';

const answering = (result: Partial<ExecutionResult>): ExecutionAdapter => ({
  execute: async () => ({
    status: 'completed',
    content: 'Apple rose.',
    facts: [],
    isCut: false,
    ...result,
  }),
});

const QUIET: ExecuteDeps = {
  adapter: answering({}),
  awaitInput: async () => undefined,
  attachQuotes: async () => undefined,
  budget: { used: async () => undefined },
  logger: recordingLogger().logger,
};

const unexpected = (): Promise<never> => Promise.reject(new Error('not expected'));

const enriched = async (ctx: Partial<TurnContext> = {}): Promise<Enriched> => {
  const input = await acknowledged({ ctx: msgContext(ctx) });
  const { channel, match } = input;
  return {
    ...input,
    enriched: {
      ...input.ctx,
      agentId: match.agentId,
      channelCapabilities: channel.capabilities,
      unavailable: [],
      attachments: [],
    },
  };
};

const answerOf = async (
  result: Partial<ExecutionResult>,
  ctx: Partial<TurnContext> = {},
): Promise<string> => {
  const outcome = await execute({ ...QUIET, adapter: answering(result) }).execute(
    await enriched(ctx),
    NEVER_ABORTED,
  );
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
    const result = await execute({ ...QUIET, adapter }).execute(input, signal);
    expect(calls).toEqual([{ ctx: input.enriched, signal }]);
    expect(calls[0]?.signal).toBe(signal);
    expect(result).toMatchObject({
      action: 'continue',
      data: { answer: { cleanContent: 'Apple rose.' }, result: { facts }, ctx: input.ctx },
    });
  });

  it.each([
    { token: 'NO_REPLY', reason: 'the model chose not to reply' },
    { token: 'SILENT_REPLY', reason: 'silent reply' },
  ])('ends in silence when the model says $token, whatever else it wrote', async ({ token, reason }) => {
    const stage = execute({ ...QUIET, adapter: answering({ content: `Never mind.\n<<${token}>>` }) });
    expect(await stage.execute(await enriched(), NEVER_ABORTED)).toEqual({ action: 'skip', reason });
  });

  it.each(['<<HEARTBEAT_OK>>', '  <<HEARTBEAT_OK>>\n', '<<HEARTBEAT_OK>> <<ATTACH_DISCLAIMER>>'])(
    'sends nothing for a heartbeat alone: %j',
    async (content) => {
      const stage = execute({ ...QUIET, adapter: answering({ content }) });
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
    const stage = execute({ ...QUIET, adapter: answering({ content: `Hm. <<HEARTBEAT_OK>> <<${token}>>` }) });
    expect(await stage.execute(await enriched(), NEVER_ABORTED)).toMatchObject({ action: 'skip' });
  });

  it.each([
    ['NEED_INPUT', 'needsInput'],
    ['ATTACH_QUOTE', 'needsQuote'],
  ])('sends an answer with %s, and hands the token on', async (token, flag) => {
    const stage = execute({ ...QUIET, adapter: answering({ content: `Which one? <<${token}>>` }) });
    expect(await stage.execute(await enriched(), NEVER_ABORTED)).toMatchObject({
      action: 'continue',
      data: { answer: { cleanContent: 'Which one?', [flag]: true } },
    });
  });

  it.each(['en', 'ko'] as const)('appends the disclaimer that the model asked for (%s)', async (locale) => {
    expect(await answerOf({ content: 'Apple rose. <<ATTACH_DISCLAIMER>>' }, { locale })).toBe(
      `Apple rose.\n\n${marketNoteTexts(locale).disclaimer()}`,
    );
  });

  it.each(['en', 'ko'] as const)('says that it stopped after too many steps (%s)', async (locale) => {
    expect(await answerOf({ status: 'max_turns' }, { locale })).toBe(
      `Apple rose.\n\n${failureTexts(locale).maxTurns()}`,
    );
  });

  it.each(['en', 'ko'] as const)('says that the answer was cut at its length limit (%s)', async (locale) => {
    expect(await answerOf({ isCut: true }, { locale })).toBe(
      `Apple rose.\n\n${failureTexts(locale).answerCut()}`,
    );
  });

  it('says nothing while a person has to decide, whatever the model said before it', async () => {
    const stage = execute({
      ...QUIET,
      adapter: answering({ status: 'suspended', content: 'I will sell it.' }),
    });
    expect(await stage.execute(await enriched(), NEVER_ABORTED)).toEqual({
      action: 'suspend',
      reason: 'waits for a decision',
    });
  });

  it('says both, the disclaimer last', async () => {
    const maxTurns = failureTexts('en').maxTurns;
    const disclaimer = marketNoteTexts('en').disclaimer;
    expect(await answerOf({ status: 'max_turns', content: 'A <<ATTACH_DISCLAIMER>>' })).toBe(
      `A\n\n${maxTurns()}\n\n${disclaimer()}`,
    );
  });

  it('says only that it stopped when there is no text at all', async () => {
    expect(await answerOf({ status: 'max_turns', content: '' })).toBe(failureTexts('en').maxTurns());
  });

  it('adds nothing by itself', async () => {
    expect(await answerOf({ content: 'Use <<EOF>> here.' })).toBe('Use <<EOF>> here.');
    expect(await answerOf({ content: '' })).toBe('');
  });

  it.each([new Error('model is down'), 'a bare string'])(
    'makes EXECUTION_FAILED of what the engine throws, with its cause',
    async (cause) => {
      const adapter: ExecutionAdapter = { execute: () => Promise.reject(cause) };
      const failure = execute({ ...QUIET, adapter }).execute(await enriched(), NEVER_ABORTED);
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
      const failure = execute({ ...QUIET, adapter }).execute(await enriched(), controller.signal);
      await expect(failure).rejects.toBe(reason);
    },
  );
});

describe('execute stage, silent reply', () => {
  it('is noted in the log without its words', async () => {
    const { logger, records } = recordingLogger();
    const adapter = answering({ content: 'Noted: Mina likes charts. <<SILENT_REPLY>>' });
    const input = await enriched();
    await execute({ ...QUIET, adapter, logger }).execute(input, NEVER_ABORTED);
    expect(records()).toMatchObject([
      {
        level: 'info',
        message: 'The model replied silently',
        inboxId: input.ctx.inboxId,
        chars: 25,
      },
    ]);
    expect(JSON.stringify(records())).not.toContain('Mina');
  });
});

/** How often the typing was kept up, after each event. */
const ask = async (chatType: TurnContext['chatType'], awaitInput: ExecuteDeps['awaitInput']) => {
  const { logger, records } = recordingLogger();
  const adapter = answering({ content: 'Which one? <<NEED_INPUT>>' });
  const input = await enriched({ chatType });
  const result = await execute({ ...QUIET, adapter, awaitInput, logger }).execute(input, NEVER_ABORTED);
  return { result, records, input };
};

describe('execute stage, budget', () => {
  it('is told of once from 80 % on, again when it was below, and only where nobody else reads it', async () => {
    let used: number | undefined;
    const stage = execute({ ...QUIET, budget: { used: async () => used } });
    const noteAt = async (share: number | undefined, chatType: TurnContext['chatType'] = 'direct') => {
      used = share;
      const result = await stage.execute(await enriched({ chatType }), NEVER_ABORTED);
      if (result.action !== 'continue') throw new Error(`The stage did not go on: ${result.action}`);
      return result.data.answer.cleanContent.slice('Apple rose.'.length).trim();
    };
    const { budgetNearly: told } = gateTexts('en');
    expect(await noteAt(undefined)).toBe('');
    expect(await noteAt(0.79)).toBe('');
    expect(await noteAt(0.84, 'group')).toBe('');
    expect(await noteAt(0.85, 'channel')).toBe('');
    expect(await noteAt(0.86)).toBe(told({ percent: 86 }));
    expect(await noteAt(0.999)).toBe('');
    expect(await noteAt(1.2)).toBe('');
    expect(await noteAt(0.1)).toBe('');
    expect(await noteAt(0.8)).toBe(told({ percent: 80 }));
  });

  it('answers also where what was spent cannot be read', async () => {
    const budget = { used: () => Promise.reject(new Error('no disk')) };
    const result = await execute({ ...QUIET, budget }).execute(await enriched(), NEVER_ABORTED);
    expect(result).toMatchObject({ data: { answer: { cleanContent: 'Apple rose.' } } });
  });
});

describe('execute stage, NEED_INPUT', () => {
  it.each(['group', 'channel'] as const)(
    'waits for the reply before the question is out (%s)',
    async (chatType) => {
      const awaited: TurnContext[] = [];
      const { result, input } = await ask(chatType, async (ctx) => {
        awaited.push(ctx);
      });
      expect(awaited).toEqual([input.ctx]);
      expect(result).toMatchObject({ action: 'continue', data: { answer: { cleanContent: 'Which one?' } } });
    },
  );

  it('waits for nothing in a direct chat, where everything is heard', async () => {
    const awaited: TurnContext[] = [];
    await ask('direct', async (ctx) => {
      awaited.push(ctx);
    });
    expect(awaited).toEqual([]);
  });

  it('asks all the same when that fails, and logs it', async () => {
    const { result, records } = await ask('group', () => Promise.reject(new Error('the database is down')));
    expect(result).toMatchObject({ action: 'continue' });
    expect(records()).toMatchObject([{ level: 'warn', error: { message: 'the database is down' } }]);
  });

  it('waits for nothing where no question was asked', async () => {
    const { logger, records } = recordingLogger();
    await execute({ ...QUIET, awaitInput: unexpected, logger }).execute(
      await enriched({ chatType: 'group' }),
      NEVER_ABORTED,
    );
    expect(records()).toEqual([]);
  });
});

describe('execute stage, ATTACH_QUOTE', () => {
  it.each([
    { content: 'AAPL rose. <<ATTACH_QUOTE>>', text: 'AAPL rose.' },
    { content: '<<ATTACH_QUOTE>>', text: '' },
    { content: '<<HEARTBEAT_OK>><<ATTACH_QUOTE>>', text: '' },
  ])('has the quotes under $content, before what closes the answer', async ({ content, text }) => {
    const calls: unknown[] = [];
    const facts = [fact(false)];
    const adapter = answering({ content: `${content} <<ATTACH_DISCLAIMER>>`, facts });
    const quoted = { text: `${text}+quotes`, facts: [...facts, fact(true)] };
    const attachQuotes: ExecuteDeps['attachQuotes'] = async (...call) => {
      calls.push(call);
      return quoted;
    };
    const input = await enriched();
    const result = await execute({ ...QUIET, adapter, attachQuotes }).execute(input, NEVER_ABORTED);
    expect(calls).toEqual([[text, facts, input.ctx, NEVER_ABORTED]]);
    expect(result).toMatchObject({
      action: 'continue',
      data: {
        answer: { cleanContent: `${quoted.text}\n\n${marketNoteTexts('en').disclaimer()}` },
        result: { facts: quoted.facts },
      },
    });
  });

  it('leaves the answer as it is where there are none', async () => {
    const facts = [fact(false)];
    const adapter = answering({ content: 'AAPL rose. <<ATTACH_QUOTE>>', facts });
    const result = await execute({ ...QUIET, adapter }).execute(await enriched(), NEVER_ABORTED);
    expect(result).toMatchObject({ data: { answer: { cleanContent: 'AAPL rose.' }, result: { facts } } });
  });

  it('asks for none without the token', async () => {
    const result = await execute({ ...QUIET, attachQuotes: unexpected }).execute(
      await enriched(),
      NEVER_ABORTED,
    );
    expect(result).toMatchObject({ action: 'continue' });
  });
});
