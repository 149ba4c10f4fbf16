import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteraction,
  type APIInteraction,
  type APIMessageApplicationCommandInteractionData,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ChannelType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  ComponentType,
  TextInputStyle,
} from 'discord.js';
import { approvalProblem } from '#src/kernel/agent/texts/approvals.ts';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import { completedBy, type Form } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { MESSAGE_MENUS } from '#src/kernel/chat/message-menus.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import type { DeliveryId } from '#src/kernel/ids.ts';
import {
  asPassedOn,
  type MsgContext,
  type MediaAttachment,
  replyTargetOf,
} from '#src/kernel/chat/message.ts';
import { cut } from '#src/kernel/text.ts';
import { newId } from '#src/platform/ids.ts';
import { retry } from '#src/platform/concurrency/retry.ts';
import { discordTexts } from '../send/texts.ts';
import { CODES, hasCode, isRefusal } from '../api.ts';
import { decisionOfButton } from './approvals.ts';
import { ratingOfButton, withVerdict } from '../send/feedback.ts';
import { NOTHING } from '../send/files.ts';
import { mediaOf } from '../receive/message-words.ts';
import { passedOn } from '../receive/inbound.ts';
import { createInteractionReader, isExposed, isMeantFor } from './interaction-inbound.ts';
import { type InteractionReplies, ORIGINAL } from '../send/interaction-replies.ts';
import type { DiscordOutboundDeps } from '../send/outbound.ts';
import {
  asBefore,
  choiceOfButton,
  isDangerous,
  isKeepButton,
  MAX_CONTENT,
  type Rows,
  sentence,
  withoutButton,
  withoutEffect,
  withQuestion,
} from '../send/render.ts';
import { DISCORD, localeFrom } from '../settings.ts';
import { ASK, called, filesOf, textOf } from './slash.ts';

interface InteractionsDeps extends DiscordOutboundDeps {
  readonly replies: InteractionReplies;
  readonly host: ChannelHost;
  readonly signal: AbortSignal;
  /** This process is about to end, and another one may answer what it received. */
  readonly isLeaving: () => boolean;
}

/** Discord waits for 3 seconds, so an attempt that hangs must leave time for another one. */
const ACKNOWLEDGE_MS = 2_500;
const ACKNOWLEDGE_RETRY = { maxAttempts: 3, minDelayMs: 100, maxDelayMs: 300, jitter: false };
const STORE_RETRY = { maxAttempts: 3, minDelayMs: 250, maxDelayMs: 1_000, jitter: false };
const MAX_SUGGESTIONS = 25;
const MAX_SUGGESTION_CHARS = 100;
const TIME_LIMIT_MS = 10_000;

/** Discord may leave the channel out. */
const isDirect = (channel: APIMessageComponentInteraction['channel'] | undefined): boolean =>
  channel?.type === ChannelType.DM;

const limit = (): AbortSignal => AbortSignal.timeout(TIME_LIMIT_MS);

/** Acknowledges with "… is thinking". */
const deferred = (isPrivate: boolean) => ({
  type: InteractionResponseType.DeferredChannelMessageWithSource,
  data: { flags: isPrivate ? MessageFlags.Ephemeral : 0 },
});

/** Slash commands, buttons and forms. The returned function resolves when a message is stored. */
export const createInteractions = (
  deps: InteractionsDeps,
): ((interaction: APIInteraction) => Promise<void>) => {
  const { replies } = deps;
  const reception = createReception(deps);
  const onPress = createPressHandler(deps, reception);
  const onCommand = createCommandHandler(reception);
  const { decide, rate } = createVerdictHandlers(deps, reception);
  const { onForm, onTyping } = createFormHandlers(deps, reception);

  const onButton = (interaction: APIMessageComponentInteraction): Promise<void> => {
    const { custom_id: customId } = interaction.data;
    const rating = ratingOfButton(customId);
    if (rating) return rate(interaction, rating);
    const decision = decisionOfButton(customId);
    return decision ? decide(interaction, decision) : onPress(interaction);
  };

  const handle = async (interaction: APIInteraction): Promise<void> => {
    switch (interaction.type) {
      case InteractionType.ApplicationCommand:
        return onCommand(interaction);
      case InteractionType.MessageComponent:
        return onButton(interaction);
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
      await handle(interaction);
    } catch (error) {
      const { application_id: id, token } = interaction;
      // "… is thinking" would stay for 15 minutes.
      if (replies.isOpen(token))
        await replies.edit(
          id,
          token,
          undefined,
          sentence(channelTexts(reception.localeOf(interaction)).notStored()),
          limit(),
        );
      throw error;
    }
  };
};

