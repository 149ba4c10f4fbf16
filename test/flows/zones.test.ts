import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '#test/support/broker.ts';
import { answer, startEngineApp, until } from '#test/support/engine-app.ts';
import { consoleKit } from '#test/support/platforms/console.ts';
import { discordKit } from '#test/support/platforms/discord.ts';
import type { Platform, Seen } from '#test/support/platforms/driver.ts';
import { slackKit } from '#test/support/platforms/slack.ts';
import { pressable } from '#test/support/platforms/presses.ts';
import { personalTalk } from '#test/support/platforms/personal-talk.ts';
import { type Bot, eventually, seesOn, startBot, type Talk } from '#test/support/platforms/talk.ts';
import { WatchedClock } from '#test/support/watched-clock.ts';

const KITS = [discordKit, slackKit, consoleKit];
const platforms = new Map<string, Platform>();
let bot: Bot | undefined;

const theBot = (): Bot => {
  if (!bot) throw new Error('The bot has not been started');
  return bot;
};
const talkOn = (name: string): Talk => {
  const platform = platforms.get(name);
  if (!platform) throw new Error(`${name} has not been opened`);
  return { ...theBot(), platform, sees: seesOn(platform) };
};
/** What came by itself, and not as an answer. */
const told = (app: Awaited<ReturnType<typeof startEngineApp>>, what: string) =>
  app.channel.sent.filter(
    ({ target, payload }) => target.replyToMessageId === undefined && payload.text.includes(what),
  );

const labels = ({ buttons }: Seen): readonly string[] => buttons.map(({ label }) => label);

/** The hours that Discord shows in a message, on a clock of the zone. */
const hoursIn = ({ text }: Seen, timeZone: string): readonly string[] =>
  [...text.matchAll(/<t:(\d+):F>/g)].map(([, seconds]) =>
    Temporal.Instant.fromEpochMilliseconds(Number(seconds) * 1_000)
      .toZonedDateTimeISO(timeZone)
      .toPlainTime()
      .toString({ smallestUnit: 'minute' }),
  );

const isSettingUp = (): boolean => ![...platforms.values()].every(({ isSetUp }) => isSetUp());

// The bot runs where most bots run: on a machine that is nobody's.
beforeAll(async () => {
  for (const kit of KITS) platforms.set(kit.name, await kit.open());
  bot = await startBot([...platforms.values()], { config: { timeZone: 'UTC' } });
  await eventually(() => !isSettingUp());
});
beforeEach(() => bot?.forgetReplies());
afterAll(async () => {
  await bot?.close();
  for (const platform of platforms.values()) await platform.close();
});

