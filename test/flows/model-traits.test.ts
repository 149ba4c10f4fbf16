import { describe, expect, it } from 'vitest';
import { modelTexts } from '#src/kernel/agent/texts/models.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import type { AnthropicBody } from '#test/fakes/anthropic/body.ts';
import { answer, callsTool, startEngineApp, status } from '#test/support/engine-app.ts';

/** A model of one's own, behind a server that speaks OpenAI's older language. */
const LOCAL = {
  providers: { openai: { api: 'chat' } },
  models: {
    definitions: {
      'llama-4-local': {
        provider: 'openai',
        contextWindow: 32_000,
        maxOutputTokens: 2_000,
        aliases: ['llama'],
      },
    },
  },
};

/** No other model of the provider answers. */
const only = (model: string) => (body: AnthropicBody) =>
  body.model === model ? answer('62.5입니다.') : status(529);

describe('a temperature', () => {
  it('reaches the models that take one, each agent with its own, and no other', async () => {
    const config = {
      ...LOCAL,
      agent: { temperature: 0.3 },
      agents: { desk: { model: 'llama', temperature: 1.2 } },
      bindings: [{ agent: 'desk', channels: ['test:desk'] }],
    };
    const app = await startEngineApp({ config });
    const atDesk = { chatType: 'channel', chatId: asId<ChatId>('desk'), mentionsBot: true } as const;
    await app.ask('ann', 'Hello');
    await app.ask('boss', '/model llama');
    await app.ask('boss', 'Hello');
    await app.ask('ann', 'Hello', atDesk);
    expect(app.claude.history[0]?.body).not.toHaveProperty('temperature');
    expect(app.gpt.history.map(({ body }) => body.temperature)).toEqual([0.3, 1.2]);
    const warnings = app.log.filter((line) => line.includes('takes no temperature'));
    expect(warnings).toEqual([
      expect.stringContaining('agent.temperature: claude-sonnet-5-5 takes no temperature, so none is sent.'),
    ]);
    expect((await app.ask('boss', '/config agent.temperature')).join()).toContain(
      '`agent.temperature` — `0.3`',
    );
  });

  it('reaches GPT-4o, and not the reasoning models of OpenAI, and changes nothing where none is set', async () => {
    const env = { FINCLAW_MODEL: '4o', FINCLAW_FALLBACKS: 'gpt' };
    const set = await startEngineApp({ env, config: { agent: { temperature: 0 } } });
    set.gpt.reply(status(404));
    await set.ask('ann', 'Hello');
    expect(set.gpt.history.map(({ body: { model, temperature } }) => [model, temperature])).toEqual([
      ['gpt-4o', 0],
      ['gpt-6.1-sol', undefined],
    ]);
    const unset = await startEngineApp({ env, servers: set });
    await unset.ask('ann', 'Hello');
    expect(set.gpt.history.at(-1)?.body).not.toHaveProperty('temperature');
  });
});

describe('an answer of a fallback', () => {
  it('says so where it counts worse than the chosen model, also when the step limit ended it, and nowhere else', async () => {
    const app = await startEngineApp({
      env: { FINCLAW_MODEL: 'sonnet', FINCLAW_FALLBACKS: 'gpt,haiku' },
      config: { agent: { maxTurns: 1 }, grounding: { mode: 'off' } },
    });
    app.gpt.otherwise(status(401));
    app.claude.otherwise(only('claude-haiku-5-5'));
    const ko = { model: 'Claude Haiku 5.5', chosen: 'Claude Sonnet 5.5' };
    expect(await app.ask('ann', '125의 절반은?')).toEqual([`62.5입니다.\n\n${modelTexts('ko').standIn(ko)}`]);
    // The note is the bot's: the model does not find it among what it said.
    app.claude.otherwise(only('claude-sonnet-5-5'));
    expect(await app.ask('ann', 'Half of 125?')).toEqual(['62.5입니다.']);
    expect(JSON.stringify(app.claude.history.at(-1)?.body)).not.toContain('Haiku');
    // What was chosen for the conversation counts, not what is configured.
    await app.ask('ann', '/model haiku');
    app.claude.otherwise(only('claude-haiku-5-5'));
    expect(await app.ask('ann', 'Half of 125?')).toEqual(['62.5입니다.']);
    await app.ask('ann', '/model default');
    app.claude.otherwise((body) => {
      if (body.model !== 'claude-haiku-5-5') return status(529);
      return body.tool_choice?.type === 'none' ? answer('Enough.') : callsTool('AAPL');
    });
    expect((await app.ask('ann', 'Half of Apple?')).join()).toContain(modelTexts('en').standIn(ko));
    const [list = ''] = await app.ask('boss', '/모델 목록');
    expect(list).toMatch(/Haiku 5\.5.* · 숫자 계산 보통 · /);
    expect(list).toMatch(/Haiku 4\.5.* · 숫자 계산에 약함 · /);
  });
});
