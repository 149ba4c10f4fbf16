import { describe, expect, it } from 'vitest';
import { replyTargetOf } from '#src/kernel/chat/message.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { NEVER, outbound, setUpChannel, type SlackSetUp, targetIn, threadTarget } from '../fixture.ts';

/** Answers the newest message as the pipeline would. */
const answer = async ({ host, channel }: SlackSetUp, text: string, ephemeral = false): Promise<void> => {
  const message = host.received.findLast(({ isFromSelf }) => !isFromSelf);
  if (!message) throw new Error('nothing was received');
  await channel.send(outbound(replyTargetOf(message), text, { payload: { ephemeral } }), NEVER);
};

describe('slash commands', () => {
  it('become the typed text, are acknowledged before any look-up, and answered in their channel', async () => {
    const setUp = await setUpChannel();
    const { fake, host } = setUp;
    fake.fail('users.info', { kind: 'slow', delayMs: 150 });
    const handle = fake.command(fake.alice.id, fake.general.id, '/price', '삼성전자 &amp; AAPL');
    await handle.settled;
    expect(host.received).toEqual([]);
    expect(handle.ack?.payload).toEqual({ response_type: 'in_channel' });
    await fake.until(() => host.received.length === 1);
    expect(host.received[0]).toMatchObject({
      body: '/price 삼성전자 & AAPL',
      chatId: fake.general.id,
      chatType: 'channel',
      mentionsBot: true,
      interaction: { token: handle.responseUrl, isPrivate: false },
    });
    expect(host.received[0]?.threadId).toBeUndefined();
    await answer(setUp, '70,000');
    await answer(setUp, 'only you', true);
    expect(handle.answers).toMatchObject([
      { forWhom: 'everyone', rendered: '70,000' },
      { forWhom: { user: fake.alice.id }, rendered: 'only you' },
    ]);
  });

  it('that are private are answered privately, also through /finclaw and in Korean', async () => {
    const setUp = await setUpChannel();
    const { fake, host } = setUp;
    const handle = fake.command(fake.alice.id, fake.general.id, '/finclaw', '포트폴리오 show');
    await fake.until(() => host.received.length === 1);
    expect(handle.ack?.payload).toEqual({});
    expect(host.received[0]).toMatchObject({ body: '/portfolio show', interaction: { isPrivate: true } });
    await answer(setUp, 'yours');
    expect(handle.answers).toMatchObject([{ forWhom: { user: fake.alice.id }, rendered: 'yours' }]);
  });

  it('that nobody knows are answered, and /finclaw alone asks for help', async () => {
    const { fake, host } = await setUpChannel();
    const unknown = fake.command(fake.alice.id, fake.general.id, '/weather', 'Seoul');
    await unknown.settled;
    expect(unknown.answers[0]?.rendered).toBe(
      'I do not know /weather. Type `/finclaw help` to see what I can do.',
    );
    fake.command(fake.alice.id, fake.general.id, '/finclaw');
    await fake.until(() => host.received.length === 1);
    expect(host.bodies).toEqual(['/help']);
  });

  it.each([
    ['삼성전자 얼마야?', '삼성전자 얼마야?', false],
    ['what is apple doing', 'what is apple doing', false],
    ['how much is 100 usd &amp; why', 'how much is 100 usd & why', false],
    ['pirce AAPL', '/pirce AAPL', true],
    ['/pirce AAPL', '/pirce AAPL', true],
    ['ford', 'ford', false],
    ['pltr today', 'pltr today', false],
    ['help', '/help', false],
    ['help price', '/help price', false],
    ['help me choose a fund', 'help me choose a fund', false],
    ['why', '/why', true],
    ['근거', '/why', true],
    ['why did Apple fall?', 'why did Apple fall?', false],
  ])('/finclaw %s is said as "%s"', async (text, body, isPrivate) => {
    const { fake, host } = await setUpChannel();
    fake.command(fake.alice.id, fake.general.id, '/finclaw', text);
    await fake.until(() => host.received.length === 1);
    expect(host.received[0]).toMatchObject({ body, interaction: { isPrivate } });
  });

  it('dropped without a word or not stored are explained to the caller alone', async () => {
    const { fake, host } = await setUpChannel();
    host.onReceive = ({ body }) => {
      if (body.includes('FAIL')) throw new Error('the disk is full');
      return { outcome: 'dropped', reason: 'not-here' };
    };
    const dropped = fake.command(fake.alice.id, fake.general.id, '/price', 'A');
    const failed = fake.command(fake.alice.id, fake.general.id, '/price', 'FAIL');
    await fake.until(() => dropped.answers.length === 1 && failed.answers.length === 1);
    expect(dropped.answers[0]).toMatchObject({ forWhom: { user: fake.alice.id } });
    expect(dropped.answers[0]?.rendered).toMatch(/I do not answer here/);
    expect(failed.answers[0]?.rendered).toMatch(/send it again/);
  });

  it('belong to the person in a direct chat with the bot, but not in a chat between two people', async () => {
    const setUp = await setUpChannel();
    const { fake, host } = setUp;
    const bob = fake.addUser({ name: 'bob' });
    const own = fake.directOf(bob.id);
    const between = fake.addChannel({ kind: 'im', id: 'D0BETWEEN1', members: [fake.alice.id, bob.id] });
    fake.command(bob.id, own.id, '/portfolio');
    await fake.until(() => host.received.length === 1);
    expect(host.received[0]).toMatchObject({ chatType: 'direct', chatId: bob.id });
    const handle = fake.command(bob.id, between.id, '/price', 'AAPL');
    await fake.until(() => host.received.length === 2);
    expect(host.received[1]).toMatchObject({ chatType: 'group', chatId: between.id });
    await answer(setUp, 'for bob');
    expect(handle.answers).toMatchObject([{ forWhom: { user: bob.id } }]);
  });

  it('whose response_url is used up are answered directly, never in the channel', async () => {
    const setUp = await setUpChannel();
    const { fake, host } = setUp;
    const handle = fake.command(fake.alice.id, fake.general.id, '/price', 'AAPL');
    await fake.until(() => host.received.length === 1);
    const restarted = await setUpChannel({ on: fake, host, isStarted: false });
    for (let use = 1; use <= 5; use += 1) {
      await fetch(handle.responseUrl, { method: 'POST', body: JSON.stringify({ text: `use ${use}` }) });
    }
    await answer(restarted, 'late');
    await answer(restarted, 'late and private', true);
    expect(fake.botMessagesIn(fake.directOf(fake.alice.id).id).map(({ rendered }) => rendered)).toEqual([
      'late',
    ]);
    const shown = fake.botMessagesIn(fake.general.id).filter(({ rendered }) => rendered.startsWith('late'));
    expect(shown).toMatchObject([{ rendered: 'late and private', ephemeralFor: fake.alice.id }]);
  });

  it('are answered once, even if it is unknown whether the answer arrived', async () => {
    const { fake, host, channel } = await setUpChannel();
    fake.command(fake.alice.id, fake.general.id, '/price', 'AAPL');
    await fake.until(() => host.received.length === 1);
    const [asked] = host.received;
    if (!asked) throw new Error('nothing was received');
    const message = outbound(replyTargetOf(asked), '$230');
    fake.onMoment(({ name }) => (name === 'posted' ? 'drop' : undefined));
    const inDoubtSince = asked.timestamp;
    await expect(channel.send(message, NEVER)).rejects.toMatchObject({ failure: 'unreachable' });
    fake.onMoment(undefined);
    await channel.send({ ...message, inDoubtSince }, NEVER);
    expect(fake.botMessagesIn(fake.general.id).map(({ rendered }) => rendered)).toEqual(['$230']);
  });

  it('are all acknowledged in time while storing is slow', async () => {
    const { fake, host } = await setUpChannel();
    const stored = Promise.withResolvers<undefined>();
    host.onReceive = () => stored.promise;
    const handles = Array.from({ length: 30 }, () =>
      fake.command(fake.alice.id, fake.general.id, '/price', 'AAPL'),
    );
    await Promise.all(handles.map(({ settled }) => settled));
    expect(handles.filter(({ isTimedOut }) => isTimedOut)).toEqual([]);
    expect(entriesOf(fake.history, 'offence')).toEqual([]);
    stored.resolve(undefined);
  });
});

