import { describe, expect, it, onTestFinished } from 'vitest';
import { answer } from '#test/support/engine-app.ts';
import { discordKit, openDiscord } from '#test/support/platforms/discord.ts';
import type { Person, Place, Platform, PlatformKit, Said } from '#test/support/platforms/driver.ts';
import { openSlack, slackKit } from '#test/support/platforms/slack.ts';
import { startTalk } from '#test/support/platforms/talk.ts';

const SECRET = 'ANN-EXPLANATION';
const QUESTION = 'what did ann ask you?';

/** Ann has a message explained that stands in a room, and bob asks there afterwards. */
const tells = async <P extends Platform>(
  kit: PlatformKit,
  platform: P,
  explain: (said: Said, ann: Person, room: Place) => void,
  askAgain: (said: Said, bob: Person, room: Place) => void,
): Promise<string> => {
  const talk = await startTalk({ ...kit, open: async () => platform });
  onTestFinished(talk.close);
  const [ann, bob] = [platform.addPerson('ann'), platform.addPerson('bob')];
  const room = platform.addRoom('general');
  const said = platform.say(bob, room, 'P/E went up');
  talk.claude.reply(answer(SECRET));
  explain(said, ann, room);
  const shown = await talk.sees(ann, room, SECRET);
  expect(shown.isPrivate).toBe(true);
  talk.claude.reply(answer('I cannot say.'));
  askAgain(said, bob, room);
  await talk.sees(bob, room, 'I cannot say.');
  return JSON.stringify(talk.claude.history.at(-1)?.body);
};

describe('an explanation that one person asked for with the menu of a message', () => {
  it('is in no later request of others on Discord', async () => {
    const platform = await openDiscord();
    const told = await tells(
      discordKit,
      platform,
      (said, ann) => platform.menu(ann, said, 'Explain this'),
      (_said, bob, room) => void platform.say(bob, room, QUESTION, { mention: true }),
    );
    expect(told).not.toContain(SECRET);
  });

  it('is in no later request of others on Slack', async () => {
    const platform = await openSlack();
    const { fake } = platform;
    const told = await tells(
      slackKit,
      platform,
      (said, ann, room) => {
        const { ts } = fake.say(room.id, ann.id, 'hm', { threadTs: said.id });
        fake.shortcut(ann.id, 'finclaw_menu_explain', { channel: room.id, ts });
      },
      (said, bob, room) => void fake.say(room.id, bob.id, QUESTION, { threadTs: said.id, mention: true }),
    );
    expect(told).not.toContain(SECRET);
  });
});
