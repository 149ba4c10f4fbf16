import { expect, it } from 'vitest';
import { answer, startEngineApp, until } from '#test/support/engine-app.ts';

// DESIGN 6: "per attempt: idle timeout (30 s without a byte)". `chatCompletion` has no guard: a model with
// `streaming: false` whose server hangs blocks the person until the pipeline's five minutes are over, and nobody
// else is asked.
it('a server that says nothing to a request that is not streamed is given up, and the next model answers', async () => {
  const engine = await startEngineApp({
    config: {
      providers: { openai: { api: 'chat' } },
      models: { definitions: { llama: { provider: 'openai', contextWindow: 32_000, maxOutputTokens: 2_000, streaming: false } } },
    },
    env: { FINCLAW_MODEL: 'llama', FINCLAW_FALLBACKS: 'sonnet' },
  });
  engine.gpt.otherwise({ kind: 'stall' });
  engine.claude.reply(answer('From Claude.'));
  const asked = engine.ask('ann', 'How are the markets?');
  for (let requests = 1; requests <= 2; requests += 1) {
    await until(() => engine.gpt.history.length === requests || engine.claude.history.length > 0);
    // Generous: not 30 but 140 s for each of the two tries.
    await engine.clock.advance(140_000);
  }
  expect(await asked).toEqual(['From Claude.']);
});
