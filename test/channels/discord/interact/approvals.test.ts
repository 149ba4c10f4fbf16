import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApprovalId, asId } from '#src/kernel/ids.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { approvalTexts } from '#src/kernel/agent/texts/approvals.ts';
import { type MsgContext, replyTargetOf } from '#src/kernel/chat/message.ts';
import type { ApprovalRequest } from '#src/kernel/agent/approvals.ts';
import { newId } from '#src/platform/ids.ts';
import type { FakeChannel, FakeUser, SeenMessage } from '#test/fakes/discord/seen.ts';
import { type Bot, makeBot, only, openBot } from '../fixture.ts';

describe('a question about a tool call, on Discord', () => {
  let bot: Bot & AsyncDisposable;
  let room: FakeChannel;
  let person: FakeUser;
  let approver: string;
  let asked: MsgContext;
  beforeAll(async () => {
    bot = await openBot();
    const guild = bot.fake.addGuild({ name: 'a' });
    room = bot.fake.addChannel(guild, { name: 'stocks' });
    person = bot.fake.addUser({ name: 'kim' });
    bot.fake.addMember(guild, person, { roles: [bot.fake.addRole(guild, { name: 'approver' })] });
    approver = `${guild.id}:approver`;
    bot.fake.say(person, room, `${bot.fake.mention()} buy`);
    asked = only(await bot.received(1));
  });
  afterAll(() => bot[Symbol.asyncDispose]());

  const request = (summary = '`buy 10 AAPL`'): ApprovalRequest => ({
    id: newId<ApprovalId>(),
    toolName: 'buy',
    summary,
    reason: 'It costs money.',
    askedBy: asId(person.id),
    locale: 'en',
    askedAt: Temporal.Now.instant(),
    expiresAt: Temporal.Now.instant().add({ minutes: 10 }),
    isRepeated: false,
  });
  const ask = async (what: ApprovalRequest): Promise<SeenMessage> => {
    const outcome = await bot.channel.requestApproval?.(replyTargetOf(asked), what);
    const shown = bot.fake.messagesIn(room.id).find(({ id }) => id === outcome?.messageId);
    if (!shown) throw new Error('it was not asked');
    return shown;
  };

  it('is asked with buttons, decided by a click, and closed with name and time, also after a restart', async () => {
    const { fake, host, channel } = bot;
    const what = request();
    const question = await ask(what);
    expect(question.content).toContain('buy 10 AAPL');
    expect(question.buttons.map(({ label }) => label)).toEqual(['Approve', 'Deny']);
    const press = fake.press(person, question, `approve:${what.id}`);
    await fake.until(() => host.decisions.length === 1, { what: 'a decision' });
    expect(press.acknowledgedAfterMs).toBeLessThan(3_000);
    expect(host.decisions[0]).toMatchObject({
      id: what.id,
      verdict: 'approved',
      by: { channelId: 'discord', senderId: person.id, senderRoles: expect.arrayContaining([approver]) },
    });
    expect(press.answers).toEqual([]);

    const restarted = makeBot(fake);
    const at = Temporal.Instant.from('2026-11-13T06:30:00Z');
    const closed = { id: what.id, messageId: asId<never>(question.id), request: what, at };
    const close = (one: typeof channel) =>
      one.closeApproval?.(replyTargetOf(asked), {
        ...closed,
        verdict: 'approved',
        decidedBy: asId(person.id),
      });
    await close(restarted.channel);
    await close(channel);
    await restarted.channel.close();
    const now = fake.messagesIn(room.id).find(({ id }) => id === question.id);
    expect(now?.buttons).toEqual([]);
    const line = channelTexts('en').approved({ who: `<@${person.id}>`, when: '<t:1794551400:f>' });
    expect(now?.content).toBe(`${question.content}\n${line}`);
    expect(now?.pinged.users).toEqual([]);
  });

  it('is not asked twice if its message was not recorded, and loses its buttons when it expires', async () => {
    const { fake, channel } = bot;
    const what = request(
      Array.from({ length: 150 }, (_none, line) => `line ${line} of the order`).join('\n'),
    );
    const question = await ask(what);
    const before = fake.messagesIn(room.id).length;
    expect((await ask({ ...what, isRepeated: true })).id).toBe(question.id);
    const lost = request();
    const again = await ask({ ...lost, isRepeated: true });
    expect(again.content, 'it never arrived before').not.toContain('before I was restarted');
    expect(fake.messagesIn(room.id)).toHaveLength(before + 1);

    const end = { verdict: 'expired', at: what.expiresAt } as const;
    for (const each of [what, lost])
      await channel.closeApproval?.(replyTargetOf(asked), { id: each.id, request: each, ...end });
    const left = fake.messagesIn(room.id).filter(({ buttons }) => buttons.length > 0);
    expect(left.map(({ id }) => id)).not.toEqual(expect.arrayContaining([question.id, again.id]));
  });

  it('tells people who may not decide, or decide too late, in private', async () => {
    const { fake, host } = bot;
    const stranger = fake.addUser({ name: 'lee', locale: 'ko' });
    const what = request();
    const question = await ask(what);
    host.outcome = { outcome: 'refused' };
    const told = await fake.press(stranger, question, `deny:${what.id}`).answered();
    expect(told).toMatchObject({
      content: approvalTexts('ko').notYours(),
      ephemeralFor: stranger.id,
    });
    expect(host.decisions.at(-1)).toMatchObject({ verdict: 'denied' });
    host.outcome = { outcome: 'too-late' };
    const late = await fake.press(person, question, `approve:${what.id}`).answered();
    expect(late).toMatchObject({ content: approvalTexts('en').tooLate(), ephemeralFor: person.id });
  });

  it('shows the whole question before the buttons, however long it is', async () => {
    const before = bot.fake.messagesIn(room.id).length;
    const lines = Array.from({ length: 300 }, (_none, line) => `line ${line} of the order`);
    const last = await ask(request(lines.join('\n')));
    const parts = bot.fake.messagesIn(room.id).slice(before);
    const whole = parts.map(({ content }) => content).join('\n');
    expect(lines.every((line) => whole.includes(line))).toBe(true);
    expect(parts.at(-1)?.id).toBe(last.id);
    expect(parts.slice(0, -1).flatMap(({ buttons }) => buttons)).toEqual([]);
  });

  it.each([0, 1])('never splits a surrogate pair (the pairs begin at %i)', async (offset) => {
    const before = bot.fake.messagesIn(room.id).length;
    await ask(request(`${'x'.repeat(offset)}${'😀'.repeat(1_500)}`));
    const parts = bot.fake.messagesIn(room.id).slice(before);
    const whole = parts.map(({ content }) => content);
    expect(parts.length).toBeGreaterThan(1);
    expect(whole.filter((content) => !content.isWellFormed())).toEqual([]);
    expect(whole.join('').match(/😀/gu)).toHaveLength(1_500);
  });

  it('that its chat refuses is asked, decided and closed directly', async () => {
    const { fake, channel, host } = bot;
    host.outcome = { outcome: 'recorded', settled: Promise.resolve() };
    fake.permit(room, { canSend: false });
    const what = request();
    const outcome = await channel.requestApproval?.(replyTargetOf(asked), what);
    fake.permit(room, { canSend: true });
    const question = () =>
      only(fake.messagesIn(fake.directChannel(person).id).filter(({ id }) => id === outcome?.messageId));
    expect(question().content).toMatch(
      new RegExp(`^I cannot ask in <#${room.id}>, so please decide here\\.\\n[^]*buy 10 AAPL`),
    );
    fake.press(person, question(), `approve:${what.id}`);
    await fake.until(() => host.decisions.some(({ id }) => id === what.id));
    const closed = { id: what.id, request: what, verdict: 'expired', at: what.expiresAt } as const;
    const messageId = asId<never>(question().id);
    expect(question().buttons).toHaveLength(2);
    await channel.closeApproval?.(replyTargetOf(asked), { ...closed, messageId });
    expect(question().buttons).toEqual([]);
  });

  it('that nobody can be asked is an error', async () => {
    const { fake, channel } = bot;
    fake.permit(room, { canSend: false });
    fake.refuseDirect(person);
    await expect(channel.requestApproval?.(replyTargetOf(asked), request())).rejects.toMatchObject({
      failure: 'refused',
    });
    fake.permit(room, { canSend: true });
    fake.refuseDirect(person, false);
  });
});
