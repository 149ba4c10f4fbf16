import { describe, expect, it } from 'vitest';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { answer, startEngineApp, until, untilRead } from '#test/support/engine-app.ts';

describe('the log at its finest level', () => {
  it('holds no word of messages, answers, tool inputs and file names', async () => {
    const app = await startEngineApp();
    app.claude.reply(
      { kind: 'answer', toolCalls: [{ name: 'search_symbol', input: { query: 'heron industries' } }] },
      answer('Nothing about the heron.'),
      answer('Heron noted.<<SILENT_REPLY>>'),
      answer('No heron in it.'),
    );
    await app.ask('ann', 'Is there a heron stock?');
    await app.ask('ann', 'I keep a heron.');
    const file = { kind: 'file', mimeType: 'text/plain', name: 'my-heron.txt', url: 'inbox/1' } as const;
    await app.ask('ann', 'What does it say?', { media: [file] });
    await app.ask('ann', '/portfolio new heron');
    await app.ask('ann', '/alert heron > 5');
    expect(app.claude.history).toHaveLength(4);
    expect(app.log.length).toBeGreaterThan(20);
    expect(app.log.filter((line) => /heron/i.test(line))).toEqual([]);
  });
});

describe("a provider's error", () => {
  const QUOTES = 'messages.0.content: "heron" is bad';
  const refused: FakeReply = { kind: 'status', status: 400, message: QUOTES };
  const badType: FakeReply = { kind: 'stream-error', type: 'heron' };

  it.each([
    [
      'claude',
      'sonnet',
      refused,
      'anthropic: the request was refused (HTTP 400, invalid_request_error, request',
    ],
    ['gpt', 'gpt', refused, 'openai: the request was refused (HTTP 400, invalid_request_error'],
    [
      'claude',
      'sonnet',
      { kind: 'status', status: 400, message: 'heron: Your credit balance is too low' },
      'anthropic: the account has no credit or quota left (HTTP 400, invalid_request_error, request',
    ],
    [
      'gpt',
      'gpt',
      { kind: 'status', status: 404, type: 'heron', code: 'heron', message: 'heron' },
      'openai: the model does not exist, or this key may not use it (HTTP 404',
    ],
    ['claude', 'sonnet', badType, 'anthropic, in the stream: the provider failed or cannot be reached'],
    ['gpt', 'gpt', badType, 'openai, in the stream: the provider failed or cannot be reached'],
  ] satisfies readonly (readonly ['claude' | 'gpt', string, FakeReply, string])[])(
    'of %s is logged by its class, status and request, without its words',
    async (provider, model, reply, logged) => {
      const app = await startEngineApp({ env: { FINCLAW_MODEL: model, FINCLAW_FALLBACKS: 'none' } });
      app[provider].otherwise(reply);
      const asking = app.ask('ann', 'Is there a heron stock?');
      await until(() => app[provider].history.length > 0);
      await untilRead();
      await app.clock.advance(5_000);
      expect(await asking).toHaveLength(1);
      expect(app.log.join('\n')).toContain(logged);
      expect(app.log.filter((line) => /heron/i.test(line))).toEqual([]);
    },
  );

  it('names no tool that the model made up', async () => {
    const app = await startEngineApp();
    app.claude.reply({ kind: 'answer', toolCalls: [{ name: 'heron', input: {} }] }, answer('ok'));
    expect(await app.ask('ann', 'Hello?')).toEqual(['ok']);
    expect(app.log.join('\n')).toContain('"toolName":"unknown"');
    expect(app.log.filter((line) => /heron/i.test(line))).toEqual([]);
  });
});