/** What interactions of all kinds need: the acknowledgement, and the way into the chat. */
const createReception = (deps: InteractionsDeps) => {
  const { replies, directory, host, clock, logger, signal } = deps;
  const { actorOf, toInbound } = createInteractionReader(directory);
  const localeOf = ({ locale }: APIInteraction & { readonly locale?: string }): Locale =>
    deps.locale === 'auto' ? (localeFrom(locale) ?? 'en') : deps.locale;

  /**
   * Must come first. `refused`: the answer is sent as a direct message. `before`: a process that had this event before has
   * acknowledged it, and may have acted on it.
   */
  const acknowledge = async (
    interaction: APIInteraction,
    response: Parameters<InteractionReplies['acknowledge']>[1],
  ): Promise<'now' | 'before' | 'refused'> => {
    let attempts = 0;
    try {
      await retry(
        (attempt) => {
          attempts = attempt;
          return replies.acknowledge(interaction, response, AbortSignal.timeout(ACKNOWLEDGE_MS));
        },
        { ...ACKNOWLEDGE_RETRY, clock, shouldRetry: (error) => !isRefusal(error) },
        signal,
      );
      if (response.type === InteractionResponseType.DeferredChannelMessageWithSource)
        replies.opened(interaction.token);
      return 'now';
    } catch (error) {
      // An earlier attempt arrived although its response was lost.
      if (hasCode(error, CODES.alreadyAcknowledged)) return attempts > 1 ? 'now' : 'before';
      logger.warn('Discord: could not acknowledge an interaction in time', { error });
      return 'refused';
    }
  };

  /** Tells the requester alone, in place of the announced answer. */
  const tell = async (message: MsgContext, text: string): Promise<void> => {
    const { interaction } = message;
    if (!interaction) return;
    const target = { ...replyTargetOf(message), interaction };
    const outbound = { deliveryId: newId<DeliveryId>(), target, payload: { text, ephemeral: true } };
    await replies.write(outbound, { body: sentence(text), upload: NOTHING }, limit());
  };

  const withdrawUnanswered = async ({ accountId, interaction }: MsgContext): Promise<void> => {
    if (interaction && !deps.isLeaving() && replies.isOpen(interaction.token))
      await replies.withdraw(accountId, interaction.token, limit());
  };

  /** True if it is answered. */
  const receive = async (message: MsgContext, locale: Locale): Promise<boolean> => {
    const t = channelTexts(locale);
    let receipt: Awaited<ReturnType<ChannelHost['receive']>>;
    try {
      receipt = await retry(() => host.receive(message), { ...STORE_RETRY, clock }, signal);
    } catch (error) {
      logger.error('Discord: could not store a command', { error });
      await tell(message, t.notStored());
      return false;
    }
    if (!signal.aborted) host.progress.saw(DISCORD, message.accountId, message.timestamp);
    if (receipt.outcome === 'dropped' && !receipt.isTold) await tell(message, t.notHere());
    if (receipt.outcome !== 'accepted') return receipt.outcome === 'duplicate';
    // Without an answer, "… is thinking" would stay for 15 minutes.
    void receipt.settled
      .then(() => withdrawUnanswered(message))
      .catch((error: unknown) => logger.error('Discord: could not withdraw an announced answer', { error }));
    return true;
  };

  const say = async (
    interaction: Parameters<typeof toInbound>[0],
    body: string,
    isPrivate: boolean,
    media: readonly MediaAttachment[] = [],
  ): Promise<void> => {
    await acknowledge(interaction, deferred(isPrivate));
    await receive(toInbound(interaction, body, isPrivate, media), localeOf(interaction));
  };

  const definitionOf = (name: string): CommandDefinition | undefined =>
    host.commands().find((definition) => definition.name === name);

  /** Whether a command asks for a form, which is then open. */
  const opensForm = async (
    interaction: APIApplicationCommandInteraction | APIMessageComponentInteraction,
    body: string,
  ): Promise<boolean> => {
    let form: Form | undefined;
    try {
      form = host.forms.open(body, actorOf(interaction, localeOf(interaction)));
    } catch (error) {
      // The command is then handled as a message, so that the person gets an answer.
      logger.error('Discord: could not open a form', { error });
    }
    if (!form) return false;
    await acknowledge(interaction, { type: InteractionResponseType.Modal, data: toModal(form) });
    return true;
  };

  return { actorOf, toInbound, localeOf, acknowledge, tell, receive, say, opensForm, definitionOf };
};

