import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { type LiveMarket, openLiveMarket } from '#test/support/live-market.ts';
import { consoleKit } from '#test/support/platforms/console.ts';
import { discordKit } from '#test/support/platforms/discord.ts';
import type { Platform } from '#test/support/platforms/driver.ts';
import { slackKit } from '#test/support/platforms/slack.ts';
import { type Bot, eventually, seesOn, startBot, type Talk } from '#test/support/platforms/talk.ts';
import { marketCases } from './platforms/cases/markets.ts';

const KITS = [discordKit, slackKit, consoleKit];

let market: LiveMarket | undefined;
let bot: Bot | undefined;
const platforms = new Map<string, Platform>();

const there = <T>(thing: T | undefined): T => {
  if (thing === undefined) throw new Error('The bot has not been started');
  return thing;
};

// One bot on all of them: what is loaded for the first picture draws those of the others.
beforeAll(async () => {
  market = await openLiveMarket();
  for (const kit of KITS) platforms.set(kit.name, await kit.open());
  bot = await startBot([...platforms.values()], { env: market.env });
  await eventually(() => [...platforms.values()].every(({ isSetUp }) => isSetUp()));
});
beforeEach(() => bot?.forgetReplies());
afterAll(async () => {
  await bot?.close();
  for (const platform of platforms.values()) await platform.close();
  await market?.close();
});

describe.for(KITS)('a person on $name asks about markets', (kit) => {
  const talk = (): Talk => {
    const platform = there(platforms.get(kit.name));
    return { ...there(bot), platform, sees: seesOn(platform) };
  };
  marketCases(kit, talk, () => there(market));
});
