import { describe, expect, it } from 'vitest';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { AnthropicBody } from '#test/fakes/anthropic/body.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { buys, startBroker } from '#test/support/broker.ts';
import { type EngineApp, startEngineApp, startServers } from '#test/support/engine-app.ts';
import { transcriptIn } from './gateway-support.ts';

const WINDOW = 32_768;
const GROUP: Partial<MsgContext> = { chatType: 'group', chatId: asId<ChatId>('G1'), mentionsBot: true };
const BOUGHT = 'I bought 12 shares of NVDA at $182.50 on 2026-03-14.';
const ENV = { FINCLAW_MODEL: 'small', FINCLAW_FALLBACKS: 'none' };

const modelWith = (contextWindow: number): object => ({
  definitions: {
    'small-window': { provider: 'anthropic', contextWindow, maxOutputTokens: 4_096, aliases: ['small'] },
  },
});

const isSummaryRequest = (body: AnthropicBody): boolean =>
  JSON.stringify(body.messages.at(-1)).includes('Sum up');

/** Long answers, and a summary where one is asked for. */
const talkative = (): ((body: AnthropicBody) => FakeReply) => {
  let count = 0;
  return (body) => {
    if (isSummaryRequest(body)) return { kind: 'answer', text: `- ${BOUGHT}` };
    count += 1;
    return { kind: 'answer', text: `Answer ${count}: ${'the market moved a little, '.repeat(130)}` };
  };
};

const talk = async (
  app: EngineApp,
  turns: number,
  where: Partial<MsgContext> = {},
): Promise<readonly string[]> => {
  const unanswered: string[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    const said = await app.ask('ann', `Question ${turn}: ${turn === 3 ? BOUGHT : 'what now?'}`, where);
    if (!said.join().includes('Answer')) unanswered.push(`${turn}: ${said.join()}`);
  }
  return unanswered;
};

describe('a conversation that is summed up', () => {
  it('reads the request for the summary from the cache', async () => {
    const servers = await startServers({ claude: { contextWindow: WINDOW } });
    servers.claude.otherwise(talkative());
    const app = await startEngineApp({ servers, config: { models: modelWith(WINDOW) }, env: ENV });
    expect(await talk(app, 22)).toEqual([]);
    const summary = servers.claude.history.find(({ body }) => isSummaryRequest(body));
    const { input = 0, cacheRead = 0, cacheWrite = 0 } = summary?.usage ?? {};
    expect(cacheRead / (input + cacheRead + cacheWrite)).toBeGreaterThan(0.8);
  });

  it('is shortened also where the window is smaller than the catalog says', async () => {
    const servers = await startServers({ claude: { contextWindow: WINDOW } });
    servers.claude.otherwise(talkative());
    const app = await startEngineApp({ servers, config: { models: modelWith(128_000) }, env: ENV });
    expect(await talk(app, 32)).toEqual([]);
    expect(app.log.filter((line) => line.includes('"context:compact"')).length).toBeGreaterThan(0);
  });

  it('is not cut for a request that no budget allows', async () => {
    const first = await startEngineApp();
    first.claude.otherwise(talkative());
    await talk(first, 28);
    await first.stop();
    const before = transcriptIn(first).length;
    const { claude, gpt, dataDir } = first;
    const asked = claude.history.length;
    const second = await startEngineApp({
      dataDir,
      servers: { claude, gpt },
      config: { models: modelWith(WINDOW) },
      env: { ...ENV, FINCLAW_DAILY_BUDGET_USD: '0.0001' },
    });
    expect((await second.ask('ann', 'One more')).join()).toContain('budget');
    expect(claude.history).toHaveLength(asked);
    expect(transcriptIn({ dataDir }).length).toBeGreaterThanOrEqual(before);
  });

  it('has its summary first, also while the turn that made it waits for a decision', async () => {
    const servers = await startServers({ claude: { contextWindow: WINDOW } });
    const say = talkative();
    const bodies: AnthropicBody[] = [];
    const bought: string[] = [];
    servers.claude.otherwise((body) => {
      if (isSummaryRequest(body)) return say(body);
      bodies.push(body);
      if (bought.length > 0 || !JSON.stringify(body.messages).includes('Summary of the earlier'))
        return say(body);
      bought.push('AAPL');
      return buys('AAPL');
    });
    const { app } = await startBroker({
      servers,
      config: { plugins: ['./broker.mjs'], models: modelWith(WINDOW) },
      env: ENV,
    });
    for (let turn = 1; bought.length === 0 && turn < 60; turn += 1)
      await app.ask('ann', `Question ${turn}: ${turn === 3 ? BOUGHT : 'what now?'}`, GROUP);
    expect(JSON.stringify(bodies.at(-1)?.messages[0])).toContain('Summary of the earlier');
    await app.ask('ben', 'What did Ann buy?', GROUP);
    expect(JSON.stringify(bodies.at(-1)?.messages[0])).toContain('Summary of the earlier');
    expect(JSON.stringify(bodies.at(-1)?.messages)).toContain('NVDA');
  });
});
