import { describe, expect, it } from 'vitest';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import type { FakeReply, FakeUsage } from '#test/fakes/model-reply.ts';
import {
  answer,
  bookedIn,
  CLAUDE_KEYS,
  countInLog,
  type EngineApp,
  GPT_KEY,
  requestsTo,
  startEngineApp,
  startServers,
  status,
  until,
  withoutErrorId,
} from '#test/support/engine-app.ts';

const HALF = { text: 'The first half of an answer that is never' };
const TWO_KEYS = { ANTHROPIC_API_KEY: CLAUDE_KEYS.join(',') };
const SONNET = 'claude-sonnet-5-5';
const GPT = 'gpt-6.1-sol';

/** The one first, the other behind it. */
const MODELS: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  Claude: { FINCLAW_MODEL: 'sonnet', FINCLAW_FALLBACKS: 'gpt' },
  GPT: { FINCLAW_MODEL: 'gpt', FINCLAW_FALLBACKS: 'sonnet' },
};

const server = (engine: EngineApp, provider: string) => (provider === 'Claude' ? engine.claude : engine.gpt);

/** Of an answer that broke off nobody tells how long it was. */
const inputOf = ({ input, cacheRead, cacheWrite }: FakeUsage) => ({ input, cacheRead, cacheWrite });

/** Every request that a server saw is in the ledger once, with the tokens that the server told of. */
const expectBookedOnce = async (engine: EngineApp): Promise<void> => {
  await engine.stop();
  const booked = bookedIn(engine.dataDir);
  for (const [name, { history }] of [
    ['claude', engine.claude],
    ['gpt', engine.gpt],
  ] as const) {
    const rows = booked.filter(({ model }) => model.startsWith(name));
    expect(rows.map(({ model, outcome }) => `${model} ${outcome}`)).toEqual(
      history.map(({ body, outcome }) => `${body.model} ${outcome === 'answer' ? 'ok' : 'failed'}`),
    );
    for (const [index, { usage, outcome }] of history.entries()) {
      if (!usage) continue;
      expect(rows[index]).toMatchObject(outcome === 'answer' ? usage : inputOf(usage));
    }
  }
};

