import { describe, expect, it } from 'vitest';
import { type AccountId, asId, type ChatId, type ThreadId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { calls } from '#test/support/broker.ts';
import { answer, type EngineApp, startEngineApp, until } from '#test/support/engine-app.ts';
import { conversationIn, held, IN_GROUP, lastTurns, settled } from './gateway-support.ts';

const CONFIG = {
  agents: {
    research: { model: 'opus', instructions: 'You do research.', queueMode: 'queue' },
    desk: { model: 'haiku', instructions: 'You serve the desk.', tools: { deny: ['get_quote'] } },
  },
  bindings: [
    { agent: 'desk', accounts: ['club'] },
    { agent: 'research', channels: ['test:lab'] },
    { agent: 'desk', channels: ['test:lab'], chatTypes: ['channel'], priority: 1 },
    { agent: 'research', peers: ['test:ann'] },
  ],
};

const start = (): Promise<EngineApp> => startEngineApp({ config: CONFIG });
const IN_LAB: Partial<MsgContext> = { ...IN_GROUP, chatId: asId<ChatId>('lab') };
const IN_CLUB: Partial<MsgContext> = { accountId: asId<AccountId>('club') };

/** Who answered: the model and the instructions of the last request. */
const answeredBy = ({ claude }: EngineApp): readonly string[] => {
  const { model = '', system = '' } = claude.history.at(-1)?.body ?? {};
  const said = /You do research|You serve the desk/.exec(JSON.stringify(system))?.[0] ?? 'main';
  return [model, said];
};

const RESEARCH = ['claude-opus-5-5', 'You do research'];
const DESK = ['claude-haiku-5-5', 'You serve the desk'];
const MAIN = ['claude-sonnet-5-5', 'main'];

describe('a rule', () => {
  it('for people goes before one for chats, that before one for accounts, that before the main agent', async () => {
    const app = await start();
    const cases: readonly (readonly [string, Partial<MsgContext>, readonly string[], string])[] = [
      ['bob', {}, MAIN, 'agent:main:test:local:direct:bob'],
      ['bob', IN_CLUB, DESK, 'agent:desk:test:club:direct:bob'],
      ['bob', { ...IN_CLUB, ...IN_LAB }, RESEARCH, 'agent:research:test:club:group:lab'],
      ['bob', { ...IN_LAB, chatType: 'channel' }, DESK, 'agent:desk:test:local:channel:lab'],
      [
        'ann',
        { ...IN_CLUB, ...IN_LAB, chatType: 'channel' },
        RESEARCH,
        'agent:research:test:club:channel:lab',
      ],
      [
        'bob',
        { ...IN_LAB, threadId: asId<ThreadId>('t1') },
        RESEARCH,
        'agent:research:test:local:group:lab:t1',
      ],
    ];
    for (const [user, place, agent, sessionKey] of cases) {
      const receipt = await app.send(user, 'Hello', place);
      expect(receipt).toMatchObject({ outcome: 'accepted', sessionKey });
      await settled(receipt);
      expect(answeredBy(app)).toEqual(agent);
      // Each of them is another conversation.
      expect(conversationIn(app.claude.history.at(-1)?.body)).toEqual(['Hello']);
    }
    expect(app.channel.texts).toEqual(cases.map(() => 'ok'));
  });

  it('that was changed gives new messages to another agent, while old ones keep theirs', async () => {
    const first = await start();
    first.claude.reply({ kind: 'stall' });
    await first.send('ann', 'Wait for it.');
    await until(() => first.claude.history.length === 1);
    await first.stop();
    const next = await startEngineApp({
      config: { ...CONFIG, bindings: [{ agent: 'desk', peers: ['ann'] }] },
      dataDir: first.dataDir,
      servers: first,
    });
    await next.channel.waitForSent(1);
    expect(answeredBy(next)).toEqual(RESEARCH);
    await next.ask('ann', 'And now?');
    expect(answeredBy(next)).toEqual(DESK);
    expect(lastTurns(next.claude).slice(1)).toEqual([['Wait for it.'], ['And now?']]);
  });
});

describe('an agent', () => {
  it('has no tool that it is denied, and cannot call it', async () => {
    const app = await start();
    app.claude.reply(calls({ name: 'get_quote', input: { symbols: ['AAPL'] } }), answer('I may not look.'));
    expect(await app.ask('bob', 'How is Apple?', IN_CLUB)).toEqual(['I may not look.']);
    expect(app.claude.history[0]?.body.tools?.map(({ name }) => name)).not.toContain('get_quote');
    expect(lastTurns(app.claude)[1]).toEqual([
      expect.stringContaining('The agent "desk" may not use this tool'),
    ]);
    app.claude.reply(calls({ name: 'get_quote', input: { symbols: ['AAPL'] } }), answer('As asked.'));
    await app.ask('ann', 'How is Apple?');
    expect(lastTurns(app.claude)[3]).toEqual([expect.stringContaining('**Apple (AAPL)** $')]);
  });

  it('has a queue mode of its own, which an administrator may change by chat', async () => {
    const app = await start();
    const twice = async (user: string): Promise<readonly (readonly string[])[]> => {
      const { reply, letGo } = held();
      const before = app.claude.history.length;
      app.claude.reply(reply);
      const receipts = [await app.send(user, 'one')];
      await until(() => app.claude.history.length === before + 1);
      receipts.push(await app.send(user, 'two'), await app.send(user, 'three'));
      letGo();
      await settled(...receipts);
      return lastTurns(app.claude).slice(before);
    };
    expect(await twice('ann')).toEqual([['one'], ['two'], ['three']]);
    expect(await twice('bob')).toEqual([['one'], ['two\n\nthree']]);
    expect(await app.ask('ann', '/queue collect --agent')).toEqual([
      expect.stringContaining('Only an administrator'),
    ]);
    expect(await app.ask('boss', '/queue collect --agent', IN_LAB)).toEqual([
      expect.stringContaining('**collect**'),
    ]);
    expect(await twice('ann')).toEqual([['one'], ['two\n\nthree']]);
  });
});
