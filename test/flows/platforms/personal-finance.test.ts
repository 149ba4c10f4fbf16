import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { type LiveMarket, openLiveMarket } from '#test/support/live-market.ts';
import { consoleKit } from '#test/support/platforms/console.ts';
import { discordKit } from '#test/support/platforms/discord.ts';
import type { Platform } from '#test/support/platforms/driver.ts';
import { personalTalk } from '#test/support/platforms/personal-talk.ts';
import { patientSlackKit } from '#test/support/platforms/patient-slack.ts';
import { type Bot, eventually, seesOn, startBot, type Talk } from '#test/support/platforms/talk.ts';
import { personalCases } from './cases/personal.ts';

const KITS = [discordKit, patientSlackKit, consoleKit];

let market: LiveMarket | undefined;
let bot: Bot | undefined;
const platforms = new Map<string, Platform>();

const there = <T>(thing: T | undefined): T => {
  if (thing === undefined) throw new Error('The bot has not been started');
  return thing;
};
const talkOn = (name: string): Talk => {
  const platform = there(platforms.get(name));
  return { ...there(bot), platform, sees: seesOn(platform) };
};

// One bot on all of them: what is loaded for the first picture draws those of the others.
beforeAll(async () => {
  market = await openLiveMarket();
  for (const kit of KITS) platforms.set(kit.name, await kit.open());
  bot = await startBot([...platforms.values()], { env: market.env, config: { alerts: { everySeconds: 1 } } });
  await eventually(() => [...platforms.values()].every(({ isSetUp }) => isSetUp()));
});
beforeEach(() => bot?.forgetReplies());
afterAll(async () => {
  await bot?.close();
  for (const platform of platforms.values()) await platform.close();
  await market?.close();
});

describe.for(KITS)('a person on $name', (kit) => {
  personalCases(kit, () => talkOn(kit.name));
});

describe('somebody who is on Discord and on Slack', () => {
  const CODE = /\/link ([A-Z0-9]{4}-[A-Z0-9]{4})/;

  it('has one portfolio on both after a word on each, and two again when they take it back', async () => {
    const onDiscord = personalTalk(discordKit, talkOn('discord'), 'ann');
    const onSlack = personalTalk(patientSlackKit, talkOn('slack'), 'ann');
    const stranger = personalTalk(patientSlackKit, talkOn('slack'), 'eve');
    const add = { action: 'add', symbol: 'AAPL', quantity: '10', price: '190.5' };
    await onDiscord.call('portfolio', add, /as #1/);
    await onSlack.call('watch', { action: 'add', names: 'TSLA' }, /Tesla/);
    const code = CODE.exec((await onDiscord.call('link', {}, CODE)).text)?.[1] ?? '';
    // Who has something of their own is told what that means, and nothing is linked before they go on.
    const sure = await onSlack.call('link', { code }, /will see and change what is yours/);
    await onSlack.call('portfolio', { action: 'history' }, /not recorded anything|no portfolio|Nothing/);
    await onSlack.choose(sure, /link/, '', /Linked with Discord/);
    await stranger.call('link', { code }, /wrong, used or too old/);

    await onSlack.call('portfolio', { action: 'history' }, /Apple Inc/);
    await onDiscord.call('watch', {}, /Tesla/);
    await onSlack.call('portfolio', { ...add, symbol: 'NVDA' }, /as #2/);
    await onDiscord.call('portfolio', { action: 'history' }, /NVIDIA[^]*Apple/);
    await stranger.call('portfolio', { action: 'history' }, /not recorded anything|no portfolio|Nothing/);

    const off = await onSlack.call('link', { code: 'off' }, /on its own/);
    await onSlack.choose(off, /back/, '', /on its own again/);
    await onSlack.call('portfolio', { action: 'history' }, /not recorded anything|no portfolio|Nothing/);
    await onDiscord.call('portfolio', { action: 'history' }, /NVIDIA[^]*Apple/);
  });
});
