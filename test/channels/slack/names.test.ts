import { describe, expect, it } from 'vitest';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { EarlierMessage } from '#src/kernel/chat/message.ts';
import type { FakeSlack, Json } from '#test/fakes/slack/api.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { type Clock, systemClock } from '#src/platform/concurrency/clock.ts';
import { holdNext, NEVER, outbound, setUpChannel, type SlackSetUp, targetIn } from './fixture.ts';

const callsOf = ({ history }: FakeSlack, method: string): number =>
  entriesOf(history, 'request').filter((request) => request.method === method).length;

const mentionsOf = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `<@U${String(from + index).padStart(9, '0')}>`).join(' ');

const readBefore = async (
  { fake, host, channel }: SlackSetUp,
  call: string,
): Promise<readonly EarlierMessage[]> => {
  const said = fake.say(fake.general.id, fake.alice.id, call, { mention: true });
  await fake.until(() => host.received.some(({ messageId }) => messageId === said.ts), { what: call });
  const target = targetIn(fake.general.id, fake.alice.id);
  const query = { target, before: asId<MessageId>(said.ts), limit: 20 };
  return (await channel.readHistory?.(query, NEVER)) ?? [];
};

describe('names of those who are mentioned', () => {
  it('are requested at most 20 times per text; the others become someone', async () => {
    const bot = await setUpChannel();
    const { fake } = bot;
    for (let message = 0; message < 20; message += 1)
      fake.say(fake.general.id, fake.alice.id, mentionsOf(1_000 + message * 2_500, 2_500));
    const before = callsOf(fake, 'users.info');
    const earlier = await readBefore(bot, 'ping');
    expect(earlier).toHaveLength(20);
    expect(earlier[0]?.text).toMatch(/^@someone @someone/);
    // Beside who asks.
    expect(callsOf(fake, 'users.info') - before).toBeLessThanOrEqual(21);
    // And not again with the next question: one more in two seconds.
    await readBefore(bot, 'ping again');
    expect(callsOf(fake, 'users.info') - before).toBeLessThanOrEqual(23);
  });

  it('are requested for authors first, and cached ones cost nothing', async () => {
    const bot = await setUpChannel();
    const { fake } = bot;
    const bob = fake.addUser({ name: 'bob', realName: 'Bob' });
    fake.say(fake.general.id, fake.alice.id, mentionsOf(1_000, 100));
    fake.changeChannel(fake.general.id, { members: [...fake.general.members, bob.id] });
    fake.say(fake.general.id, bob.id, `ask <@${fake.alice.id}>`);
    const earlier = await readBefore(bot, 'ping');
    expect(earlier.map(({ authorName }) => authorName)).toEqual([fake.alice.name, 'bob']);
    expect(earlier[1]?.text).toBe(`ask @${fake.alice.name}`);
  });

  it('delay no answer while Slack is slow', async () => {
    const bot = await setUpChannel();
    const { fake, channel } = bot;
    fake.fail('users.info', { kind: 'slow', delayMs: 3_000 }, { times: 1_000 });
    fake.say(fake.general.id, fake.alice.id, mentionsOf(1_000, 200));
    const reading = readBefore(bot, 'ping');
    await fake.until(() => callsOf(fake, 'users.info') > 0);
    const posted = await channel.send(outbound(targetIn(fake.general.id, fake.alice.id), 'an answer'), NEVER);
    expect(posted.messageId).toBeDefined();
    // It was posted before the first name was told.
    const answered = entriesOf(fake.history, 'response').map(({ method }) => method);
    expect(answered.includes('users.info')).toBe(false);
    expect(callsOf(fake, 'users.info')).toBeLessThanOrEqual(4);
    expect(await reading).toHaveLength(1);
  });
});

/** A bot that knows alice and the channel, and whose names can be made old. */
const setUpKnown = async () => {
  let laterMs = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + laterMs };
  const bot = await setUpChannel({ clock });
  const { fake, host } = bot;
  const heard = async (text: string) => {
    const before = host.received.length;
    fake.say(fake.general.id, fake.alice.id, text);
    await fake.until(() => host.received.length > before, { what: text });
    return host.received.at(-1);
  };
  const answered = (method: string): number =>
    entriesOf(fake.history, 'response').filter((response) => response.method === method).length;
  /** An event that the bot has handled. */
  const told = async (event: Json): Promise<void> => {
    const id = fake.event(event);
    await fake.until(() => entriesOf(fake.history, 'acked').some(({ eventId }) => eventId === id));
  };
  return {
    ...bot,
    heard,
    told,
    answered,
    passHalfAnHour: () => {
      laterMs += 31 * 60_000;
    },
    /** Neither the person nor the channel can be looked up until it is released. */
    hold: () => [holdNext(fake, 'users.info'), holdNext(fake, 'conversations.info')],
  };
};

