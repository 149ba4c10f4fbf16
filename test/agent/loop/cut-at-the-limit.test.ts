import { expect, it } from 'vitest';
import { calls, done, says, ScriptedProvider, testTool } from '#test/agent/support.ts';
import { runnerOn, user } from './runner-support.ts';

it('says that the last answer (after the last turn) was cut at its length limit', async () => {
  const provider = new ScriptedProvider(
    [...calls('c1', 'lookup', '{}'), done('tool_use')],
    [...says('What I know is'), done('max_tokens')],
  );
  const { run } = runnerOn({ provider, tools: [testTool('lookup')] });
  await expect(run([user('go')], 1)).resolves.toMatchObject({ status: 'max_turns', isCut: true });
});
