import { describe, expect, it } from 'vitest';
import { asId, type ApprovalId, type ChatId } from '#src/kernel/ids.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { calls } from '#test/support/broker.ts';
import { answer, type EngineApp, startEngineApp, until } from '#test/support/engine-app.ts';
import { actor } from '#test/support/messages.ts';
import { copyOf, query } from './gateway-support.ts';

const reminds = (text: string) => calls({ name: 'notify', input: { text, inMinutes: 10 } });
const TRADE = { kind: 'buy', symbol: 'AAPL', quantity: '10', price: '190.5', date: '2026-11-12' };

const admitting = (...users: readonly string[]) => ({ config: { gates: { allow: { users } } } });
const SAYS_NO = gateTexts('en').notAllowed({ id: 'test:ann' });

const openQuestionIn = (app: EngineApp): ApprovalId =>
  asId<ApprovalId>(String(query(copyOf(app), 'select id from approvals')[0]?.['id']));

describe('somebody whom the operator has removed', () => {
  it('presses, rates, fills in and completes nothing, and is sent nothing any more', async () => {
    const before = await startEngineApp(admitting('ann', 'bob'));
    for (const name of ['ann', 'bob']) {
      before.claude.reply(reminds(`for ${name}`), answer('I will.'));
      await before.ask(name, 'Remind me in ten minutes.');
    }
    await before.ask('ann', '/watch AAPL');
    before.claude.reply(calls({ name: 'record_transaction', input: TRADE }));
    await before.ask('ann', 'I bought 10 AAPL at 190.5.');
    const id = openQuestionIn(before);
    const { dataDir, clock } = before;
    await before.stop();

    const app = await startEngineApp({ servers: before, clock, dataDir, ...admitting('bob') });
    const { host } = app.channel;
    const asked = app.claude.history.length;
    const [ann, bob] = [actor('ann'), actor('bob')];
    expect(await host.approvals.decide(id, 'approved', ann)).toEqual({
      outcome: 'not-admitted',
      text: SAYS_NO,
    });
    expect(await host.feedback.rate('an-answer', 'up', ann)).toEqual({ outcome: 'failed', text: SAYS_NO });
    expect(await host.forms.submit('keys:add', {}, ann)).toBe(SAYS_NO);
    expect(await host.suggest('watched', '', ann, 5)).toEqual([]);
    expect(await host.suggest('symbol', 'AAPL', ann, 5)).toEqual([]);
    expect(await host.suggest('symbol', 'AAPL', bob, 5)).not.toEqual([]);
    expect(await host.refusalFor(ann)).toBe(SAYS_NO);
    expect(await host.refusalFor(bob)).toBeUndefined();
    expect(app.claude.history).toHaveLength(asked);
    expect(query(copyOf(app), 'select status from approvals')).toEqual([{ status: 'pending' }]);

    await app.clock.advance(600_000);
    await until(() => app.channel.texts.some((text) => text.includes('for bob')));
    await until(() => app.log.some((line) => line.includes('may not use the bot any more')));
    expect(app.channel.texts.filter((text) => text.includes('for ann'))).toEqual([]);
  });
});

describe('the gates before everything that is no message', () => {
  const GUILD = { guildId: 'G1', chatType: 'channel' as const };

  it('ask for the place, the channels and the roles that managers chose', async () => {
    const app = await startEngineApp({
      config: { gates: { allow: { guilds: ['G1'], channels: ['test'] } } },
    });
    const { host } = app.channel;
    const at = (place: object) => host.refusalFor(actor('ann', { ...GUILD, chatId: asId('101'), ...place }));
    expect(await at({})).toBeUndefined();
    expect(await at({ guildId: 'G2' })).toContain('I do not answer here');
    expect(await at({ senderGuildId: 'G2' })).toContain('I do not answer here');
    const boss = { ...GUILD, chatId: asId<ChatId>('101'), mentionsBot: true };
    await app.ask('boss', '/settings channels here', boss);
    await app.ask('boss', '/settings roles add <@&777000>', boss);
    expect(await at({ senderRoles: ['777000'] })).toBeUndefined();
    expect(await at({ chatId: asId('102'), senderRoles: ['777000'] })).toContain('I do not answer here');
    expect(await at({})).toContain('I do not answer here');
  });

  it('limit the pace of presses and of suggestions to each person, and of nobody else', async () => {
    const app = await startEngineApp({ env: { FINCLAW_RATE_LIMIT: '3' } });
    const { host } = app.channel;
    const [ann, bob] = [actor('ann'), actor('bob')];
    const presses = [];
    for (let press = 0; press < 4; press += 1) presses.push(await host.refusalFor(ann));
    expect(presses).toEqual([undefined, undefined, undefined, gateTexts('en').rateLimited({ seconds: 60 })]);
    expect(await host.refusalFor(bob)).toBeUndefined();
    const found = [];
    for (let letter = 0; letter < 31; letter += 1) found.push(await host.suggest('symbol', 'AA', ann, 5));
    expect(found.filter((each) => each.length === 0)).toHaveLength(1);
    await app.clock.advance(60_000);
    expect(await host.refusalFor(ann)).toBeUndefined();
    expect(await host.suggest('symbol', 'AA', ann, 5)).not.toEqual([]);
  });
});
