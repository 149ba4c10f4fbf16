import { describe, expect, it } from 'vitest';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { privacyTexts } from '#src/kernel/people/texts/privacy.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { intakeTexts } from '#src/chat/gates/texts.ts';
import { asId, type ChannelId, type ChatId, type MessageId, type ThreadId } from '#src/kernel/ids.ts';
import { freePort } from '#test/support/database.ts';
import { answer, startEngineApp, until, withoutErrorId } from '#test/support/engine-app.ts';
import { WatchedClock } from '#test/support/watched-clock.ts';
import { IN_GROUP, OVERHEARD, query } from './gateway-support.ts';

const t = gateTexts('en');
const filling = (before: string, length: number): string => before.padEnd(length, 'x');
const MINUTE_MS = 60_000;
const dropped = (reason: string) => ({ outcome: 'dropped', reason });
const refused = (reason: string) => ({ ...dropped(reason), isTold: true });

describe('in a group the bot answers', () => {
  it('who mentions it, and who replies to it, and nobody else', async () => {
    const app = await startEngineApp();
    expect(await app.send('ann', 'How is Apple?', OVERHEARD)).toEqual(dropped('not-addressed'));
    expect(await app.ask('ann', 'How is Apple?', IN_GROUP)).toEqual(['ok']);
    const [sent] = app.channel.sent;
    const reply = { ...OVERHEARD, replyToMessageId: asId<MessageId>(sent?.messageId ?? '') };
    expect(await app.ask('bob', 'And Tesla?', reply)).toEqual(['ok']);
    const elsewhere = { ...reply, chatId: asId<ChatId>('another group') };
    expect(await app.send('bob', 'And Kia?', elsewhere)).toEqual(dropped('not-addressed'));
    const toSomebody = { ...OVERHEARD, replyToMessageId: asId<MessageId>('message of ann') };
    expect(await app.send('bob', 'And Kia?', toSomebody)).toEqual(dropped('not-addressed'));
    expect(app.channel.texts).toEqual(['ok', 'ok']);
    expect(app.claude.history).toHaveLength(2);
  });

  it('everybody in a thread that it takes part in', async () => {
    const app = await startEngineApp();
    const thread = { threadId: asId<ThreadId>('t1') };
    expect(await app.send('bob', 'Hm.', { ...OVERHEARD, ...thread })).toEqual(dropped('not-addressed'));
    await app.ask('ann', 'How is Apple?', { ...IN_GROUP, ...thread });
    expect(await app.ask('bob', 'And Tesla?', { ...OVERHEARD, ...thread })).toEqual(['ok']);
    const other = { ...OVERHEARD, threadId: asId<ThreadId>('t2') };
    expect(await app.send('bob', 'And Kia?', other)).toEqual(dropped('not-addressed'));
  });

  it('for ten minutes whom it asked something, without a mention, and only them', async () => {
    const app = await startEngineApp();
    app.claude.reply(answer('Which market do you mean?<<NEED_INPUT>>'));
    expect(await app.ask('ann', 'Is it open?', IN_GROUP)).toEqual(['Which market do you mean?']);
    expect(await app.send('bob', 'Seoul', OVERHEARD)).toEqual(dropped('not-addressed'));
    expect(await app.ask('ann', 'Seoul', OVERHEARD)).toEqual(['ok']);
    await app.clock.advance(9 * MINUTE_MS);
    expect(await app.ask('ann', 'Seoul!', OVERHEARD)).toEqual(['ok']);
    await app.clock.advance(MINUTE_MS);
    expect(await app.send('ann', 'Seoul?', OVERHEARD)).toEqual(dropped('not-addressed'));
  });

  it('without a mention where the configuration says so', async () => {
    const app = await startEngineApp({ config: { gates: { mention: { freeChats: ['test:group'] } } } });
    expect(await app.ask('ann', 'How is Apple?', OVERHEARD)).toEqual(['ok']);
    const elsewhere = { ...OVERHEARD, chatId: asId<ChatId>('another group') };
    expect(await app.send('ann', 'How is Apple?', elsewhere)).toEqual(dropped('not-addressed'));
  });
});

