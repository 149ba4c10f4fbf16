import { describe, expect, it } from 'vitest';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { stopTexts } from '#commands/chat/texts.ts';
import { intakeTexts } from '#src/chat/gates/texts.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import { buys, calls, codeIn, startBroker } from '#test/support/broker.ts';
import { answer, startEngineApp, until, withoutErrorId } from '#test/support/engine-app.ts';
import { IN_GROUP, OVERHEARD, settled } from './gateway-support.ts';

const MINUTE_MS = 60_000;
const t = gateTexts('en');
const dropped = (reason: string) => ({ outcome: 'dropped', reason });
const UNHEARD = dropped('not-addressed');
const CODE = /`([A-Z0-9]{8})`/;

describe('in a group, without a mention', () => {
  it.each(['approve', 'deny'])(
    '/%s is heard while a question is open there, and only then',
    async (command) => {
      const { app, journal } = await startBroker();
      app.claude.reply(buys('AAPL'), answer('Settled.'));
      expect(await app.send('ann', `/${command} ABCDEF`, OVERHEARD)).toEqual(UNHEARD);
      const [question] = await app.ask('ann', 'Buy Apple', IN_GROUP);
      const elsewhere = { ...OVERHEARD, chatId: asId<ChatId>('another group') };
      expect(await app.send('ann', `/${command} ${codeIn(question)}`, elsewhere)).toEqual(UNHEARD);
      expect(await app.send('ann', 'Yes, it was a nice evening', OVERHEARD)).toEqual(UNHEARD);
      await settled(await app.send('ann', `/${command} ${codeIn(question)}`, OVERHEARD));
      await until(() => app.channel.texts.includes('Settled.'));
      expect(journal()).toEqual(command === 'approve' ? ['AAPL'] : []);
      expect(await app.send('ann', `/${command} ${codeIn(question)}`, OVERHEARD)).toEqual(UNHEARD);
    },
  );

  it('/stop is heard while an answer is under way, other commands are not', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(calls({ name: 'slow_look', input: {} }));
    expect(await app.send('ann', '/stop', OVERHEARD)).toEqual(UNHEARD);
    const asked = await app.send('ann', 'Look around', IN_GROUP);
    await until(() => journal().length === 1);
    expect(await app.send('ann', '/reset', OVERHEARD)).toEqual(UNHEARD);
    expect(await app.ask('ann', '/stop', OVERHEARD)).toEqual([stopTexts('en').done()]);
    await settled(asked);
    expect(await app.send('ann', '/stop', OVERHEARD)).toEqual(UNHEARD);
  });
});

describe('administrators', () => {
  it('are heard where a list of people does not name them, in a direct chat and in a group', async () => {
    const app = await startEngineApp({ config: { gates: { allow: { users: ['ann'] } } } });
    expect(await app.ask('boss', 'Hello')).toEqual(['ok']);
    expect(await app.ask('boss', 'Hello', IN_GROUP)).toEqual(['ok']);
    expect(await app.send('eve', 'Hello', IN_GROUP)).toMatchObject({ outcome: 'dropped' });
  });
});

describe('pairing', () => {
  it('is open to strangers although lists say who may write in groups', async () => {
    const app = await startEngineApp({
      config: {
        gates: {
          allow: { users: ['test:ann'], roles: ['Members'], guilds: ['99'], channels: ['test:555'] },
          direct: { policy: 'pairing' },
        },
      },
    });
    const [told = ''] = await app.ask('eve', 'Hello');
    expect(told).toBe(t.pairingCode({ code: CODE.exec(told)?.[1] ?? '' }));
    await app.ask('boss', `/pair ${CODE.exec(told)?.[1]}`);
    expect(await app.ask('eve', 'Hello?')).toEqual(['ok']);
  });

  it('tells a code again after a minute, for it may not have arrived', async () => {
    const app = await startEngineApp({ config: { gates: { direct: { policy: 'pairing' } } } });
    app.channel.failNextSends(1);
    await app.send('eve', 'Hello');
    expect(await app.ask('eve', 'Hello?')).toEqual([]);
    await app.clock.advance(MINUTE_MS);
    expect(await app.ask('eve', 'Anybody?')).toEqual([expect.stringMatching(CODE)]);
    expect(app.channel.texts).toHaveLength(1);
  });
});

describe('limits', () => {
  it('of messages a minute end the replies to what is too long', async () => {
    const app = await startEngineApp({
      env: { FINCLAW_RATE_LIMIT: '3' },
      config: { gates: { maxMessageChars: 100 }, pipeline: { privacyNote: false } },
    });
    for (let sent = 0; sent < 8; sent += 1) await app.send('ann', 'x'.repeat(101));
    const tooLong = intakeTexts('en').messageTooLong({ found: '101', limit: '100' });
    expect(app.channel.texts).toEqual([
      tooLong,
      tooLong,
      tooLong,
      expect.stringMatching(/Please wait \d\d seconds/),
    ]);
  });

  it('of money are no higher for who has everything deleted, on this day', async () => {
    const config = { budgets: { perUserUsd: 0.0005 }, pipeline: { privacyNote: false } };
    const app = await startEngineApp({ config });
    const told = async (user: string) => (await app.ask(user, 'How are the markets?')).map(withoutErrorId);
    expect(await told('ann')).toEqual(['ok']);
    const refused = await told('ann');
    expect(refused).not.toEqual(['ok']);
    await app.ask('ann', '/privacy delete --yes');
    expect(await told('ann')).toEqual(refused);
    expect(await told('bob')).toEqual(['ok']);
    await app.clock.advance(24 * 60 * MINUTE_MS);
    expect(await told('ann')).toEqual(['ok']);
  });
});
