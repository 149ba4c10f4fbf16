import { expect, it } from 'vitest';
import { answer, startEngineApp, until } from '#test/support/engine-app.ts';
import { conversationIn, lastTurnOf, problemsOf, settled } from '#test/flows/gateway-support.ts';

it.each([
  ['/reset', 'collect'],
  ['/reset', 'queue'],
  ['/privacy delete --yes', 'collect'],
  ['/privacy delete --yes', 'queue'],
])('%s, mode %s: what waited is answered in the new conversation', async (command, mode) => {
  const app = await startEngineApp({ env: { FINCLAW_QUEUE_MODE: mode, FINCLAW_FALLBACKS: 'none' } });
  app.claude.reply(answer('ok'), { kind: 'stall', answer: { text: 'So far' } });
  app.claude.otherwise((body) => answer(`to: ${lastTurnOf(body).join(' | ')}`));
  await app.ask('ann', 'My secret is heron.');
  const receipts = [await app.send('ann', 'one')];
  await until(() => app.claude.history.length === 2);
  receipts.push(await app.send('ann', 'two'));
  await app.ask('ann', command);
  await settled(...receipts);
  await app.ask('ann', 'three');
  expect(app.claude.history.slice(2).map(({ body }) => conversationIn(body))).toEqual([
    ['two'],
    ['two', 'to: two', 'three'],
  ]);
  expect(problemsOf(app.claude)).toEqual([]);
});
