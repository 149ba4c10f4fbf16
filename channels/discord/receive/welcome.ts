import { ChannelType, type GatewayGuildCreateDispatchData } from 'discord.js';
import { type AccountId, asId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import { retry } from '#src/platform/concurrency/retry.ts';
import type { Uses } from '#src/platform/services.ts';
import type { DiscordOutboundDeps } from '../send/outbound.ts';
import { DISCORD, localeFrom } from '../settings.ts';

interface WelcomeDeps extends DiscordOutboundDeps, Uses<'host.welcomes'> {
  readonly signal: AbortSignal;
}

/** Discord sends all servers at each start. Those that the bot joined earlier are not new, whoever remembers them. */
const NEW_FOR = { hours: 1 };
const RETRY = { maxAttempts: 4, minDelayMs: 250, maxDelayMs: 2_000, jitter: false };

/** The channel for system messages, or else the first one in which the bot may write. */
const placeIn = (
  { id, system_channel_id: system, channels, members }: GatewayGuildCreateDispatchData,
  botId: string,
  { mayWrite }: DiscordOutboundDeps['directory'],
): string | undefined => {
  const roleIds = members.find(({ user }) => user.id === botId)?.roles ?? [];
  const texts = channels
    .filter(({ type }) => type === ChannelType.GuildText)
    .map((channel) => ({ id: channel.id, position: 'position' in channel ? channel.position : 0 }))
    .toSorted((a, b) => a.position - b.position || (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  return [...(system === null ? [] : [system]), ...texts.map((channel) => channel.id)].find((channelId) =>
    mayWrite(id, channelId, botId, roleIds),
  );
};

/** Has the bot introduce itself in a server that it has just joined. */
export const createWelcome =
  ({ host, directory, self, clock, signal }: WelcomeDeps) =>
  async (guild: GatewayGuildCreateDispatchData): Promise<void> => {
    const me = self();
    const { welcomes } = host;
    if (!me || !welcomes || guild.unavailable === true) return;
    const joinedAt = Temporal.Instant.from(guild.joined_at);
    if (Temporal.Instant.compare(joinedAt, clock.now().subtract(NEW_FOR)) < 0) return;
    const chatId = placeIn(guild, me.botId, directory);
    if (chatId === undefined) return;
    const chat = {
      channelId: DISCORD,
      accountId: asId<AccountId>(me.applicationId),
      guildId: guild.id,
      subject: guild.id,
      chatId: asId<ChatId>(chatId),
      botId: asId<UserId>(me.botId),
      locale: localeFrom(guild.preferred_locale),
    };
    await retry(() => welcomes.joined(chat), { ...RETRY, clock }, signal);
  };
