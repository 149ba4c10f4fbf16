import { describe, expect, it } from 'vitest';
import { type AccountId, asId, type ChatId, type ThreadId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { temporaryDir } from '#test/support/database.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { answer, type EngineApp, startEngineApp } from '#test/support/engine-app.ts';

const CONFIG = {
  admins: { users: ['boss', 'trader'] },
  agent: { instructions: 'Mention the house view.' },
  agents: {
    desk: {
      model: 'haiku',
      fallbacks: [],
      instructions: 'You serve the trading desk.',
      tools: { deny: ['fetch_url', 'query_*'] },
      maxTurns: 2,
    },
    lounge: { tools: { allow: ['get_quote'] } },
  },
  bindings: [
    { agent: 'desk', channels: ['test:desk'] },
    { agent: 'desk', peers: ['test:trader'] },
    { agent: 'lounge', accounts: ['club'] },
    { agent: 'main', peers: ['boss'], channels: ['test:desk'], priority: 1 },
  ],
};

const AT_DESK: Partial<MsgContext> = {
  chatType: 'channel',
  chatId: asId<ChatId>('desk'),
  mentionsBot: true,
};

const start = (config: object = CONFIG): Promise<EngineApp> => startEngineApp({ config });

const calls = (name: string, input: unknown = {}): FakeReply => ({
  kind: 'answer',
  toolCalls: [{ name, input }],
});

/** What the model was asked: which one, with which prompt and tools, and what tools said to it last. */
const requestsOf = ({ claude }: EngineApp) =>
  claude.history.map(({ body }) => ({
    model: body.model,
    system: JSON.stringify(body.system),
    tools: (body.tools ?? []).map(({ name }) => name),
    last: JSON.stringify(body.messages.at(-1)),
    prefix: JSON.stringify([body.tools, body.system]),
  }));

describe('an agent that a rule leads to', () => {
  it('answers with its own model and words, while the main one answers everybody else', async () => {
    const app = await start();
    app.claude.reply(
      answer('from the desk'),
      answer('from main'),
      answer('to the trader'),
      answer('in a thread'),
    );
    expect(await app.ask('ann', 'hi', AT_DESK)).toEqual(['from the desk']);
    expect(await app.ask('ann', 'hi')).toEqual(['from main']);
    expect(await app.ask('trader', 'hi')).toEqual(['to the trader']);
    expect(await app.ask('ann', 'hi', { ...AT_DESK, threadId: asId<ThreadId>('t1') })).toEqual([
      'in a thread',
    ]);
    const asked = requestsOf(app);
    expect(asked.map(({ model }) => model)).toEqual([
      'claude-haiku-5-5',
      'claude-sonnet-5-5',
      'claude-haiku-5-5',
      'claude-haiku-5-5',
    ]);
    expect(asked.map(({ system }) => system.includes('You serve the trading desk.'))).toEqual([
      true,
      false,
      true,
      true,
    ]);
    for (const { system } of asked) expect(system).toContain('Mention the house view.');
  });

  it('has a memory of its own', async () => {
    const app = await start();
    await app.ask('boss', 'The word is heron.', AT_DESK);
    await app.ask('ann', 'What is the word?', AT_DESK);
    const asked = requestsOf(app);
    expect(asked.map(({ model }) => model)).toEqual(['claude-sonnet-5-5', 'claude-haiku-5-5']);
    expect(JSON.stringify(app.claude.history[1]?.body.messages)).not.toContain('heron');
  });

  it('gives way to a model that somebody chose in the conversation', async () => {
    const app = await start();
    await app.ask('trader', '/model opus');
    await app.ask('trader', 'hi');
    await app.ask('trader', '/model default');
    await app.ask('trader', 'hi');
    expect(requestsOf(app).map(({ model }) => model)).toEqual(['claude-opus-5-5', 'claude-haiku-5-5']);
  });

  it('gets as many steps as it was given', async () => {
    const app = await start();
    const looksUp = calls('get_quote', { symbols: ['AAPL'] });
    app.claude.reply(looksUp, looksUp, answer('Enough.'));
    expect((await app.ask('trader', 'Apple?')).join('\n')).toContain('Enough.');
    expect(requestsOf(app).map(({ last }) => last.includes('The limit of steps'))).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('a tool that an agent may not use', () => {
  it('is neither listed, nor found, nor called; others may use it', async () => {
    const app = await start();
    app.claude.reply(
      calls('fetch_url', { url: 'https://a.test' }),
      calls('call_tool', { name: 'fetch_url', input: { url: 'https://a.test' } }),
      answer('It cannot be done.'),
    );
    await app.ask('ann', 'Read that page.', AT_DESK);
    app.claude.reply(calls('find_tools'), answer('Nothing.'));
    await app.ask('trader', 'What else is there?');
    const asked = requestsOf(app);
    for (const { tools, system } of asked) {
      expect(tools).not.toContain('fetch_url');
      expect(tools).toEqual(tools.toSorted());
      expect(tools).toEqual(expect.arrayContaining(['get_quote', 'find_tools', 'read_skill']));
      expect(system).not.toContain('fetch_url');
    }
    const refused = asked.filter(({ last }) =>
      last.includes(
        String.raw`The agent \"desk\" may not use this tool: its setting tools.deny has \"fetch_url\".`,
      ),
    );
    expect(refused).toHaveLength(2);
    expect(asked.at(-1)?.last).toContain('get_system_info');
    expect(asked.at(-1)?.last).not.toContain('query_my_data');

    await app.ask('ann', 'hi');
    expect(requestsOf(app).at(-1)?.tools).toContain('fetch_url');
  });

  it('is all that is not allowed, but for the date, the skills and the way to more; administrators see why', async () => {
    const app = await start();
    const inClub = { accountId: asId<AccountId>('club') };
    app.claude.reply(calls('get_datetime'), calls('notify', { text: 'hi' }), answer('Done.'));
    await app.ask('ann', 'When is it?', inClub);
    const asked = requestsOf(app);
    expect(asked[0]?.tools.filter((name) => name !== 'get_datetime')).toEqual([
      'call_tool',
      'find_tools',
      'get_quote',
      'read_skill',
    ]);
    expect(asked[1]?.last).not.toContain('may not');
    expect(asked[2]?.last).toContain('nothing in its setting tools.allow fits it');
    const [shown = ''] = await app.ask('boss', '/debug policy notify', inClub);
    expect(shown).toContain('The agent "lounge" may not use this tool');
  });

  it('leaves the beginning of a conversation byte by byte the same', async () => {
    const app = await start();
    app.claude.reply(calls('get_quote', { symbols: ['AAPL'] }));
    for (const words of ['Apple?', 'And now?', 'Thanks']) await app.ask('ann', words, AT_DESK);
    const asked = requestsOf(app);
    expect(asked.length).toBe(4);
    expect(new Set(asked.map(({ prefix }) => prefix)).size).toBe(1);
  });
});

describe('a start', () => {
  it.each([
    [
      'a model that nobody knows',
      { desk: { model: 'hiaku' } },
      /agents\.desk\.model: There is no model "hiaku"/,
    ],
    [
      'a fallback that nobody knows',
      { desk: { fallbacks: ['hiaku'] } },
      /agents\.desk\.fallbacks: There is no/,
    ],
  ])('fails on %s, with the setting', async (_what, agents, message) => {
    await expect(start({ agents })).rejects.toThrow(message);
  });

  it('fails on the model of an agent without a key, with the setting', async () => {
    const env = { OPENAI_API_KEY: '', FINCLAW_FALLBACKS: '' };
    const starting = startEngineApp({
      config: { agents: { desk: { model: 'gpt' } } },
      env,
      dataDir: temporaryDir(),
    });
    await expect(starting).rejects.toThrow(/agents\.desk\.model: the model gpt.* needs a key for openai/);
  });
});