/** What no person may ever read, and no log may hold. */
const expectNothingLeaked = ({ channel, log }: EngineApp): void => {
  for (const text of channel.texts) expect(text).not.toMatch(/geheim|\bat .+:\d+:\d+|Error|\{|req_/);
  expect(log.filter((line) => line.includes('geheim'))).toEqual([]);
};

describe('a provider that fails', () => {
  const faults: readonly (readonly [string, FakeReply])[] = [
    ['529', status(529)],
    ['500', status(500)],
    ['an error inside the stream', { kind: 'stream-error', type: 'server_error', answer: HALF }],
    ['a stream that is cut', { kind: 'cut', answer: HALF }],
    ['a connection reset before the answer', { kind: 'reset' }],
    ['a connection reset in the middle of the answer', { kind: 'reset', answer: HALF }],
  ];
  const both = faults.flatMap(([name, fault]) =>
    (['Claude', 'GPT'] as const).map((provider) => ({ name, fault, provider })),
  );

  it.each(both)(
    '$provider, $name: the key is tried once more, then the other provider; only whole answers are read',
    async ({ fault, provider }) => {
      const isClaude = provider === 'Claude';
      const engine = await startEngineApp({ env: MODELS[provider] ?? {} });
      const first = server(engine, provider);
      const other = isClaude ? engine.gpt : engine.claude;
      const [firstModel, otherModel] = isClaude ? [SONNET, GPT] : [GPT, SONNET];
      const [key, otherKey] = isClaude ? ['1111', '3333'] : ['3333', '1111'];

      first.reply(fault, answer('Whole, at the second try.'));
      expect(await engine.ask('ann', 'How are the markets?')).toEqual(['Whole, at the second try.']);
      first.otherwise(fault);
      other.reply(answer('다른 모델의 답변입니다.'));
      expect(await engine.ask('bob', '시장 어때요?')).toEqual(['다른 모델의 답변입니다.']);

      const failed = `${key} ${firstModel} ${fault.kind}`;
      expect(requestsTo(first)).toEqual([failed, `${key} ${firstModel} answer`, failed, failed]);
      expect(requestsTo(other)).toEqual([`${otherKey} ${otherModel} answer`]);
      expectNothingLeaked(engine);
      await expectBookedOnce(engine);
    },
  );

  it('is asked with each of its keys, twice, before the other provider is', async () => {
    const engine = await startEngineApp({ env: TWO_KEYS });
    engine.claude.otherwise(status(529));
    expect(await engine.ask('ann', 'How are the markets?')).toEqual(['ok']);
    expect(requestsTo(engine.claude).map((line) => line.slice(0, 4))).toEqual([
      '1111',
      '1111',
      '2222',
      '2222',
    ]);
    expect(requestsTo(engine.gpt)).toEqual([`3333 ${GPT} answer`]);
    await expectBookedOnce(engine);
  });

  const stalls = [
    { name: 'no header comes', stall: { kind: 'stall' } },
    { name: 'the body stops', stall: { kind: 'stall', answer: HALF } },
  ] as const;
  it.each(stalls.flatMap((row) => (['Claude', 'GPT'] as const).map((provider) => ({ ...row, provider }))))(
    '$provider, $name: given up after 30 silent seconds, not before',
    async ({ stall, provider }) => {
      const model = provider === 'Claude' ? 'sonnet' : 'gpt';
      const engine = await startEngineApp({ env: { FINCLAW_MODEL: model, FINCLAW_FALLBACKS: 'none' } });
      const { history, reply } = server(engine, provider);
      reply(stall, answer('Here at last.'));
      const asked = engine.ask('ann', 'How are the markets?');
      await until(() => history.length === 1);
      await engine.clock.advance(29_999);
      expect(history[0]?.wasAborted()).toBe(false);
      await engine.clock.advance(1);
      expect(await asked).toEqual(['Here at last.']);
      expect(history.map(({ outcome }) => outcome)).toEqual(['stall', 'answer']);
      await until(() => history[0]?.wasAborted() === true);
      await expectBookedOnce(engine);
    },
  );

  it('tells in one sentence that nobody can be reached, after six requests over all models', async () => {
    const engine = await startEngineApp({ env: { FINCLAW_MODEL: '', FINCLAW_FALLBACKS: '' } });
    engine.claude.otherwise(status(529));
    engine.gpt.otherwise({ kind: 'stream-error', type: 'server_error', answer: HALF });
    const said = await engine.ask('ann', '삼성전자 어떻게 보세요?');
    expect(said.map(withoutErrorId)).toEqual([
      failureTexts('ko').noAnswer.unavailable({ errorId: '…', wait: '' }),
    ]);
    // Nothing but our own words: a command, and the number for the operator.
    expect(said[0]?.replace(/\bAI\b|`\/price`|[0-9a-f]{8}/g, '')).not.toMatch(/[a-z]/i);
    expect([...requestsTo(engine.claude), ...requestsTo(engine.gpt)]).toEqual([
      '1111 claude-opus-5-5 status',
      '1111 claude-opus-5-5 status',
      '1111 claude-sonnet-5-5 status',
      '1111 claude-sonnet-5-5 status',
      '3333 gpt-6.1-sol stream-error',
      '3333 gpt-6.1-sol stream-error',
    ]);
    const errorId = /오류 ([0-9a-f]{8})/.exec(said[0] ?? '')?.[1] ?? 'none';
    const logged = engine.log.find((line) => line.includes('pipeline:error') && line.includes(errorId));
    expect(logged).toContain('openai, in the stream: ');
    // All that was tried, for the operator, in one line.
    const [attempts = '', ...more] = engine.log.filter((line) => line.includes('"No model answered: '));
    expect(more).toEqual([]);
    const tried = Array.from(
      attempts.matchAll(/([\w.-]+), key environment:(\w+), ([\w-]+), \d+ ms: /g),
      ([, ...found]) => found.join(' '),
    );
    expect(tried).toEqual([
      'claude-opus-5-5 anthropic server-error',
      'claude-opus-5-5 anthropic server-error',
      'claude-sonnet-5-5 anthropic server-error',
      'claude-sonnet-5-5 anthropic server-error',
      'gpt-6.1-sol openai server-error',
      'gpt-6.1-sol openai server-error',
    ]);
    expect(countInLog(engine.log, 'model:exhausted')).toBe(1);
    expect(engine.channel.visibleReactions).toEqual(['⚠️']);
    await expectBookedOnce(engine);
  });

  it('is not asked at all while its breaker is open, and again after half a minute', async () => {
    const engine = await startEngineApp({ env: { FINCLAW_FALLBACKS: 'haiku,gpt' } });
    engine.claude.otherwise(status(500));
    await engine.ask('ann', 'How are the markets?');
    await engine.ask('bob', 'How are the markets?');
    const before = engine.claude.history.length;
    expect(before).toBe(5);
    expect(await engine.ask('cem', 'How are the markets?')).toEqual(['ok']);
    expect(engine.claude.history).toHaveLength(before);
    engine.claude.otherwise(answer('I am back.'));
    await engine.clock.advance(30_000);
    expect(await engine.ask('ann', 'And now, please?')).toEqual(['I am back.']);
  });
});

describe('a key at its limit', () => {
  it('is used again after the seconds that the provider asked for, when they are few', async () => {
    const engine = await startEngineApp({ env: TWO_KEYS });
    engine.claude.reply(status(429, 5), answer('Thank you for waiting.'));
    const asked = engine.ask('ann', 'How are the markets?');
    await engine.clock.untilWaiting(5_000);
    await until(() => engine.claude.history.length === 1);
    await engine.clock.advance(4_999);
    expect(engine.claude.history).toHaveLength(1);
    await engine.clock.advance(1);
    expect(await asked).toEqual(['Thank you for waiting.']);
    expect(requestsTo(engine.claude)).toEqual([`1111 ${SONNET} status`, `1111 ${SONNET} answer`]);
    await expectBookedOnce(engine);
  });

  it('makes way for the next key at once when they are many, then for the next model', async () => {
    const engine = await startEngineApp({ env: TWO_KEYS });
    engine.claude.reply(status(429, 60), answer('From the second key.'), status(429, 45));
    engine.gpt.reply(answer('From the other provider.'));
    expect(await engine.ask('ann', 'How are the markets?')).toEqual(['From the second key.']);
    expect(await engine.ask('ann', 'And in Asia, please?')).toEqual(['From the other provider.']);
    expect(requestsTo(engine.claude)).toEqual([
      `1111 ${SONNET} status`,
      `2222 ${SONNET} answer`,
      `2222 ${SONNET} status`,
    ]);
    expect(requestsTo(engine.gpt)).toEqual([`3333 ${GPT} answer`]);
    expect(engine.clock.monotonicMs()).toBe(0);
    await expectBookedOnce(engine);
  });

  it('answers with the next model at once: the limit is that of one model, and rests nothing else', async () => {
    const engine = await startEngineApp({
      env: { FINCLAW_MODEL: 'opus', FINCLAW_FALLBACKS: 'sonnet', OPENAI_API_KEY: '' },
    });
    engine.claude.reply(status(429, 3_600));
    for (const user of ['ann', 'bob', 'ann'])
      expect(await engine.ask(user, 'How are the markets?')).toEqual(['ok']);
    const sonnet = `1111 ${SONNET} answer`;
    expect(requestsTo(engine.claude)).toEqual(['1111 claude-opus-5-5 status', sonnet, sonnet, sonnet]);
    await engine.clock.advance(3_600_000);
    await engine.ask('ann', 'And now, please?');
    expect(requestsTo(engine.claude).at(-1)).toBe('1111 claude-opus-5-5 answer');
    await expectBookedOnce(engine);
  });

  it('is used again as soon as it may be, however often it was there: no limit disables the only key', async () => {
    const engine = await startEngineApp({ env: { FINCLAW_FALLBACKS: 'none' } });
    for (let count = 0; count < 4; count += 1) {
      engine.claude.reply(status(429, 30));
      await engine.ask('ann', 'How are the markets?');
      expect(engine.claude.history).toHaveLength(count + 1);
      await engine.clock.advance(30_000);
    }
    expect(await engine.ask('ann', 'And now, please?')).toEqual(['ok']);
    expect(engine.log.join('')).not.toContain('disabled');
  });

  it('is the end where every key is: the sentence says when to come back, and no request is wasted', async () => {
    const engine = await startEngineApp();
    engine.claude.reply(status(429, 60));
    engine.gpt.reply(status(429, 45));
    const said = await engine.ask('ann', '노래 한 곡 불러 줘');
    expect(said.map(withoutErrorId)).toEqual([
      failureTexts('ko').noAnswer['rate-limited']({ errorId: '…', wait: '45초 후' }),
    ]);
    await engine.clock.advance(15_000);
    expect((await engine.ask('bob', 'Sing me a song')).map(withoutErrorId)).toEqual([
      failureTexts('en').noAnswer['rate-limited']({ errorId: '…', wait: 'in 30 seconds' }),
    ]);
    expect([engine.claude.history.length, engine.gpt.history.length]).toEqual([1, 1]);
    await engine.clock.advance(15_000);
    // So short a rest is waited for instead.
    const asked = engine.ask('ann', 'And now, please?');
    await engine.clock.untilWaiting(15_000);
    await engine.clock.advance(15_000);
    expect(await asked).toEqual(['ok']);
    expectNothingLeaked(engine);
    await expectBookedOnce(engine);
  });
});

describe('a key that is refused', () => {
  it.each([401, 402, 403])('with %i is not tried again: the next key answers', async (code) => {
    const engine = await startEngineApp({ env: TWO_KEYS });
    // As tactless as a server can be.
    const message = `The key ${CLAUDE_KEYS[0]} is not welcome`;
    engine.claude.reply(
      { kind: 'status', status: code, message },
      answer('From the second key.'),
      answer('Again.'),
    );
    expect(await engine.ask('ann', 'How are the markets?')).toEqual(['From the second key.']);
    expect(await engine.ask('bob', 'How are the markets?')).toEqual(['Again.']);
    expect(requestsTo(engine.claude)).toEqual([
      `1111 ${SONNET} status`,
      `2222 ${SONNET} answer`,
      `2222 ${SONNET} answer`,
    ]);
    expect(engine.log.join('')).toMatch(
      /anthropic: the (?:key was refused|account has no credit).* \(HTTP 40/,
    );
    expect(engine.log.join('')).not.toContain('is not welcome');
    expectNothingLeaked(engine);
    await expectBookedOnce(engine);
  });

  it('is told as such to everybody who asks, and not as a limit that would end by itself', async () => {
    const servers = await startServers({ claude: { keys: ['another'] } });
    const engine = await startEngineApp({ servers, env: { FINCLAW_FALLBACKS: 'none' } });
    const sentence = failureTexts('en').noAnswer['key-refused']({ errorId: '…', wait: '' });
    expect((await engine.ask('ann', 'Sing me a song')).map(withoutErrorId)).toEqual([sentence]);
    expect((await engine.ask('bob', 'Sing me a song')).map(withoutErrorId)).toEqual([sentence]);
    expect(engine.claude.history).toHaveLength(1);
  });

  it('leads to the other provider, and for lack of one to a sentence that blames the bot and not the person', async () => {
    const servers = await startServers({ claude: { keys: ['another'] }, gpt: { keys: [GPT_KEY] } });
    const engine = await startEngineApp({ servers });
    engine.gpt.reply(answer('From the other.'), { kind: 'status', status: 429, code: 'insufficient_quota' });
    expect(await engine.ask('ann', 'How are the markets?')).toEqual(['From the other.']);
    expect(requestsTo(engine.claude)).toEqual([`1111 ${SONNET} refused: invalid x-api-key`]);
    // Five minutes later the refused key is tried once more; by now the other one is not paid for.
    await engine.clock.advance(300_000);
    const said = await engine.ask('ann', '노래 한 곡 불러 줘');
    expect(said.map(withoutErrorId)).toEqual([
      failureTexts('ko').noAnswer['key-refused']({ errorId: '…', wait: '' }),
    ]);
    expect([engine.claude.history.length, engine.gpt.history.length]).toEqual([2, 2]);
    expectNothingLeaked(engine);
    await engine.stop();
    expect(bookedIn(engine.dataDir).map(({ outcome }) => outcome)).toEqual([
      'failed',
      'ok',
      'failed',
      'failed',
    ]);
  });
});

describe('a message or a conversation that is too long', () => {
  it.each(['Claude', 'GPT'])(
    'for %s is told in a sentence, asks no other model, and the person talks on',
    async (provider) => {
      const servers = await startServers({
        claude: { contextWindow: 17_500 },
        gpt: { contextWindow: 17_500 },
      });
      const engine = await startEngineApp({ servers, env: MODELS[provider] ?? {} });
      const long = `Please read this: ${'markets move. '.repeat(1_400)}`;
      const said = await engine.ask('ann', long);
      expect(said.map(withoutErrorId)).toEqual([
        failureTexts('en').noAnswer['message-too-long']({ errorId: '…', wait: '' }),
      ]);
      expect(engine.claude.history.length + engine.gpt.history.length).toBe(1);
      await engine.ask('ann', '/reset');
      expect(await engine.ask('ann', 'How are the markets?')).toEqual(['ok']);
      expect(server(engine, provider).history).toHaveLength(2);
      expectNothingLeaked(engine);
      await expectBookedOnce(engine);
    },
  );

  it('is told the same where the model finds it out only on the way', async () => {
    const engine = await startEngineApp();
    engine.claude.reply({ kind: 'answer', text: 'Half', stopReason: 'model_context_window_exceeded' });
    expect((await engine.ask('ann', '시장 어때요?')).map(withoutErrorId)).toEqual([
      failureTexts('ko').noAnswer['too-long']({ errorId: '…', wait: '' }),
    ]);
    expect(engine.gpt.history).toEqual([]);
  });
});

describe('a model that declines', () => {
  const declines: FakeReply = { kind: 'answer', text: 'I will not', stopReason: 'refusal' };

  it.each(['Claude', 'GPT'])('(%s) makes way for one other, whose answer alone is read', async (provider) => {
    const engine = await startEngineApp({ env: MODELS[provider] ?? {} });
    const other = provider === 'Claude' ? engine.gpt : engine.claude;
    server(engine, provider).reply(declines);
    other.reply(answer('Gladly.'));
    expect(await engine.ask('ann', 'How are the markets?')).toEqual(['Gladly.']);
    expect([engine.claude.history.length, engine.gpt.history.length]).toEqual([1, 1]);
  });

  it('twice in a row is not followed by a third: the person is asked to put it another way', async () => {
    const engine = await startEngineApp({ env: { FINCLAW_FALLBACKS: 'haiku,gpt' } });
    engine.claude.reply(declines, declines);
    expect((await engine.ask('ann', '시장 어때요?')).map(withoutErrorId)).toEqual([
      failureTexts('ko').noAnswer.refused({ errorId: '…', wait: '' }),
    ]);
    expect(requestsTo(engine.claude)).toEqual([`1111 ${SONNET} answer`, '1111 claude-haiku-5-5 answer']);
    expect(engine.gpt.history).toEqual([]);
    // The next question is a new one.
    expect(await engine.ask('ann', 'And in Asia, please?')).toEqual(['ok']);
    expectNothingLeaked(engine);
  });
});
