import { describe, expect, it } from 'vitest';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { type AnthropicBody, blocksOf } from '#test/fakes/anthropic/body.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import {
  answer,
  bookedIn,
  callsTool,
  countInLog,
  requestsTo,
  startEngineApp,
  status,
  withoutErrorId,
} from '#test/support/engine-app.ts';

const SAMPLE = marketNoteTexts('en').sampleMark();
const runs = (log: readonly string[]): number => countInLog(log, 'tool:execute:start');

/** The results of tools that a request to Claude carried. */
const resultsIn = (body: AnthropicBody | undefined) =>
  (body?.messages ?? [])
    .flatMap(({ content }) => blocksOf(content))
    .filter((block) => block.type === 'tool_result');

describe('a turn that changes the provider in the middle', () => {
  it('from Claude to GPT runs no tool again, and GPT takes what Claude began', async () => {
    const engine = await startEngineApp({ env: { FINCLAW_MODEL: 'opus' } });
    engine.claude.reply({
      kind: 'answer',
      thinking: 'Two quotes are needed.',
      text: 'Let me look.',
      toolCalls: [
        { name: 'get_quote', input: { symbols: ['AAPL'] } },
        { name: 'get_quote', input: { symbols: ['TSLA'] } },
      ],
    });
    engine.claude.otherwise(status(529));
    engine.gpt.reply(answer('Apple and Tesla, as asked.'));
    expect(await engine.ask('ann', 'Apple and Tesla, please?')).toEqual([
      `Apple and Tesla, as asked.\n\n${SAMPLE}`,
    ]);
    expect(runs(engine.log)).toBe(2);
    expect(requestsTo(engine.claude)).toEqual([
      '1111 claude-opus-5-5 answer',
      '1111 claude-opus-5-5 status',
      '1111 claude-opus-5-5 status',
    ]);
    expect(requestsTo(engine.gpt)).toEqual(['3333 gpt-6.1-sol answer']);
    const input = engine.gpt.history[0]?.body.input;
    const kinds = Array.isArray(input) ? input.map((item) => item['type'] ?? item['role']) : [];
    expect(kinds).toEqual([
      'user',
      'assistant',
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
    ]);

    // And back again: the thought of before is still Claude's own.
    engine.claude.otherwise(answer('Claude goes on.'));
    expect(await engine.ask('ann', 'And what else is new?')).toEqual(['Claude goes on.']);
    await engine.stop();
    expect(bookedIn(engine.dataDir).map(({ model, outcome }) => `${model} ${outcome}`)).toEqual([
      'claude-opus-5-5 ok',
      'claude-opus-5-5 failed',
      'claude-opus-5-5 failed',
      'gpt-6.1-sol ok',
      'claude-opus-5-5 ok',
    ]);
  });

  it('from GPT to Claude runs no tool again, and Claude takes what GPT began', async () => {
    const engine = await startEngineApp({ env: { FINCLAW_MODEL: 'gpt', FINCLAW_FALLBACKS: 'opus' } });
    engine.gpt.reply({
      kind: 'answer',
      thinking: 'A quote is needed.',
      toolCalls: [{ name: 'get_quote', input: { symbols: ['AAPL'] } }],
    });
    engine.gpt.otherwise({ kind: 'cut', answer: { text: 'Apple stands at' } });
    engine.claude.reply(answer('Apple, as asked.'));
    expect(await engine.ask('ann', 'How is Apple doing?')).toEqual([`Apple, as asked.\n\n${SAMPLE}`]);
    expect(runs(engine.log)).toBe(1);
    expect(requestsTo(engine.claude)).toEqual(['1111 claude-opus-5-5 answer']);
    expect(resultsIn(engine.claude.history[0]?.body)).toHaveLength(1);
    expect(requestsTo(engine.gpt)).toEqual([
      '3333 gpt-6.1-sol answer',
      '3333 gpt-6.1-sol cut',
      '3333 gpt-6.1-sol cut',
    ]);
  });

  it('may fail six times for one message over all its steps, and then says so', async () => {
    const engine = await startEngineApp({ env: { FINCLAW_FALLBACKS: 'none' } });
    // Every step succeeds at its second try, so no single step ever comes to its limit.
    for (const symbol of ['AAPL', 'MSFT', 'NVDA', 'TSLA', 'GOOGL', 'AMZN', 'META', 'KO'])
      engine.claude.reply(status(529), callsTool(symbol));
    const said = await engine.ask('ann', 'How is Apple doing?');
    expect(said.map(withoutErrorId)).toEqual([
      failureTexts('en').noAnswer.unavailable({ errorId: '…', wait: '' }),
    ]);
    expect(engine.claude.history.filter(({ outcome }) => outcome === 'status')).toHaveLength(6);
    expect(engine.claude.history).toHaveLength(11);
    expect(runs(engine.log)).toBe(5);
  });
});

