import { expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import { post, refusalOf, setUpSlack, webClientOf } from './slack/client.ts';
import { entriesOf } from './slack/history.ts';

const textsOf = (messages: readonly { readonly text: string }[]) => messages.map(({ text }) => text);

it('limits one method in one channel and notes who calls before the time is over', async () => {
  const clock = new ManualClock();
  const { fake, client } = await setUpSlack({ clock });
  const other = fake.addChannel();
  const send = (channel: string) => refusalOf(post(client, { channel, text: 'x' }));
  fake.fail('chat.postMessage', { kind: 'rate-limited', retryAfterS: 30 }, { channel: fake.general.id });

  expect(await send(fake.general.id)).toContain('30 seconds');
  expect(await send(other.id)).toBeUndefined();
  await clock.advance(10_000);
  expect(entriesOf(fake.history, 'offence')).toEqual([]);
  expect(await send(fake.general.id)).toContain('20 seconds');
  expect(entriesOf(fake.history, 'offence')).toMatchObject([{ rule: 'called-during-retry-after' }]);
  await clock.advance(20_000);
  expect(await send(fake.general.id)).toBeUndefined();
});

it('lets a burst through, then one message a second and channel', async () => {
  const clock = new ManualClock();
  const { fake, client } = await setUpSlack({ clock, messagesPerSecondPerChannel: 1, messageBurst: 2 });
  const send = async () =>
    (await refusalOf(post(client, { channel: fake.general.id, text: 'x' }))) === undefined;

  expect([await send(), await send(), await send()]).toEqual([true, true, false]);
  await clock.advance(1_000);
  expect([await send(), await send()]).toEqual([true, false]);
});

it('posts and then dies without an answer, or dies before it posts', async () => {
  const { fake, client } = await setUpSlack();
  const send = (text: string) => refusalOf(post(client, { channel: fake.general.id, text }));
  fake.fail('chat.postMessage', { kind: 'dropped-after' });
  fake.fail('chat.postMessage', { kind: 'dropped-before' });

  expect([await send('a'), await send('b'), await send('c')]).toEqual([
    expect.stringContaining('fetch failed'),
    expect.stringContaining('fetch failed'),
    undefined,
  ]);
  expect(textsOf(fake.botMessagesIn(fake.general.id))).toEqual(['a', 'c']);
  expect(entriesOf(fake.history, 'response').map(({ isDropped }) => isDropped)).toEqual([true, true, false]);
});

it('lets a test step in before and after a message is posted', async () => {
  const { fake, client } = await setUpSlack();
  const send = (text: string) => refusalOf(post(client, { channel: fake.general.id, text }));
  for (const name of ['request', 'posted', 'responding'] as const) {
    fake.onMoment((moment) => (moment.name === name ? 'drop' : undefined));
    expect(await send(name)).toContain('fetch failed');
  }
  expect(textsOf(fake.botMessagesIn(fake.general.id))).toEqual(['posted', 'responding']);
});

it('carries the next call out at once and answers late', async () => {
  const clock = new ManualClock();
  const { fake, client } = await setUpSlack({ clock });
  fake.fail('chat.postMessage', { kind: 'late-answer', delayMs: 10_000 });
  let isAnswered = false;
  const posting = client.chat
    .postMessage({ channel: fake.general.id, text: 'hello' })
    .then(() => (isAnswered = true));
  await fake.until(() => fake.botMessagesIn(fake.general.id).length === 1);
  await clock.advance(9_999);
  expect(isAnswered).toBe(false);
  await clock.advance(1);
  await posting;
});

it('answers the next calls with an error of the server, with one of its codes, or late', async () => {
  const clock = new ManualClock();
  const { fake, client } = await setUpSlack({ clock });
  fake.fail('auth.test', { kind: 'status', status: 503 }, { times: 2 });
  fake.fail('auth.test', { kind: 'error', error: 'fatal_error' });
  fake.fail('auth.test', { kind: 'slow', delayMs: 10_000 });
  const ask = () => refusalOf(client.auth.test());

  expect([await ask(), await ask()]).toEqual([
    expect.stringContaining('503'),
    expect.stringContaining('503'),
  ]);
  expect(await ask()).toBe('fatal_error');
  let isDone = false;
  const slow = ask().then(() => (isDone = true));
  await fake.until(() => clock.pendingTimers > 0);
  await clock.advance(9_999);
  expect(isDone).toBe(false);
  await clock.advance(1);
  await slow;
});

it('knows its tokens and says which scope is missing', async () => {
  const { fake, client } = await setUpSlack({ scopes: ['chat:write', 'channels:history'] });
  const direct = fake.directOf(fake.alice.id).id;
  expect((await client.auth.test()).response_metadata).toMatchObject({
    scopes: ['chat:write', 'channels:history'],
  });
  await expect(client.reactions.add({ channel: 'C', timestamp: '1', name: 'x' })).rejects.toMatchObject({
    data: { error: 'missing_scope', needed: 'reactions:write', provided: 'chat:write,channels:history' },
  });
  // One of the scopes is there, but not the one of this kind of channel.
  expect(await refusalOf(client.conversations.history({ channel: direct }))).toBe('missing_scope');

  expect(await refusalOf(webClientOf(fake, 'xoxb-other').auth.test())).toBe('invalid_auth');
  expect(await refusalOf(webClientOf(fake, fake.appToken).auth.test())).toBe('not_allowed_token_type');
  expect(await refusalOf(webClientOf(fake, '').auth.test())).toBe('not_authed');
  fake.breakToken('token_revoked');
  expect(await refusalOf(client.auth.test())).toBe('token_revoked');
});

it('says what is still missing, with the end of the history, when it waited in vain', async () => {
  const { fake } = await setUpSlack();
  fake.say(fake.general.id, fake.alice.id, 'nobody answers me');
  await expect(fake.until(() => false, { timeoutMs: 30, what: 'an answer' })).rejects.toThrow(
    /After 30 ms still missing: an answer[^]*nobody answers me/,
  );
});
