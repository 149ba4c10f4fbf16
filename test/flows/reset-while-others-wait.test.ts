import { expect, it } from 'vitest';
import { answer, startEngineApp, until } from '#test/support/engine-app.ts';
import { resetTexts } from '#commands/chat/texts.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { conversationIn, IN_GROUP, lastTurnOf, problemsOf, settled } from '#test/flows/gateway-support.ts';

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

it('a shared conversation is started anew by those who took part or run the server, and by nobody else', async () => {
  const app = await startEngineApp();
  const CHANNEL = { ...IN_GROUP, chatType: 'channel' as const };
  const historyAfter = async (place: Partial<MsgContext>): Promise<readonly string[]> => {
    await app.ask('ann', 'And now?', place);
    return conversationIn(app.claude.history.at(-1)?.body);
  };
  for (const place of [IN_GROUP, CHANNEL]) await app.ask('ann', 'My word is heron.', place);
  await app.ask('bob', 'Mine is egret.', CHANNEL);
  // Idle, and yet somebody else's.
  expect(await app.ask('eve', '/reset', IN_GROUP)).toEqual([resetTexts('en').notTakenPart()]);
  for (const person of ['eve', 'ann'])
    expect(await app.ask(person, '/reset', CHANNEL)).toEqual([resetTexts('en').managersOnly()]);
  for (const place of [IN_GROUP, CHANNEL]) expect(await historyAfter(place)).toContain('My word is heron.');
  const done = [expect.stringContaining('started this conversation over')];
  expect(await app.ask('ann', '/reset', IN_GROUP)).toEqual(done);
  expect(await app.ask('eve', '/reset', { ...CHANNEL, managesGuild: true })).toEqual(done);
  for (const place of [IN_GROUP, CHANNEL]) expect(await historyAfter(place)).toEqual(['And now?']);
  // From here on ann is alone in it.
  expect(await app.ask('ann', '/reset', CHANNEL)).toEqual(done);
});
