import { describe, expect, it, onTestFinished } from 'vitest';
import { consoleKit } from '#test/support/platforms/console.ts';
import { discordKit } from '#test/support/platforms/discord.ts';
import type { Person, Place, PlatformKit, Seen } from '#test/support/platforms/driver.ts';
import { slackKit, type SlackPlatform } from '#test/support/platforms/slack.ts';
import { eventually, startTalk } from '#test/support/platforms/talk.ts';

const start = async (kit: PlatformKit) => {
  const talk = await startTalk(kit);
  onTestFinished(talk.close);
  const { platform } = talk;
  const sees = (person: Person, place: Place, what: RegExp) =>
    talk.sees(person, place, ({ text }) => what.test(text));
  const now = (person: Person, place: Place, { id }: Seen): Seen | undefined =>
    platform.seenBy(person, place).find((seen) => seen.id === id);
  /** The message itself shows it, and not another one. */
  const becomes = (person: Person, place: Place, seen: Seen, what: RegExp) =>
    eventually(() => what.test(now(person, place, seen)?.text ?? ''));
  /** On Slack a picture that can be replaced is a block of its message. */
  const picturesIn = ({ id, place, files }: Seen): number => {
    if (kit.name !== 'slack') return files.length;
    const { fake } = platform as SlackPlatform;
    const blocks = fake.messageAt({ channel: place.room ?? place.id, ts: id })?.blocks ?? [];
    return blocks.filter(({ type }) => type === 'image').length;
  };
  const hasPicture = (person: Person, place: Place, seen: Seen) =>
    eventually(() => picturesIn(now(person, place, seen) ?? seen) === 1);
  const restart = async () => {
    await talk.stop();
    await talk.start();
  };
  return { ...talk, sees, now, becomes, hasPicture, restart };
};

const labelsOf = ({ buttons }: Seen): readonly string[] => buttons.map(({ label }) => label);

describe.for([discordKit, slackKit])('the controls below a comparison on $name', (kit) => {
  it('change it in place for who asked, also twice and after a restart, and give others their own', async () => {
    const { platform, sees, now, becomes, hasPicture, restart, count } = await start(kit);
    const [ann, bob] = [platform.addPerson('ann'), platform.addPerson('bob')];
    const room = platform.addRoom('markets');
    platform.say(ann, room, '/compare AAPL, MSFT', { mention: true });
    const shown = await sees(ann, room, /Comparison · 1 year[^]*Apple/u);
    expect(labelsOf(shown)).toEqual(expect.arrayContaining(['1M', '3M', '6M', 'YTD', '1Y', '5Y', 'Dark']));
    await hasPicture(ann, room, shown);
    platform.press(ann, shown, '6M');
    await becomes(ann, room, shown, /6 months/u);
    // Somebody else sees their own answer, and the message stays.
    const before = platform.seenBy(ann, room).length;
    platform.press(bob, now(bob, room, shown) ?? shown, '1M');
    await eventually(() =>
      [...platform.seenBy(bob, room), ...platform.seenBy(bob, platform.direct(bob))].some(({ text }) =>
        /1 month/u.test(text),
      ),
    );
    expect(now(ann, room, shown)?.text).toMatch(/6 months/u);
    expect(platform.seenBy(ann, room).length).toBeLessThanOrEqual(before + 1);
    await restart();
    const changed = now(ann, room, shown);
    if (!changed) throw new Error('the comparison is gone');
    platform.press(ann, changed, '5Y');
    platform.press(ann, changed, '5Y');
    await becomes(ann, room, shown, /5 years/u);
    // While the second press is worked on, the buttons are disabled.
    await eventually(() => {
      const isDone = count('pipeline:complete') >= count('inbox:accept');
      return isDone && now(ann, room, shown)?.buttons.some((it) => it.label === 'Dark' && it.isEnabled);
    });
    platform.press(ann, now(ann, room, shown) ?? changed, 'Dark');
    await eventually(() => labelsOf(now(ann, room, shown) ?? shown).includes('Light'));
    await hasPicture(ann, room, shown);
    expect(platform.offences()).toEqual([]);
  }, 60_000);
});

describe.for([discordKit, slackKit])('the controls below a portfolio on $name', (kit) => {
  it('change its picture in place in the direct chat, after a restart too', async () => {
    const { platform, sees, now, becomes, hasPicture, restart } = await start(kit);
    const ann = platform.addPerson('ann');
    const direct = platform.direct(ann);
    platform.say(ann, direct, '/portfolio buy AAPL 10 190.5 2026-01-05 --yes');
    await sees(ann, direct, /190\.5/u);
    platform.say(ann, direct, '/portfolio analysis');
    const shown = await sees(ann, direct, /Portfolio main · 1 year/u);
    expect(labelsOf(shown)).toEqual(expect.arrayContaining(['3M', '6M', 'YTD', '1Y', '2Y', 'Dark']));
    await hasPicture(ann, direct, shown);
    platform.press(ann, shown, '6M');
    await becomes(ann, direct, shown, /Portfolio main · 6 months/u);
    await restart();
    platform.press(ann, now(ann, direct, shown) ?? shown, 'Dark');
    await eventually(() => labelsOf(now(ann, direct, shown) ?? shown).includes('Light'));
    expect(now(ann, direct, shown)).toMatchObject({
      text: expect.stringMatching(/Portfolio main · 6 months/u),
    });
    await hasPicture(ann, direct, shown);
    expect(platform.offences()).toEqual([]);
  }, 60_000);

  it('keep what they show from others in a room', async () => {
    const { platform, sees, count } = await start(kit);
    const [ann, bob] = [platform.addPerson('ann'), platform.addPerson('bob')];
    const [room, direct] = [platform.addRoom('markets'), platform.direct(ann)];
    platform.say(ann, direct, '/portfolio buy AAPL 10 190.5 2026-01-05 --yes');
    await sees(ann, direct, /190\.5/u);
    platform.call(ann, room, 'portfolio analysis');
    const shown = await sees(ann, room, /Portfolio main · 1 year/u);
    const answered = count('pipeline:complete');
    platform.press(ann, shown, '6M');
    await eventually(() => count('pipeline:complete') > answered);
    await sees(ann, room, /Portfolio main · 6 months/u);
    expect(
      platform
        .seenBy(bob, room)
        .map(({ text }) => text)
        .join('\n'),
    ).not.toMatch(/Portfolio main|AAPL|Apple/u);
    expect(platform.offences()).toEqual([]);
  }, 60_000);
});

describe('the controls below pictures in the terminal', () => {
  it('are numbers', async () => {
    const { platform, sees } = await start(consoleKit);
    const ann = platform.addPerson('ann', { locale: 'en' });
    const direct = platform.direct(ann);
    platform.say(ann, direct, '/compare AAPL, MSFT');
    const { text } = await sees(ann, direct, /1 year[^]*\d+\)\s6M/u);
    platform.say(ann, direct, /(\d+)\)\s6M/u.exec(text)?.[1] ?? 'none');
    await sees(ann, direct, /Comparison · 6 months[^]*Apple/u);
  });
});
