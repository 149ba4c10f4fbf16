import { expect, it } from 'vitest';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { queueTexts } from '#commands/chat/texts.ts';
import type { SlackPlatform } from '#test/support/platforms/slack.ts';
import { ECHO, eventually, type Talk } from '#test/support/platforms/talk.ts';

export interface WorkspaceTalk {
  readonly talk: Talk;
  readonly platform: SlackPlatform;
}

/** What only Slack has: channels that two workspaces share, and conversations that are threads. */
export const slackWorkspaceCases = (started: () => WorkspaceTalk): void => {
  it('is not run by the administrator of another one', async () => {
    const { fake } = started().platform;
    // In a shared channel Slack reports no stranger; only the team tells.
    const eve = fake.addUser({ name: 'eve', teamId: 'T0THEIRS', isAdmin: true, isStranger: false });
    const room = fake.addChannel({ name: 'shared', isShared: true });
    fake.changeChannel(room.id, { members: [...room.members, eve.id] });
    fake.say(room.id, eve.id, '/settings channels all', { mention: true });
    const said = await eventually(() => fake.botMessagesIn(room.id).at(0));
    expect(said.rendered).toBe(guildTexts('en').managersOnly());
  });

  it('has a conversation in each thread: a command about one says so where it is called beside them', async () => {
    const { talk, platform } = started();
    const { boss } = platform;
    const room = platform.addRoom('beside');
    const { place: thread } = platform.callIntoThread(boss, room, 'remember marmalade');
    await talk.sees(boss, thread, `${ECHO}remember marmalade`);
    const calls = { model: 'haiku', reset: '', context: '', queue: 'collect' };
    for (const [name, argument] of Object.entries(calls)) {
      platform.call(boss, room, name, { argument });
      const said = await talk.sees(boss, room, commandTexts('en').inThread({ name: `finclaw ${name}` }));
      expect(said.isPrivate).toBe(true);
    }
    // In the thread it is done.
    platform.say(boss, thread, '/finclaw model haiku', { mention: true });
    await talk.sees(boss, thread, 'Haiku');
    platform.say(boss, thread, 'and now?');
    await talk.sees(boss, thread, `${ECHO}and now?`);
    expect(talk.claude.history.at(-1)?.body.model).toContain('haiku');
  });

  it('takes what is for a whole channel there', async () => {
    const { talk, platform } = started();
    const room = platform.addRoom('whole');
    platform.call(platform.boss, room, 'queue', { mode: 'steer', channel: '--channel' });
    const { meanings, scopes, set } = queueTexts('en');
    const words = set({ mode: 'steer', meaning: meanings.steer, scope: scopes.channel });
    await talk.sees(platform.boss, room, words);
  });
};
