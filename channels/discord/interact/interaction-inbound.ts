import type { Actor } from '#src/kernel/chat/actor.ts';
import {
  type APIApplicationCommandInteraction,
  type APIInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  type APIPingInteraction,
  ApplicationIntegrationType,
  ChannelType,
  InteractionContextType,
} from 'discord.js';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';

import { type AccountId, asId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { MsgContext, MediaAttachment } from '#src/kernel/chat/message.ts';
import { type DiscordDirectory, factsFromApi, mayManage } from '../directory.ts';
import { type DiscordPlace, placeOf } from '../receive/inbound.ts';
import { DISCORD, localeFrom } from '../settings.ts';
import { timeOf } from '../snowflake.ts';

/**
 * Whether it comes from a place where the bot is not: a person who added the bot to their account called it there. The bot
 * can only answer the interaction, so such a place counts as the person's direct chat.
 */
const isElsewhere = ({
  authorizing_integration_owners: owners,
  context,
}: Partial<Pick<APIInteraction, 'authorizing_integration_owners' | 'context'>>): boolean =>
  owners !== undefined &&
  owners[ApplicationIntegrationType.GuildInstall] === undefined &&
  context !== InteractionContextType.BotDM;

/** An answer from the direct chat, which may contain account data, would be read by others. */
export const isExposed = (interaction: APIInteraction, definition: CommandDefinition | undefined): boolean =>
  isElsewhere(interaction) && definition?.isHarmless !== true;

/** Whether the message with the button answers this person, mentions them, or is in their direct chat. */
export const isMeantFor = (interaction: APIMessageComponentInteraction): boolean => {
  const { message, guild_id: guildId } = interaction;
  const channel: Partial<typeof interaction.channel> | undefined = interaction.channel;
  if (guildId === undefined && channel?.type === ChannelType.DM && !isElsewhere(interaction)) return true;
  const userId = (interaction.member?.user ?? interaction.user)?.id;
  const meant =
    message.interaction_metadata?.user.id ?? message.referenced_message?.author.id ?? message.mentions[0]?.id;
  return meant !== undefined && meant === userId;
};

type Whatever = Exclude<APIInteraction, APIPingInteraction>;

/** Reads interactions as messages, and who acts. */
export const createInteractionReader = (directory: DiscordDirectory) => {
  const senderOf = (interaction: Whatever) => {
    const { member } = interaction;
    const guildId = isElsewhere(interaction) ? undefined : interaction.guild_id;
    const user = member?.user ?? interaction.user;
    const userId = user?.id ?? '';
    const roleIds = member?.roles ?? [];
    return {
      channelId: DISCORD,
      accountId: asId<AccountId>(interaction.application_id),
      senderId: asId<UserId>(userId),
      senderName: member?.nick ?? user?.global_name ?? user?.username ?? '',
      senderRoles: guildId === undefined ? [] : directory.standing(guildId, userId, roleIds).roles,
      ...(directory.ownsBot(userId) ? { ownsBot: true } : {}),
    };
  };

  const placeIn = (interaction: Whatever, senderId: UserId): DiscordPlace => {
    const { channel, guild_id: guildId } = interaction;
    const channelId = channel?.id ?? interaction.channel_id;
    // A form may come without its channel, which is then none of a server.
    if (isElsewhere(interaction) || channelId === undefined)
      return { chatId: asId<ChatId>(senderId), chatType: 'direct' };
    const facts = directory.known(channelId) ??
      (channel ? factsFromApi(channel, directory.known) : undefined) ?? {
        id: channelId,
        type: guildId === undefined ? ChannelType.DM : ChannelType.GuildText,
      };
    const isDirect = guildId === undefined && facts.type === ChannelType.DM;
    if (isDirect) directory.learnDirect(facts.id, senderId);
    return placeOf({ ...facts, recipientId: isDirect ? senderId : undefined }, guildId, senderId);
  };

  /** The person who acts, and where. */
  const actorOf = (interaction: Whatever, locale: Locale): Actor => {
    const { senderName: _name, ...sender } = senderOf(interaction);
    const { chatId, chatType, threadId, guildId } = placeIn(interaction, sender.senderId);
    return {
      ...sender,
      chatId,
      chatType,
      ...(threadId && { threadId }),
      ...(guildId === undefined ? {} : { guildId }),
      locale,
    };
  };

  const toInbound = (
    interaction:
      | APIApplicationCommandInteraction
      | APIMessageComponentInteraction
      | APIModalSubmitInteraction,
    body: string,
    isPrivate: boolean,
    media: readonly MediaAttachment[],
  ): MsgContext => {
    const { id, token, member } = interaction;
    const sender = senderOf(interaction);
    const isAway = isElsewhere(interaction);
    const place = placeIn(interaction, sender.senderId);
    const languageTag = 'locale' in interaction ? interaction.locale : undefined;
    if (languageTag !== undefined) directory.learnLanguage(sender.senderId, languageTag);
    const locale = localeFrom(languageTag);
    return {
      ...sender,
      id: asId(id),
      messageId: asId(id),
      ...place,
      ...(member && !isAway ? { managesGuild: mayManage(member.permissions) } : {}),
      isFromSelf: false,
      isFromBot: false,
      mentionsBot: true,
      interaction: { token, isPrivate },
      body,
      ...(media.length > 0 ? { media } : {}),
      ...(locale ? { locale } : {}),
      ...(languageTag === undefined ? {} : { languageTag }),
      ...(interaction.guild_locale === undefined || isAway
        ? {}
        : { guildLanguageTag: interaction.guild_locale }),
      timestamp: timeOf(id),
    };
  };

  return { actorOf, toInbound };
};