describe('other bots', () => {
  it('are not heard unless they are named, and those not without end', async () => {
    const app = await startEngineApp({
      config: { gates: { allowBots: ['test:friend'], botLoop: { maxMessages: 2 } } },
    });
    const bot = { ...IN_GROUP, isFromBot: true };
    expect(await app.send('stranger', 'Hello', bot)).toEqual(dropped('bot-not-allowed'));
    expect(await app.ask('friend', 'Hello', bot)).toEqual(['ok']);
    expect(await app.ask('friend', 'Hello', bot)).toEqual(['ok']);
    expect(await app.send('friend', 'Hello', bot)).toEqual(dropped('bot-loop'));
    expect(app.channel.texts).toEqual(['ok', 'ok']);
    await app.clock.advance(MINUTE_MS);
    expect(await app.ask('friend', 'Hello', bot)).toEqual(['ok']);
  });
});

describe('an allow list', () => {
  it('of people and their roles leaves out everybody else, who hears of it once, in a direct chat', async () => {
    const app = await startEngineApp({ config: { gates: { allow: { users: ['ann'], roles: ['member'] } } } });
    expect(await app.ask('ann', 'Hello')).toEqual(['ok']);
    expect(await app.ask('bob', 'Hello', { senderRoles: ['member'] })).toEqual(['ok']);
    expect(await app.ask('eve', 'Hello')).toEqual([t.notAllowed({ id: 'test:eve' })]);
    expect(await app.ask('eve', 'Hello?')).toEqual([]);
    expect(await app.ask('joe', '안녕하세요', IN_GROUP)).toEqual([]);
    expect(await app.ask('joe', '안녕하세요')).toEqual([gateTexts('ko').notAllowed({ id: 'test:joe' })]);
    expect(app.claude.history).toHaveLength(2);
  });

  it('of guilds and channels is about groups', async () => {
    const app = await startEngineApp({
      config: { gates: { allow: { guilds: ['g1'], channels: ['test:group'] } } },
    });
    expect(await app.ask('ann', 'Hello')).toEqual(['ok']);
    expect(await app.ask('ann', 'Hello', { ...IN_GROUP, guildId: 'g1' })).toEqual(['ok']);
    expect(await app.send('ann', 'Hello', { ...IN_GROUP, guildId: 'g2' })).toEqual(
      dropped('guild-not-allowed'),
    );
    const elsewhere = { ...IN_GROUP, guildId: 'g1', chatId: asId<ChatId>('another group') };
    expect(await app.send('ann', 'Hello', elsewhere)).toEqual(dropped('channel-not-allowed'));
  });
});

