import { describe, expect, it, onTestFinished } from 'vitest';
import { BOT } from '#test/fakes/slack/world.ts';
import { answer } from '#test/support/engine-app.ts';
import { discordKit, openDiscord } from '#test/support/platforms/discord.ts';
import type { Person, Place, Platform, PlatformKit, Seen } from '#test/support/platforms/driver.ts';
import { openSlack, slackKit } from '#test/support/platforms/slack.ts';
import { startTalk } from '#test/support/platforms/talk.ts';
import { fetches, startStranger } from '#test/support/stranger.ts';

const startStage = async <P extends Platform>(kit: PlatformKit, platform: P) => {
  const site = await startStranger();
  const talk = await startTalk({ ...kit, open: async () => platform }, { web: site.web });
  onTestFinished(talk.close);
  const { claude, sees } = talk;
  const ann = platform.addPerson('ann');
  /** The bot says an address in a room. */
  const saidBy = async (room: Place, path: string): Promise<Seen> => {
    claude.reply(answer(`More: ${site.at(path)}`));
    platform.say(ann, room, 'what is new?', { mention: true });
    return sees(ann, room, 'More:');
  };
  /** Somebody says this, and the model opens the address. */
  const opens = (path: string, say: () => void): void => {
    talk.forgetReplies();
    claude.reply(fetches(site.at(path)), answer(`Read ${path}.`));
    say();
  };
  const isAsked = (person: Person, where: Place, path: string) =>
    sees(
      person,
      where,
      ({ text }) => text.includes(path) && text.includes('You didn’t give me this address'),
    );
  return { platform, site, talk, ann, saidBy, opens, isAsked, sees };
};

describe('on Discord, an address that the bot itself wrote is asked about', () => {
  it('where the person replies to the message, or forwards it, or somebody else forwarded it before', async () => {
    const { platform, site, ann, saidBy, opens, isAsked } = await startStage(discordKit, await openDiscord());
    const room = platform.addRoom('replies');
    const said = await saidBy(room, '/replied?d=secret');
    opens('/replied?d=secret', () => platform.replyTo(ann, said, 'ok and then?'));
    await isAsked(ann, room, '/replied?d=secret');

    const direct = platform.direct(ann);
    opens('/replied?d=secret', () => platform.forward(ann, said, direct));
    await isAsked(ann, direct, '/replied?d=secret');

    const other = platform.addRoom('elsewhere');
    const bob = platform.addPerson('bob');
    platform.forward(bob, said, other);
    opens('/replied?d=secret', () => platform.say(ann, other, 'what does bob mean?', { mention: true }));
    await isAsked(ann, other, '/replied?d=secret');
    expect(site.paths()).toEqual([]);
  });
});

const forwardOf = (text: string, author: object) => ({
  attachments: [{ is_share: true, is_msg_unfurl: true, text, ts: '1355517000.000001', ...author }],
});

describe('on Slack, an address that the bot itself wrote is asked about', () => {
  it('where its message begins the thread, or the person forwards it, or somebody else forwarded it before', async () => {
    const { platform, site, ann, opens, isAsked } = await startStage(slackKit, await openSlack());
    const { fake } = platform;
    const room = platform.addRoom('threads');
    platform.say(ann, room, 'hello');
    const words = `More: <${site.at('/root?d=secret')}>`;
    const root = fake.say(room.id, BOT.userId, words, { fields: { bot_id: BOT.botId } });
    const thread: Place = { id: root.ts, kind: 'thread', room: room.id };
    opens('/root?d=secret', () =>
      fake.say(room.id, ann.id, 'ok and then?', {
        threadTs: root.ts,
        fields: { parent_user_id: BOT.userId },
      }),
    );
    await isAsked(ann, thread, '/root?d=secret');

    for (const author of [{ author_id: BOT.userId }, { author_id: 'U1', bot_id: BOT.botId }, {}]) {
      const person = platform.addPerson('eve');
      const direct = platform.direct(person);
      opens('/root?d=secret', () => fake.say(direct.id, person.id, 'and this?', forwardOf(words, author)));
      await isAsked(person, direct, '/root?d=secret');
    }

    const bob = platform.addPerson('bob');
    const other = platform.addRoom('elsewhere');
    platform.say(bob, other, 'look');
    fake.say(other.id, bob.id, 'this', forwardOf(words, { author_id: BOT.userId }));
    opens('/root?d=secret', () => platform.say(ann, other, 'what does bob mean?', { mention: true }));
    await isAsked(ann, other, '/root?d=secret');
    expect(site.paths()).toEqual([]);
  });

  it('and one that somebody else wrote is not: before the bot was called, or in a message that the person forwards', async () => {
    const { platform, site, ann, opens, sees } = await startStage(slackKit, await openSlack());
    const bob = platform.addPerson('bob');
    const room = platform.addRoom('links');
    platform.say(bob, room, `see ${site.at('/bob')}`);
    opens('/bob', () => platform.say(ann, room, 'what does bob mean?', { mention: true }));
    await sees(ann, room, 'Read /bob.');
    const direct = platform.direct(ann);
    opens('/forwarded', () =>
      platform.fake.say(
        direct.id,
        ann.id,
        'read it',
        forwardOf(`see <${site.at('/forwarded')}>`, { author_id: bob.id, author_name: 'bob' }),
      ),
    );
    await sees(ann, direct, 'Read /forwarded.');
    expect(site.paths()).toEqual(['/bob', '/forwarded']);
  });
});