describe('a model that does not come to an end', () => {
  it('gets one last call without tools after the allowed steps; its words and ours are read', async () => {
    const engine = await startEngineApp({ config: { agent: { maxTurns: 3 } } });
    engine.claude.otherwise((body) =>
      body.tool_choice?.type === 'none' ? answer('애플까지만 확인했습니다.') : callsTool('AAPL'),
    );
    expect(await engine.ask('ann', '애플 어떻게 보세요?')).toEqual([
      `애플까지만 확인했습니다.\n\n${failureTexts('ko').maxTurns()}\n\n${marketNoteTexts('ko').sampleMark()}`,
    ]);
    expect(engine.claude.history.map(({ body }) => body.tool_choice?.type ?? 'auto')).toEqual([
      'auto',
      'auto',
      'auto',
      'none',
    ]);
    expect(runs(engine.log)).toBe(3);
    // The tools are still named, so that the cached prompt stays what it was.
    const [tools] = engine.claude.history.map(({ body }) => JSON.stringify(body.tools));
    expect(tools).toContain('get_quote');
    for (const { body } of engine.claude.history) expect(JSON.stringify(body.tools)).toBe(tools);
    engine.claude.otherwise(answer('Gladly.'));
    expect(await engine.ask('ann', 'Please try again now.')).toEqual(['Gladly.']);
  });

  it('and calls a tool even then is not followed, but what it said beside the call is read', async () => {
    const engine = await startEngineApp({ config: { agent: { maxTurns: 1 } } });
    const stubborn: FakeReply = {
      kind: 'answer',
      text: 'So far I know this.',
      toolCalls: [{ name: 'get_quote', input: { symbols: ['AAPL'] } }],
    };
    engine.claude.reply(callsTool('AAPL'), stubborn);
    expect(await engine.ask('ann', 'How is Apple doing?')).toEqual([
      `So far I know this.\n\n${failureTexts('en').maxTurns()}\n\n${SAMPLE}`,
    ]);
    expect(runs(engine.log)).toBe(1);
    engine.claude.reply(answer('Gladly.'));
    expect(await engine.ask('ann', 'Please try again now.')).toEqual(['Gladly.']);
  });

  it('and has no words even then leaves our sentence alone, in the language of the person', async () => {
    const engine = await startEngineApp({ config: { agent: { maxTurns: 1 } } });
    engine.claude.otherwise(callsTool('AAPL'));
    expect(await engine.ask('ann', '애플 어떻게 보세요?')).toEqual([
      `${failureTexts('ko').maxTurns()}\n\n${marketNoteTexts('ko').sampleMark()}`,
    ]);
    engine.claude.otherwise(answer('Gladly.'));
    expect(await engine.ask('ann', 'Please try again now.')).toEqual(['Gladly.']);
  });

  it('but pauses is asked to go on', async () => {
    const engine = await startEngineApp();
    engine.claude.reply(
      { kind: 'answer', text: 'Let me see. ', stopReason: 'pause_turn' },
      answer('Here it is.'),
    );
    expect(await engine.ask('ann', 'How are the markets?')).toEqual([expect.stringMatching(/Here it is\.$/)]);
    expect(engine.claude.history.map(({ outcome }) => outcome)).toEqual(['answer', 'answer']);
  });

  it.each([
    ['sonnet', 'claude'],
    ['gpt', 'gpt'],
  ] as const)(
    '%s: arguments that are no JSON, three times in a row, end in an answer',
    async (model, name) => {
      const engine = await startEngineApp({ env: { FINCLAW_MODEL: model, FINCLAW_FALLBACKS: 'none' } });
      const broken: FakeReply = {
        kind: 'answer',
        toolCalls: [{ name: 'get_quote', json: '{"symbols": ["AAPL"' }],
      };
      const fake = engine[name];
      fake.reply(broken, broken, broken, answer('I could not look it up.'));
      expect(await engine.ask('ann', 'How is Apple doing?')).toEqual([
        `I could not look it up.\n\n${failureTexts('en').maxTurns()}`,
      ]);
      expect(fake.history.map(({ outcome }) => outcome)).toEqual(['answer', 'answer', 'answer', 'answer']);
      expect(runs(engine.log)).toBe(0);
    },
  );

  it('hears why its arguments were not read, and may mend them', async () => {
    const engine = await startEngineApp();
    engine.claude.reply(
      { kind: 'answer', toolCalls: [{ name: 'get_quote', json: '{"symbols": ' }] },
      callsTool('AAPL'),
      answer('Apple, as asked.'),
    );
    expect(await engine.ask('ann', 'How is Apple doing?')).toEqual([`Apple, as asked.\n\n${SAMPLE}`]);
    const [refused] = resultsIn(engine.claude.history[1]?.body);
    expect(refused?.is_error).toBe(true);
    expect(runs(engine.log)).toBe(1);
  });

  it('and calls what does not exist hears which tools there are', async () => {
    const engine = await startEngineApp();
    engine.claude.reply(
      { kind: 'answer', toolCalls: [{ name: 'buy_stock', input: { symbol: 'AAPL' } }] },
      answer('I cannot buy anything.'),
    );
    expect(await engine.ask('ann', 'Buy me some Apple.')).toEqual(['I cannot buy anything.']);
    const [result] = resultsIn(engine.claude.history[1]?.body);
    expect(result).toMatchObject({ is_error: true, content: expect.stringContaining('get_quote') });
  });
});

