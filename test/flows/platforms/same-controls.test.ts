import { describe, expect, it, onTestFinished } from 'vitest';
import { consoleKit } from '#test/support/platforms/console.ts';
import { discordKit } from '#test/support/platforms/discord.ts';
import type { PlatformKit, Seen } from '#test/support/platforms/driver.ts';
import { slackKit } from '#test/support/platforms/slack.ts';
import { eventually, startTalk } from '#test/support/platforms/talk.ts';

const start = async (kit: PlatformKit) => {
  const talk = await startTalk(kit);
  onTestFinished(talk.close);
  const person = talk.platform.addPerson('ann', { locale: 'en' });
  const direct = talk.platform.direct(person);
  const say = (words: string) => talk.platform.say(person, direct, words);
  /** Presses the button of this label or, where choices have numbers, types its number. */
  const pick = (seen: Seen, label: string): void => {
    const number = new RegExp(`(\\d+)\\)\\s${label.replaceAll(' ', '.')}(?=[\\s:]|$)`, 'u').exec(
      seen.text,
    )?.[1];
    if (kit.can.buttons) talk.platform.press(person, seen, label);
    else say(number ?? `no ${label} in ${seen.text}`);
  };
  const sees = (what: RegExp) => talk.sees(person, direct, ({ text }) => what.test(text));
  const isSeen = (what: RegExp, times: number) =>
    eventually(
      () => talk.platform.seenBy(person, direct).filter(({ text }) => what.test(text)).length === times,
    );
  return { ...talk, say, pick, sees, isSeen };
};

describe.for([discordKit, slackKit, consoleKit])('the controls on $name', (kit) => {
  it('lead from a price to its chart of a year and to the watchlist', async () => {
    const { say, pick, sees, isSeen, platform } = await start(kit);
    say('/price AAPL');
    const price = await sees(/Apple \(AAPL\)[^]*\$/u);
    pick(price, 'Chart');
    const chart = await sees(/Apple \(AAPL\)[^]*6 months/u);
    pick(chart, '1Y');
    await sees(/Apple \(AAPL\)[^]*1 year/u);
    // In a terminal a number picks from the newest answer.
    if (!kit.can.buttons) {
      say('/price AAPL');
      await isSeen(/Apple \(AAPL\)[^]*52 weeks/u, 2);
    }
    pick(price, 'Watch');
    await sees(/Added Apple \(AAPL\)/u);
    expect(platform.offences()).toEqual([]);
  });
});

describe('a choice that deletes, in the terminal', () => {
  it('is asked about first', async () => {
    const { say, pick, sees } = await start(consoleKit);
    say('/alert AAPL > 900 --yes');
    const set = await sees(/Alert set/u);
    pick(set, 'Delete');
    await sees(/Delete: are you sure\? Type y or n/u);
    say('n');
    await sees(/I did nothing/u);
    say('/alerts');
    const list = await sees(/Your alerts: 1 of/u);
    pick(list, 'Delete AAPL');
    await sees(/Delete AAPL.*: are you sure/u);
    say('y');
    await sees(/Deleted: .*Apple[^]*You have no alerts/u);
  });
});
