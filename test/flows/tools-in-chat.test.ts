import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { temporaryDir } from '#test/support/database.ts';
import { answer, type EngineApp, startEngineApp, until } from '#test/support/engine-app.ts';

const calls = (name: string, input: unknown): FakeReply => ({ kind: 'answer', toolCalls: [{ name, input }] });

const lastResult = ({ claude }: EngineApp): string => {
  const blocks = (claude.history.at(-1)?.body.messages ?? []).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content,
  );
  return JSON.stringify(blocks.findLast(({ type }) => type === 'tool_result'));
};

/** Has the model make one call, and gives back what it was told. */
const told = async (app: EngineApp, call: FakeReply, user = 'ann'): Promise<string> => {
  app.claude.reply(call, answer('Done.'));
  await app.ask(user, 'Please');
  return lastResult(app);
};

describe('the tools beside the markets', () => {
  it('are found and called through two that never change', async () => {
    const app = await startEngineApp();
    const found = await told(app, calls('find_tools', { query: 'my usage' }));
    expect(found).toContain('query_my_data');
    expect(found, 'for administrators only').not.toContain('get_system_info');
    expect(await told(app, calls('find_tools', {}), 'boss')).toContain('get_system_info');
    const names = app.claude.history.at(-1)?.body.tools?.map(({ name }) => name);
    expect(names).toEqual(names?.toSorted());
    expect(names).toEqual(
      expect.arrayContaining([
        'call_tool',
        'fetch_url',
        'find_tools',
        'get_datetime',
        'get_quote',
        'notify',
        'read_skill',
      ]),
    );
    expect(names).not.toContain('query_my_data');
  });

  it('give a person their own usage in a direct chat', async () => {
    const app = await startEngineApp();
    await app.ask('ann', 'hello');
    expect(
      await told(app, calls('call_tool', { name: 'query_my_data', input: { what: 'usage' } })),
    ).toContain('USD');
  });

  it('refuse addresses inside the network', async () => {
    const app = await startEngineApp();
    for (const url of [
      'http://127.0.0.1/',
      'http://localhost/',
      'http://169.254.169.254/latest',
      app.claude.url,
    ]) {
      const result = await told(app, calls('fetch_url', { url }));
      expect(result, url).toContain('"is_error":true');
    }
  });

  it('remind a person later, also after a restart', async () => {
    const app = await startEngineApp();
    const result = await told(app, calls('notify', { text: 'Look at NVDA', inMinutes: 30 }));
    expect(result).not.toContain('"is_error":true');
    await app.stop();

    const { claude, gpt, dataDir, clock } = app;
    const second = await startEngineApp({ servers: { claude, gpt }, dataDir, clock });
    await second.clock.advance(29 * 60_000);
    expect(second.channel.texts).toEqual([]);
    await second.clock.advance(60_000);
    await second.channel.waitForSent(1);
    expect(second.channel.texts).toEqual([expect.stringContaining('Look at NVDA')]);
    expect(second.channel.sent[0]?.target).toMatchObject({ chatId: 'ann', recipientId: 'ann' });
  });

  it('do not remind where a person cannot be reached alone', async () => {
    const app = await startEngineApp();
    app.claude.reply(calls('notify', { text: 'Look', inMinutes: 5 }), answer('Done.'));
    await app.ask('ann', 'Remind me', { chatType: 'group', chatId: asId<ChatId>('G1'), mentionsBot: true });
    expect(lastResult(app)).toContain('"is_error":true');
  });
});