describe('forms', () => {
  it('open before anything is stored, and their content never becomes a message', async () => {
    const { fake, host } = await setUpChannel();
    const handle = fake.command(fake.alice.id, fake.general.id, '/keys', 'add openai');
    await fake.until(() => fake.viewOf(handle) !== undefined);
    const view = fake.viewOf(handle);
    if (!view) throw new Error('no view');
    fake.submitView(fake.alice.id, view, { key: { value: 'sk-secret' } });
    const shown = () => JSON.stringify(fake.viewOf(handle)?.view);
    await fake.until(() => shown().includes('saved'));
    expect(shown()).toContain('The key is *saved*.');
    expect(host.submitted).toEqual([
      { formId: 'keys:openai', values: { key: 'sk-secret' }, senderId: fake.alice.id },
    ]);
    expect(host.received).toEqual([]);
  });

  it('that Slack does not open any more are explained', async () => {
    const { fake } = await setUpChannel();
    fake.fail('views.open', { kind: 'error', error: 'expired_trigger_id' });
    const handle = fake.command(fake.alice.id, fake.general.id, '/keys', 'add openai');
    await fake.until(() => handle.answers.length === 1);
    expect(handle.answers[0]?.rendered).toMatch(/too old/);
  });
});

describe('presses', () => {
  it('run their command for whoever clicked, in the thread of the message', async () => {
    const setUp = await setUpChannel();
    const { fake, host, channel } = setUp;
    const bob = fake.addUser({ name: 'bob' });
    const asked = fake.say(fake.general.id, fake.alice.id, 'q', { mention: true });
    const choices = [{ label: 'Tesla', command: '/price TSLA' }];
    const { messageId } = await channel.send(
      outbound(threadTarget(fake.general.id, fake.alice.id, asked.ts), 'Which?', { payload: { choices } }),
      NEVER,
    );
    await fake.until(() => host.received.length === 2);
    const handle = fake.press(bob.id, { channel: fake.general.id, ts: messageId }, 'finclaw_choice_0');
    await fake.until(() => host.received.length === 3);
    expect(host.received[2]).toMatchObject({ body: '/price TSLA', senderId: bob.id, threadId: asked.ts });
    await answer(setUp, '$400');
    expect(handle.answers).toMatchObject([{ forWhom: 'everyone', does: 'post', rendered: '$400' }]);
    expect(fake.messagesIn(fake.general.id, asked.ts).at(-1)?.rendered).toBe('$400');
  });

  it('of unknown buttons are acknowledged', async () => {
    const { fake, host, channel } = await setUpChannel();
    const choices = [{ label: 'Old', command: '/gone' }];
    const { messageId } = await channel.send(
      outbound(targetIn(fake.general.id, fake.alice.id), 'Which?', { payload: { choices } }),
      NEVER,
    );
    const handle = fake.press(fake.alice.id, { channel: fake.general.id, ts: messageId }, 'finclaw_choice_0');
    const shortcut = fake.shortcut(fake.alice.id, 'unknown');
    await fake.until(() => handle.answers.length === 1);
    expect(handle.answers[0]?.rendered).toMatch(/no longer works/);
    expect(await shortcut.settled).toBeDefined();
    expect(host.bodies).toEqual([]);
  });
});
