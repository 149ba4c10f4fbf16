import type { FakeDiscord, FakeDiscordPeople, OptionValue } from './api.ts';
import { handleOf, startInteraction } from './interactions.ts';
import { wireMessage } from './message-wire.ts';
import { bytesOf, messageOf } from './people.ts';
import { channelOf, userOf } from './places.ts';
import type { ChannelState, State } from './state.ts';
import { seenMessage } from './views.ts';
import { asNumber, asText, asWire, asWires, type Wire } from './wire.ts';

type Acting = Pick<FakeDiscordPeople, 'command' | 'autocomplete' | 'press' | 'submitModal'>;

/** The commands that are offered in a place: those of its guild before the global ones. */
const findCommand = (state: State, channel: ChannelState, name: string): Wire | undefined =>
  [...(state.commands.get(channel.guildId ?? '-') ?? []), ...(state.commands.get('') ?? [])].find(
    (command) =>
      command['name'] === name || Object.values(asWire(command['name_localizations'])).includes(name),
  );

const ATTACHMENT = 11;

const inferredType = (value: OptionValue): number =>
  typeof value === 'object'
    ? ATTACHMENT
    : typeof value === 'boolean'
      ? 5
      : typeof value === 'number'
        ? Number.isInteger(value)
          ? 4
          : 10
        : 3;

const matchesType = (value: OptionValue, type: number): boolean =>
  type === ATTACHMENT
    ? typeof value === 'object'
    : type === 5
      ? typeof value === 'boolean'
      : type === 4
        ? Number.isInteger(value)
        : type === 10
          ? typeof value === 'number'
          : typeof value === 'string';

interface Filled {
  readonly name: string;
  readonly type: number;
  readonly value: OptionValue;
}

/** As the app would let a person fill it in. */
const filledIn = (command: Wire, values: Readonly<Record<string, OptionValue>>): readonly Filled[] => {
  const known = asWires(command['options']);
  const missing = known.find(({ name, required }) => required === true && values[asText(name)] === undefined);
  if (missing)
    throw new Error(`/${asText(command['name'])} cannot be sent without ${asText(missing['name'])}.`);
  return Object.entries(values).map(([name, value]) => {
    const option = known.find((candidate) => candidate['name'] === name);
    const type = asNumber(option?.['type']);
    const choices = asWires(option?.['choices']);
    if (!option || !matchesType(value, type))
      throw new Error(`/${asText(command['name'])} has no option ${name} for ${JSON.stringify(value)}.`);
    if (choices.length > 0 && !choices.some((choice) => choice['value'] === value))
      throw new Error(`${JSON.stringify(value)} is no choice of ${name}.`);
    return { name, type, value };
  });
};

/** Of a file the option has only an id; what it is stands beside the options. */
const withFiles = (state: State, filled: readonly Filled[]): Wire => {
  const resolved: Record<string, Wire> = {};
  const options = filled.map(({ name, type, value }) => {
    if (typeof value !== 'object') return { name, type, value };
    const id = state.nextId();
    const bytes = bytesOf(value.bytes);
    state.commandFiles.set(id, { ...value, id, bytes, isVoice: false });
    const url = `${state.origin}/ephemeral-attachments/${state.applicationId}/${id}/${encodeURIComponent(value.name)}`;
    resolved[id] = {
      id,
      filename: value.name,
      size: bytes.length,
      url,
      proxy_url: url,
      ephemeral: true,
      ...(value.contentType === undefined ? {} : { content_type: value.contentType }),
    };
    return { name, type, value: id };
  });
  return {
    ...(options.length === 0 ? {} : { options }),
    ...(Object.keys(resolved).length === 0 ? {} : { resolved: { attachments: resolved } }),
  };
};

const notRegistered = (name: string): Error => new Error(`The bot has not registered /${name} here.`);

export const createActs = (state: State, until: FakeDiscord['until']): Acting => ({
  command: (user, place, name, options = {}, { isStale = false } = {}) => {
    const channel = channelOf(state, place.id);
    const command = findCommand(state, channel, name);
    if (!command && !isStale) throw notRegistered(name);
    const filled = command
      ? filledIn(command, options)
      : Object.entries(options).map(([key, value]) => ({ name: key, type: inferredType(value), value }));
    const data = {
      id: command?.['id'] ?? state.nextId(),
      name: command?.['name'] ?? name,
      type: 1,
      ...withFiles(state, filled),
    };
    return handleOf(
      state,
      startInteraction(state, { type: 2, user: userOf(state, user), channel, data }),
      until,
    );
  },
  autocomplete: async (user, place, name, option, typed) => {
    const channel = channelOf(state, place.id);
    const command = findCommand(state, channel, name);
    const known = asWires(command?.['options']).find((candidate) => candidate['name'] === option);
    if (!command) throw notRegistered(name);
    if (known?.['autocomplete'] !== true) throw new Error(`${option} of /${name} does not complete itself.`);
    const data = {
      id: command['id'],
      name: command['name'],
      type: 1,
      options: [{ name: option, type: known['type'], value: typed, focused: true }],
    };
    const interaction = startInteraction(state, { type: 4, user: userOf(state, user), channel, data });
    return until(() => interaction.choices, { what: `choices for ${option} of /${name}` });
  },
  press: (user, target, customId, { isStale = false } = {}) => {
    const { channel, message } = messageOf(state, target);
    const seen = seenMessage(state, message);
    const isVisible = seen.ephemeralFor === undefined || seen.ephemeralFor === user.id;
    const button = seen.buttons.find((candidate) => candidate.customId === customId);
    if (!isVisible || (!isStale && (!button || button.isDisabled)))
      throw new Error(`${user.username} cannot press ${customId} on message ${message.id}.`);
    const interaction = startInteraction(state, {
      type: 3,
      user: userOf(state, user),
      channel,
      sourceId: message.id,
      message: wireMessage(state, channel, message, true),
      data: { custom_id: customId, component_type: 2 },
    });
    return handleOf(state, interaction, until);
  },
  submitModal: (shown, values) => {
    const opener = state.interactions.get(shown.id);
    const { modal, modalWire } = opener ?? {};
    if (!opener || !modal || !modalWire) throw new Error('There is no form to send.');
    for (const { customId, isRequired, maxLength = 4_000 } of modal.fields) {
      const value = values[customId] ?? '';
      if ((isRequired && value === '') || value.length > maxLength)
        throw new Error(`The app does not let ${customId} be sent like this.`);
    }
    const filled = (input: Wire): Wire => {
      const customId = asText(input['custom_id']);
      return { type: 4, id: 1, custom_id: customId, value: values[customId] ?? '' };
    };
    const source =
      opener.sourceId === undefined
        ? undefined
        : messageOf(state, { id: opener.sourceId, channelId: opener.channelId });
    const interaction = startInteraction(state, {
      type: 5,
      user: opener.user,
      channel: channelOf(state, opener.channelId),
      sourceId: opener.sourceId,
      message: source && wireMessage(state, source.channel, source.message, true),
      data: {
        custom_id: modal.customId,
        components: asWires(modalWire['components']).map((row) =>
          row['component']
            ? { type: 18, id: 2, component: filled(asWire(row['component'])) }
            : { type: 1, id: 2, components: asWires(row['components']).map(filled) },
        ),
      },
    });
    return handleOf(state, interaction, until);
  },
});