describe('the time zone of a person on Discord', () => {
  it('is guessed from their language, said and asked about, and one press moves what was set by it', async () => {
    const mina = personalTalk(discordKit, talkOn('discord'), 'mina', { locale: 'ko' });
    const set = await mina.call('briefing', { time: '8:30' }, /브리핑을 보낼게요/);
    expect(set.text).toContain('평일 08:30에');
    expect(set.text).toContain('**서울 시간**(Asia/Seoul, Discord 언어로 추정)');
    // The reader's own device says when that is.
    expect(hoursIn(set, 'Asia/Seoul')).toEqual(['08:30']);
    expect(labels(set).slice(0, 2)).toEqual(['네, 서울 시간입니다', '다른 시간대']);

    const asked = await mina.choose(set, /다른 시간대/, '', /어느 시간대/);
    expect(asked.text).toContain('Asia/Seoul');
    const moved = await mina.choose(asked, /^뉴욕$/, '', /America\/New_York/);
    expect(moved.text).toMatch(/직접 설정[^]*브리핑은 이 시간대로 평일 08:30에/);
    expect(hoursIn(moved, 'America/New_York')).toEqual(['08:30']);

    const second = await mina.call('briefing', { time: '9:00' }, /보낼게요/);
    expect(second.text).toContain('평일 09:00에');
    expect(labels(second).join()).not.toMatch(/시간대|서울/);
  });

  it('is confirmed by one press, and never asked about again', async () => {
    const juno = personalTalk(discordKit, talkOn('discord'), 'juno', { locale: 'ko' });
    const set = await juno.call('briefing', { time: '7:10' }, /보낼게요/);
    const sure = await juno.choose(set, /네, 서울/, '', /직접 설정/);
    expect(sure.text).not.toContain('브리핑');
    const alert = await juno.type('/alert AAPL > 9000 내일까지 --yes', /알림/);
    expect(alert.text).toMatch(/<t:\d+:f>까지/);
    expect(alert.text).not.toContain('맞나요');
    expect(hoursIn(await juno.call('briefing', {}, /내 브리핑/), 'Asia/Seoul')).toEqual(['07:10']);
  });

  it('is confirmed by a typed yes too, and a typed no asks which one it is', async () => {
    const nari = personalTalk(discordKit, talkOn('discord'), 'nari', { locale: 'ko' });
    await nari.call('briefing', { time: '7:20' }, /맞나요/);
    await nari.type('아니요', /어느 시간대/);
    await nari.call('briefing', { time: '7:30' }, /맞나요/);
    await nari.type('네', /Asia\/Seoul[^]*직접 설정/);
  });

  it('is remembered for plain messages, over a restart, and asked about below the words of the model', async () => {
    const { platform, sees } = talkOn('discord');
    const person = platform.addPerson('sora', { locale: 'ko' });
    const direct = platform.direct(person);
    platform.call(person, direct, 'profile');
    const shown = await sees(person, direct, /시간대: Asia\/Seoul/);
    expect(shown.text).toContain('Discord 언어로 추정');
    await theBot().restart();
    await eventually(() => !isSettingUp());
    theBot().claude.reply(
      calls({ name: 'set_briefing', input: { action: 'set', time: '6:40', days: '매일' } }),
      answer('네, 매일 아침에 보내 드릴게요.'),
    );
    platform.say(person, direct, '매일 아침 6시 40분에 브리핑해 줘');
    const told = await sees(person, direct, /보내 드릴게요/);
    expect(told.text).toContain('**서울 시간**(Asia/Seoul, Discord 언어로 추정)');
    const offered = ['네, 서울 시간입니다', '다른 시간대', expect.stringMatching(/ 삭제 \(매일 06:40\)$/u)];
    expect(labels(told)).toEqual([...offered, '👍', '👎']);
    platform.call(person, direct, 'briefing');
    expect(hoursIn(await sees(person, direct, /내 브리핑/), 'Asia/Seoul')).toEqual(['06:40']);
    // The model reads the hour on the person's clock, and nothing of the platform's markup.
    const read = JSON.stringify(theBot().claude.history.at(-1)?.body);
    expect(read).toContain('[Asia/Seoul]');
    expect(read).not.toMatch(/<t:\d/);
  });

  it('is confirmed by a press that leaves what was set its buttons, and by no word that answers the model', async () => {
    const talk = talkOn('discord');
    const yuna = personalTalk(discordKit, talk, 'yuna', { locale: 'ko' });
    theBot().claude.reply(
      calls({ name: 'set_briefing', input: { action: 'set', time: '6:50', days: '매일' } }),
      answer('매일 아침에 보내 드릴게요. 뉴스도 넣을까요?'),
      answer('뉴스도 넣었습니다.'),
    );
    const told = await yuna.type('매일 아침 6시 50분에 브리핑해 줘', /뉴스도 넣을까요/);
    expect(told.text).toContain('맞나요');
    await yuna.type('부탁해요', /뉴스도 넣었습니다/);
    await yuna.choose(told, /^네, UTC/, '', /직접 설정/);
    const left = talk.platform.seenBy(yuna.person, yuna.direct).filter(({ id }) => id === told.id);
    expect(left.flatMap(pressable)).toEqual(['다른 시간대', expect.stringMatching(/ 삭제 \(매일 06:50\)$/u)]);
  });

  it('is not guessed from a language of many zones, nor taken from the bot without a word', async () => {
    const amy = personalTalk(discordKit, talkOn('discord'), 'amy');
    const set = await amy.call('briefing', { time: '8:30' }, /Briefing set/);
    expect(set.text).toContain("**UTC time** (UTC, the bot's setting)");
    const moved = await amy.call(
      'profile timezone',
      { value: 'New York' },
      /America\/New_York[^]*set by you/,
    );
    expect(moved.text).toContain('Your briefing now comes weekdays at 08:30 in this zone');
    expect(hoursIn(moved, 'America/New_York')).toEqual(['08:30']);
  });

  it('is that of the server where those who run it chose one', async () => {
    const { platform, sees } = talkOn('discord');
    const room = platform.addRoom('zones');
    const owner = platform.addPerson('owner', { runsServer: true });
    platform.call(owner, room, 'settings timezone', { value: 'Asia/Tokyo' });
    await sees(owner, room, /Time zone\*\* — Asia\/Tokyo/);
    const guest = platform.addPerson('guest');
    platform.call(guest, room, 'profile timezone');
    const shown = await sees(guest, room, /Asia\/Tokyo/);
    expect(shown.text).toContain('set for this server');
    platform.call(owner, room, 'settings timezone', { value: 'default' });
    await sees(owner, room, /own, as far as it is known/);
  });

  it('does not matter for as-of times: every reader sees them in their own', async () => {
    const { platform, sees } = talkOn('discord');
    const room = platform.addRoom('prices');
    const reader = platform.addPerson('reader');
    // A market that never closes, so that there is a moment at any hour.
    platform.call(reader, room, 'price', { symbol: 'BTC' });
    const quoted = await sees(reader, room, /Bitcoin/);
    expect(quoted.text).toMatch(/<t:\d+:f> · sample/);
    expect(quoted.text).not.toMatch(/\d{2}:\d{2} (?:UTC|KST)/);
  });
});

