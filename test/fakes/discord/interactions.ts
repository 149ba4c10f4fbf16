import type { Choice, FakeInteraction, ShownModal } from './api.ts';
import type {
  ChannelState,
  GuildState,
  InteractionState,
  InteractionType,
  State,
  UserState,
} from './state.ts';
import { ensureMember } from './places.ts';
import { hasBot } from './session.ts';
import { rightsOf, seenMessage, seenUser, wireChannel, wireMember, wireUser } from './views.ts';
import { asNumber, asText, asWires, EVERYDAY_RIGHTS, type Wire } from './wire.ts';

type Until = <T>(
  predicate: () => T | false | undefined,
  options?: { readonly timeoutMs?: number; readonly what?: string },
) => Promise<T>;

export interface NewInteraction {
  readonly type: InteractionType;
  readonly user: UserState;
  readonly channel: ChannelState;
  readonly data: Wire;
  readonly sourceId?: string | undefined;
  /** The message it comes from, as it goes over the wire. */
  readonly message?: Wire | undefined;
  /** Merged over it as it goes over the wire: for odd shapes. */
  readonly raw?: Wire | undefined;
}

/** By which installation the bot was called: that of the server, of the direct chat, or of the person. */
const ownersOf = (state: State, guild: GuildState | undefined, { id }: UserState): Wire => {
  if (!guild) return { '0': '0' };
  return hasBot(state, guild) ? { '0': guild.id } : { '1': id };
};

/** A person did something that the bot has to answer. */
export const startInteraction = (
  state: State,
  { type, user, channel, data, sourceId, message, raw }: NewInteraction,
): InteractionState => {
  const id = state.nextId();
  const interaction: InteractionState = {
    id,
    token: `token-${id}-${Math.random().toString(36).slice(2)}`,
    type,
    user,
    channelId: channel.id,
    startedMs: performance.now(),
    ...(sourceId === undefined ? {} : { sourceId }),
    answerIds: [],
  };
  state.interactions.set(id, interaction);
  ensureMember(state, channel.guildId, user);
  const guild = state.guilds.get(channel.guildId ?? '');
  state.onDispatch(
    'INTERACTION_CREATE',
    {
      id,
      application_id: state.applicationId,
      type,
      token: interaction.token,
      version: 1,
      channel_id: channel.id,
      channel: { ...wireChannel(state, channel), permissions: `${EVERYDAY_RIGHTS}` },
      locale: user.locale,
      app_permissions: `${EVERYDAY_RIGHTS}`,
      entitlements: [],
      authorizing_integration_owners: ownersOf(state, guild, user),
      context: guild ? 0 : 1,
      attachment_size_limit: 10_485_760,
      ...(guild
        ? {
            guild_id: guild.id,
            guild_locale: guild.locale,
            guild: { id: guild.id, locale: guild.locale, features: [] },
            member: {
              ...wireMember(guild, user.id),
              user: wireUser(user),
              permissions: `${rightsOf(guild, user.id)}`,
            },
          }
        : { user: wireUser(user) }),
      ...(message ? { message } : {}),
      data,
      ...raw,
    },
    undefined,
  );
  return interaction;
};

/** Text inputs of a form, in rows or behind labels. */
export const modalOf = (data: Wire): ShownModal => ({
  customId: asText(data['custom_id']),
  title: asText(data['title']),
  fields: asWires(data['components']).map((row) => {
    const input = row['component'] ? (row['component'] as Wire) : (asWires(row['components'])[0] ?? {});
    const maxLength = asNumber(input['max_length']);
    return {
      customId: asText(input['custom_id']),
      label: asText(row['label'] ?? input['label']),
      isRequired: input['required'] !== false,
      ...(maxLength > 0 ? { maxLength } : {}),
    };
  }),
});

export const choicesOf = (data: Wire): readonly Choice[] =>
  asWires(data['choices']).map(({ name, value }) => ({
    name: asText(name),
    value: value as string | number,
  }));

/** What its person sees of it, always as it is now. */
export const handleOf = (state: State, interaction: InteractionState, until: Until): FakeInteraction => ({
  id: interaction.id,
  token: interaction.token,
  user: seenUser(interaction.user),
  channelId: interaction.channelId,
  get acknowledgedAfterMs() {
    return interaction.callback?.afterMs;
  },
  get callbackType() {
    return interaction.callback?.type;
  },
  get isDeferred() {
    return interaction.callback?.type === 5 || interaction.callback?.type === 6;
  },
  get isEphemeral() {
    return interaction.callback?.isEphemeral === true;
  },
  get modal() {
    return interaction.modal;
  },
  get choices() {
    return interaction.choices;
  },
  get answers() {
    const messages = state.channels.get(interaction.channelId)?.messages;
    return interaction.answerIds.flatMap((id) => {
      const message = messages?.get(id);
      return message ? [seenMessage(state, message)] : [];
    });
  },
  acknowledged: async (timeoutMs = 5_000) => {
    await until(() => interaction.callback, { timeoutMs, what: 'acknowledgement of the interaction' });
  },
  answered(timeoutMs = 20_000) {
    return until(() => this.answers.find(({ isThinking }) => !isThinking), {
      timeoutMs,
      what: 'answer to the interaction',
    });
  },
});
