import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { temporaryDir } from '#test/support/database.ts';
import { answer, type EngineApp, startEngineApp } from '#test/support/engine-app.ts';

/** A plugin as somebody outside would write it: one tool that moves money. */
const PLUGIN = `
export default {
  name: 'broker',
  setup: ({ registerTool, defineTool, z }) => {
    registerTool(defineTool({
      name: 'buy_stock',
      description: 'Buys a stock',
      group: 'custom',
      isTransactional: true,
      input: z.object({ symbol: z.string(), quantity: z.number() }),
      describe: ({ symbol, quantity }) => 'Buy ' + quantity + ' ' + symbol,
      run: async ({ symbol }) => ({ content: 'bought ' + symbol, isError: false }),
    }));
  },
};
`;

const CONFIG = {
  admins: { users: ['boss', 'chief'] },
  plugins: ['./broker.mjs'],
  tools: {
    rules: [
      { pattern: 'fetch_*', verdict: 'deny', reason: 'no web here' },
      { pattern: 'get_date*', verdict: 'allow' },
      { pattern: 'notify', verdict: 'deny', users: ['test:mallory'] },
      { pattern: 'get_system_info', verdict: 'allow', users: ['boss'] },
      { pattern: 'read_skill', verdict: 'deny', reason: 'not yet' },
      { pattern: 'buy_stock', verdict: 'allow' },
    ],
  },
};

const GROUP: Partial<MsgContext> = { chatType: 'group', chatId: asId<ChatId>('G1'), mentionsBot: true };

const start = (): Promise<EngineApp> => {
  const dataDir = temporaryDir();
  writeFileSync(join(dataDir, 'broker.mjs'), PLUGIN);
  return startEngineApp({ dataDir, config: CONFIG });
};

const calls = (name: string, input: unknown): FakeReply => ({
  kind: 'answer',
  toolCalls: [{ name: 'call_tool', input: { name, input } }],
});

/** The verdicts in the order in which they fell: tool, verdict, stage. */
const verdicts = (log: readonly string[]): readonly string[] =>
  log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'tool:policy:verdict')
    .map(({ name, verdict, stage }) => [name, verdict, stage].join(' '));

const STAGES = [
  { stage: 'global-deny', verdict: 'deny', user: 'ann', tool: 'fetch_url', input: { url: 'https://a.test' } },
  { stage: 'global-allow', verdict: 'allow', user: 'ann', tool: 'get_datetime', input: {} },
  { stage: 'user-deny', verdict: 'deny', user: 'mallory', tool: 'notify', input: { text: 'hi' } },
  { stage: 'user-allow', verdict: 'allow', user: 'boss', tool: 'get_system_info', input: {} },
  {
    stage: 'channel-policy',
    verdict: 'deny',
    user: 'ann',
    tool: 'query_my_data',
    input: { what: 'usage' },
    where: GROUP,
  },
  { stage: 'group-policy', verdict: 'require-approval', user: 'chief', tool: 'get_system_info', input: {} },
  {
    stage: 'tool-policy',
    verdict: 'deny',
    user: 'ann',
    tool: 'read_skill',
    input: { name: 'stock-briefing' },
  },
  {
    stage: 'finance-safety',
    verdict: 'require-approval',
    user: 'boss',
    tool: 'buy_stock',
    input: { symbol: 'AAPL', quantity: 3 },
  },
  { stage: 'default-policy', verdict: 'allow', user: 'ann', tool: 'get_quote', input: { symbols: ['AAPL'] } },
];

describe('the nine stages of the policy', () => {
  it.each(STAGES)(
    '$stage decides on $tool for $user: $verdict',
    async ({ stage, verdict, user, tool, input, where }) => {
      const { claude, ask, log, channel } = await start();
      claude.reply(calls(tool, input), answer('That is all.'));
      const said = await ask(user, 'Please do it', where);
      expect(verdicts(log)).toEqual([`${tool} ${verdict} ${stage}`]);

      const told = JSON.stringify(claude.history[1]?.body.messages ?? []);
      if (verdict === 'require-approval') {
        expect(claude.history).toHaveLength(1);
        expect(said).toEqual([expect.stringMatching(/Shall I do this.*\/approve \w{6}/s)]);
        return;
      }
      expect(said).toEqual([expect.stringContaining('That is all.')]);
      if (verdict === 'deny') expect(told).toContain(`(${stage})`);
      else expect(told).not.toContain('"is_error":true');
      expect(channel.sent).toHaveLength(1);
    },
  );

  it('are shown to an administrator by /debug policy', async () => {
    const { ask } = await start();
    const [report = ''] = await ask('boss', '/debug policy buy_stock');
    expect(report).toContain('finance-safety');
    for (const { stage } of STAGES) expect(report).toContain(stage);
    expect(await ask('ann', '/debug policy buy_stock')).toEqual([expect.stringContaining('administrators')]);
    expect(await ask('boss', '/debug policy buy_stok')).toEqual([expect.stringContaining('buy_stock')]);
  });

  it('ask in words where a channel has no buttons, and a command decides for the asker alone', async () => {
    const { claude, ask, channel } = await start();
    claude.reply(calls('buy_stock', { symbol: 'AAPL', quantity: 3 }), answer('Bought.'));
    const [question = ''] = await ask('boss', 'Buy three Apple', GROUP);
    expect(question).toContain('Buy 3 AAPL');
    const code = /\/approve (\w{6})/.exec(question)?.[1] ?? '';
    expect(await ask('mallory', `/approve ${code}`, GROUP)).toEqual([
      expect.stringContaining('Only the person who asked'),
    ]);
    expect(claude.history).toHaveLength(1);
    expect(await ask('boss', `/approve ${code}`, GROUP)).toEqual([expect.stringContaining('Allowed')]);
    await channel.waitForSent(4);
    expect(channel.texts).toContain('Bought.');
    expect(JSON.stringify(claude.history[1]?.body.messages)).toContain('bought AAPL');
    expect(await ask('boss', `/approve ${code}`, GROUP)).toEqual([
      expect.stringMatching(/no such question|Nothing/),
    ]);
  });

  it('a call that is made again and again is stopped by a question', async () => {
    const { claude, ask, log } = await start();
    claude.otherwise(calls('get_quote', { symbols: ['AAPL'] }));
    const [question = ''] = await ask('ann', 'Apple?');
    expect(question).toContain('again and again');
    expect(claude.history).toHaveLength(5);
    expect(verdicts(log).at(-1)).toBe('get_quote require-approval finance-safety');
  });
});
