import { describe, expect, it } from 'vitest';
import { asId, type ChatId, type MessageId, type ThreadId } from '#src/kernel/ids.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { NEVER, outbound, setUpChannel, StubHost, targetIn, threadTarget } from '../fixture.ts';

/** What would keep the process from ending. */
const keepingAlive = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name.startsWith('TCP'));

describe('the connection to Slack', () => {
  // The first one: nothing of another test is still about to end.
  it('leaves events unacknowledged after a stop, still sends, and ends completely at close', async () => {
    const before = keepingAlive();
    const fake = await startFakeSlack();
    const { host, channel } = await setUpChannel({ on: fake });
    const stored = Promise.withResolvers<undefined>();
    host.onReceive = () => stored.promise;
    fake.sayDirect(fake.alice.id, 'under way');
    await fake.until(() => entriesOf(fake.history, 'delivered').length === 1);
    await fake.until(() => entriesOf(fake.history, 'response').some(({ method }) => method === 'users.info'));
    const stopping = channel.stop();
    setImmediate(() => stored.resolve(undefined));
    await stopping;
    expect(entriesOf(fake.history, 'acked')).toHaveLength(1);
    fake.sayDirect(fake.alice.id, 'too late');
    await fake.until(() => fake.sockets.open.length === 0);
    await channel.send(outbound(targetIn(fake.alice.id, fake.alice.id, { isDirect: true }), 'bye'), NEVER);
    await channel.close();
    expect(host.bodies).toEqual(['under way']);
    expect(channel.isConnected()).toBe(false);
    await expect(channel.send(outbound(targetIn('C1', 'U1'), 'x'), NEVER)).rejects.toThrow(/closed/);
    await fake.close();
    // Sockets that were closed are gone a few turns of the loop later.
    for (let turn = 0; turn < 2_000 && keepingAlive().length > before.length; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(keepingAlive().length).toBeLessThanOrEqual(before.length);
  });

  it.each([
    ['is cut', 'cut'],
    ['is refreshed by Slack', 'refresh'],
    ['goes deaf', 'deafen'],
  ] as const)('is opened anew when it %s, and nothing is lost or doubled', async (_what, how) => {
    const { fake, host, channel } = await setUpChannel({
      // What a deaf socket swallowed does not come again here: it has to be read.
      fake: { redeliverAfterMs: how === 'deafen' ? [] : [50, 50, 50], pingIntervalMs: 50 },
      settings: { pingTimeoutMs: 90 },
    });
    host.activeChats = [{ chatId: asId<ChatId>(fake.alice.id), chatType: 'direct' }];
    fake.sayDirect(fake.alice.id, 'before');
    await fake.until(() => host.received.length === 1);
    if (how === 'refresh') fake.sockets.disconnect('refresh_requested');
    else fake.sockets[how]();
    fake.sayDirect(fake.alice.id, 'meanwhile');
    await fake.until(() => entriesOf(fake.history, 'connected').length === 2 && host.received.length === 2);
    fake.sayDirect(fake.alice.id, 'after');
    await fake.until(() => host.received.length === 3);
    expect(host.bodies).toEqual(['before', 'meanwhile', 'after']);
    expect(channel.isConnected()).toBe(true);
  });

  it('retries if Slack is unreachable at the start, and catches up on missed messages', async () => {
    const host = new StubHost();
    const fake = await startFakeSlack({ whileDisconnected: 'lose', redeliverAfterMs: [] });
    host.seenUntil = systemClock.now();
    const asked = fake.say(fake.general.id, fake.alice.id, 'known thread');
    host.activeChats = [
      { chatId: asId<ChatId>(fake.general.id), chatType: 'channel', threadId: asId<ThreadId>(asked.ts) },
      { chatId: asId<ChatId>(fake.alice.id), chatType: 'direct' },
    ];
    fake.say(fake.general.id, fake.alice.id, 'in the thread', { threadTs: asked.ts });
    fake.say(fake.general.id, fake.alice.id, 'a new one', { mention: true });
    fake.say(fake.general.id, fake.bot.userId, 'mine');
    fake.sayDirect(fake.alice.id, 'directly');
    fake.fail('auth.test', { kind: 'status', status: 503 });
    const { channel } = await setUpChannel({ on: fake, host, settings: { startWaitMs: 1 } });
    expect(channel.isConnected()).toBe(false);
    await fake.until(() => host.received.length === 4);
    expect(host.bodies.filter((body) => body !== 'directly')).toEqual([
      'known thread',
      'in the thread',
      `<@${fake.bot.userId}> a new one`,
    ]);
    expect(host.bodies).toContain('directly');
    await channel.close();
    await fake.close();
  });

  it('receives live messages after the missed ones of the same chat', async () => {
    const host = new StubHost();
    host.seenUntil = systemClock.now();
    const { fake } = await setUpChannel({
      isStarted: false,
      fake: { whileDisconnected: 'lose', redeliverAfterMs: [] },
    });
    fake.sayDirect(fake.alice.id, 'missed');
    host.activeChats = [{ chatId: asId<ChatId>(fake.alice.id), chatType: 'direct' }];
    fake.fail('conversations.history', { kind: 'slow', delayMs: 100 });
    await setUpChannel({ on: fake, host });
    fake.sayDirect(fake.alice.id, 'live');
    await fake.until(() => host.received.length === 2);
    expect(host.bodies).toEqual(['missed', 'live']);
  });

  it.each([
    ['a missed message could not be stored', 'storing'],
    ['a chat could not be read', 'reading'],
    ['the active chats are not known', 'looking'],
  ])('keeps its place if %s, until a later connection has read everything', async (_, failing) => {
    const host = new StubHost();
    host.seenUntil = systemClock.now();
    const { fake } = await setUpChannel({
      isStarted: false,
      fake: { whileDisconnected: 'lose', redeliverAfterMs: [] },
    });
    fake.sayDirect(fake.alice.id, 'one');
    fake.sayDirect(fake.alice.id, 'two');
    const active = [{ chatId: asId<ChatId>(fake.alice.id), chatType: 'direct' as const }];
    let isFailing = true;
    host.findActiveChats = () =>
      failing === 'looking' && isFailing ? Promise.reject(new Error('no database')) : Promise.resolve(active);
    host.onReceive = ({ body }) => {
      if (failing === 'storing' && isFailing && body === 'one') throw new Error('No disk space');
      return undefined;
    };
    if (failing === 'reading') fake.fail('conversations.history', { kind: 'status', status: 503 });
    const { channel, records } = await setUpChannel({ on: fake, host });
    await expect.poll(() => records().some(({ message }) => /missed message/.test(message))).toBe(true);
    expect(host.holds).toBe(1);
    isFailing = false;
    fake.sockets.cut();
    await expect.poll(() => host.holds).toBe(0);
    expect(host.bodies.toSorted()).toEqual(['one', 'two']);
    await channel.close();
  });

  it('reads no history at the first start', async () => {
    const { fake } = await setUpChannel();
    expect(entriesOf(fake.history, 'request').map(({ method }) => method)).toEqual([
      'auth.test',
      'apps.connections.open',
    ]);
  });

  it('tells the operator what is wrong with a token', async () => {
    const wrongKind = await setUpChannel({ isStarted: false, settings: { botToken: 'xoxp-user' } });
    await expect(wrongKind.channel.start(wrongKind.host)).rejects.toThrow(
      /SLACK_BOT_TOKEN is not a bot token/,
    );
    const { fake } = wrongKind;
    const bad = await setUpChannel({ on: fake, isStarted: false, settings: { botToken: 'xoxb-wrong' } });
    await expect(bad.channel.start(bad.host)).rejects.toThrow(
      /does not accept SLACK_BOT_TOKEN \(invalid_auth\)/,
    );
    fake.sockets.refuse('not_allowed_token_type');
    const app = await setUpChannel({ on: fake, isStarted: false });
    await expect(app.channel.start(app.host)).rejects.toThrow(/SLACK_APP_TOKEN \(not_allowed_token_type\)/);
    fake.sockets.refuse(undefined);
    fake.setScopes(['commands']);
    const scope = await setUpChannel({ on: fake, isStarted: false });
    await expect(scope.channel.start(scope.host)).rejects.toMatchObject({
      isOperational: true,
      message: expect.stringContaining('lacks the scope chat:write'),
    });
  });

  it('reads what was said before, with names, the oldest first', async () => {
    const { fake, channel } = await setUpChannel();
    const bob = fake.addUser({ name: 'bob' });
    fake.say(fake.general.id, bob.id, 'one');
    fake.say(fake.general.id, fake.alice.id, `two <@${bob.id}> &amp; co`);
    fake.say(fake.general.id, bob.id, 'joined', { subtype: 'channel_join' });
    const asked = fake.say(fake.general.id, fake.alice.id, 'q', { mention: true });
    const target = threadTarget(fake.general.id, fake.alice.id, asked.ts);
    await channel.send(outbound(target, 'my answer'), NEVER);
    const next = fake.say(fake.general.id, bob.id, 'and?', { threadTs: asked.ts });
    const read = async (before: string, limit: number) =>
      (await channel.readHistory?.({ target, before: asId(before), limit }, NEVER))?.map(
        ({ authorName, text, isOurs }) => `${isOurs ? 'we' : authorName}: ${text}`,
      );
    expect(await read(asked.ts, 20)).toEqual(['bob: one', 'alice: two @bob & co']);
    expect(await read(next.ts, 1)).toEqual(['we: my answer']);
    expect(await read(next.ts, 5)).toEqual([`alice: @finclaw q`, 'we: my answer']);
    const rootOf = async (threadTs: string) =>
      (await channel.readRoot?.(threadTarget(fake.general.id, fake.alice.id, threadTs), NEVER))?.text;
    expect(await rootOf(asked.ts)).toBe('@finclaw q');
    expect(await rootOf('1.000001')).toBeUndefined();
    // As long as the bot does not know itself, its words would pass for words of others.
    const unknown = await setUpChannel({ on: fake, isStarted: false });
    const query = { target, before: asId<MessageId>(next.ts), limit: 5 };
    await expect(unknown.channel.readHistory?.(query, NEVER)).rejects.toThrow(
      'the id of the bot is not known yet',
    );
  });
});
