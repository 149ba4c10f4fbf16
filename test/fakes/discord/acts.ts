import type { FakeDiscord, FakeDiscordPeople, OptionValue } from './api.ts';
import { handleOf, startInteraction } from './interactions.ts';
import { wireMessage } from './message-wire.ts';
import { bytesOf, messageOf } from './people.ts';
import { channelOf, userOf } from './places.ts';
import type { ChannelState, State } from './state.ts';
import { seenMessage } from './views.ts';
import { asNumber, asText, asWire, asWires, type Wire } from './wire.ts';

type Acting = Pick<FakeDiscordPeople, 'command' | 'autocomplete' | 'menu' | 'press' | 'submitModal'>;

const SUBCOMMAND = 1;
const MESSAGE_MENU = 3;

/** `portfolio buy` is a subcommand of a command. Both may be called by their Korean names. */
const isCalled = (thing: Wire, name: string): boolean =>
  thing['name'] === name || Object.values(asWire(thing['name_localizations'])).includes(name);

/** The commands that are offered in a place: those of its guild before the global ones. */
const findCommand = (state: State, channel: ChannelState, name: string, type = 1): Wire | undefined =>
  [...(state.commands.get(channel.guildId ?? '-') ?? []), ...(state.commands.get('') ?? [])].find(
    (command) => command['type'] === type && isCalled(command, name),
  );

interface Called {
  readonly command: Wire;
  /** The subcommand, or the command itself. */
  readonly form: Wire;
}

const findCalled = (state: State, channel: ChannelState, typed: string): Called | undefined => {
  const [name = '', action] = typed.split(' ');
  const command = findCommand(state, channel, name);
  if (!command) return undefined;
  const actions = asWires(command['options']).filter(({ type }) => type === SUBCOMMAND);
  if (actions.length === 0) return { command, form: command };
  const form = actions.find((each) => isCalled(each, action ?? ''));
  if (!form) throw new Error(`/${typed} is no subcommand of /${name}.`);
  return { command, form };
};

/** Options of a subcommand are inside of it. */
const asFilled = ({ command, form }: Called, options: Wire): Wire =>
  form === command
    ? options
    : {
        ...options,
        options: [
          {
            type: SUBCOMMAND,
            name: form['name'],
            ...('options' in options ? { options: options['options'] } : {}),
          },
        ],
      };

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
  command: (user, place, name, options = {}, { isStale = false, raw } = {}) => {
    const channel = channelOf(state, place.id);
    const called = findCalled(state, channel, name);
    if (!called && !isStale) throw notRegistered(name);
    const filled = called
      ? filledIn(called.form, options)
      : Object.entries(options).map(([key, value]) => ({ name: key, type: inferredType(value), value }));
    const given = withFiles(state, filled);
    const data = {
      id: called?.command['id'] ?? state.nextId(),
      name: called?.command['name'] ?? name,
      type: 1,
      ...(called ? asFilled(called, given) : given),
    };
    return handleOf(
      state,
      startInteraction(state, { type: 2, user: userOf(state, user), channel, data, raw }),
      until,
    );
  },
  autocomplete: async (user, place, name, option, typed, filled = {}) => {
    const channel = channelOf(state, place.id);
    const called = findCalled(state, channel, name);
    if (!called) throw notRegistered(name);
    const known = asWires(called.form['options']).find((candidate) => candidate['name'] === option);
    if (known?.['autocomplete'] !== true) throw new Error(`${option} of /${name} does not complete itself.`);
    const data = {
      id: called.command['id'],
      name: called.command['name'],
      type: 1,
      ...asFilled(called, {
        options: [
          { name: option, type: known['type'], value: typed, focused: true },
          ...Object.entries(filled).map(([other, value]) => ({ name: other, type: 3, value })),
        ],
      }),
    };
    const interaction = startInteraction(state, { type: 4, user: userOf(state, user), channel, data });
    return until(() => interaction.choices, { what: `choices for ${option} of /${name}` });
  },
  menu: (user, target, name) => {
    const { channel, message } = messageOf(state, target);
    const command = findCommand(state, channel, name, MESSAGE_MENU);
    if (!command) throw notRegistered(name);
    const data = {
      id: command['id'],
      name: command['name'],
      type: MESSAGE_MENU,
      target_id: message.id,
      resolved: { messages: { [message.id]: wireMessage(state, channel, message, true) } },
    };
    return handleOf(
      state,
      startInteraction(state, { type: 2, user: userOf(state, user), channel, data }),
      until,
    );
  },
  press: (user, target, customId, { isStale = false, raw } = {}) => {
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
      raw,
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
