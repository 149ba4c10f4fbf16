import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteraction,
  type APIInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ChannelType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
} from 'discord.js';
import { approvalProblem } from '#src/kernel/messages/approvals.ts';
import type { ChannelHost } from '#src/kernel/channel.ts';
import type { Form } from '#src/kernel/command.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { type AccountId, asId, type DeliveryId } from '#src/kernel/ids.ts';
import { type InboundMessage, type MediaAttachment, replyTargetOf } from '#src/kernel/message.ts';
import { newId } from '#src/platform/ids.ts';
import { retry } from '#src/platform/retry.ts';
import { discordMessages } from './messages.ts';
import { CODES, hasCode, isRefusal } from './api.ts';
import { decisionOfPress } from './approvals.ts';
import { NOTHING } from './files.ts';
import { fieldsOf, toModal } from './forms.ts';
import { placeOf } from './inbound.ts';
import type { InteractionAnswers } from './interaction-answers.ts';
import type { Callback, Replies } from './posting.ts';
import { factsFromApi, mayManage, type Places } from './channel-info.ts';
import { commandOfPress, cut, sentence } from './render.ts';
import { DISCORD, type DiscordDeps, localeFrom } from './settings.ts';
import { ASK, filesOf, textOf } from './slash.ts';
import { timeOf } from './snowflake.ts';

export interface InteractionsDeps extends Omit<DiscordDeps, 'settings'> {
  readonly replies: Replies;
  readonly answers: InteractionAnswers;
  readonly places: Places;
  readonly host: ChannelHost;
  readonly signal: AbortSignal;
}

/** Discord waits for 3 seconds; an attempt that hangs must leave room for another one. */
const ACKNOWLEDGE_MS = 2_500;
const ACKNOWLEDGE_RETRY = { maxAttempts: 3, minDelayMs: 100, maxDelayMs: 300, jitter: false };
const STORE_RETRY = { maxAttempts: 3, minDelayMs: 250, maxDelayMs: 1_000, jitter: false };
const MAX_SUGGESTIONS = 25;
const MAX_SUGGESTION_CHARS = 100;
const TIME_LIMIT_MS = 10_000;

const limit = (): AbortSignal => AbortSignal.timeout(TIME_LIMIT_MS);

