import { describe, expect, it } from 'vitest';
import { PASS } from '#src/chat/gates/gate.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { asId, type ThreadId, type UserId } from '#src/kernel/ids.ts';
import { type MsgContext, replyTargetOf } from '#src/kernel/chat/message.ts';
import { directPolicy, mayWriteDirectly } from '#src/chat/gates/direct-policy.ts';
import { createPairings } from '#src/people/store/pairings.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { directMessage, DISCORD, groupMessage, senderNamed } from './support.ts';
import { stripMentions } from '#test/support/markup.ts';

type DirectPolicyDeps = Parameters<typeof directPolicy>[0];

const ADMIN = asId<UserId>('boss');
const AN_HOUR_MS = 60 * 60_000;

const setUp = async (
  policy: DirectPolicyDeps['direct']['policy'],
  direct: { readonly users?: readonly string[] } = {},
) => {
  const { storage } = await sqliteStorage();
  const clock = new ManualClock();
  const pairings = createPairings(storage, clock);
  const gate = directPolicy({
    direct: { policy, users: direct.users ?? [] },
    admins: { users: ['discord:boss'], roles: ['ops'] },
    pairings,
    locale: 'auto',
    stripMentions,
    clock,
  });
  const check = (message: MsgContext = directMessage()) => gate.check(message);
  const codeOf = async (message: MsgContext): Promise<string> => {
    const verdict = await check(message);
    const reply = (verdict.verdict === 'drop' && verdict.reply) || '';
    return /`\/pair ([A-Z2-9]{8})`/.exec(reply)?.[1] ?? `no code in: ${reply}`;
  };
  return { clock, pairings, check, codeOf };
};

describe('direct-policy', () => {
  it.each(['open', 'allowlist', 'pairing'] as const)(
    'lets everybody write in groups, administrators anywhere, and the terminal (%s)',
    async (policy) => {
      const { check, pairings } = await setUp(policy);
      expect(await check(groupMessage())).toEqual(PASS);
      expect(await check(directMessage(senderNamed('boss')))).toEqual(PASS);
      expect(await check(directMessage({ senderRoles: ['ops'] }))).toEqual(PASS);
      expect(await check(inboundMessage())).toEqual(PASS);
      expect(await pairings.pending()).toEqual([]);
    },
  );

  it('lets everybody write where it is open', async () => {
    const { check, pairings } = await setUp('open');
    expect(await check()).toEqual(PASS);
    expect(await pairings.pending()).toEqual([]);
  });

  it.each(['allowlist', 'pairing'] as const)('lets the listed ones write (%s)', async (policy) => {
    const { check } = await setUp(policy, { users: ['mina', 'slack:jun', 'discord:kim'] });
    expect(await check()).toEqual(PASS);
    expect(await check(directMessage(senderNamed('kim')))).toEqual(PASS);
    expect(await check(directMessage(senderNamed('jun')))).toMatchObject({ verdict: 'drop' });
  });

  it('tells whoever is not on the list once an hour, and asks for no code', async () => {
    const { clock, check, pairings } = await setUp('allowlist');
    const drop = { verdict: 'drop', reason: 'direct-not-allowed' };
    const reply = gateTexts('en').directNotAllowed({ id: 'discord:mina' });
    expect(await check()).toEqual({ ...drop, reply });
    expect(await check()).toEqual(drop);
    await clock.advance(AN_HOUR_MS);
    expect(await check()).toEqual({ ...drop, reply });
    expect(await pairings.pending()).toEqual([]);
  });

  it('does not take a pairing for a place on the list', async () => {
    const { check, codeOf, pairings } = await setUp('pairing');
    await pairings.confirm(await codeOf(directMessage()), ADMIN);
    expect(await check()).toEqual(PASS);
    const strict = await setUp('allowlist');
    const code = await strict.pairings.request({
      channelId: DISCORD,
      userId: asId<UserId>('mina'),
      userName: 'Mina',
      target: replyTargetOf(directMessage()),
      locale: 'en',
    });
    await strict.pairings.confirm('code' in code ? code.code : '', ADMIN);
    expect(await strict.pairings.isPaired(DISCORD, asId<UserId>('mina'))).toBe(true);
    expect(await strict.check()).toMatchObject({ reason: 'direct-not-allowed' });
  });
});