describe('an answer at its length limit', () => {
  it.each([
    ['sonnet', 'claude', 'en'],
    ['gpt', 'gpt', 'ko'],
  ] as const)('of %s says that it was cut', async (model, name, locale) => {
    const engine = await startEngineApp({ env: { FINCLAW_MODEL: model, FINCLAW_FALLBACKS: 'none' } });
    engine[name].reply({ kind: 'answer', text: 'Once upon a time', stopReason: 'max_tokens' });
    const question = locale === 'ko' ? '긴 이야기 하나 해 주세요' : 'Tell me a long story.';
    expect(await engine.ask('ann', question)).toEqual([
      `Once upon a time\n\n${failureTexts(locale).answerCut()}`,
    ]);
  });

  it('in the middle of a call runs no half call, and the model calls again', async () => {
    const engine = await startEngineApp();
    engine.claude.reply(
      { kind: 'truncated-tool', name: 'get_quote', json: '{"symbols":["AAPL"]}', text: 'Let me' },
      callsTool('TSLA'),
      answer('Tesla, as asked.'),
    );
    expect(await engine.ask('ann', 'How is Tesla doing?')).toEqual([`Tesla, as asked.\n\n${SAMPLE}`]);
    expect(runs(engine.log)).toBe(1);
    expect(engine.claude.history.map(({ outcome }) => outcome)).toEqual([
      'truncated-tool',
      'answer',
      'answer',
    ]);
  });
});
