import { expect, it } from 'vitest';
import { requestsTo, startEngineApp } from '#test/support/engine-app.ts';

// With a key, and FINCLAW_MODEL not set, the first model of the default chain should answer; FINCLAW_FALLBACKS says
// only what comes behind it.
it.each(['none', 'gpt'])('FINCLAW_FALLBACKS=%s without FINCLAW_MODEL does not turn a bot with a Claude key into the offline model', async (fallbacks) => {
  const engine = await startEngineApp({ env: { FINCLAW_MODEL: '', FINCLAW_FALLBACKS: fallbacks, OPENAI_API_KEY: '' } });
  const said = await engine.ask('ann', 'How are the markets?');
  expect(requestsTo(engine.claude)).toEqual(['1111 claude-opus-5-5 answer']);
  expect(said).toEqual(['ok']);
});