type Reception = ReturnType<typeof createReception>;

/** Slash commands, and the menu of a message. */
const createCommandHandler = (reception: Reception) => {
  const { toInbound, localeOf, acknowledge, tell, receive, say, opensForm, definitionOf } = reception;
  /** A question about a message, from its menu. Nobody else sees the answer. */
  const askAbout = async (
    interaction: APIApplicationCommandInteraction,
    data: APIMessageApplicationCommandInteractionData,
  ): Promise<void> => {
    const menu = MESSAGE_MENUS.find(({ label }) => label.en === data.name);
    const about = data.resolved.messages[data.target_id];
    if (!menu || !about) return;
    const locale = localeOf(interaction);
    await acknowledge(interaction, deferred(true));
    const media = mediaOf(about).map(asPassedOn);
    const forwarded = passedOn(about, interaction.application_id);
    const message = toInbound(interaction, menu.asks[locale], true, media);
    if (forwarded.length > 0) await receive({ ...message, forwarded }, locale);
    else if (media.length > 0) await receive(message, locale);
    else await tell(message, channelTexts(locale).nothingToRead());
  };

  const onCommand = async (interaction: APIApplicationCommandInteraction): Promise<void> => {
    const { data } = interaction;
    if (data.type === ApplicationCommandType.Message) return askAbout(interaction, data);
    if (data.type !== ApplicationCommandType.ChatInput) return undefined;
    const definition = definitionOf(data.name);
    const body = textOf(data.name, data.options ?? [], definition);
    if (await opensForm(interaction, body)) return undefined;
    // The error about a command that no longer exists is shown only to whoever called it.
    const isGone = definition === undefined && data.name !== ASK.name;
    const isPrivate = definition?.isPrivate ?? isGone;
    return say(interaction, body, isPrivate || isExposed(interaction, definition), filesOf(data));
  };

  return onCommand;
};