describe('pairing', () => {
  const config = { gates: { direct: { policy: 'pairing' } } };

  it('goes from the code by an administrator to the first answer, over a restart', async () => {
    const app = await startEngineApp({ config });
    const [told = ''] = await app.ask('ann', '안녕하세요', { senderName: 'Ann' });
    const code = /`([A-Z0-9]{8})`/.exec(told)?.[1] ?? '';
    expect(told).toBe(gateTexts('ko').pairingCode({ code }));
    expect(await app.ask('ann', '여보세요?')).toEqual([]);
    const [waiting] = await app.ask('boss', '/pair');
    expect(waiting).toContain(t.pair.entry({ code, name: '`Ann`', id: 'test:ann', minutes: 60 }));
    expect(await app.ask('boss', '/pair WRONGONE')).toEqual([t.pair.unknown({ code: 'WRONGONE' })]);
    expect(app.claude.history).toHaveLength(0);

    expect(await app.ask('boss', `/pair ${code.toLowerCase()}`)).toEqual([
      t.pair.done({ name: '`Ann`', id: 'test:ann' }),
    ]);
    await app.channel.waitForSent(5);
    const welcome = app.channel.sent.find(({ payload }) => payload.text === gateTexts('ko').pair.welcome());
    expect(welcome?.target).toMatchObject({ chatId: 'ann', recipientId: 'ann' });
    expect(await app.ask('ann', '이제 되나요?')).toEqual(['ok']);
    await app.stop();

    const next = await startEngineApp({ config, dataDir: app.dataDir, servers: app });
    expect(await next.ask('ann', 'Still there?')).toEqual(['ok']);
    expect(await next.ask('boss', '/pair revoke test:ann')).toEqual([t.pair.revoked({ id: 'test:ann' })]);
    expect(await next.send('ann', 'Still there?')).toEqual(refused('pairing-required'));
  });

  it('is declined by an administrator, and the person is told', async () => {
    const app = await startEngineApp({ config });
    const [told = ''] = await app.ask('eve', 'Hello', { senderName: '[Eve](https://evil.example)' });
    const code = /`([A-Z0-9]{8})`/.exec(told)?.[1] ?? '';
    const [declined = ''] = await app.ask('boss', `/pair deny ${code}`);
    expect(declined).toMatch(/^The request of `[^`]*Eve[^`]*` \(`test:eve`\) is declined/);
    await until(() => app.channel.texts.includes(t.pairingDenied()));
    expect(await app.send('eve', 'Hello?')).toMatchObject({ reason: 'pairing-denied' });
    expect(await app.ask('boss', '/pair')).toEqual([t.pair.nobody()]);
    expect((await app.ask('boss', '/debug audit')).join()).toContain(
      privacyTexts('en').audit.actions['pair-deny'],
    );
  });

  it('is not for those who are not asked for it: administrators, listed people, groups', async () => {
    const app = await startEngineApp({
      config: { gates: { direct: { policy: 'pairing', users: ['ann'] } } },
    });
    expect(await app.ask('boss', 'Hello')).toEqual(['ok']);
    expect(await app.ask('ann', 'Hello')).toEqual(['ok']);
    expect(await app.ask('eve', 'Hello', IN_GROUP)).toEqual(['ok']);
    expect(await app.ask('eve', '/pair ABCDEFGH', IN_GROUP)).toEqual([
      commandTexts('en').missingRole({ name: 'pair' }),
    ]);
    expect(await app.send('eve', '/help')).toEqual(refused('pairing-required'));
  });
});

describe('limits', () => {
  it('of messages a minute leave administrators alone, and one hears when to go on', async () => {
    const app = await startEngineApp({ env: { FINCLAW_RATE_LIMIT: '2' } });
    for (const body of ['one', 'two', 'three']) expect(await app.ask('boss', body)).toEqual(['ok']);
    await app.ask('ann', 'one');
    await app.ask('ann', '/help');
    expect(await app.ask('ann', 'three')).toEqual([expect.stringMatching(/Please wait \d\d seconds/)]);
    expect(await app.ask('ann', 'four', IN_GROUP)).toEqual([]);
    expect(await app.ask('bob', 'one')).toEqual(['ok']);
    await app.stop();
    // A restart does not forget.
    const next = await startEngineApp({
      env: { FINCLAW_RATE_LIMIT: '2' },
      dataDir: app.dataDir,
      servers: app,
      clock: app.clock,
    });
    expect(await next.send('ann', 'five')).toEqual(refused('rate-limited'));
  });

  it('of money stop questions with one sentence, while commands still work', async () => {
    const app = await startEngineApp({ env: { FINCLAW_DAILY_BUDGET_USD: '0.0005' } });
    expect(await app.ask('ann', 'How are the markets?')).toEqual(['ok']);
    const spent = { zone: 'Asia/Seoul', errorId: '…' };
    const told = async (user: string, body: string) => (await app.ask(user, body)).map(withoutErrorId);
    expect(await told('ann', 'And in Asia?')).toEqual([t.budgetTotal(spent)]);
    expect(await told('ann', 'And in Europe?')).toEqual([t.budgetTotal(spent)]);
    expect(await told('bob', '시장 어때요?')).toEqual([gateTexts('ko').budgetTotal(spent)]);
    expect(await app.ask('ann', '/price AAPL')).toEqual([expect.stringContaining('**Apple (AAPL)** $')]);
    expect(app.claude.history).toHaveLength(1);
  });

  it('of market hours keep questions back until a market opens', async () => {
    // A Saturday afternoon in Seoul.
    const app = await startEngineApp({
      config: { pipeline: { respectMarketHours: true, markets: ['KRX'], privacyNote: false } },
      clock: new WatchedClock('2026-11-14T06:30:00Z'),
    });
    const [told] = await app.ask('ann', 'How is Samsung?');
    expect(told).toContain('Next to open: KRX, Mon 2026-11-16 09:00 KST');
    expect(await app.ask('ann', 'Really?')).toEqual([]);
    expect(await app.ask('ann', '/price 삼성전자')).toEqual([expect.stringContaining('005930')]);
    await app.clock.advance(42 * 60 * MINUTE_MS);
    expect(await app.ask('ann', 'And now?')).toEqual(['ok']);
  });
});

