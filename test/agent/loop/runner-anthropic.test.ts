import { describe, expect, it } from 'vitest';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { testTool } from '#test/agent/support.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { calling, startEngine } from './engine-fixture.ts';
import {
  asksFirst,
  assistant,
  deciding,
  expectOneDone,
  notRunResult,
  result,
  results,
  text,
  user,
} from './runner-support.ts';

const says = (words: string): FakeReply => ({ kind: 'answer', text: words });
const lookup = testTool('lookup');

const counting = (name: string) => {
  const ran: unknown[] = [];
  const tool = testTool(name, async (input) => {
    ran.push(input);
    return { content: 'ran', isError: false };
  });
  return { tool, ran };
};

const resultsIn = (messages: readonly ConversationMessage[]) =>
  messages.flatMap(({ content }) => content.filter((block) => block.type === 'tool_result'));

describe('Runner on the Anthropic API', () => {
  it('goes through a loop of parallel tools', async () => {
    const engine = await startEngine({ tools: [lookup] });
    engine.fake.reply(
      calling({ name: 'lookup', input: { of: 'a' } }, { name: 'lookup', input: { of: 'b' } }),
      calling({ name: 'lookup' }),
      says('All of it.'),
    );
    await engine.turn('go');
    expect(resultsIn(engine.conversation).map(({ content }) => content)).toEqual([
      'lookup(a)',
      'lookup(b)',
      'lookup()',
    ]);
    await engine.expectGoesOn();
  });

  it('answers at the limit of its steps, without tools', async () => {
    const engine = await startEngine({ tools: [lookup], maxTurns: 2 });
    engine.fake.reply(calling({ name: 'lookup' }), calling({ name: 'lookup' }), says('What I know.'));
    await engine.turn('go', 'max_turns');
    expect(engine.fake.history.map(({ body }) => body.tool_choice)).toEqual([
      undefined,
      undefined,
      { type: 'none' },
    ]);
    expect(engine.conversation.at(-1)).toEqual(assistant(text('What I know.')));
    await engine.expectGoesOn();
  });

  it.each([
    ['with words', { text: 'Enough.' }],
    ['without words', {}],
    ['after a thought', { thinking: 'One more.', text: 'Enough.' }],
  ])('goes on after a model that calls a tool at the limit all the same, %s', async (_what, answer) => {
    const { tool, ran } = counting('sell');
    const engine = await startEngine({ tools: [tool], maxTurns: 1 });
    engine.fake.reply(calling({ name: 'sell' }), {
      kind: 'answer',
      ...answer,
      toolCalls: [{ name: 'sell' }],
    });
    await engine.turn('go', 'max_turns');
    expect(ran).toHaveLength(1);
    await engine.expectGoesOn();
  });

  it('runs no call whose arguments are no JSON, and lets the model call again', async () => {
    const { tool, ran } = counting('sell');
    const engine = await startEngine({ tools: [tool] });
    engine.fake.reply(
      calling({ id: 'c1', name: 'sell', json: '{"of":"a' }, { id: 'c2', name: 'sell', input: { of: 'b' } }),
      calling({ id: 'c3', name: 'sell', input: { of: 'a' } }),
      says('Sold.'),
    );
    await engine.turn('go');
    expect(ran).toEqual([{ of: 'b' }, { of: 'a' }]);
    expect(resultsIn(engine.conversation)).toMatchObject([
      { toolUseId: 'c1', isError: true },
      { toolUseId: 'c2', isError: false },
      { toolUseId: 'c3', isError: false },
    ]);
    await engine.expectGoesOn();
  });

  it('gives up on calls after three answers in a row that could not be read', async () => {
    const { tool, ran } = counting('sell');
    const engine = await startEngine({ tools: [tool] });
    const bad = calling({ name: 'sell', json: '{"of":' });
    engine.fake.reply(bad, bad, bad, says('I cannot.'));
    await engine.turn('go', 'max_turns');
    expect(engine.fake.history).toHaveLength(4);
    expect(ran).toEqual([]);
    await engine.expectGoesOn();
  });

  it('runs nothing of an answer that ended at its length limit inside a call', async () => {
    const { tool, ran } = counting('sell');
    const engine = await startEngine({ tools: [tool] });
    engine.fake.reply(
      { kind: 'truncated-tool', name: 'sell', json: '{"of":"a"}', text: 'Selling.' },
      says('Rather not.'),
    );
    await engine.turn('go');
    expect(ran).toEqual([]);
    await engine.expectGoesOn();
  });

  it.each(['[1,2]', '"text"', 'null', '42', ''])(
    'goes on after arguments that are JSON but no object: %j',
    async (json) => {
      const engine = await startEngine({ tools: [lookup] });
      engine.fake.reply(calling({ name: 'lookup', json }), says('ok'));
      await engine.turn('go');
      await engine.expectGoesOn();
    },
  );

  it('goes on without a tool that hangs, when its time is up', async () => {
    const started = Promise.withResolvers<void>();
    const hanging = testTool(
      'hanging',
      () => {
        started.resolve();
        return new Promise(() => undefined);
      },
      { timeoutMs: 5_000 },
    );
    const engine = await startEngine({ tools: [hanging, lookup] });
    engine.fake.reply(
      calling({ id: 'c1', name: 'hanging' }, { id: 'c2', name: 'lookup' }),
      says('Without it.'),
    );
    const run = engine.start('go');
    await started.promise;
    await engine.clock.advance(5_000);
    await expect(run.result).resolves.toMatchObject({ status: 'completed' });
    expectOneDone(run.shown);
    expect(engine.conversation[2]).toEqual(
      results(
        result('c1', 'The tool hanging failed: no result within 5 s', true, 'tool-failed'),
        result('c2', 'lookup()'),
      ),
    );
    await engine.expectGoesOn();
  });

  it.each([
    ['does not exist', 'gone', 'There is no tool "gone"'],
    ['throws', 'broken', 'The tool broken failed: no connection'],
    ['says nothing', 'mute', ''],
    ['gives half an emoji', 'half', '\ufffd'],
  ])('goes on after a tool that %s', async (_what, name, content) => {
    const broken = testTool('broken', async () => {
      throw new Error('no connection');
    });
    const mute = testTool('mute', async () => ({ content: '', isError: false }));
    const half = testTool('half', async () => ({ content: '\ud83d', isError: false }));
    const engine = await startEngine({ tools: [broken, mute, half] });
    engine.fake.reply(calling({ name }), says('ok'));
    await engine.turn('go');
    expect(resultsIn(engine.conversation)[0]?.content).toContain(content);
    await engine.expectGoesOn();
  });

  it.each([
    [
      'an error in the stream',
      { kind: 'stream-error', type: 'overloaded_error', answer: { text: 'It is 3' } },
    ],
    ['a body that ends too early', { kind: 'cut', answer: { text: 'It is 3' } }],
    [
      'a body that ends inside a call',
      { kind: 'cut', answer: { text: 'Looking.', toolCalls: [{ name: 'lookup', input: { of: 'a' } }] } },
    ],
    ['a broken connection', { kind: 'reset', answer: { text: 'It is 3' } }],
    ['an overloaded server', { kind: 'status', status: 529 }],
    ['an empty answer', { kind: 'answer', text: ' ' }],
    ['a thought alone', { kind: 'answer', thinking: 'Hm.' }],
  ] satisfies readonly (readonly [string, FakeReply])[])(
    'goes on after %s that another try mended',
    async (_what, reply) => {
      const engine = await startEngine({ tools: [lookup] });
      engine.fake.reply(reply, says('It is 304.'));
      const run = engine.start('go');
      while (engine.booked.length === 0) await new Promise((resolve) => setImmediate(resolve));
      await engine.clock.advance(1_000);
      await expect(run.result).resolves.toMatchObject({ status: 'completed' });
      expectOneDone(run.shown);
      expect(engine.conversation).toEqual([user('go'), assistant(text('It is 304.'))]);
      expect(engine.booked.map(({ outcome }) => outcome)).toEqual(['failed', 'ok']);
      await engine.expectGoesOn();
    },
  );

  it('goes on after a turn in which no try helped', async () => {
    const engine = await startEngine({ tools: [lookup] });
    const cut: FakeReply = { kind: 'cut', answer: { text: 'It is 3', toolCalls: [{ name: 'lookup' }] } };
    engine.fake.reply(calling({ name: 'lookup' }), cut, cut);
    const run = engine.start('go');
    while (engine.booked.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await engine.clock.advance(1_000);
    await expect(run.result).resolves.toMatchObject({ status: 'error' });
    expectOneDone(run.shown);
    await engine.expectGoesOn();
  });

  it('goes on after a refusal', async () => {
    const engine = await startEngine();
    engine.fake.reply({ kind: 'answer', text: 'I will not', stopReason: 'refusal' });
    await engine.turn('go', 'error');
    await engine.expectGoesOn();
  });

  it('takes new words before its tools, and skips them', async () => {
    const { tool, ran } = counting('sell');
    const engine = await startEngine({ tools: [tool] });
    engine.fake.reply(calling({ id: 'c1', name: 'sell' }, { id: 'c2', name: 'sell' }), says('Stopped.'));
    const words = [user('No, wait!'), user('Really.')];
    let asks = 0;
    const takeSteering = async (): Promise<readonly ConversationMessage[]> => {
      asks += 1;
      return asks === 1 ? [] : words.splice(0);
    };
    await engine.turn('go', 'completed', { takeSteering });
    expect(ran).toEqual([]);
    const why = 'skipped, for the user wrote something new';
    expect(engine.conversation.slice(2)).toEqual([
      results(notRunResult('c1', why), notRunResult('c2', why)),
      user('No, wait!'),
      user('Really.'),
      assistant(text('Stopped.')),
    ]);
    await engine.expectGoesOn();
  });

  it('takes new words behind its tools', async () => {
    const words: ConversationMessage[] = [];
    const chatty = testTool('chatty', async () => {
      words.push(user('In won, please.'));
      return { content: '304', isError: false };
    });
    const engine = await startEngine({ tools: [chatty] });
    engine.fake.reply(calling({ name: 'chatty' }, { name: 'chatty' }), says('420,000.'));
    await engine.turn('go', 'completed', { takeSteering: async () => words.splice(0) });
    expect(engine.conversation.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'user',
      'assistant',
    ]);
    await engine.expectGoesOn();
  });

  it('rests while a person has to decide, and goes on from there', async () => {
    let isDecided = false;
    const sell = asksFirst(testTool('sell', async () => ({ content: 'sold', isError: false })));
    const approvals = deciding(() => (isDecided ? 'approved' : 'waiting'));
    const engine = await startEngine({ tools: [sell, lookup], approvals });
    engine.fake.reply({
      kind: 'answer',
      thinking: 'Ask first.',
      toolCalls: [
        { id: 'c1', name: 'sell' },
        { id: 'c2', name: 'lookup' },
      ],
    });
    await engine.turn('go', 'suspended');
    expect(engine.conversation.slice(2)).toEqual([results(result('c2', 'lookup()'))]);
    isDecided = true;
    engine.fake.reply(says('Sold.'));
    const { result: resumed, shown } = engine.resume();
    await expect(resumed).resolves.toMatchObject({ status: 'completed' });
    expectOneDone(shown);
    await engine.expectGoesOn();
  });

  it('goes on after an answer in whose middle the provider paused', async () => {
    const engine = await startEngine();
    engine.fake.reply({ kind: 'answer', text: 'Part one.', stopReason: 'pause_turn' }, says('Part two.'));
    await engine.turn('go');
    await engine.expectGoesOn();
  });
});