/** Slash commands, presses and forms. The returned function never throws. */
export const createInteractions = (
  deps: InteractionsDeps,
): ((interaction: APIInteraction) => Promise<void>) => {
  const { replies, answers, places, host, clock, logger, signal } = deps;

  const localeOf = ({ locale }: APIInteraction & { readonly locale?: string }): Locale =>
    deps.locale === 'auto' ? (localeFrom(locale) ?? 'en') : deps.locale;

  /** Before anything else. False where Discord did not take it: the answer then finds another way. */
  const acknowledge = async (interaction: APIInteraction, callback: Callback): Promise<boolean> => {
    try {
      await retry(
        () => replies.acknowledge(interaction, callback, AbortSignal.timeout(ACKNOWLEDGE_MS)),
        { ...ACKNOWLEDGE_RETRY, clock, shouldRetry: (error) => !isRefusal(error) },
        signal,
      );
      return true;
    } catch (error) {
      // An earlier attempt arrived, although its answer did not.
      if (hasCode(error, CODES.alreadyAcknowledged)) return true;
      logger.warn('Discord did not take an acknowledgement in time', { error });
      return false;
    }
  };

  const senderOf = (interaction: APIInteraction) => {
    const { member, guild_id: guildId } = interaction;
    const user = member?.user ?? interaction.user;
    const userId = user?.id ?? '';
    const roleIds = member?.roles ?? [];
    return {
      channelId: DISCORD,
      accountId: asId<AccountId>(interaction.application_id),
      senderId: asId<InboundMessage['senderId']>(userId),
      senderName: member?.nick ?? user?.global_name ?? user?.username ?? '',
      senderRoles: guildId === undefined ? [] : places.standing(guildId, userId, roleIds).roles,
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
    const facts = places.known(channel.id) ?? factsFromApi(channel, places.known);
    const isDirect = guildId === undefined && facts.type === ChannelType.DM;
    if (isDirect) places.learnDirect(facts.id, sender.senderId);
    const languageTag = 'locale' in interaction ? interaction.locale : undefined;
    if (languageTag !== undefined) places.learnLanguage(sender.senderId, languageTag);
    const locale = localeFrom(languageTag);
    return {
      ...sender,
      id: asId(id),
      messageId: asId(id),
      ...placeOf({ ...facts, recipientId: isDirect ? sender.senderId : undefined }, guildId, sender.senderId),
      ...(member ? { managesGuild: mayManage(member.permissions) } : {}),
      isFromSelf: false,
      isFromBot: false,
      mentionsBot: true,
      interaction: { token, isPrivate },
      body,
      ...(media.length > 0 ? { media } : {}),
      ...(locale ? { locale } : {}),
      ...(languageTag === undefined ? {} : { languageTag }),
      ...(interaction.guild_locale === undefined ? {} : { guildLanguageTag: interaction.guild_locale }),
      timestamp: timeOf(id),
    };
  };

  /** For the requester alone, in the place of the promised answer. */
  const tell = async (message: InboundMessage, text: string): Promise<void> => {
    const { interaction } = message;
    if (!interaction) return;
    const target = { ...replyTargetOf(message), interaction };
    const outbound = { deliveryId: newId<DeliveryId>(), target, payload: { text, ephemeral: true } };
    await answers.write(outbound, { body: sentence(text), upload: NOTHING }, limit());
  };

  const withdrawUnanswered = async ({ accountId, interaction }: InboundMessage): Promise<void> => {
    if (interaction && !signal.aborted && answers.isOpen(interaction.token))
      await answers.withdraw(accountId, interaction.token, limit());
  };

  const hand = async (message: InboundMessage, locale: Locale): Promise<void> => {
    const t = channelMessages(locale);
    let receipt: Awaited<ReturnType<ChannelHost['receive']>>;
    try {
      receipt = await retry(() => host.receive(message), { ...STORE_RETRY, clock }, signal);
    } catch (error) {
      logger.error('A command could not be stored', { error });
      await tell(message, t.notStored());
      return;
    }
    host.progress.saw(DISCORD, message.accountId, message.timestamp);
    if (receipt.outcome === 'dropped' && !receipt.isTold) await tell(message, t.notHere());
    if (receipt.outcome !== 'accepted') return;
    await receipt.settled;
    // Nothing was said: "… is thinking" must not stand there for a quarter of an hour.
    await withdrawUnanswered(message);
  };

  const say = async (
    interaction: APIApplicationCommandInteraction | APIMessageComponentInteraction,
    body: string,
    isPrivate: boolean,
    media: readonly MediaAttachment[] = [],
  ): Promise<void> => {
    const type = InteractionResponseType.DeferredChannelMessageWithSource;
    if (await acknowledge(interaction, { type, isPrivate })) answers.opened(interaction.token);
    await hand(toInbound(interaction, body, isPrivate, media), localeOf(interaction));
  };

  const definitionOf = (name: string): CommandDefinition | undefined =>
    host.commands().find((definition) => definition.name === name);

  const formFor = (interaction: APIApplicationCommandInteraction, body: string): Form | undefined => {
    try {
      return host.forms.open(body, { ...senderOf(interaction), locale: localeOf(interaction) });
    } catch (error) {
      // The person waits for a sign of life, whatever happened here.
      logger.error('A form could not be opened', { error });
      return undefined;
    }
  };

  const onCommand = async (interaction: APIApplicationCommandInteraction): Promise<void> => {
    const { data } = interaction;
    if (data.type !== ApplicationCommandType.ChatInput) return;
    const definition = definitionOf(data.name);
    const body = textOf(data.name, data.options ?? [], definition);
    const form = formFor(interaction, body);
    if (form) {
      await acknowledge(interaction, { type: InteractionResponseType.Modal, data: toModal(form) });
      return;
    }
    // A command that does not exist any more is of interest to nobody but the one who called it.
    const isGone = definition === undefined && data.name !== ASK.name;
    await say(interaction, body, definition?.isPrivate ?? isGone, filesOf(data));
  };

  const decide = async (
    interaction: APIMessageComponentInteraction,
    { id, verdict }: NonNullable<ReturnType<typeof decisionOfPress>>,
  ): Promise<void> => {
    await acknowledge(interaction, { type: InteractionResponseType.DeferredMessageUpdate });
    const { channelId, senderId: userId, senderRoles: userRoles } = senderOf(interaction);
    const locale = localeOf(interaction);
    let problem: string | undefined;
    try {
      problem = approvalProblem(
        await host.approvals.decide(id, verdict, { channelId, userId, userRoles }),
        locale,
      );
    } catch (error) {
      logger.error('A decision could not be stored', { error });
      problem = discordMessages(locale).decisionNotStored();
    }
    if (problem === undefined) return;
    const { application_id: applicationId, token } = interaction;
    await replies.followUp(applicationId, token, sentence(problem), { isPrivate: true }, limit());
  };

  const onPress = async (interaction: APIMessageComponentInteraction): Promise<void> => {
    const { custom_id: customId } = interaction.data;
    const decision = decisionOfPress(customId);
    if (decision) {
      await decide(interaction, decision);
      return;
    }
    const command = commandOfPress(customId);
    if (command === undefined) {
      const body = sentence(channelMessages(localeOf(interaction)).choiceGone());
      await acknowledge(interaction, { type: InteractionResponseType.ChannelMessageWithSource, body });
      return;
    }
    const name = /^\/(\S+)/.exec(command)?.[1] ?? '';
    const isHidden = ((interaction.message.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
    await say(interaction, command, isHidden || definitionOf(name)?.isPrivate === true);
  };

  const onForm = async (interaction: APIModalSubmitInteraction): Promise<void> => {
    const type = InteractionResponseType.DeferredChannelMessageWithSource;
    if (!(await acknowledge(interaction, { type, isPrivate: true }))) return;
    const sender = { ...senderOf(interaction), locale: localeOf(interaction) };
    const { custom_id: formId } = interaction.data;
    const outcome = await host.forms.submit(formId, fieldsOf(interaction.data), sender);
    const { application_id: applicationId, token } = interaction;
    await answers.edit(applicationId, token, '@original', sentence(cut(outcome, 2_000)), limit());
  };

  const onTyping = async (interaction: APIApplicationCommandAutocompleteInteraction): Promise<void> => {
    const { name, options } = interaction.data;
    const focused = options.find(
      (option) => option.type === ApplicationCommandOptionType.String && option.focused,
    );
    const source = definitionOf(name)?.options?.find((option) => option.name === focused?.name)?.suggest;
    const typed = focused && 'value' in focused ? String(focused.value) : '';
    const sender = { ...senderOf(interaction), locale: localeOf(interaction) };
    const found = source ? host.suggest(source, typed, sender, MAX_SUGGESTIONS) : [];
    const choices = found
      .filter(({ value }) => value !== '' && value.length <= MAX_SUGGESTION_CHARS)
      .slice(0, MAX_SUGGESTIONS)
      .map(({ label, value }) => ({ name: cut(label || value, MAX_SUGGESTION_CHARS), value }));
    const type = InteractionResponseType.ApplicationCommandAutocompleteResult;
    await acknowledge(interaction, { type, data: { choices } });
  };

  const take = async (interaction: APIInteraction): Promise<void> => {
    switch (interaction.type) {
      case InteractionType.ApplicationCommand:
        return onCommand(interaction);
      case InteractionType.MessageComponent:
        return onPress(interaction);
      case InteractionType.ModalSubmit:
        return onForm(interaction);
      case InteractionType.ApplicationCommandAutocomplete:
        return onTyping(interaction);
      case InteractionType.Ping:
        return undefined;
    }
    return interaction satisfies never;
  };

  return async (interaction) => {
    try {
      await take(interaction);
    } catch (error) {
      logger.error('An interaction could not be answered', { error });
    }
  };
};
