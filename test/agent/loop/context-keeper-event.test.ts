import { expect, it } from 'vitest';
import { ScriptedProvider } from '#test/agent/support.ts';
import { failing, setUpKeeper } from '#test/agent/loop/keeper-support.ts';

it('reports no compaction where the conversation stays as it is because the model is down', async () => {
  const { keep, payloads } = await setUpKeeper({
    said: 26,
    provider: new ScriptedProvider(failing, failing),
  });
  expect(await keep()).toBeUndefined();
  expect(payloads('context:compact')).toEqual([]);
});
