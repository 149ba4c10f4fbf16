import { describe, expect, it } from 'vitest';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { EarlierMessage } from '#src/kernel/message.ts';
import type { FakeSlack } from '#test/fakes/slack/api.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { NEVER, outbound, setUpChannel, type SlackSetUp, targetIn } from './fixture.ts';

const callsOf = ({ history }: FakeSlack, method: string): number =>
  entriesOf(history, 'request').filter((request) => request.method === method).length;

const mentionsOf = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `<@U${String(from + index).padStart(9, '0')}>`).join(' ');

const readBefore = async (
  { fake, channel }: SlackSetUp,
  call: string,
): Promise<readonly EarlierMessage[]> => {
  const said = fake.say(fake.general.id, fake.alice.id, call, { mention: true });
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
