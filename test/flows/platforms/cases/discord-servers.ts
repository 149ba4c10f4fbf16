import { expect, it } from 'vitest';
import { discordTexts } from '#channels/discord/send/texts.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import type { DiscordPlatform } from '#test/support/platforms/discord.ts';
import { ECHO, type Talk } from '#test/support/platforms/talk.ts';

const MODERATORS = 'Moderators';

/** Two servers with a role of the same name. That of one of them is named in the configuration, with its server. */
export const twoServers = ({ fake, boss }: DiscordPlatform) => {
  const serverNamed = (name: string) => {
    const guild = fake.addGuild({ name });
    const moderator = fake.addUser({ name: 'moderator' });
    fake.addMember(guild, moderator, { roles: [fake.addRole(guild, { name: MODERATORS })] });
    return { guild, moderator, room: fake.addChannel(guild, { name: 'lobby' }) };
  };
  const [ours, theirs] = [serverNamed('Ours'), serverNamed('Theirs')];
  const roles = [MODERATORS, `${ours.guild.id}:${MODERATORS}`];
  return { ours, theirs, config: { admins: { users: [boss.id], roles } } };
};

export interface ServerTalk {
  readonly talk: Talk;
  readonly platform: DiscordPlatform;
  readonly servers: ReturnType<typeof twoServers>;
}

/** What only Discord has: servers of strangers, rights in channels, people who take no direct messages. */
export const discordServerCases = (started: () => ServerTalk): void => {
  it('has administrators by a role of its own, and by none that a stranger names alike', async () => {
    const { platform, servers } = started();
    const called = async ({ moderator, room }: (typeof servers)['ours']) => {
      const options = { action: 'add', target: 'anthropic' };
      const call = platform.fake.command(moderator, room, 'keys', options);
      await call.acknowledged();
      return call;
    };
    expect((await called(servers.ours)).modal?.fields.length).toBeGreaterThan(0);
    const refused = await called(servers.theirs);
    expect((await refused.answered()).content).toContain('administrators');
    expect(refused.modal).toBeUndefined();
  });

  it('gives an administrator by a role what only administrators get, in the server and unseen by others', async () => {
    const { platform, servers } = started();
    const { guild, moderator, room } = servers.ours;
    const member = platform.fake.addUser({ name: 'member' });
    platform.fake.addMember(guild, member, {});
    for (const [command, options, words] of [
      ['backup', { action: 'list' }, 'There is no backup yet'],
      ['export', { format: 'feedback' }, 'Nobody has rated an answer yet.'],
    ] as const) {
      const call = platform.fake.command(moderator, room, command, options);
      expect((await call.answered()).content).toContain(words);
      const others = platform
        .seenBy({ id: member.id, name: 'member' }, { id: room.id, kind: 'room' })
        .map(({ text }) => text);
      expect(others.join('\n')).not.toContain(words);
    }
  });

  it('hears in the channel what a person meant who takes no direct messages', async () => {
    const { platform, servers } = started();
    const { fake } = platform;
    const shy = fake.addUser({ name: 'shy' });
    fake.refuseDirect(shy);
    fake.say(shy, servers.ours.room, fake.mention());
    // The command in it is clickable on Discord.
    const [asked = ''] = gateTexts('en').nothingAsked().split('`');
    await fake.until(() =>
      fake.messagesIn(servers.ours.room.id).some(({ content }) => content.startsWith(asked)),
    );
  });

  it('where the bot may read in a channel and not write, answers the person directly', async () => {
    const { platform, servers } = started();
    const { fake } = platform;
    const ann = fake.addUser({ name: 'ann' });
    const room = fake.addChannel(servers.ours.guild, { name: 'read-only', rights: { canSend: false } });
    fake.say(ann, room, `${fake.mention()} hello?`);
    const direct = fake.directChannel(ann);
    const said = () => fake.messagesIn(direct.id).map(({ content }) => content);
    await fake.until(() => said().length === 2);
    expect(said()).toEqual([discordTexts('en').mayNotWrite({ chat: `<#${room.id}>` }), `${ECHO}hello?`]);
  });

  it('that allows a thread is heard in that thread', async () => {
    const { talk, platform } = started();
    const manager = platform.addPerson('manager', { runsServer: true });
    const room = platform.addRoom('one-thread');
    const { place: thread } = platform.callIntoThread(manager, room, 'hello');
    await talk.sees(manager, thread, `${ECHO}hello`);
    platform.call(manager, room, 'settings channels', { change: 'add', channel: thread.id });
    await talk.sees(manager, room, ({ text, isUnderWay }) => !isUnderWay && text !== '');
    platform.say(manager, thread, 'and in here?', { mention: true });
    await talk.sees(manager, thread, `${ECHO}and in here?`);
    platform.call(manager, room, 'settings channels', { change: 'all' });
    await talk.sees(manager, room, guildTexts('en').everywhere());
  });
};