/** Buttons that say something to the bot. */
const createPressHandler = (
  { replies, logger }: Pick<InteractionsDeps, 'replies' | 'logger'>,
  reception: Reception,
) => {
  const { toInbound, localeOf, acknowledge, receive, say, opensForm, definitionOf } = reception;
  /** The answer takes the place of the message with the pressed button. */
  const sayInPlace = async (
    interaction: APIMessageComponentInteraction,
    body: string,
    isPrivate: boolean,
  ): Promise<void> => {
    await acknowledge(interaction, { type: InteractionResponseType.DeferredMessageUpdate });
    const message = toInbound(interaction, body, isPrivate, []);
    const answered = { token: interaction.token, isPrivate, updates: true };
    await receive({ ...message, interaction: answered }, localeOf(interaction));
  };

  /** The buttons of the message change once the press is stored, and the answer follows. */
  const sayOnce = async (
    interaction: APIMessageComponentInteraction,
    body: string,
    isPrivate: boolean,
    change: (components: Rows) => Rows,
  ): Promise<void> => {
    const { application_id: id, token, message } = interaction;
    await acknowledge(interaction, { type: InteractionResponseType.DeferredMessageUpdate });
    replies.filled(token);
    if (!(await receive(toInbound(interaction, body, isPrivate, []), localeOf(interaction)))) return;
    try {
      await replies.changeButtons(id, token, change(message.components ?? []), limit());
    } catch (error) {
      logger.warn('Discord: could not disable buttons that were used', { error });
    }
  };

  const changeAtOnce = async (
    interaction: APIMessageComponentInteraction,
    change: (components: NonNullable<typeof interaction.message.components>) => unknown,
  ): Promise<void> => {
    const components = change(interaction.message.components ?? []);
    await acknowledge(interaction, { type: InteractionResponseType.UpdateMessage, data: { components } });
  };

  const refuse = async (interaction: APIMessageComponentInteraction, text: string): Promise<void> => {
    const body = sentence(text);
    const data = { ...body, flags: body.flags | MessageFlags.Ephemeral };
    await acknowledge(interaction, { type: InteractionResponseType.ChannelMessageWithSource, data });
  };

  const onPress = async (interaction: APIMessageComponentInteraction): Promise<void> => {
    const { custom_id: customId } = interaction.data;
    const t = channelTexts(localeOf(interaction));
    const isHidden = isEphemeral(interaction.message);
    const isOwn = isHidden || isMeantFor(interaction);
    if (isKeepButton(customId))
      return isOwn ? changeAtOnce(interaction, asBefore) : refuse(interaction, t.notYourButton());
    const choice = choiceOfButton(customId);
    if (choice === undefined) return refuse(interaction, t.choiceGone());
    const { command, effect } = choice;
    if (!isOwn && isDangerous(interaction.message.components ?? [], customId))
      return refuse(interaction, t.notYourButton());
    if (choice.asksFirst)
      return changeAtOnce(interaction, (components) =>
        withQuestion(components, customId, localeOf(interaction)),
      );
    if (await opensForm(interaction, command)) return undefined;
    const name = nameIn(command);
    const definition = definitionOf(name);
    const isPrivate = isForOne(interaction, definition);
    if (effect === undefined) return say(interaction, command, isPrivate);
    // Anybody else gets an answer of their own, and the message stays as it is.
    if (!isOwn) return say(interaction, command, true);
    // A message that others read is not replaced by account data.
    if (!isHidden && isExposed(interaction, definition)) return say(interaction, command, true);
    if (effect === 'replaces') return sayInPlace(interaction, command, isHidden);
    const change = effect === 'ends' ? withoutEffect : (rows: Rows) => withoutButton(rows, customId);
    return sayOnce(interaction, command, isPrivate, change);
  };

  return onPress;
};

/** Buttons below a request for approval and below an answer. */
const createVerdictHandlers = (
  { replies, host, logger }: Pick<InteractionsDeps, 'replies' | 'host' | 'logger'>,
  reception: Reception,
) => {
  const { actorOf, localeOf, acknowledge } = reception;
  const decide = async (
    interaction: APIMessageComponentInteraction,
    { id, verdict }: NonNullable<ReturnType<typeof decisionOfButton>>,
  ): Promise<void> => {
    await acknowledge(interaction, { type: InteractionResponseType.DeferredMessageUpdate });
    const locale = localeOf(interaction);
    let problem: string | undefined;
    try {
      const result = await host.approvals.decide(id, verdict, actorOf(interaction, locale));
      problem = approvalProblem(result, locale);
    } catch (error) {
      logger.error('Discord: could not store a decision', { error });
      problem = discordTexts(locale).decisionNotStored();
    }
    if (problem === undefined) return;
    const { application_id: applicationId, token } = interaction;
    await replies.followUp(applicationId, token, sentence(problem), { isPrivate: true }, limit());
  };

  /** In a direct chat the pressed button is marked. Elsewhere everybody has a verdict of their own, and is told alone. */
  const rate = async (
    interaction: APIMessageComponentInteraction,
    { answerId, verdict }: NonNullable<ReturnType<typeof ratingOfButton>>,
  ): Promise<void> => {
    await acknowledge(interaction, { type: InteractionResponseType.DeferredMessageUpdate });
    const { application_id: id, token, message, channel } = interaction;
    const by = actorOf(interaction, localeOf(interaction));
    const { outcome, text } = await host.feedback.rate(answerId, verdict, by);
    if (outcome === 'stored' && isDirect(channel))
      await replies.changeButtons(id, token, withVerdict(message.components ?? [], verdict), limit());
    else await replies.followUp(id, token, sentence(text), { isPrivate: true }, limit());
  };

  return { decide, rate };
};