describe('a skill', () => {
  it('is named in the prompt and read on demand; one of the data directory is found in the next conversation', async () => {
    const app = await startEngineApp();
    expect(await told(app, calls('read_skill', { name: 'stock-briefing' }))).toContain('get_quote');
    expect(JSON.stringify(app.claude.history[0]?.body.system)).toContain('stock-briefing');

    const folder = join(app.dataDir, 'skills', 'dividend-check');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'SKILL.md'),
      '---\nname: dividend-check\ndescription: Looks at dividends\n---\nStep one.',
    );
    await until(() => app.log.filter((line) => line.includes('"skill:load"')).length > 1);
    await app.ask('ann', 'again');
    expect(JSON.stringify(app.claude.history.at(-1)?.body.system)).not.toContain('dividend-check');
    await app.ask('ann', '/reset');
    await app.ask('ann', 'anew');
    expect(JSON.stringify(app.claude.history.at(-1)?.body.system)).toContain('dividend-check');
    expect(await told(app, calls('read_skill', { name: 'dividend-check' }))).toContain('Step one.');
  });
});

const PLUGIN = `
export default {
  name: 'watcher',
  setup: ({ on, registerTool, defineTool, z }) => {
    on('beforeMessageProcess', ({ body }) => body.includes('ping')
      ? { skip: true, skipReply: 'pong' }
      : { body: body.replace('애플', 'AAPL') });
    on('beforeAgentRun', ({ notes }) => ({ notes: [...notes, 'house rule: be kind'] }));
    on('beforeToolExecute', ({ toolName, input }) => toolName === 'get_quote' ? { input: { symbols: ['MSFT'] } } : undefined);
    on('afterToolExecute', ({ toolName, result }) =>
      toolName === 'shout' ? { result: { ...result, content: result.content + ' card 4242 4242 4242 4242' } } : undefined);
    on('afterAgentRun', () => { throw new Error('this hook is broken'); });
    registerTool(defineTool({
      name: 'shout', description: 'Shouts', group: 'finance',
      input: z.object({ text: z.string() }),
      run: async ({ text }) => ({ content: text.toUpperCase(), isError: false }),
    }));
  },
};
`;

const startWithPlugins = (): Promise<EngineApp> => {
  const dataDir = temporaryDir();
  writeFileSync(join(dataDir, 'watcher.mjs'), PLUGIN);
  writeFileSync(join(dataDir, 'broken.mjs'), 'this is no JavaScript');
  return startEngineApp({
    dataDir,
    config: { plugins: ['./broken.mjs', './missing.mjs', './watcher.mjs'] },
  });
};

const registers = (name: string): string =>
  `registerTool(defineTool({ name: '${name}', description: 'x', group: 'finance', input: z.object({}), run: async () => ({ content: 'x', isError: false }) }));`;

describe('a plugin', () => {
  it('adds tools and hooks; those that cannot be loaded are reported and stop nothing', async () => {
    const app = await startWithPlugins();
    expect(app.log.filter((line) => line.includes('"plugin:error"'))).toHaveLength(2);
    expect(app.log.join()).toContain('missing.mjs');

    expect(await app.ask('ann', 'ping')).toEqual(['pong']);
    expect(app.claude.history).toHaveLength(0);

    expect(await told(app, calls('get_quote', { symbols: ['AAPL'] }))).toContain('Microsoft');
    expect(JSON.stringify(app.claude.history[0]?.body.messages)).toContain('house rule: be kind');
    expect(app.log.join()).toContain('this hook is broken');

    const shouted = await told(app, calls('shout', { text: 'hey' }));
    expect(shouted).toContain('HEY');
    expect(shouted, 'what a hook adds is guarded too').not.toContain('4242 4242');

    await app.ask('ann', '애플 어때?');
    expect(JSON.stringify(app.claude.history.at(-1)?.body.messages)).toContain('AAPL 어때?');
  });

  it('that takes a name of ours leaves nothing behind', async () => {
    const dataDir = temporaryDir();
    const body = `${registers('first')} ${registers('call_tool')}`;
    writeFileSync(
      join(dataDir, 'greedy.mjs'),
      `export default { name: 'greedy', setup: ({ registerTool, defineTool, z }) => { ${body} } };`,
    );
    const app = await startEngineApp({ dataDir, config: { plugins: ['./greedy.mjs'] } });
    await app.ask('ann', 'hello');
    expect(app.claude.history[0]?.body.tools?.map(({ name }) => name)).not.toContain('first');
    expect(app.log.join()).toContain('greedy');
  });
});