describe('the time zone of a person on Slack', () => {
  it('is that of their profile, which nobody has to confirm', async () => {
    const options = { locale: 'ko', timeZone: 'America/New_York' } as const;
    const bora = personalTalk(slackKit, talkOn('slack'), 'bora', options);
    const set = await bora.call('briefing', { time: '8:30' }, /브리핑을 보낼게요/);
    expect(set.text).toMatch(/평일 08:30에[^]* 08:30 E[SD]T/);
    expect(labels(set).join()).not.toContain('시간대');
    const shown = await bora.call('profile', {}, /내 프로필/);
    expect(shown.text).toMatch(/시간대: America\/New_York \(\d{2}:\d{2}, Slack 프로필에서 가져옴\)/);
    const changed = await bora.type('/profile 시간대 서울', /Asia\/Seoul/);
    expect(changed.text).toContain('직접 설정');
    // It was set by a zone that was known: it stays where it is.
    expect((await bora.call('briefing', {}, /내 브리핑/)).text).toMatch(/다음: .* 08:30 E[SD]T/);
  });
});

describe('the time zone of whoever sits at the terminal', () => {
  it('is that of the bot, and changed in words', async () => {
    const me = personalTalk(consoleKit, talkOn('console'), 'me');
    expect((await me.type('/profile timezone', /Time zone:/)).text).toContain('the zone of this machine');
    const set = await me.type('/briefing 8:30 weekdays', /Briefing set/);
    expect(set.text).toMatch(/08:30 here[^]*\d{4}-\d{2}-\d{2} 08:30 UTC/);
    expect(set.text).not.toMatch(/right\?|Yours\?/);
    await me.type('/profile timezone New York', /America\/New_York \(\d{2}:\d{2}, set by you\)/);
    expect((await me.type('/price BTC', /Bitcoin/)).text).toMatch(
      /\d{4}-\d{2}-\d{2} \d{2}:\d{2} E[SD]T · sample/,
    );
  });
});

describe('what is due by the clock', () => {
  const HOUR_MS = 3_600_000;
  it('keeps its hour in New York over the night in which clocks go back', async () => {
    // Saturday, 8:00 in New York; clocks go back on Sunday.
    const app = await startEngineApp({
      clock: new WatchedClock('2026-10-31T12:00:00Z'),
      config: { timeZone: 'UTC' },
    });
    await app.ask('ann', '/profile timezone New York');
    expect((await app.ask('ann', '/briefing 8:30 daily')).join()).toContain('Sat 2026-10-31 08:30 EDT');
    await app.clock.advance(HOUR_MS / 2);
    await until(() => told(app, 'Briefing').length === 1);
    expect((await app.ask('ann', '/briefing')).join()).toContain('Sun 2026-11-01 08:30 EST');
    await app.clock.advance(24 * HOUR_MS);
    expect(app.clock.now().toString()).toBe('2026-11-01T12:30:00Z');
    expect(told(app, 'Briefing')).toHaveLength(1);
    await app.clock.advance(HOUR_MS);
    await until(() => told(app, 'Briefing').length === 2);
    await app.stop();
  });

  it('says so when it comes by a zone that nobody confirmed, and moves as soon as somebody does', async () => {
    const app = await startEngineApp({
      clock: new WatchedClock('2026-11-16T00:00:00Z'),
      config: { timeZone: 'UTC' },
    });
    const remind = (at: string, text: string): void =>
      app.claude.reply(calls({ name: 'notify', input: { text, at } }), answer('Will do.'));
    remind('2026-11-16T01:00+00:00', 'stand up');
    const asked = await app.ask('ann', 'remind me at one to stand up');
    expect(asked.join()).toMatch(/Will do\.[^]*\*\*UTC time\*\* \(UTC, the bot's setting\)/);
    await app.clock.advance(HOUR_MS);
    await until(() => told(app, 'stand up').length === 1);
    expect(told(app, 'stand up')[0]?.payload.text).toContain('Wrong hour? I went by **UTC time**');
    expect(told(app, 'stand up')[0]?.payload.choices).toHaveLength(2);

    remind('2026-11-16T15:00', 'call home');
    await app.ask('ann', 'remind me at three to call home');
    remind('2026-11-16T15:00[Asia/Seoul]', 'Seoul closes');
    expect((await app.ask('ann', 'at three in Seoul')).join()).not.toContain(', right?');
    const alert = await app.ask('ann', '/alert AAPL > 9000 until 2026-11-20 --yes');
    expect(alert.join()).toMatch(/2026-11-21 00:00 UTC[^]*right\?/);
    // A span of time is as long everywhere.
    expect((await app.ask('ann', '/alert AAPL > 9001 --expires=30d --yes')).join()).not.toContain('right?');
    const moved = await app.ask('ann', '/profile timezone New York');
    expect(moved.join()).toContain('Your reminder now comes at Mon 2026-11-16 15:00 EST.');
    expect(moved.join().match(/now until .*/g)).toEqual(['now until 2026-11-21 00:00 EST.']);
    await app.clock.advance(5 * HOUR_MS);
    await until(() => told(app, 'Seoul closes').length === 1);
    await app.clock.advance(9 * HOUR_MS);
    expect(told(app, 'call home')).toEqual([]);
    await app.clock.advance(5 * HOUR_MS);
    await until(() => told(app, 'call home').length === 1);
    expect(told(app, 'call home')[0]?.payload.text).toBe('⏰ Reminder: call home');
    await app.stop();
  });
});
