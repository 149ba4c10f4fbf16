import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedbackTexts } from '#src/features/feedback/texts.ts';
import { importTexts } from '#src/features/portfolio/texts/import.ts';
import { approvalTexts } from '#src/kernel/agent/texts/approvals.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { answer } from '#test/support/engine-app.ts';
import { createLeapingClock } from '#test/support/leaping-clock.ts';
import { openDiscord } from '#test/support/platforms/discord.ts';
import type { Platform, Seen } from '#test/support/platforms/driver.ts';
import { createPresses, expectOneSentence, pressable } from '#test/support/platforms/presses.ts';
import { openSlack } from '#test/support/platforms/slack.ts';
import { eventually, seesOn, startBot, type Talk } from '#test/support/platforms/talk.ts';
import { ASKS_FIRST } from './cases/approvals.ts';

const MINUTE_MS = 60_000;
/** Longer than answers are kept. */
const HUNDRED_DAYS_MS = 100 * 24 * 60 * MINUTE_MS;
/** An import waits for its press for 30 minutes. */
const HALF_AN_HOUR_MS = 31 * MINUTE_MS;
const APPROVAL_MS = 10 * MINUTE_MS;

const CSV = {
  name: 'broker.csv',
  mimeType: 'text/csv',
  bytes: 'date,kind,symbol,quantity,price,fee\n2025-11-12,buy,NVDA,3,180,1',
};
const looksAtClock: FakeReply = { kind: 'answer', toolCalls: [{ name: 'get_datetime', input: {} }] };
const t = channelTexts('en');
const guild = guildTexts('en');
const clock = createLeapingClock();

type Named = 'discord' | 'slack';
interface World {
  readonly platform: Platform;
  readonly talk: Talk;
  /** `/settings roles` of a role there. Only Discord has roles. */
  readonly role: string | undefined;
}
let worlds: Readonly<Record<Named, World>> | undefined;

beforeAll(async () => {
  const discord = await openDiscord({ now: () => clock.outside.now().epochMilliseconds });
  const slack = await openSlack({ clock: clock.outside });
  const bot = await startBot([discord, slack], {
    clock,
    config: ASKS_FIRST,
  });
  await eventually(discord.isSetUp);
  const on = (platform: Platform): Talk => ({ ...bot, platform, sees: seesOn(platform) });
  const role = discord.fake.addRole(discord.guild, { name: 'in' }).id;
  worlds = {
    discord: { platform: discord, talk: on(discord), role },
    slack: { platform: slack, talk: on(slack), role: undefined },
  };
});
afterAll(async () => {
  await worlds?.discord.talk.close();
  await worlds?.discord.platform.close();
  await worlds?.slack.platform.close();
});

