import { describe, expect, it } from 'vitest';
import { asId, type AccountId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { JoinedChat, MetPerson } from '#src/kernel/people/welcome.ts';
import { type EngineApp, startEngineApp, until } from '#test/support/engine-app.ts';
import { copyOf, IN_GROUP, query } from './gateway-support.ts';

const TEST = asId<ChannelId>('test');
const ACCOUNT = asId<AccountId>('local');
const BEHIND_MS = 3_000;

const start = (more: Parameters<typeof startEngineApp>[0] = {}): Promise<EngineApp> =>
  startEngineApp({ ...more, config: { welcome: true, ...more.config } });

const welcomes = ({ channel }: EngineApp) =>
  channel.sent.filter(({ payload }) => /FinClaw|Three things|이렇게 시작해/.test(payload.text));
const labels = (app: EngineApp): readonly string[] =>
  welcomes(app)
    .at(-1)
    ?.payload.choices?.map(({ label }) => label) ?? [];

/** Long enough for whatever is due. */
const later = async (app: EngineApp): Promise<void> => {
  await app.clock.advance(BEHIND_MS);
  await until(() => !query(copyOf(app), `select 1 from notifications where status <> 'sent'`).length);
};

const SERVER: JoinedChat = {
  channelId: TEST,
  accountId: ACCOUNT,
  guildId: 'guild',
  subject: 'guild',
  chatId: asId<ChatId>('lobby'),
  botId: asId<UserId>('bot'),
  locale: 'ko',
};
const TRIES = ['삼성전자 시세', '시장 요약', '삼성전자 차트'];
const ANN: MetPerson = { channelId: TEST, accountId: ACCOUNT, userId: asId<UserId>('ann') };

describe('the welcome in a first direct chat', () => {
  it('follows the answer, once, over a restart and a kill too', async () => {
    const app = await start();
    expect(await app.ask('ann', 'Hello')).toEqual(['ok']);
    expect(welcomes(app)).toEqual([]);
    const killed = await start({ dataDir: copyOf(app), servers: app });
    await later(killed);
    expect(welcomes(killed)).toHaveLength(1);
    await later(app);
    expect(welcomes(app)).toHaveLength(1);
    expect(welcomes(app)[0]?.target).toMatchObject({ chatId: 'ann', recipientId: 'ann', isDirect: true });
    await app.ask('ann', 'Hello again');
    await app.stop();
    const next = await start({ dataDir: app.dataDir, servers: app });
    await next.ask('ann', 'And again');
    await later(next);
    expect(welcomes(next)).toEqual([]);
  });

  it('is one for two messages at a time, and for a command as for a question', async () => {
    const app = await start();
    await Promise.all([app.ask('ann', '/price AAPL'), app.ask('ann', 'Hello')]);
    await later(app);
    expect(welcomes(app)).toHaveLength(1);
  });

  it('offers three things without a second greeting, and asks for no zone', async () => {
    const app = await start({ config: { timeZone: undefined } });
    await app.ask('ann', '안녕하세요');
    await later(app);
    // The language is known from the message.
    expect(labels(app)).toEqual(TRIES);
    expect(welcomes(app)[0]?.payload.text).toBe('이렇게 시작해 보세요.');
    for (const { command } of welcomes(app)[0]?.payload.choices ?? []) {
      const [said] = await app.ask('ann', command);
      expect(said).not.toMatch(/사용법|모르는|Usage/);
    }
  });

  it('asks nothing that the platform, the person or the operator has told', async () => {
    const app = await start({ config: { timeZone: undefined } });
    await app.ask('ann', 'Hello', { locale: 'en', timeZone: 'Europe/London' });
    await later(app);
    expect(labels(app)).toEqual(['Apple price', 'Market overview', 'Apple chart']);
    await app.ask('bob', '/profile language en');
    await later(app);
    expect(labels(app)).not.toContain('한국어');
    const set = await start({ config: { timeZone: 'Asia/Seoul' }, env: { FINCLAW_LOCALE: 'ko' } });
    await set.ask('ann', 'Hello');
    await later(set);
    expect(labels(set)).toEqual(TRIES);
  });

  it('is not for groups, and not where it is off', async () => {
    const app = await start();
    await app.ask('ann', 'Hello', IN_GROUP);
    await later(app);
    expect(welcomes(app)).toEqual([]);
    const off = await startEngineApp({ config: { welcome: false } });
    await off.ask('ann', 'Hello');
    expect(off.channel.host.welcomes).toBeUndefined();
    await later(off);
    expect(welcomes(off)).toEqual([]);
  });

  it('comes before the first question where the person opens the chat, and not again behind the answer', async () => {
    const app = await start();
    for (let time = 0; time < 3; time += 1) await app.channel.host.welcomes?.met({ ...ANN, locale: 'ko' });
    await app.channel.waitForSent(1);
    expect(labels(app)).toEqual(TRIES);
    await app.ask('ann', 'Hello');
    await later(app);
    expect(welcomes(app)).toHaveLength(1);
  });

  it('is not for people who may not write to the bot', async () => {
    const app = await start({ config: { gates: { direct: { policy: 'allowlist', users: ['bob'] } } } });
    await app.channel.host.welcomes?.met(ANN);
    await app.ask('bob', 'Hello');
    await later(app);
    expect(welcomes(app).map(({ target }) => target.recipientId)).toEqual(['bob']);
  });
});

describe('the welcome in a server or channel', () => {
  it('is one message, however often and from how many processes it is reported', async () => {
    const app = await start();
    await Promise.all([1, 2, 3].map(async () => app.channel.host.welcomes?.joined(SERVER)));
    await app.channel.waitForSent(1);
    expect(labels(app)).toEqual(TRIES);
    expect(welcomes(app)[0]?.target).toMatchObject({ chatId: 'lobby' });
    await app.stop();
    const next = await start({ dataDir: app.dataDir, servers: app });
    await next.channel.host.welcomes?.joined(SERVER);
    await next.channel.host.welcomes?.joined({ ...SERVER, subject: 'other', chatId: asId<ChatId>('hall') });
    await later(next);
    expect(welcomes(next).map(({ target }) => target.chatId)).toEqual(['hall']);
  });

  it('is not sent where the bot does not answer', async () => {
    const app = await start({ config: { gates: { allow: { guilds: ['elsewhere'] } } } });
    await app.channel.host.welcomes?.joined(SERVER);
    await later(app);
    expect(welcomes(app)).toEqual([]);
  });
});