describe('a command that is longer than it can need', () => {
  it('is refused in a sentence and not stored, while rows to import may be longer', async () => {
    const app = await startEngineApp();
    for (const line of ['/help ', '/hlep ', '<@U1> /help ', '/portfolio import ', '/help \u200b'])
      expect(await app.send('ann', filling(line, 19_900))).toEqual(refused('too-long'));
    expect(await app.send('ann', `/help${' '.repeat(19_000)}`)).toEqual(refused('too-long'));
    const rows = '/portfolio import\ndate,kind,symbol,quantity,price\n';
    expect(await app.send('ann', filling(rows, 10_001))).toEqual(refused('too-long'));
    expect(app.channel.texts[0]).toBe(intakeTexts('en').commandTooLong({ found: '19,900', limit: '2,000' }));
    expect(await app.ask('ann', filling(rows, 10_000))).toHaveLength(1);
    expect(await app.ask('ann', filling('/help ', 2_000))).toHaveLength(1);
    expect(await app.ask('ann', filling('What of this? ', 19_900))).toEqual(['ok']);
    await app.stop();
    const stored = query(app.dataDir, `select length(json_extract(message, '$.body')) as size from inbox`);
    // Of an answered command only the beginning is kept.
    expect(stored.map(({ size }) => size)).toEqual([200, 200, 19_900]);
    const said = query(app.dataDir, 'select max(length(payload)) as size from outbox');
    expect(said[0]?.size).toBeLessThan(1_000);
  });
});

describe('what a gate turned away', () => {
  it('is counted by gate and reason, and names nobody', async () => {
    const port = await freePort();
    const app = await startEngineApp({ env: { FINCLAW_HTTP_PORT: String(port) } });
    await app.send('zelda', 'Hello all', OVERHEARD);
    await app.send('zelda', '  ');
    await app.send('zelda', 'x'.repeat(20_001));
    await app.send('echo', 'Hello', { isFromSelf: true, channelId: asId<ChannelId>('test') });
    await app.send('zelda', `Use this: sk-ant-api03-${'A1b2'.repeat(23)}`);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const counted = [...metrics.matchAll(/messages_dropped_total\{(.*)\} (\d+)/g)].map(
      ([, labels = '']) => labels,
    );
    expect(counted.toSorted()).toEqual([
      'gate="blank",reason="blank"',
      'gate="itself",reason="own-message"',
      'gate="length",reason="too-long"',
      'gate="mention",reason="not-addressed"',
      'gate="secrets",reason="holds-a-key"',
    ]);
    expect(metrics).not.toContain('zelda');
    expect(app.channel.texts).toEqual([
      channelTexts('en').nothingToRead(),
      intakeTexts('en').messageTooLong({ found: '20,001', limit: '20,000' }),
      intakeTexts('en').messageHoldsKey(),
    ]);
  });
});