/** Forms that are submitted, and options that are being typed. */
const createFormHandlers = (
  { replies, host }: Pick<InteractionsDeps, 'replies' | 'host'>,
  reception: Reception,
) => {
  const { actorOf, localeOf, acknowledge, say, definitionOf } = reception;
  const onForm = async (interaction: APIModalSubmitInteraction): Promise<void> => {
    const { custom_id: formId } = interaction.data;
    const values = fieldsOf(interaction.data);
    const said = completedBy(formId, values);
    if (said !== undefined) {
      return say(interaction, said, isForOne(interaction, definitionOf(nameIn(said))));
    }
    // A form that was submitted before is not submitted again.
    if ((await acknowledge(interaction, deferred(true))) !== 'now') return;
    const by = actorOf(interaction, localeOf(interaction));
    const outcome = await host.forms.submit(formId, values, by);
    const { application_id: applicationId, token } = interaction;
    await replies.edit(applicationId, token, ORIGINAL, sentence(cut(outcome, MAX_CONTENT)), limit());
    return undefined;
  };

  const onTyping = async (interaction: APIApplicationCommandAutocompleteInteraction): Promise<void> => {
    const { name, options: filled } = interaction.data;
    const definition = definitionOf(name);
    const { subcommand, options } = called(filled, definition);
    const focused = options.find(
      (option) => option.type === ApplicationCommandOptionType.String && option.focused,
    );
    const known = subcommand?.options ?? definition?.options ?? [];
    const source = known.find((option) => option.name === focused?.name)?.suggest;
    const typed = focused && 'value' in focused ? String(focused.value) : '';
    const by = actorOf(interaction, localeOf(interaction));
    const others = Object.fromEntries(
      options.flatMap((option) =>
        option !== focused && 'value' in option ? [[option.name, String(option.value)]] : [],
      ),
    );
    const found = source ? await host.suggest(source, typed, by, MAX_SUGGESTIONS, others) : [];
    const choices = found
      .filter(({ value }) => value !== '' && value.length <= MAX_SUGGESTION_CHARS)
      .slice(0, MAX_SUGGESTIONS)
      .map(({ label, value }) => ({ name: cut(label || value, MAX_SUGGESTION_CHARS), value }));
    const type = InteractionResponseType.ApplicationCommandAutocompleteResult;
    await acknowledge(interaction, { type, data: { choices } });
  };

  return { onForm, onTyping };
};

const isEphemeral = (message: APIMessageComponentInteraction['message'] | undefined): boolean =>
  ((message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0;

/** Whether only the person sees the answer to a press or a form. */
const isForOne = (
  interaction: APIMessageComponentInteraction | APIModalSubmitInteraction,
  definition: CommandDefinition | undefined,
): boolean =>
  isEphemeral(interaction.message) || definition?.isPrivate === true || isExposed(interaction, definition);

const nameIn = (command: string): string => /^\/(\S+)/u.exec(command)?.[1] ?? '';

const MAX_TITLE = 45;
const MAX_LABEL = 45;
const MAX_FIELDS = 5;
const MAX_LENGTH = 4_000;

const toModal = ({ id, title, fields }: Form): unknown => ({
  custom_id: id,
  title: cut(title, MAX_TITLE),
  components: fields.slice(0, MAX_FIELDS).map((field) => ({
    type: ComponentType.ActionRow,
    components: [
      {
        type: ComponentType.TextInput,
        style: TextInputStyle.Short,
        custom_id: field.id,
        label: cut(field.label, MAX_LABEL),
        required: field.isRequired,
        max_length: Math.min(field.maxLength, MAX_LENGTH),
      },
    ],
  })),
});

/** The values of a submitted form by field id, however deep Discord nests the fields. */
const fieldsOf = (filled: unknown): Readonly<Record<string, string>> => {
  if (Array.isArray(filled)) return Object.assign({}, ...filled.map(fieldsOf));
  if (typeof filled !== 'object' || filled === null) return {};
  if ('custom_id' in filled && 'value' in filled && typeof filled.value === 'string')
    return { [String(filled.custom_id)]: filled.value };
  return {
    ...('components' in filled ? fieldsOf(filled.components) : {}),
    ...('component' in filled ? fieldsOf(filled.component) : {}),
  };
};
