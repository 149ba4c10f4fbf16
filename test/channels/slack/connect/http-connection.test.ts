import { describe, expect, it } from 'vitest';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import { replyTargetOf } from '#src/kernel/chat/message.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { freePort } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import {
  NEVER,
  outbound,
  type SetUpOptions,
  setUpChannel,
  StubHost,
  targetIn,
  threadTarget,
} from '../fixture.ts';

const setUp = async (options: SetUpOptions = {}) => {
  const httpPort = options.httpPort ?? (await freePort());
  return { ...(await setUpChannel({ ...options, httpPort })), httpPort };
};

/** Other processes may be on the same database. */
const others = (onlySends: boolean): ChannelHost['others'] => ({
  onlySends,
  receiveInShards: () => Promise.reject(new Error('Slack has no parts')),
  takeTurn: async () => undefined,
  asNewest: async () => undefined,
  onJoined: () => undefined,
  lostSince: async () => undefined,
});

describe('Slack in HTTP mode', () => {
  it('opens no socket, is connected while it listens, and answers when Slack verifies the address', async () => {
    const { fake, channel } = await setUp();
    expect(channel.isConnected()).toBe(true);
    expect(await fake.verifyUrl()).toBe(true);
    expect(entriesOf(fake.history, 'request').map(({ method }) => method)).toEqual(['auth.test']);
    await channel.stop();
    expect(channel.isConnected()).toBe(false);
    expect(await fake.verifyUrl()).toBe(false);
  });

  it('acknowledges an event when it is stored, not before', async () => {
    const { fake, host } = await setUp();
    const [asked, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
    host.onReceive = () => {
      asked.resolve();
      return stored.promise;
    };
    fake.sayDirect(fake.alice.id, '애플 & 100%?');
    await asked.promise;
    expect(entriesOf(fake.history, 'acked')).toEqual([]);
    stored.resolve(undefined);
    await fake.until(() => entriesOf(fake.history, 'acked').length === 1);
    expect(host.bodies).toEqual(['애플 & 100%?']);
    expect(entriesOf(fake.history, 'delivered')).toHaveLength(1);
  });

  it('lets Slack send again what could not be stored, and keeps it once', async () => {
    const { fake, host, records } = await setUp();
    let failures = 0;
    host.onReceive = () => {
      if (failures++ === 0) throw new Error('the disk is full');
      return undefined;
    };
    fake.sayDirect(fake.alice.id, 'remember me');
    await fake.until(() => entriesOf(fake.history, 'acked').length === 1);
    expect(entriesOf(fake.history, 'delivered').map(({ retryNum }) => retryNum)).toEqual([0, 1]);
    expect(host.bodies).toEqual(['remember me']);
    expect(records()).toContainEqual(expect.objectContaining({ attempt: '1', reason: 'http_error' }));
  });

  it('answers within three seconds although storing takes longer, goes on, and keeps the message once', async () => {
    const clock = new ManualClock();
    const { fake, host } = await setUp({ clock, fake: { clock } });
    const [asked, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
    host.onReceive = () => {
      asked.resolve();
      return stored.promise;
    };
    fake.sayDirect(fake.alice.id, 'slowly');
    await asked.promise;
    await clock.advance(2_500);
    // The answer travels in real time; the next delivery follows at once.
    await expect
      .poll(async () => {
        await clock.advance(0);
        return entriesOf(fake.history, 'delivered').map(({ retryNum }) => retryNum);
      })
      .toEqual([0, 1]);
    stored.resolve(undefined);
    await fake.until(() => fake.pending.length === 0);
    expect(entriesOf(fake.history, 'acked')).toHaveLength(1);
    expect(host.bodies).toEqual(['slowly']);
  });

  it('acknowledges what the gates drop, and events that it does not know', async () => {
    const { fake, host } = await setUp();
    host.onReceive = () => ({ outcome: 'dropped', reason: 'not-here' });
    fake.sayDirect(fake.alice.id, 'unwanted');
    fake.event({ type: 'team_rename', name: 'new' });
    await fake.until(() => entriesOf(fake.history, 'acked').length === 2);
    expect(entriesOf(fake.history, 'unacked')).toEqual([]);
  });

  it('answers slash commands, the unknown ones with the acknowledgement', async () => {
    const { fake, host, channel } = await setUp();
    const handle = fake.command(fake.alice.id, fake.general.id, '/price', '삼성전자 &amp; AAPL');
    await fake.until(() => host.received.length === 1);
    const [message] = host.received;
    expect(handle.ack?.payload).toEqual({ response_type: 'in_channel' });
    expect(message?.body).toBe('/price 삼성전자 & AAPL');
    if (message) await channel.send(outbound(replyTargetOf(message), '70,000'), NEVER);
    expect(handle.answers).toMatchObject([{ via: 'response_url', forWhom: 'everyone', rendered: '70,000' }]);

    const unknown = fake.command(fake.alice.id, fake.general.id, '/weather', 'Seoul');
    await unknown.settled;
    expect(unknown.answers).toMatchObject([{ via: 'ack', rendered: expect.stringContaining('/weather') }]);
  });

  it('runs the command of a pressed button, and shows the outcome of a form in its place', async () => {
    const { fake, host, channel } = await setUp();
    const choices = [{ label: 'Tesla', command: '/price TSLA' }];
    const { messageId } = await channel.send(
      outbound(targetIn(fake.general.id, fake.alice.id), 'Which?', { payload: { choices } }),
      NEVER,
    );
    const press = fake.press(fake.alice.id, { channel: fake.general.id, ts: messageId }, 'finclaw_choice_0');
    expect(await press.settled).toMatchObject({ payload: {} });
    await fake.until(() => host.bodies.includes('/price TSLA'));

    const handle = fake.command(fake.alice.id, fake.general.id, '/keys', 'add openai');
    await fake.until(() => fake.viewOf(handle) !== undefined);
    const view = fake.viewOf(handle);
    if (!view) throw new Error('no view');
    const submitted = fake.submitView(fake.alice.id, view, { key: { value: 'sk-secret' } });
    expect(await submitted.settled).toMatchObject({ payload: { response_action: 'update' } });
    await fake.until(() => JSON.stringify(fake.viewOf(handle)?.view).includes('The key is *saved*.'));
    expect(entriesOf(fake.history, 'offence')).toEqual([]);
  });

  it('finishes what is under way when it stops, leaves the rest to the next process, and loses nothing', async () => {
    const { fake, host, channel, httpPort } = await setUp({
      fake: { redeliverAfterMs: Array(500).fill(20) },
    });
    const [asked, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
    host.onReceive = () => {
      asked.resolve();
      return stored.promise;
    };
    const { eventIds } = fake.sayDirect(fake.alice.id, 'under way');
    await asked.promise;
    const stopping = channel.stop();
    fake.sayDirect(fake.alice.id, 'too late');
    await fake.until(() => entriesOf(fake.history, 'unacked').length > 0);
    stored.resolve(undefined);
    await stopping;
    await fake.until(() => entriesOf(fake.history, 'acked').length === 1);
    expect(entriesOf(fake.history, 'acked')).toMatchObject([{ eventId: eventIds[0] }]);
    expect(host.bodies).toEqual(['under way']);
    const next = await setUp({ on: fake, httpPort });
    await fake.until(() => fake.pending.length === 0);
    expect(next.host.bodies).toEqual(['too late']);
    const deliveries = entriesOf(fake.history, 'delivered').filter(({ eventId }) => eventId === eventIds[0]);
    expect(deliveries).toHaveLength(1);
    await channel.close();
  });

  it('reads at the start what was said while it was away', async () => {
    const host = new StubHost();
    host.seenUntil = systemClock.now();
    const { fake, channel } = await setUp({ isStarted: false, fake: { redeliverAfterMs: [] } });
    fake.sayDirect(fake.alice.id, 'missed');
    await fake.until(() => fake.pending.length === 0);
    host.activeChats = [{ chatId: asId<ChatId>(fake.alice.id), chatType: 'direct' }];
    await channel.start(host);
    fake.sayDirect(fake.alice.id, 'live');
    await fake.until(() => host.received.length === 2);
    expect(host.bodies).toEqual(['missed', 'live']);
  });

  it.each([
    ['relies on what it heard where it is alone', false, 0],
    ['reads the history where other processes may hear a part', true, 1],
  ])('%s', async (_what, hasOthers, reads) => {
    const { fake, channel, host } = await setUp({ isStarted: false });
    if (hasOthers) host.others = others(false);
    await channel.start(host);
    const root = fake.say(fake.general.id, fake.alice.id, 'a thread', { mention: true });
    const next = fake.say(fake.general.id, fake.alice.id, 'and?', { threadTs: root.ts });
    await fake.until(() => fake.pending.length === 0);
    const target = threadTarget(fake.general.id, fake.alice.id, root.ts);
    const earlier = await channel.readHistory?.({ target, before: asId(next.ts), limit: 5 }, NEVER);
    expect(earlier?.map(({ text }) => text)).toEqual(['@finclaw a thread']);
    const asked = entriesOf(fake.history, 'request').filter(({ method }) => method.endsWith('.replies'));
    expect(asked).toHaveLength(reads);
  });

  it('does not listen in a process that only sends', async () => {
    const { fake, channel, host } = await setUp({ isStarted: false });
    host.others = others(true);
    await channel.start(host);
    expect(channel.isConnected()).toBe(true);
    expect(await fake.verifyUrl()).toBe(false);
  });

  it('says in a sentence that the port is in use, and does not start', async () => {
    const { fake, httpPort } = await setUp();
    const second = await setUp({ on: fake, httpPort, isStarted: false });
    await expect(second.channel.start(second.host)).rejects.toMatchObject({
      code: 'PORT_UNUSABLE',
      isOperational: true,
      message: `Port ${httpPort} is already in use. Set SLACK_PORT to a free port.`,
    });
    expect(second.channel.isConnected()).toBe(false);
    expect(await fake.verifyUrl()).toBe(true);
  });
});
