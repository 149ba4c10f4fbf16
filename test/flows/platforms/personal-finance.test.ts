import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { modelUsageTexts } from '#src/kernel/agent/texts/usage.ts';
import { answer } from '#test/support/engine-app.ts';
import { type LiveMarket, openLiveMarket } from '#test/support/live-market.ts';
import { consoleKit } from '#test/support/platforms/console.ts';
import { discordKit } from '#test/support/platforms/discord.ts';
import type { Platform } from '#test/support/platforms/driver.ts';
import { personalTalk } from '#test/support/platforms/personal-talk.ts';
import { slackKit } from '#test/support/platforms/slack.ts';
import { type Bot, eventually, seesOn, startBot, type Talk } from '#test/support/platforms/talk.ts';
import { hintCases } from './cases/hints.ts';
import { personalCases } from './cases/personal.ts';

const KITS = [discordKit, slackKit, consoleKit];

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
  // Before anything asks: during trading hours an alert reads the history, and what it read is cached.
  market.yahoo.setEvents('MSFT', { splits: [{ date: '2026-06-01', numerator: 4, denominator: 1 }] });
  market.yahoo.setEvents('AMZN', { splits: [{ date: '2026-06-01', numerator: 1, denominator: 10 }] });
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
  hintCases(kit, () => talkOn(kit.name));

  it('is offered a split that they have not recorded, and records it by a press or by what it says to type', async () => {
    const kim = personalTalk(kit, talkOn(kit.name), 'kim');
    for (const [symbol, quantity, price, ratio, held] of [
      ['MSFT', '10', '2000', '4:1', 'Now held: 40'],
      ['AMZN', '25', '24', '1:10', 'Now held: 2.5'],
    ] as const) {
      const trade = { action: 'add', symbol, quantity, price, date: '2026-03-02', details: '--yes' };
      const offered = new RegExp(`${ratio} (?:reverse )?split of .*${symbol}.* followed on 2026-06-01`);
      await kim.call('portfolio', trade, offered);
      const missing = await kim.call('portfolio', { action: 'history' }, /is not recorded/);
      const command = `/portfolio split ${symbol} ${ratio} --date=2026-06-01`;
      if (!kit.can.buttons) expect(missing.text).toContain(command);
      await kim.choose(missing, /^Record .* split/, command, new RegExp(held));
    }
    const after = await kim.call('portfolio', { action: 'history' }, /4 entries/);
    expect(after.text).not.toContain('is not recorded');
    await kim.call(
      'portfolio',
      { action: 'actions' },
      /4:1 split.* recorded ✅\n.*1:10 reverse split.* recorded ✅/,
    );
  });
});

describe('somebody who is on Discord and on Slack', () => {
  const CODE = /\/link ([A-Z0-9]{4}-[A-Z0-9]{4})/;

  it('has one portfolio on both after a word on each, and two again when they take it back', async () => {
    const onDiscord = personalTalk(discordKit, talkOn('discord'), 'ann');
    const onSlack = personalTalk(slackKit, talkOn('slack'), 'ann');
    const stranger = personalTalk(slackKit, talkOn('slack'), 'eve');
    const add = { action: 'add', symbol: 'AAPL', quantity: '10', price: '190.5', details: '--yes' };
    await onDiscord.call('portfolio', add, /Recorded #1/);
    await onSlack.call('watch', { action: 'add', names: 'TSLA' }, /Tesla/);
    const code = CODE.exec((await onDiscord.call('link', {}, CODE)).text)?.[1] ?? '';
    // They are told with whom and what that means, and nothing is linked before they go on.
    const sure = await onSlack.call('link', { code }, /Link this account with Discord/);
    await onSlack.call('portfolio', { action: 'history' }, /not recorded anything|no portfolio|Nothing/);
    await stranger.call('link', { code }, /Link this account with Discord/);
    const { person: annOnDiscord, direct } = onDiscord;
    await onSlack.choose(sure, /link/, '', /Linked with Discord/);
    await talkOn('discord').sees(annOnDiscord, direct, /Slack .*ann.* used your code/);
    await stranger.call('link', { code }, /wrong, used or too old/);

    await onSlack.call('portfolio', { action: 'history' }, /Apple \(AAPL\)/);
    await onDiscord.call('watch', {}, /Tesla/);
    await onSlack.call('portfolio', { ...add, symbol: 'NVDA' }, /Recorded #2/);
    await onDiscord.call('portfolio', { action: 'history' }, /NVIDIA[^]*Apple/);
    await stranger.call('portfolio', { action: 'history' }, /not recorded anything|no portfolio|Nothing/);

    const off = await onSlack.call('link', { code: 'off' }, /End the link/);
    await onSlack.choose(off, /End/, '', /has ended/);
    await onSlack.call('portfolio', { action: 'history' }, /not recorded anything|no portfolio|Nothing/);
    await onDiscord.call('portfolio', { action: 'history' }, /NVIDIA[^]*Apple/);
  });

  it('is asked before a stranger’s code links them, and their messages never reach the stranger', async () => {
    const eve = personalTalk(discordKit, talkOn('discord'), 'eve');
    const vic = personalTalk(slackKit, talkOn('slack'), 'vic');
    const { claude, dataDir } = there(bot);
    claude.reply(answer('A nuthatch it is.'));
    await vic.type('My secret is the goldfinch.', /nuthatch/);
    const askForCode = async (): Promise<string> =>
      CODE.exec((await eve.call('link', {}, CODE)).text)?.[1] ?? '';

    const refused = await vic.call(
      'link',
      { code: await askForCode() },
      /Link this account with Discord .*eve/,
    );
    expect(refused.text).toMatch(/Not shared:.* your messages/);
    await vic.choose(refused, /^No$/, '', /Nothing was linked/);
    await vic.type('/link off', /Nothing is linked/);
    await eve.call('privacy', {}, /What I store/);

    const accepted = await vic.call('link', { code: await askForCode() }, /Link this account/);
    await vic.choose(accepted, /link/, '', /Linked with Discord/);
    await talkOn('discord').sees(eve.person, eve.direct, /used your code/);

    const exports = join(dataDir, 'exports');
    mkdirSync(exports, { recursive: true });
    const before = new Set(readdirSync(exports));
    await eve.call('privacy', { action: 'export' }, /finclaw-data/);
    const written = readdirSync(exports).filter((name) => !before.has(name));
    expect(written).toHaveLength(1);
    const file = readFileSync(join(exports, written[0] ?? ''), 'utf8');
    expect(file).not.toMatch(/goldfinch|nuthatch/);
    // Neither what is counted, nor what the model is told or can look up, holds anything of the other identity.
    const nothingUsed = new RegExp(RegExp.escape(modelUsageTexts('en').nothing()));
    await eve.call('usage', {}, nothingUsed);
    claude.reply(
      { kind: 'answer', toolCalls: [{ name: 'query_my_data', input: { what: 'conversation' } }] },
      answer('That is all.'),
    );
    await eve.type('What do you know about me?', /That is all/);
    expect(JSON.stringify(claude.history.slice(-2).map(({ body }) => body))).not.toMatch(
      /goldfinch|nuthatch/,
    );

    await eve.type('/privacy delete --yes', /Deleted/);
    claude.reply(answer('Still here.'));
    await vic.type('And now?', /Still here/);
    expect(JSON.stringify(claude.history.at(-1)?.body)).toMatch(/goldfinch[^]*nuthatch/);
    await vic.type('/privacy', /Your messages, with my answers: [1-9]/);
  });
});
