import { describe, expect, it } from 'vitest';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { calls, done, says, ScriptedProvider, testTool } from '#test/agent/support.ts';
import {
  asksFirst,
  assistant,
  deciding,
  expectOneDone,
  notRunResult,
  result,
  results,
  runnerOn,
  statesOf,
  text,
  use,
  user,
} from './runner-support.ts';

const SKIPPED = 'skipped, for the user wrote something new';

/** Words that the person writes while the run goes on; they can be taken once. */
const mailbox = () => {
  let waiting: ConversationMessage[] = [];
  return {
    write: (words: string) => void waiting.push(user(words)),
    take: async (): Promise<readonly ConversationMessage[]> => {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
};

const twoCalls = [
  ...calls('c1', 'lookup', '{"of":"AAPL"}'),
  ...calls('c2', 'lookup', '{"of":"TSLA"}'),
  done('tool_use'),
];

describe('Runner, when the person writes while it runs', () => {
  it('skips the calls that have not begun, and asks with the new words', async () => {
    const { write, take } = mailbox();
    let runs = 0;
    const lookup = testTool('lookup', async () => {
      runs += 1;
      return { content: 'x', isError: false };
    });
    const provider = new ScriptedProvider(
      async function* () {
        write('No, Tesla!');
        write('And in won.');
        yield* twoCalls;
      },
      [...says('Tesla is 431.'), done()],
    );
    const { run, appended, shown } = runnerOn({ provider, tools: [lookup], takeSteering: take });
    await expect(run([user('Apple?')])).resolves.toMatchObject({ status: 'completed' });
    expect(runs).toBe(0);
    expect(appended.slice(1)).toEqual([
      results(notRunResult('c1', SKIPPED), notRunResult('c2', SKIPPED)),
      user('No, Tesla!'),
      user('And in won.'),
      assistant(text('Tesla is 431.')),
    ]);
    expect(provider.requests[1]?.messages.slice(-2)).toEqual([user('No, Tesla!'), user('And in won.')]);
    expect(statesOf(shown)).toEqual(['streaming', 'tool_use', 'streaming', 'done']);
    expectOneDone(shown);
  });

  it('keeps the results of calls that ran, and puts the new words behind them', async () => {
    const { write, take } = mailbox();
    const lookup = testTool('lookup', async ({ of }) => {
      write(`about ${of}`);
      return { content: `${of} is 1`, isError: false };
    });
    const provider = new ScriptedProvider(twoCalls, [...says('ok'), done()]);
    const { run, appended } = runnerOn({ provider, tools: [lookup], takeSteering: take });
    await run([user('go')]);
    expect(appended.slice(1)).toEqual([
      results(result('c1', 'AAPL is 1'), result('c2', 'TSLA is 1')),
      user('about AAPL'),
      user('about TSLA'),
      assistant(text('ok')),
    ]);
  });

  it('has each of the new words once in the conversation', async () => {
    const { write, take } = mailbox();
    const provider = new ScriptedProvider(
      async function* () {
        write('first');
        yield* calls('c1', 'lookup', '{}');
        yield done('tool_use');
      },
      async function* () {
        write('second');
        yield* calls('c2', 'lookup', '{}');
        yield done('tool_use');
      },
      [...says('ok'), done()],
    );
    const { run } = runnerOn({ provider, tools: [testTool('lookup')], takeSteering: take });
    await run([user('go')]);
    expect(provider.requests[2]?.messages).toEqual([
      user('go'),
      assistant(use('c1', 'lookup')),
      results(notRunResult('c1', SKIPPED)),
      user('first'),
      assistant(use('c2', 'lookup')),
      results(notRunResult('c2', SKIPPED)),
      user('second'),
    ]);
  });

  it('runs its tools where nobody writes', async () => {
    const provider = new ScriptedProvider(twoCalls, [...says('ok'), done()]);
    const { run, appended } = runnerOn({
      provider,
      tools: [testTool('lookup')],
      takeSteering: async () => [],
    });
    await run([user('go')]);
    expect(appended[1]).toEqual(results(result('c1', 'lookup(AAPL)'), result('c2', 'lookup(TSLA)')));
  });
});

/** Asks once, and does what it was asked for when the call is made again. */
const tellingTools = () => {
  const ran: string[] = [];
  let isDecided = false;
  const sell = asksFirst(
    testTool('sell', async () => {
      ran.push('sell');
      return { content: 'sold', isError: false };
    }),
  );
  const lookup = testTool('lookup', async () => {
    ran.push('lookup');
    return { content: '304', isError: false };
  });
  const decide = (): void => {
    isDecided = true;
  };
  const approvals = deciding(() => (isDecided ? 'approved' : 'waiting'));
  return { ran, decide, with: { tools: [sell, lookup], approvals } };
};
const asked = [...calls('c1', 'sell', '{}'), ...calls('c2', 'lookup', '{}'), done('tool_use')];

describe('Runner, when a person has to decide first', () => {
  it('rests, keeps what ended, and asks the model nothing', async () => {
    const { ran, with: world } = tellingTools();
    const provider = new ScriptedProvider(asked);
    const { run, appended, shown } = runnerOn({ provider, ...world, takeSteering: async () => [] });
    await expect(run([user('sell')])).resolves.toMatchObject({ status: 'suspended', turns: 1 });
    expect(ran).toEqual(['lookup']);
    expect(appended).toEqual([
      assistant(use('c1', 'sell'), use('c2', 'lookup')),
      results(result('c2', '304')),
    ]);
    expect(provider.requests).toHaveLength(1);
    expectOneDone(shown);
  });

  it('goes on from there after the decision, without running again what had run', async () => {
    const { ran, with: world, decide } = tellingTools();
    const first = runnerOn({ provider: new ScriptedProvider(asked), ...world });
    await first.run([user('sell')]);
    decide();
    const provider = new ScriptedProvider([...says('Sold.'), done()]);
    const { run, appended, shown } = runnerOn({ provider, ...world });
    await expect(run([user('sell'), ...first.appended])).resolves.toMatchObject({ status: 'completed' });
    expect(ran).toEqual(['lookup', 'sell']);
    expect(appended).toEqual([results(result('c1', 'sold')), assistant(text('Sold.'))]);
    expectOneDone(shown);
  });

  it('does not take the new words of the person while it rests: they are for the next turn', async () => {
    const { with: world } = tellingTools();
    const { write, take } = mailbox();
    const provider = new ScriptedProvider([...calls('c1', 'sell', '{}'), done('tool_use')]);
    let asks = 0;
    const takeSteering = async (): Promise<readonly ConversationMessage[]> => {
      asks += 1;
      // Written after the run looked, before its request and before its tools.
      if (asks <= 2) return [];
      return take();
    };
    write('Wait!');
    const { run, appended } = runnerOn({ provider, ...world, takeSteering });
    await expect(run([user('sell')])).resolves.toMatchObject({ status: 'suspended' });
    expect(appended).toEqual([assistant(use('c1', 'sell'))]);
    expect(await take()).toEqual([user('Wait!')]);
  });
});
