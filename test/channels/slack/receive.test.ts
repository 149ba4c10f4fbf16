import { describe, expect, it } from 'vitest';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { setUpChannel, type StubHost } from './fixture.ts';
import { readMessageEvent, toInboundMessage } from '#channels/slack/receive/inbound.ts';
import { instantOf, readMessageFields } from '#channels/slack/wire.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ODD_EVENTS } from './payloads.ts';

describe('what people say on Slack', () => {
  it('is received once, although a mention arrives as two events, and is acknowledged', async () => {
    const { fake, host } = await setUpChannel();
    const said = fake.say(fake.general.id, fake.alice.id, 'PER &lt;15 &amp; 애플?', { mention: true });
    await fake.until(() => entriesOf(fake.history, 'acked').length === 2, { what: 'two acks' });
    expect(host.received).toHaveLength(1);
    expect(host.received[0]).toMatchObject({
      id: said.ts,
      chatId: fake.general.id,
      chatType: 'channel',
      threadId: said.ts,
      senderName: 'alice',
      mentionsBot: true,
      isFromSelf: false,
      groupSubject: 'general',
      guildId: fake.team.id,
      accountId: fake.team.id,
      locale: 'en',
      body: `<@${fake.bot.userId}> PER <15 & 애플?`,
    });
    // Not when it arrived: a process that was suspended would take what it missed for seen.
    expect(host.saw).toContainEqual(instantOf(said.ts));
    expect(host.saw.at(-1)).toEqual(instantOf(said.ts));
  });

  it('belongs to the person in a direct chat, to the thread in a thread, and to the group in a group', async () => {
    const { fake, host } = await setUpChannel();
    const admin = fake.addUser({ name: 'mina', locale: 'ko-KR', isAdmin: true });
    const group = fake.addChannel({ kind: 'mpim', members: [admin.id, fake.bot.userId] });
    fake.sayDirect(admin.id, 'hello');
    const parent = fake.say(fake.general.id, admin.id, 'a thread');
    fake.say(fake.general.id, admin.id, 'its reply', { threadTs: parent.ts });
    fake.say(group.id, admin.id, 'among us', { mention: true, events: 'mention' });
    await fake.until(() => host.received.length === 4);
    const [direct, , reply, among] = host.received;
    expect(direct).toMatchObject({ chatType: 'direct', chatId: admin.id, locale: 'ko', managesGuild: true });
    expect(direct?.threadId).toBeUndefined();
    expect(reply).toMatchObject({ threadId: parent.ts, replyToMessageId: parent.ts });
    expect(reply?.mentionsBot).toBeUndefined();
    expect(among).toMatchObject({ chatType: 'group', chatId: group.id, mentionsBot: true });
  });

  it('belongs to its thread although Slack names only the author of the root', async () => {
    const { fake, host } = await setUpChannel();
    const root = fake.say(fake.general.id, fake.alice.id, 'a thread', { events: 'none' });
    const fields = { thread_ts: undefined };
    fake.say(fake.general.id, fake.alice.id, 'its reply', { threadTs: root.ts, fields });
    await fake.until(() => host.received.length === 1);
    expect(host.received[0]).toMatchObject({ threadId: root.ts, replyToMessageId: root.ts });
  });

  it('is taken in before the next one of its conversation where a process was lost that may have had it', async () => {
    const others: NonNullable<StubHost['others']> = {
      onlySends: false,
      receiveInShards: async () => ({ stop: async () => undefined }),
      takeTurn: async () => undefined,
      asNewest: async () => undefined,
      onJoined: () => undefined,
      lostSince: async () => lost,
    };
    let lost: Temporal.Instant | undefined;
    const { fake, host } = await setUpChannel();
    host.others = others;
    const readings = (): number =>
      entriesOf(fake.history, 'request').filter(({ method }) =>
        /^conversations\.(?:history|replies)$/.test(method),
      ).length;
    const direct = fake.directOf(fake.alice.id).id;
    const root = fake.say(fake.general.id, fake.alice.id, 'a thread', { events: 'none' });
    const places = [
      [direct, {}],
      [fake.general.id, { threadTs: root.ts }],
    ] as const;
    for (const [channel, there] of places) {
      fake.say(channel, fake.alice.id, 'early', { ...there, events: 'none' });
      fake.say(channel, fake.alice.id, 'late', there);
    }
    await fake.until(() => host.received.length === 2);
    expect([host.received.map(({ body }) => body), readings()]).toEqual([['late', 'late'], 0]);

    lost = instantOf(root.ts);
    host.received.length = 0;
    for (const [channel, there] of places) {
      fake.say(channel, fake.alice.id, 'next', there);
      fake.say(channel, fake.alice.id, 'last', there);
    }
    fake.say(fake.general.id, fake.alice.id, 'a thread of its own');
    await fake.until(() => host.received.some(({ body }) => body === 'a thread of its own'));
    await fake.until(() => host.received.filter(({ body }) => body === 'last').length === 2);
    for (const inThread of [false, true])
      expect(
        host.received
          .filter(
            ({ body, threadId }) => body !== 'a thread of its own' && (threadId !== undefined) === inThread,
          )
          .map(({ body }) => body),
      ).toEqual([...(inThread ? ['a thread'] : []), 'early', 'next', 'last']);
    expect(readings()).toBe(2);
  });

  it('is acknowledged only after it is stored, so that Slack sends it again', async () => {
    const { fake, host } = await setUpChannel({ fake: { redeliverAfterMs: [30, 30, 30] } });
    let failures = 0;
    host.onReceive = () => {
      if (failures++ < 3) throw new Error('the disk is full');
      return undefined;
    };
    fake.sayDirect(fake.alice.id, 'remember me');
    await fake.until(() => entriesOf(fake.history, 'acked').length > 0);
    expect(entriesOf(fake.history, 'delivered').map(({ retryNum }) => retryNum)).toEqual([0, 1, 2, 3]);
    expect(host.bodies).toEqual(['remember me']);
  });

  it('keeps its order in a chat, even if the first look-up of a sender is slow', async () => {
    const { fake, host } = await setUpChannel();
    const bob = fake.addUser({ name: 'bob' });
    fake.fail('users.info', { kind: 'slow', delayMs: 120 });
    fake.say(fake.general.id, fake.alice.id, 'first');
    fake.say(fake.general.id, bob.id, 'second');
    await fake.until(() => host.received.length === 2);
    expect(host.bodies).toEqual(['first', 'second']);
  });

  it('is changed and withdrawn by its author, and not by previews or apps', async () => {
    const { fake, host } = await setUpChannel();
    const said = fake.say(fake.general.id, fake.alice.id, 'buy 10');
    fake.unfurl(said, [{ fallback: 'a preview', from_url: 'https://example.com' }]);
    fake.edit(said, 'buy 20');
    const direct = fake.sayDirect(fake.alice.id, 'never mind');
    fake.remove(direct);
    await fake.until(() => host.changes.length === 2);
    const [edited, deleted] = host.changes.toSorted((a, b) => (a.kind < b.kind ? 1 : -1));
    expect(edited).toMatchObject({
      kind: 'edited',
      messageId: said.ts,
      chatId: fake.general.id,
      body: 'buy 20',
    });
    expect(deleted).toMatchObject({ kind: 'deleted', messageId: direct.ts, chatId: fake.alice.id });
  });

  it('names attachments, and their bytes are read with the token, from Slack alone', async () => {
    const { fake, host, channel } = await setUpChannel();
    fake.sayDirect(fake.alice.id, 'look', {
      files: [{ name: 'a.csv', mimetype: 'text/csv', content: 'x,y\n1,2' }],
    });
    await fake.until(() => host.received.length === 1);
    const [file] = host.received[0]?.media ?? [];
    expect(file).toMatchObject({ kind: 'file', name: 'a.csv', mimeType: 'text/csv' });
    const read = (url: string, maxBytes = 100): Promise<Uint8Array> | undefined =>
      file && channel.readMedia?.({ ...file, url, sizeBytes: 1 }, maxBytes, new AbortController().signal);
    expect(Buffer.from((await read(file?.url ?? '')) ?? []).toString()).toBe('x,y\n1,2');
    await expect(read(file?.url ?? '', 6)).rejects.toThrow('it is too large');
    await expect(read('https://evil.example/a.csv')).rejects.toThrow(/not on a host of Slack/);
    const other = await setUpChannel({ on: fake, settings: { botToken: 'xoxb-stranger' }, isStarted: false });
    await expect(file && other.channel.readMedia?.(file, 100, new AbortController().signal)).rejects.toThrow(
      /log in/,
    );
  });
});

