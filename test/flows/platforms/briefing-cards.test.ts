import { describe, expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '#src/platform/concurrency/clock.ts';
import { createLeapingClock } from '#test/support/leaping-clock.ts';
import { consoleKit } from '#test/support/platforms/console.ts';
import { discordKit } from '#test/support/platforms/discord.ts';
import type { PlatformKit } from '#test/support/platforms/driver.ts';
import { slackKit } from '#test/support/platforms/slack.ts';
import { eventually, startTalk } from '#test/support/platforms/talk.ts';

/** Enough to order a briefing and to stop the bot before it is due. */
const UNTIL_DUE_MINUTES = 2;

const start = async (kit: PlatformKit, clock: Clock = systemClock) => {
  const talk = await startTalk(kit, { clock });
  onTestFinished(talk.close);
  const ann = talk.platform.addPerson('ann', { locale: 'en', timeZone: 'UTC' });
  const direct = talk.platform.direct(ann);
  const say = (words: string) => talk.platform.say(ann, direct, words);
  const sees = (what: RegExp) => talk.sees(ann, direct, ({ text }) => what.test(text));
  const briefings = () =>
    talk.platform.seenBy(ann, direct).filter(({ text }) => /Briefing · \w{3} \d{4}-/u.test(text));
  return { ...talk, say, sees, briefings };
};

describe.for([discordKit, slackKit])('a briefing on $name', (kit) => {
  it('shows markets, the watchlist and headlines as cards below its text, on request', async () => {
    const { say, sees, briefings, platform } = await start(kit);
    say('/watch add TSLA');
    await sees(/TSLA/u);
    say('/briefing now AAPL');
    await eventually(() => briefings().length === 1);
    const [shown] = briefings();
    expect(shown?.cards).toBe(4);
    // The numbers are marked as samples.
    expect(shown?.text).toMatch(/Markets[^]*S&P 500[^]*What you asked for[^]*Apple[^]*Watchlist[^]*Tesla/u);
    expect(shown?.text).toMatch(/SAMPLE/u);
    // The text comes first, and nothing of the cards is told twice.
    expect(shown?.text.search(/Briefing ·/u)).toBeLessThan(shown?.text.search(/S&P 500/u) ?? -1);
    expect(shown?.text.match(/S&P 500/gu)).toHaveLength(1);
    expect(platform.offences()).toEqual([]);
  }, 30_000);

  it('comes once with its cards, although the bot was down when it was due', async () => {
    const clock = createLeapingClock();
    const { say, sees, briefings, stop, start: startAgain, platform } = await start(kit, clock);
    say('/profile timezone UTC');
    await sees(/UTC/u);
    const due = clock
      .now()
      .toZonedDateTimeISO('UTC')
      .add({ minutes: UNTIL_DUE_MINUTES })
      .round({ smallestUnit: 'minute', roundingMode: 'floor' });
    say(`/briefing ${due.toPlainTime().toString({ smallestUnit: 'minute' })} daily`);
    await sees(/Briefing set/u);
    await stop();
    clock.hurryOn(clock.now().until(due.toInstant()).total('milliseconds') + 200);
    expect(briefings()).toEqual([]);
    await startAgain();
    await eventually(() => briefings().length > 0);
    await stop();
    await startAgain();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(briefings()).toHaveLength(1);
    expect(briefings()[0]?.cards).toBe(2);
    expect(briefings()[0]?.text).toMatch(/SAMPLE[^]*S&P 500/u);
    expect(platform.offences()).toEqual([]);
  }, 60_000);
});

describe('a briefing in the terminal', () => {
  it('has tables', async () => {
    const { say, sees } = await start(consoleKit);
    say('/briefing now AAPL');
    const { text } = await sees(/Briefing ·[^]*Markets[^]*S&P 500[^]*What you asked for/u);
    expect(text).toMatch(/Headlines|News/iu);
  });
});
