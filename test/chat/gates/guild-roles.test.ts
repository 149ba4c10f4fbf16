import { describe, expect, it } from 'vitest';
import { guildRoles } from '#src/chat/gates/guild-roles.ts';
import { PASS } from '#src/chat/gates/gate.ts';
import type { GuildSetting } from '#src/kernel/chat/guild-settings.ts';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { commandOfSlash } from '#test/support/commands.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { stripMentions } from '#test/support/markup.ts';
import { directMessage, groupMessage } from './support.ts';

const SILENT = { verdict: 'drop', reason: 'role-not-chosen' };

const setUp = (setting: GuildSetting) => {
  const gate = guildRoles({
    guildSettings: { of: (_channelId, guildId) => (guildId === 'guild-1' ? setting : {}) },
    admins: { users: ['discord:boss'], roles: [] },
    commandOf: commandOfSlash,
    locale: 'auto',
    stripMentions,
    clock: new ManualClock(),
  });
  return (message: MsgContext) => gate.check(message);
};

describe('the roles that a server chose', () => {
  const check = setUp({ allowedRoles: ['r1', 'r2'] });

  it('let their members pass, direct chats, and managers who change the settings', () => {
    expect(check(groupMessage({ senderRoles: ['r9', 'r2'] }))).toEqual(PASS);
    expect(check(directMessage())).toEqual(PASS);
    expect(check(groupMessage({ guildId: 'guild-2' }))).toEqual(PASS);
    expect(check(groupMessage({ managesGuild: true, body: '/settings roles all' }))).toEqual(PASS);
    expect(setUp({})(groupMessage())).toEqual(PASS);
    expect(setUp({ allowedRoles: ['guild-1'] })(groupMessage())).toEqual(PASS);
  });

  it('silence the bot for others, who are told the roles if they called it', () => {
    expect(check(groupMessage())).toEqual(SILENT);
    expect(check(groupMessage({ managesGuild: true, body: '/price AAPL' }))).toEqual(SILENT);
    const reply = guildTexts('en').otherRoles({ roles: '<@&r1>, <@&r2>' });
    expect(check(groupMessage({ mentionsBot: true, senderRoles: ['r9'] }))).toEqual({ ...SILENT, reply });
  });
});