const self = {
  teamId: 'T0FINCLAW1',
  teamName: 'T',
  name: 'finclaw',
  userId: 'U0BOT',
  botId: 'B0BOT',
  scopes: [],
};

describe('odd events', () => {
  everyRow(Object.entries(ODD_EVENTS))('%s', (_name, { event, becomes, isFromBot, media, forwarded }) => {
    const read = readMessageEvent(readMessageFields(event));
    if (becomes === 'nothing') {
      expect(read.kind).toBe('ignored');
      return;
    }
    if ('change' in becomes) {
      expect(read).toMatchObject({
        kind: 'changed',
        change: { kind: becomes.change },
        author: 'U2147483697',
      });
      return;
    }
    if (read.kind !== 'said') throw new Error(`it was ${read.kind}`);
    const message = toInboundMessage(read.said, { self, person: undefined, place: undefined });
    expect(message.body).toBe(becomes.body);
    expect(message.forwarded).toEqual(forwarded);
    expect(message.isFromBot).toBe(isFromBot);
    expect(message.isFromSelf).toBe(false);
    expect(message.media?.map(({ kind, url }) => `${kind} ${url}`)).toEqual(media);
  });

  it('are all acknowledged, and none stops what comes after them', async () => {
    const { fake, host } = await setUpChannel();
    for (const { event } of Object.values(ODD_EVENTS)) fake.event({ ...event, channel: fake.general.id });
    fake.event({ type: 'app_home_opened', user: fake.alice.id });
    fake.event({ type: 'something_new' });
    fake.raw({ type: 'events_api', envelope_id: 'x', payload: { event: { type: 'message' } } });
    fake.raw({ type: 'something_else', envelope_id: 'y', payload: {} });
    fake.sayDirect(fake.alice.id, 'still there?');
    await fake.until(() => host.bodies.includes('still there?') && fake.pending.length === 0);
  });
});

describe('/finclaw in a message on Slack', () => {
  it.each([
    ['/finclaw price AAPL', '/price AAPL'],
    ['/FinClaw 시세 삼성전자', '/price 삼성전자'],
    ['/finclaw', '/help'],
    ['/finclaw is Apple cheap?', 'is Apple cheap?'],
    ['why does /finclaw price exist?', 'why does /finclaw price exist?'],
    ['/finclawed', '/finclawed'],
  ])('means what the slash command does: %s', async (typed, body) => {
    const { fake, host } = await setUpChannel();
    fake.sayDirect(fake.alice.id, typed);
    const { ts } = fake.say(fake.general.id, fake.alice.id, 'a thread', { mention: true });
    fake.say(fake.general.id, fake.alice.id, typed, { mention: true, threadTs: ts });
    await fake.until(() => host.received.length === 3);
    expect(host.bodies[0]).toBe(body);
    expect(host.bodies[2]).toBe(`<@${fake.bot.userId}> ${body}`);
  });
});
