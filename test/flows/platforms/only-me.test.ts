import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLeapingClock } from '#test/support/leaping-clock.ts';
import { openDiscord } from '#test/support/platforms/discord.ts';
import type { Person, Place, Platform, Seen } from '#test/support/platforms/driver.ts';
import { pressable } from '#test/support/platforms/presses.ts';
import { openSlack } from '#test/support/platforms/slack.ts';
import { type Bot, eventually, seesOn, startBot } from '#test/support/platforms/talk.ts';
import { answer } from '#test/support/engine-app.ts';

const HASTE = 10;
/** A turn has its limit by the same clock. */
const PATIENT = { pipeline: { privacyNote: false, timeoutSeconds: 3_600 } };
const CLAUDE_SAYS = 'I keep that to the two of us.';

const said = (seen: Seen): string => [seen.text, ...pressable(seen)].join('\n');

describe.for(['the offline model', 'Claude'] as const)('a private wish in a channel, to %s', (who) => {
  const clock = createLeapingClock(HASTE);
  const platforms: Platform[] = [];
  let bot: Bot | undefined;
  beforeAll(async () => {
    platforms.push(
      await openDiscord({ now: () => clock.outside.now().epochMilliseconds }),
      await openSlack({ clock: clock.outside }),
    );
    const env = who === 'Claude' ? {} : { ANTHROPIC_API_KEY: '', FINCLAW_MODEL: '' };
    bot = await startBot(platforms, { clock, env, config: PATIENT });
    bot.claude.otherwise(answer(CLAUDE_SAYS));
    await eventually(() => platforms.every(({ isSetUp }) => isSetUp()));
  });
  afterAll(async () => {
    await bot?.close();
    for (const { close } of platforms) await close();
  });

  let people = 0;
  const meet = (index: number) => {
    const platform = platforms[index];
    if (!platform) throw new Error('There is no such platform');
    people += 1;
    const owner = platform.addPerson(`ann${people}`, { locale: 'en' });
    const stranger = platform.addPerson(`bob${people}`, { locale: 'en' });
    const room = platform.addRoom(`r${people}`);
    const sees = seesOn(platform);
    const next = (person: Person, place: Place, wanted: RegExp, act: () => unknown): Promise<Seen> => {
      const known = new Set(platform.seenBy(person, place).map(({ id, text }) => `${id}${text}`));
      act();
      return sees(person, place, (seen) => !known.has(`${seen.id}${seen.text}`) && wanted.test(said(seen)));
    };
    const ask = (words: string): Promise<Seen> =>
      next(owner, room, who === 'Claude' ? /two of us/u : /for you alone[^]*Only me/u, () =>
        platform.say(owner, room, words, { mention: true }),
      );
    return { platform, owner, stranger, room, next, ask };
  };
  const both = [0, 1].map((index) => ({ index, name: index === 0 ? 'Discord' : 'Slack' }));

  it.runIf(who === 'the offline model').each(both)(
    'that is only guessed is offered on $name, and does nothing before the press',
    async ({ index }) => {
      const { platform, owner, next } = meet(index);
      const direct = platform.direct(owner);
      const offered = await next(owner, direct, /Did you mean/u, () =>
        platform.say(owner, direct, 'yell at me when btc breaks 150k'),
      );
      const [label = ''] = pressable(offered);
      expect(label).toContain('150000');
      await next(owner, direct, /You have no alerts/u, () => platform.say(owner, direct, 'my alerts'));
      await next(owner, direct, /Alert set/u, () => platform.press(owner, offered, label));
      await next(owner, direct, /earnings/iu, () => platform.say(owner, direct, 'whats a p/e ratio'));
    },
  );

  it.each(both)('is opened there for that person alone on $name', async ({ index }) => {
    const { platform, owner, stranger, room, next, ask } = meet(index);
    const offered = await ask('show my portfolio');
    expect(offered.isPrivate).toBe(false);
    expect(pressable(offered)).toEqual(['Only me']);
    const opened = await next(owner, room, /Nothing recorded yet/u, () =>
      platform.press(owner, offered, 'Only me'),
    );
    expect(opened.isPrivate).toBe(true);
    expect(
      platform
        .seenBy(stranger, room)
        .map(({ text }) => text)
        .join(),
    ).not.toMatch(/Nothing recorded yet/u);
    const alert = await ask('tell me when AAPL rises above 900');
    const set = await next(owner, room, /Alert set/u, () => platform.press(owner, alert, 'Only me'));
    expect(set.isPrivate).toBe(true);
    // A briefing in the channel itself would be read by all.
    const daily = await ask('send me a briefing at 08:30 on weekdays');
    const sent = await next(owner, room, /Briefing set: .* by DM/u, () =>
      platform.press(owner, daily, 'Only me'),
    );
    expect(sent.isPrivate).toBe(true);
  });

  it.each(both)('is recorded for whoever said it, and for nobody else on $name', async ({ index }) => {
    const { platform, owner, stranger, room, next, ask } = meet(index);
    const offered = await ask('I bought 10 AAPL at 190.5 on November 12');
    const refused = await next(stranger, room, /./u, () => platform.press(stranger, offered, 'Only me'));
    expect(refused.isPrivate).toBe(true);
    expect(refused.text).not.toMatch(/Recorded/u);
    platform.press(owner, offered, 'Only me');
    // Discord asks in the message itself, Slack in a dialog of its own.
    if (index === 0) {
      await eventually(() =>
        platform.seenBy(owner, room).some(({ id, buttons }) => id === offered.id && buttons.length > 1),
      );
      platform.press(owner, offered, 'Only me');
    }
    const told = await seesOn(platform)(owner, room, /Recorded #1 in .*main/u);
    expect(told.isPrivate).toBe(true);
    expect(pressable(told)).toContain('Undo #1');
  });

  it.each(both)(
    'gets no button where it is not private, or cannot be said as a command on $name',
    async ({ index }) => {
      const { platform, owner, room, next } = meet(index);
      const say = (words: string, wanted: RegExp) =>
        next(owner, room, wanted, () => platform.say(owner, room, words, { mention: true }));
      const price = await say('AAPL price', who === 'Claude' ? /two of us/u : /\$[\d,.]+ [▲▼]/u);
      expect(pressable(price)).not.toContain('Only me');
      const odd = await say(
        'I bought 10 AAPL at 190.5 with a fee of 2',
        who === 'Claude' ? /two of us/u : /DM me/u,
      );
      expect(pressable(odd)).not.toContain('Only me');
    },
  );

  it('and what is private was in no request, and the bot kept the manners of the platforms', () => {
    expect(JSON.stringify(bot?.claude.history ?? [])).not.toMatch(
      /Recorded #|Nothing recorded yet|Alert set|Briefing set/u,
    );
    for (const platform of platforms) expect(platform.offences()).toEqual([]);
  });
});
