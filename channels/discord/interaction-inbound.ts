import {
  type APIApplicationCommandInteraction,
  type APIInteraction,
  type APIMessageComponentInteraction,
  ApplicationIntegrationType,
  ChannelType,
  InteractionContextType,
} from 'discord.js';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import { type AccountId, asId, type ChatId } from '#src/kernel/ids.ts';
import type { InboundMessage, MediaAttachment } from '#src/kernel/message.ts';
import { type Directory, factsFromApi, mayManage } from './directory.ts';
import { type Place, placeOf } from './inbound.ts';
import { DISCORD, localeFrom } from './settings.ts';
import { timeOf } from './snowflake.ts';

/**
 * Whether it comes from a place where the bot is not: a person who added the bot to their account called it there. The bot
 * can only answer the interaction, so such a place counts as the person's direct chat.
 */
export const isElsewhere = ({
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
  const { message, guild_id: guildId, channel } = interaction;
  if (guildId === undefined && channel.type === ChannelType.DM && !isElsewhere(interaction)) return true;
  const userId = (interaction.member?.user ?? interaction.user)?.id;
  const meant =
    message.interaction_metadata?.user.id ?? message.referenced_message?.author.id ?? message.mentions[0]?.id;
  return meant !== undefined && meant === userId;
};

/** Reads interactions as messages. */
export const createInteractionReader = (directory: Directory) => {
  const senderOf = (interaction: APIInteraction) => {
    const { member } = interaction;
    const guildId = isElsewhere(interaction) ? undefined : interaction.guild_id;
    const user = member?.user ?? interaction.user;
    const userId = user?.id ?? '';
    const roleIds = member?.roles ?? [];
    return {
      channelId: DISCORD,
      accountId: asId<AccountId>(interaction.application_id),
      senderId: asId<InboundMessage['senderId']>(userId),
      senderName: member?.nick ?? user?.global_name ?? user?.username ?? '',
      senderRoles: guildId === undefined ? [] : directory.standing(guildId, userId, roleIds).roles,
      ...(directory.ownsBot(userId) ? { ownsBot: true } : {}),
    };
  };

  const toInbound = (
    interaction: APIApplicationCommandInteraction | APIMessageComponentInteraction,
    body: string,
    isPrivate: boolean,
    media: readonly MediaAttachment[],
  ): InboundMessage => {
    const { id, token, channel, guild_id: guildId, member } = interaction;
    const sender = senderOf(interaction);
    const isAway = isElsewhere(interaction);
    const facts = directory.known(channel.id) ?? factsFromApi(channel, directory.known);
    const isDirect = !isAway && guildId === undefined && facts.type === ChannelType.DM;
    if (isDirect) directory.learnDirect(facts.id, sender.senderId);
    const place: Place = isAway
      ? { chatId: asId<ChatId>(sender.senderId), chatType: 'direct' }
      : placeOf({ ...facts, recipientId: isDirect ? sender.senderId : undefined }, guildId, sender.senderId);
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

  return { senderOf, toInbound };
};
