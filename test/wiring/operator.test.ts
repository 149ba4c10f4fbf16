import { describe, expect, it } from 'vitest';
import {
  type AgentId,
  type ApprovalId,
  asId,
  type ChannelId,
  type ChatId,
  type InboxId,
  type SessionKey,
  type TurnId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { Operator } from '#src/kernel/operations/operator.ts';
import type { ApprovalRequest, Decider } from '#src/kernel/agent/approvals.ts';
import { notify } from '#src/chat/store/notifications.ts';
import { openSupportShares } from '#src/people/support-shares.ts';
import { openOperatorPorts } from '#src/wiring/operator.ts';
import { newId } from '#src/platform/ids.ts';
import { createLogRing } from '#src/platform/logging/log-ring.ts';
import { createAuditStore } from '#src/people/store/audit.ts';
import { createDeadLetterActions, createDeadLetters } from '#src/chat/store/dead-letters.ts';
import { createInbox } from '#src/chat/store/inbox.ts';
import { openStorage, sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { answer, startEngineApp, startServers, until } from '#test/support/engine-app.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { usageSnapshot } from '#test/support/usage.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { rowsOf } from '../platform/storage/rows-fixture.ts';

const ADMIN: Operator = {
  kind: 'admin',
  person: { channelId: asId<ChannelId>('slack'), userId: asId<UserId>('U9') },
  roles: ['approver'],
};
const TOKEN: Operator = { kind: 'token' };
const SESSION = asId<SessionKey>('agent:main:slack:T1:direct:U1');

const setUp = async () => {
  const { storage } = await sqliteStorage();
  const clock = new ManualClock();
  const resumed: InboxId[] = [];
  const decided: Decider[] = [];
  const mayDecide: ApprovalId[] = [];
  const keyChanges: string[] = [];
  const ring = createLogRing(2);
  const audit = createAuditStore(storage);
  const at = clock.now().toString();
  const entry = (role: 'user' | 'assistant' | 'tool', content: readonly object[]) => ({
    turnId: asId<TurnId>('t'),
    at,
    message: { role, content: content as never },
  });
  const operator = openOperatorPorts(
    { timeZone: 'Asia/Seoul', effective: [] },
    {
      base: { storage, clock },
      people: { stores: { audit }, notifier: { wake: () => undefined }, ownsBot: async () => false },
      turns: {
        deadLetters: createDeadLetters(storage),
        resume: async (id) => void resumed.push(id),
      },
      agent: {
        approvals: {
          pendingFor: async ({ userId }) =>
            mayDecide
              .filter(() => userId === 'U9')
              .map((id) => ({ id, summary: 'Buy 3 AAPL' }) as ApprovalRequest),
          decide: async (_id, _verdict, by) => {
            decided.push(by);
            return { outcome: 'recorded', settled: Promise.resolve() };
          },
        },
        transcripts: {
          loadAll: async () => [
            entry('user', [
              { type: 'text', text: 'How is Apple?' },
              { type: 'text', text: '<context>portfolio: secret</context>' },
            ]),
            entry('assistant', [
              { type: 'tool_use', id: 'c', name: 'get_quote', input: { symbol: 'secret' } },
            ]),
            entry('tool', [{ type: 'tool_result', toolUseId: 'c', content: 'secret' }]),
            entry('assistant', [{ type: 'text', text: 'It is fine.' }]),
          ],
        },
      },
      features: { kind: () => 'live', sources: () => [{ name: 'yahoo quotes', state: 'open' }] },
      engine: {
        usage: {
          limits: { perUserUsd: undefined, perDayUsd: undefined },
          today: async () => ({ total: usageSnapshot(), byModel: [] }),
        },
        keys: {
          list: async () => [],
          setActive: async (id, isActive, before) => {
            await before?.();
            keyChanges.push(`${id} ${isActive}`);
            return 'done';
          },
          pause: async (id, pauseMs, before) => {
            await before?.();
            keyChanges.push(`${id} ${pauseMs}`);
            return 'done';
          },
        },
      },
      status: { current: () => Promise.reject(new Error('not asked')) },
      log: ring.lines,
      refusedPosts: () => [],
    },
  );
  const supportShares = openSupportShares(storage, notify, clock);
  return { supportShares, storage, clock, resumed, decided, mayDecide, keyChanges, ring, audit, ...operator };
};

describe('the data of the operator page', () => {
  it('answers a message again once, and tells nobody else of it', async () => {
    const { storage, actions, reports, resumed } = await setUp();
    const rows = rowsOf(storage);
    const id = asId<InboxId>(
      await rows.inbox({ status: 'failed', message: JSON.stringify(inboundMessage()) }),
    );
    await rows.deadLetters({ inbox_id: id });
    expect((await reports.deadLetters(5)).count).toBe(1);
    expect([await actions.replay(id, ADMIN), await actions.replay(id, TOKEN)]).toEqual(['done', 'gone']);
    expect(resumed).toEqual([id]);
    expect((await createInbox(storage).pending()).map((entry) => entry.id)).toEqual([id]);
  });

  it('shows of a shared conversation what both wrote, and tells the person who read it', async () => {
    const { storage, actions, reports, supportShares, clock, audit } = await setUp();
    await rowsOf(storage).inbox({
      sender_id: 'U9',
      message: JSON.stringify(inboundMessage({ senderName: 'Ann' })),
    });
    const person = { channelId: asId<ChannelId>('slack'), userId: asId<UserId>('U1') };
    const { channelId, accountId, chatId } = inboundMessage();
    const target = { channelId, accountId, chatId, recipientId: person.userId };
    await supportShares.share({ person, sessionKey: SESSION, target, locale: 'en' });
    const [share] = await reports.shares();
    const read = await actions.readShare(share?.id ?? '', ADMIN);
    expect(read?.map(({ from, text }) => `${from}: ${text}`)).toEqual([
      'person: How is Apple?',
      'tool: get_quote',
      'bot: It is fine.',
    ]);
    const { payload } = await storage.db
      .selectFrom('notifications')
      .select('payload')
      .executeTakeFirstOrThrow();
    expect(payload).toContain('Reader: Slack `Ann` (`U9`)');
    expect((await supportShares.current(SESSION))?.readers[0]?.name).toBe('Slack `Ann` (`U9`)');
    expect((await audit.recent(1))[0]).toMatchObject({ action: 'support-read' });
    await clock.advance(24 * 3_600_000);
    expect(await actions.readShare(share?.id ?? '', TOKEN)).toBeUndefined();
  });

  it.each([
    ['en', 'Reader: the person at my terminal.'],
    ['ko', '방금 읽은 사람: 봇 터미널 사용자.'],
  ] as const)(
    'names an operator from the terminal so that others understand it, in %s',
    async (locale, told) => {
      const { storage, actions, reports, supportShares } = await setUp();
      const terminal = { channelId: asId<ChannelId>('console'), userId: asId<UserId>('local') };
      await rowsOf(storage).inbox({
        channel_id: terminal.channelId,
        sender_id: terminal.userId,
        message: JSON.stringify(inboundMessage({ senderName: 'you' })),
      });
      const person = { channelId: asId<ChannelId>('slack'), userId: asId<UserId>('U1') };
      const { channelId, accountId, chatId } = inboundMessage();
      const target = { channelId, accountId, chatId, recipientId: person.userId };
      await supportShares.share({ person, sessionKey: SESSION, target, locale });
      const [share] = await reports.shares();
      await actions.readShare(share?.id ?? '', { kind: 'admin', person: terminal, roles: [] });
      const { payload } = await storage.db
        .selectFrom('notifications')
        .select('payload')
        .executeTakeFirstOrThrow();
      expect(payload).toContain(told);
    },
  );

  it('shows what the operator may decide on with its arguments, and of the others that they wait', async () => {
    const { storage, reports, mayDecide } = await setUp();
    const rows = rowsOf(storage);
    const ask = async () =>
      rows.approvals(await rows.inbox({ status: 'suspended' }), { status: 'pending', decided_at: null });
    const [own, other] = [await ask(), await ask()];
    mayDecide.push(asId<ApprovalId>(own));
    const shownTo = async (by: Operator) =>
      Object.fromEntries((await reports.approvals(by)).map(({ id, summary }) => [id, summary]));
    expect(await shownTo(ADMIN)).toEqual({ [own]: 'Buy 3 AAPL', [other]: undefined });
    expect(await shownTo(TOKEN)).toEqual({ [own]: undefined, [other]: undefined });
  });

  it('records keys before they change, and lets no token decide', async () => {
    const { actions, reports, decided, keyChanges } = await setUp();
    await actions.setKeyActive('key-1', false, TOKEN);
    await actions.restKey('key-1', 5, ADMIN);
    await actions.restKey('key-1', 0, ADMIN);
    expect(keyChanges).toEqual(['key-1 false', 'key-1 300000', 'key-1 0']);
    const id = asId<ApprovalId>(newId());
    expect(await actions.decide(id, 'approve', TOKEN)).toBe('refused');
    expect(await actions.decide(id, 'approve', ADMIN)).toBe('done');
    expect(decided).toEqual([{ ...ADMIN.person, userRoles: ['approver'], isOperator: true }]);
    const recorded = (await reports.audit(9)).map(({ action, person, details }) => [action, person, details]);
    expect(recorded.toReversed()).toEqual([
      ['key-off', 'token', { key: 'key-1' }],
      ['key-rest', expect.stringMatching(/^[0-9a-f]{20}$/), { key: 'key-1', minutes: 5 }],
      ['key-wake', expect.stringMatching(/^[0-9a-f]{20}$/), { key: 'key-1' }],
    ]);
  });

  it('counts plans and verdicts, and keeps the last log lines', async () => {
    const { storage, reports, ring, clock } = await setUp();
    const verdict = { channel_id: 'slack', user_id: 'U1', session_key: SESSION, at: clock.now().toString() };
    for (const [answer_id, model, is] of [
      ['a', 'claude', 'up'],
      ['b', 'claude', 'down'],
      ['c', null, 'up'],
    ] as const)
      await storage.db
        .insertInto('feedback')
        .values({ ...verdict, answer_id, model, provider: model, verdict: is })
        .execute();
    expect(await reports.feedback()).toEqual([
      { model: 'claude', counts: { up: 1, down: 1 } },
      { model: 'unknown', counts: { up: 1, down: 0 } },
    ]);
    expect(await reports.plans()).toEqual([]);
    expect(reports.market().sources).toHaveLength(1);
    for (const text of ['one', 'two', 'three'])
      ring.add({ at: clock.now(), level: 'info', logger: 'test', text });
    expect(reports.log().map(({ text }) => text)).toEqual(['two', 'three']);
  });

  it('shows codes in place of people in log lines about direct conversations', async () => {
    const { storage, reports, ring, clock } = await setUp();
    const person = { channelId: asId<ChannelId>('slack'), userId: asId<UserId>('U1:x') };
    const text =
      'Saved sessionKey=agent:main:slack:T1:direct:U1%3Ax:17.5 chat=agent:main:slack:T1:channel:C7';
    ring.add({ at: clock.now(), level: 'warn', logger: 'test', text });
    expect(reports.log().at(-1)?.text).toBe(
      `Saved sessionKey=agent:main:slack:T1:direct:${storage.codes.person(person)}:17.5 chat=agent:main:slack:T1:channel:C7`,
    );
  });
});

it('a replayed message whose process is killed is answered once by the next one', async () => {
  const dataDir = temporaryDir();
  const storage = await openStorage({ dataDir });
  const id = newId<InboxId>();
  const message = inboundMessage({
    channelId: asId<ChannelId>('test'),
    chatId: asId<ChatId>('ann'),
    senderId: asId<UserId>('ann'),
    body: 'How is Apple?',
  });
  const sessionKey = asId<SessionKey>('agent:main:test:local:direct:ann');
  await createInbox(storage).accept(
    { id, message, match: { agentId: asId<AgentId>('main'), matchedBy: 'default' }, sessionKey },
    message.timestamp,
  );
  await createInbox(storage).settle(id, 'failed', message.timestamp, 'deadbeef');
  await rowsOf(storage).outbox(id, { payload: '{"text":"Sorry","isClosing":true}' });
  await rowsOf(storage).deadLetters({ inbox_id: id });
  expect(await createDeadLetterActions(storage).replay(id, 'token', message.timestamp)).toBe('done');
  await storage.close();
  const servers = await startServers();
  servers.claude.reply(answer('As asked.'));
  const first = await startEngineApp({ dataDir, servers });
  await until(() => first.channel.texts.length > 0);
  expect(first.channel.texts).toEqual(['As asked.']);
  await first.stop();
  const second = await startEngineApp({ dataDir });
  await second.ask('ann', '/queue');
  expect(second.channel.texts).toHaveLength(1);
  expect(second.channel.texts).not.toContain('As asked.');
});