describe('pairing', () => {
  const REQUIRED = { verdict: 'drop', reason: 'pairing-required' };

  it('gives a stranger a code once, lets them in when it is confirmed, and out when that is taken back', async () => {
    const { check, pairings } = await setUp('pairing');
    const first = directMessage({ threadId: asId<ThreadId>('t-1'), body: '안녕하세요, 애플 주가 알려줘' });
    const verdict = await check(first);
    const [waiting] = await pairings.pending();
    expect(waiting).toMatchObject({
      channelId: 'discord',
      userId: 'mina',
      userName: 'Mina',
      target: replyTargetOf(first),
      locale: 'ko',
    });
    const code = waiting?.code ?? '';
    expect(verdict).toEqual({ ...REQUIRED, reply: gateTexts('ko').pairingCode({ code }) });

    expect(await check()).toEqual(REQUIRED);
    expect(await pairings.confirm(code, ADMIN)).toMatchObject({ userId: 'mina' });
    expect(await check()).toEqual(PASS);
    expect(await pairings.revoke(DISCORD, asId<UserId>('mina'))).toBe(true);
    expect(await check()).toMatchObject({ ...REQUIRED, reply: expect.any(String) });
  });

  it('repeats the code once a minute while it is good, and gives another one when it is not any more', async () => {
    const { clock, check, codeOf, pairings } = await setUp('pairing');
    const old = await codeOf(directMessage());
    await clock.advance(59_999);
    expect(await check()).toEqual(REQUIRED);
    await clock.advance(1);
    expect(await codeOf(directMessage())).toBe(old);
    expect(await check()).toEqual(REQUIRED);
    await clock.advance(AN_HOUR_MS - 60_000);
    expect(await pairings.confirm(old, ADMIN)).toBeUndefined();
    const code = await codeOf(directMessage());
    expect(code).toMatch(/^[A-Z2-9]{8}$/);
    expect(code).not.toBe(old);
    expect(await pairings.confirm(code, ADMIN)).toMatchObject({ code });
  });

  it('gives a code to everybody, however many strangers wait already', async () => {
    const { codeOf } = await setUp('pairing');
    for (let stranger = 0; stranger < 60; stranger += 1)
      await codeOf(directMessage(senderNamed(`s${stranger}`)));
    expect(await codeOf(directMessage(senderNamed('ann')))).toMatch(/^[A-Z2-9]{8}$/);
  });

  it('tells somebody who was refused so, once an hour, and gives no other code', async () => {
    const { clock, check, codeOf, pairings } = await setUp('pairing');
    await pairings.deny(await codeOf(directMessage()), ADMIN);
    const denied = { verdict: 'drop', reason: 'pairing-denied' };
    expect(await check()).toEqual({ ...denied, reply: gateTexts('en').pairingDenied() });
    expect(await check()).toEqual(denied);
    await clock.advance(AN_HOUR_MS);
    expect(await check()).toEqual({ ...denied, reply: gateTexts('en').pairingDenied() });
  });

  it('lets in at once whom an administrator confirmed while the message was on its way', async () => {
    const { storage } = await sqliteStorage();
    const clock = new ManualClock();
    const pairings = createPairings(storage, clock);
    const gate = directPolicy({
      direct: { policy: 'pairing', users: [] },
      admins: { users: [], roles: [] },
      pairings: {
        isPaired: async (...who) => {
          const isPaired = await pairings.isPaired(...who);
          for (const { code } of await pairings.pending()) await pairings.confirm(code, ADMIN);
          return isPaired;
        },
        request: pairings.request,
      },
      locale: 'auto',
      stripMentions,
      clock,
    });
    expect(await gate.check(directMessage())).toMatchObject(REQUIRED);
    expect(await gate.check(directMessage())).toEqual(PASS);
  });

  it('gives a bot no code', async () => {
    const { check, pairings } = await setUp('pairing');
    const verdict = await check(directMessage({ isFromBot: true }));
    expect(verdict).toMatchObject({ verdict: 'drop', reason: 'direct-not-allowed' });
    expect(await pairings.pending()).toEqual([]);
  });
});

const sender = (id: string) => ({ channelId: DISCORD, senderId: asId<UserId>(id), senderRoles: [] });

describe('who may write directly, for pages without a message', () => {
  it('are those whom the gates would let pass, and nobody is asked for a code', async () => {
    const { pairings } = await setUp('pairing');
    const rules = { admins: { users: ['discord:boss'], roles: [] }, pairings };
    const may = (id: string, policy: 'open' | 'allowlist' | 'pairing', users?: readonly string[]) =>
      mayWriteDirectly(sender(id), {
        ...rules,
        allow: policy === 'open' && users ? { users } : {},
        direct: { policy, users: policy === 'open' ? [] : (users ?? []) },
      });
    expect(await may('kim', 'open')).toBe(true);
    expect(await may('kim', 'open', ['lee'])).toBe(false);
    expect(await may('lee', 'open', ['lee'])).toBe(true);
    expect(await may('boss', 'allowlist')).toBe(true);
    expect(await may('kim', 'allowlist')).toBe(false);
    expect(await may('kim', 'allowlist', ['kim'])).toBe(true);
    expect(await may('kim', 'pairing')).toBe(false);
    expect(await may('kim', 'pairing', ['kim'])).toBe(true);
  });
});