describe.for(['discord', 'slack'] as const)('on %s', (name) => {
  const world = (): World => {
    if (!worlds) throw new Error('The bot has not been started');
    return worlds[name];
  };
  const { done, settled } = createPresses(() => world().talk);
  let people = 0;
  const meet = () => {
    const { platform } = world();
    people += 1;
    const [ann, bob] = [platform.addPerson(`ann${people}`), platform.addPerson(`bob${people}`)];
    return { ann, bob, room: platform.addRoom(`s${people}`), direct: platform.direct(ann) };
  };
  const sleepLong = async (): Promise<void> => {
    const { count } = world().talk;
    const purged = count('retention:purge');
    clock.leap(HUNDRED_DAYS_MS);
    await eventually(() => count('retention:purge') > purged);
  };

  it('a picker of /settings sets it once, for those who run the server alone, and for good', async () => {
    const { platform, role, talk } = world();
    const { ann, room } = meet();
    const manager = platform.addPerson('manager', { runsServer: true });
    const pickers = [
      ['language', { value: 'en' }, { value: 'default' }],
      ['timezone', { value: 'Europe/London' }, { value: 'default' }],
      ['channels', { change: 'add', channel: room.id }, { change: 'all' }],
      ['live', { value: 'off' }, { value: 'default' }],
      ['queue', { value: 'collect' }, { value: 'default' }],
      // Last, because then members without it are not answered.
      ...(role === undefined ? [] : [['roles', { change: 'add', role }, { change: 'all' }] as const]),
    ] as const;
    const pick = (who: typeof ann, setting: string, values: Readonly<Record<string, string>> = {}) =>
      done(who, [room], () => platform.call(who, room, `settings ${setting}`.trim(), values));
    const shown = async (): Promise<string> => {
      const { fresh } = await pick(manager, name === 'discord' ? 'show' : '');
      return fresh.map(({ text }) => text).join();
    };
    const before = await shown();
    for (const [setting, values] of pickers) {
      expectOneSentence(`${setting} by a member`, await pick(ann, setting, values), guild.managersOnly());
      const [first, second] = [await pick(manager, setting, values), await pick(manager, setting, values)];
      expect.soft(first.fresh, setting).toMatchObject([{ isPrivate: true }]);
      expect.soft(first.fresh[0]?.text, setting).toContain(guild.names[setting]);
      expectOneSentence(`${setting} again`, second, first.fresh[0]?.text.trim() ?? '');
    }
    const chosen = await shown();
    expect(chosen).not.toBe(before);
    await talk.restart();
    expect(await shown()).toBe(chosen);
    for (const [setting, , back] of pickers) await pick(manager, setting, back);
    expect((await shown()).replaceAll(/\s/g, '')).toBe(before.replaceAll(/\s/g, ''));
  });

  it('a rating counts once, a stranger has one of their own, and an answer that is gone cannot be rated', async () => {
    const { platform, talk } = world();
    const { ann, bob, direct, room } = meet();
    const { thanks, unknown } = feedbackTexts('en');
    const verdicts = (): number => talk.count('feedback:verdict');
    platform.say(ann, direct, 'Is it raining?');
    await talk.sees(ann, direct, (seen) => seen.text.includes('raining') && !seen.isUnderWay);
    const asked = (await settled(ann, [direct])).find(({ text }) => text.includes('raining'));
    if (!asked) throw new Error('There is no answer');
    const thanked = () => platform.seenBy(ann, direct).filter(({ text }) => text.includes('Thank you'));
    const before = verdicts();
    for (const [label, counted] of [
      ['👍', 1],
      ['👍', 1],
      ['👎', 2],
    ] as const) {
      const call = platform.press(ann, asked, label);
      await eventually(() => call.acknowledgedAfterMs() !== undefined);
      await eventually(() => verdicts() - before === counted);
    }
    // Discord marks the button in a direct chat, and says nothing.
    await eventually(() => thanked().length === (name === 'slack' ? 3 : 0));
    if (name === 'slack') {
      platform.say(ann, room, 'Is it snowing?', { mention: true });
      const snow = await talk.sees(ann, room, (seen) => seen.text.includes('snowing') && !seen.isUnderWay);
      const outcome = await done(bob, [room], () => platform.press(bob, snow, '👎'));
      expectOneSentence('a stranger', outcome, thanks.down());
      expect(outcome.fresh).toMatchObject([{ isPrivate: true }]);
      expect(verdicts() - before).toBe(3);
    }
    await settled(ann, [direct]);
    await sleepLong();
    const outcome = await done(ann, [direct], () => platform.press(ann, asked, '👍'));
    expectOneSentence('long after', outcome, unknown());
  });

  it('a question is decided by whom it is for, and after its time by nobody', async () => {
    const { platform, talk } = world();
    const { ann, bob, room } = meet();
    talk.claude.reply(looksAtClock, answer('Never mind.'));
    platform.say(ann, room, 'What time is it?', { mention: true });
    const question = await talk.sees(ann, room, 'Shall I do this');
    await settled(ann, [room]);
    const stranger = await done(bob, [room], () => platform.press(bob, question, t.approve()));
    expectOneSentence('a stranger', stranger, approvalTexts('en').notYours());
    clock.leap(APPROVAL_MS);
    platform.press(ann, question, t.approve());
    await talk.sees(ann, room, approvalTexts('en').tooLate());
    await talk.sees(ann, room, 'Never mind.');
    const closed = await talk.sees(
      ann,
      room,
      ({ id, text }: Seen) => id === question.id && text.includes('Nobody decided in time'),
    );
    expect(pressable(closed)).toEqual([]);
    expect(JSON.stringify(talk.claude.history.at(-1)?.body.messages)).toContain('nobody decided in time');
  });

  it('an import and its undoing each take the place of what was pressed', async () => {
    const { platform, talk } = world();
    const { ann, direct } = meet();
    const { fresh } = await done(ann, [direct], () =>
      platform.say(ann, direct, '/portfolio import', { files: [CSV] }),
    );
    const preview = fresh.find((seen) => pressable(seen).length > 0);
    if (!preview) throw new Error('There is no preview');
    const becomes = (text: string) =>
      talk.sees(ann, direct, (seen: Seen) => seen.id === preview.id && seen.text.includes(text));
    platform.press(ann, preview, pressable(preview)[0] ?? '');
    const recorded = await becomes('Recorded in');
    platform.press(ann, recorded, pressable(recorded).find((label) => label.startsWith('Undo')) ?? '');
    expect(pressable(await becomes('Undone'))).toEqual([]);
  });

  it('an import is recorded by a press within half an hour, and not later', async () => {
    const { platform, talk } = world();
    const { ann, direct } = meet();
    const { fresh } = await done(ann, [direct], () =>
      platform.say(ann, direct, '/portfolio import', { files: [CSV] }),
    );
    const preview = fresh.find((seen) => pressable(seen).length > 0);
    if (!preview) throw new Error('There is no preview');
    clock.leap(HALF_AN_HOUR_MS);
    const [label = ''] = pressable(preview);
    platform.press(ann, preview, label);
    // The answer stands in the place of the preview, whose buttons are gone.
    const said = await talk.sees(
      ann,
      direct,
      ({ id, text }: Seen) => id === preview.id && text.includes(importTexts('en').unknownCode()),
    );
    expect(pressable(said)).toEqual([]);
    platform.say(ann, direct, '/portfolio');
    await talk.sees(
      ann,
      direct,
      (seen) => seen.id !== preview.id && seen.text.includes('Nothing recorded yet'),
    );
  });

  it('and nothing went wrong meanwhile', () => {
    const { platform, talk } = world();
    expect(talk.log.filter((line) => /"level":"error"/u.test(line))).toEqual([]);
    expect(platform.offences()).toEqual([]);
  });
});
