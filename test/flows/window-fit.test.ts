import { describe, expect, it } from 'vitest';
import { answer, startEngineApp, startServers, status } from '#test/support/engine-app.ts';

const WINDOW = 8_192;
const LONG = '친절하게 답하세요. '.repeat(360);

const configWith = (more: object = {}) => ({
  providers: { openai: { api: 'chat' } },
  models: {
    definitions: {
      local: { provider: 'openai', contextWindow: WINDOW, maxOutputTokens: 1_024 },
    },
    choices: ['local', 'sonnet'],
  },
  ...more,
});

describe('a model whose window has no room for a conversation', () => {
  it('keeps the bot from starting where it is to answer, of any agent, and says what to change', async () => {
    const servers = await startServers();
    const start = (config: object, model: string) =>
      startEngineApp({ servers, config, env: { FINCLAW_MODEL: model, FINCLAW_FALLBACKS: 'none' } });
    await expect(start(configWith({ agent: { instructions: LONG } }), 'local')).rejects.toThrow(
      /local has no room for a conversation\. Its window has 8,192 tokens: .* are needed\. Choose a model/,
    );
    const agents = { desk: { model: 'local', instructions: LONG } };
    await expect(start(configWith({ agents }), 'sonnet')).rejects.toThrow(
      /local has no room for a conversation for the agent desk\./,
    );
    const agent = { instructions: LONG, maxContextTokens: 8_000 };
    await expect(start(configWith({ agent }), 'sonnet')).rejects.toThrow(/Raise agent\.maxContextTokens/);
    await expect(start({ agent: { maxContextTokens: 5_999 } }, 'sonnet')).rejects.toThrow(
      /agent\.maxContextTokens.*must be at least 6000/,
    );
  });

  it('is skipped as a fallback and cannot be chosen', async () => {
    const app = await startEngineApp({
      config: configWith({ agent: { instructions: LONG } }),
      env: { FINCLAW_MODEL: 'sonnet', FINCLAW_FALLBACKS: 'local' },
    });
    const warnings = app.log.filter((line) => line.includes('it is skipped as a fallback'));
    expect(warnings).toHaveLength(1);
    app.claude.otherwise(status(529));
    expect((await app.ask('ann', 'hello')).join()).not.toBe('');
    expect(app.gpt.history).toEqual([]);
    expect((await app.ask('ann', '/model local')).join()).toBe(
      '**local** reads only 8,192 tokens at once: beside my instructions and tools there is no room for a conversation. Choose another from `/model list`.',
    );
    expect((await app.ask('boss', '/model list')).join()).not.toContain('local');
  });
});

describe('a fallback to a model with a smaller window', () => {
  it('answers from the end of the conversation, and is skipped with a line in the log where one message is too long', async () => {
    const servers = await startServers({ gpt: { contextWindow: WINDOW, countsAnswer: true } });
    const app = await startEngineApp({
      servers,
      config: configWith({ models: { ...configWith().models }, gates: { maxMessageChars: 60_000 } }),
      env: { FINCLAW_MODEL: 'sonnet', FINCLAW_FALLBACKS: 'local' },
    });
    app.claude.otherwise(answer(`Claude: ${'the market moved, '.repeat(200)}`));
    for (let turn = 1; turn <= 8; turn += 1) await app.ask('ann', `Question ${turn}`);
    app.claude.otherwise(status(401));
    app.gpt.otherwise(answer('Local: fine.'));
    expect((await app.ask('ann', 'Question 9')).join()).toContain('Local: fine.');
    const body = app.gpt.history.at(-1)?.body;
    expect(JSON.stringify(body?.messages)).not.toContain('Question 1"');
    expect(JSON.stringify(body?.messages)).toContain('Question 8');
    expect(body?.tools).toHaveLength(5);
    const asked = app.gpt.history.length;
    await app.ask('ann', 'x'.repeat(30_000));
    expect(app.gpt.history).toHaveLength(asked);
    expect(app.log.join('\n')).toContain(
      'local is skipped: the conversation does not fit into its window of 8192',
    );
  });
});