describe('a name on Slack that is half an hour old', () => {
  it('is used at once, and is new with the next message', async () => {
    const { fake, heard, answered, passHalfAnHour, hold } = await setUpKnown();
    const first = await heard('one');
    expect(first).toMatchObject({ senderName: 'alice', groupSubject: 'general' });
    fake.changeUser(fake.alice.id, { name: 'alicia' });
    fake.changeChannel(fake.general.id, { name: 'all-of-us' });
    passHalfAnHour();
    const held = hold();
    expect(await heard('two')).toMatchObject({ senderName: 'alice', groupSubject: 'general' });
    await Promise.all(held.map(({ reached }) => reached()));
    const before = answered('users.info') + answered('conversations.info');
    for (const { release } of held) release();
    await fake.until(() => answered('users.info') + answered('conversations.info') === before + 2);
    expect(await heard('three')).toMatchObject({ senderName: 'alicia', groupSubject: 'all-of-us' });
    expect(callsOf(fake, 'users.info')).toBe(2);
  });

  it('is used in quotations at once, too', async () => {
    const bot = await setUpKnown();
    const { fake, heard, passHalfAnHour, answered } = bot;
    await heard('one');
    for (const call of ['two', 'three']) await readBefore(bot, call);
    passHalfAnHour();
    const before = answered('users.info');
    const held = holdNext(fake, 'users.info');
    const earlier = await readBefore(bot, 'four');
    expect(earlier.map(({ authorName, text }) => `${authorName}: ${text}`)).toEqual([
      'alice: one',
      'alice: @finclaw two',
      'alice: @finclaw three',
    ]);
    await held.reached();
    expect(answered('users.info')).toBe(before);
  });

  it('stays where Slack fails, and is asked for again', async () => {
    const { fake, heard, answered, passHalfAnHour } = await setUpKnown();
    await heard('one');
    passHalfAnHour();
    fake.fail('users.info', { kind: 'status', status: 503 });
    await heard('two');
    await fake.until(() => answered('users.info') === 2);
    expect(await heard('three')).toMatchObject({ senderName: 'alice' });
    passHalfAnHour();
    await heard('four');
    await fake.until(() => answered('users.info') === 3);
  });
});

describe('the rights of a workspace admin', () => {
  it('are not believed when they are half an hour old: Slack is asked first', async () => {
    const { fake, heard, passHalfAnHour } = await setUpKnown();
    fake.changeUser(fake.alice.id, { isAdmin: true });
    expect(await heard('one')).toMatchObject({ managesGuild: true });
    passHalfAnHour();
    expect(await heard('two')).toMatchObject({ managesGuild: true });
    fake.changeUser(fake.alice.id, { isAdmin: false });
    passHalfAnHour();
    const message = await heard('three');
    expect(message?.managesGuild).toBeUndefined();
  });

  it('are missing where Slack does not tell them in time, and the name is not', async () => {
    const { fake, heard, passHalfAnHour } = await setUpKnown();
    fake.changeUser(fake.alice.id, { isAdmin: true });
    await heard('one');
    passHalfAnHour();
    const held = holdNext(fake, 'users.info');
    const message = await heard('two');
    await held.reached();
    expect(message).toMatchObject({ senderName: 'alice' });
    expect(message?.managesGuild).toBeUndefined();
  });
});

describe('an event of Slack about a new name', () => {
  const changed = { real_name: 'Alicia', profile: { display_name: 'alicia' }, tz: 'Asia/Seoul' };

  it('renews it without a request, with the rights that go with it', async () => {
    const { fake, heard, told } = await setUpKnown();
    fake.changeUser(fake.alice.id, { isAdmin: true });
    const first = await heard('one');
    expect(first).toMatchObject({ managesGuild: true });
    const before = callsOf(fake, 'users.info') + callsOf(fake, 'conversations.info');
    await told({
      type: 'user_change',
      user: { id: fake.alice.id, team_id: fake.team.id, is_admin: false, ...changed },
    });
    await told({ type: 'channel_rename', channel: { id: fake.general.id, name: 'all-of-us' } });
    const message = await heard('two');
    expect(message).toMatchObject({
      senderName: 'alicia',
      timeZone: 'Asia/Seoul',
      groupSubject: 'all-of-us',
    });
    expect(message?.managesGuild).toBeUndefined();
    // It does not say the language, which is known.
    expect(message?.locale).toBe(first?.locale);
    await told({ type: 'group_rename', channel: { id: fake.general.id, name: 'few-of-us' } });
    expect(await heard('three')).toMatchObject({ groupSubject: 'few-of-us' });
    expect(callsOf(fake, 'users.info') + callsOf(fake, 'conversations.info')).toBe(before);
  });

  it('about somebody who never wrote is ignored', async () => {
    const { fake, heard, told } = await setUpKnown();
    await told({ type: 'user_change', user: { id: fake.alice.id, ...changed } });
    await told({ type: 'channel_rename', channel: { id: fake.general.id, name: 'all-of-us' } });
    expect(await heard('one')).toMatchObject({ senderName: 'alice', groupSubject: 'general' });
  });
});

it('whether somebody is still in a channel on Slack is asked of the channel', async () => {
  const { fake, channel } = await setUpChannel();
  const { id } = fake.general;
  const { members } = fake.general;
  const ask = () => channel.membership?.(targetIn(id, fake.alice.id), NEVER);
  expect(await ask()).toBe('member');
  fake.fail('conversations.members', { kind: 'status', status: 503 });
  await expect(ask()).rejects.toThrow();
  fake.changeChannel(id, { members: members.filter((user) => user !== fake.alice.id) });
  expect(await ask()).toBe('left');
  // Behind the first page of a large channel.
  const others = Array.from({ length: 1_500 }, (_, index) => `U0${index}`);
  fake.changeChannel(id, {
    members: [...members.filter((user) => user !== fake.alice.id), ...others, fake.alice.id],
  });
  expect(await ask()).toBe('member');
  fake.changeChannel(id, { members: members.filter((user) => user === fake.alice.id) });
  expect(await ask()).toBe('bot-removed');
  fake.changeChannel(id, { members });
  fake.changeUser(fake.alice.id, { isDeleted: true });
  expect(await ask()).toBe('left');
});
