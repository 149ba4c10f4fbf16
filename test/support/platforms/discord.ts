import { createDiscordChannel } from '#channels/discord/adapter.ts';
import type { DiscordSettings } from '#channels/discord/settings.ts';
import { commandDefinitions } from '#commands/index.ts';
import { allOptions } from '#src/kernel/chat/command-definition.ts';
import { readHint } from '#src/platform/text/command-hints.ts';
import type {
  ChannelRights,
  FakeDiscord,
  FakeDiscordOptions,
  FakeInteraction,
  OptionValue,
} from '#test/fakes/discord/api.ts';
import { entriesOf } from '#test/fakes/discord/history.ts';
import type { FakeChannel, FakeGuild, FakeUser, SeenMessage } from '#test/fakes/discord/seen.ts';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import type { Call, ConnectOptions, Person, Place, Platform, PlatformKit, Said, Seen } from './driver.ts';

/** With the fake itself, for what only Discord has. */
export interface DiscordPlatform extends Platform {
  readonly fake: FakeDiscord;
  /** The server in which everybody is. */
  readonly guild: FakeGuild;
  /** Chooses an entry in the menu of a message. */
  readonly menu: (person: Person, said: Said, name: string) => void;
  readonly forward: (person: Person, seen: Pick<Seen, 'id' | 'place'>, to: Place) => void;
  /** What the bot may do in a room. */
  readonly permit: (room: Place, rights: Partial<ChannelRights>) => void;
}

const texts = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
};

/** An error that the bot provokes on purpose, to find out whether something is there. */
const UNKNOWN_MESSAGE = 10_008;
/** A process that was held up asks twice, and takes the second answer for what it is. */
const ALREADY_ACKNOWLEDGED = 40_060;
/** The answer to whether somebody is still there. */
const UNKNOWN_MEMBER = 10_007;
/** A reaction that a busy process did not set in time is taken back all the same. */
const UNKNOWN_EMOJI = 10_014;
const ALLOWED: ReadonlySet<number> = new Set([
  UNKNOWN_MESSAGE,
  ALREADY_ACKNOWLEDGED,
  UNKNOWN_MEMBER,
  UNKNOWN_EMOJI,
]);
const TOO_MANY = 429;

const offencesIn = ({ history }: FakeDiscord): readonly string[] => [
  ...entriesOf(history, 'request')
    .filter(
      ({ status, code }) => status >= 400 && status !== TOO_MANY && status < 500 && !ALLOWED.has(code ?? 0),
    )
    .map(
      ({ method, route, status, code, body }) =>
        `${method} ${route} ${status} ${code} ${JSON.stringify(body)}`,
    ),
  ...entriesOf(history, 'rateLimited')
    .filter(({ isBlameworthy }) => isBlameworthy)
    .map(({ route }) => `not waited: ${route}`),
];

type Values = Readonly<Record<string, string>>;

/** The form of a subcommand, filled in with what people type on other platforms: `alert`, `BTC > 90000 here`. */
const formOf = (
  command: string,
  values: Values,
): { readonly name: string; readonly values: Readonly<Record<string, OptionValue>> } => {
  const definition = commandDefinitions.find(({ name }) => name === command);
  if (!definition?.subcommands) return { name: command, values };
  const named = new Set(allOptions(definition).flatMap(({ name, isNamed }) => (isNamed ? [name] : [])));
  const files = Object.entries(values).filter(([, value]) => typeof value === 'object');
  const words = Object.entries(values)
    .filter(([, value]) => typeof value === 'string')
    .map(([name, value]) => (named.has(name) ? `--${name}="${value}"` : value));
  const typed = [`/${command}`, ...words].join(' ');
  const { subcommand, values: filled = [] } = readHint(typed, commandDefinitions) ?? {};
  const isSure = typed.includes('--yes') && subcommand?.options?.some(({ name }) => name === 'yes');
  const given = filled.map(({ option, value }) => [
    option.name,
    option.type === 'integer' ? Number(value) : (value ?? ''),
  ]);
  return {
    name: `${command} ${subcommand?.name}`,
    values: { ...Object.fromEntries([...given, ...files]), ...(isSure && { yes: true }) },
  };
};

const said = (message: SeenMessage, place: Place): Said => ({ id: message.id, place });

export const openDiscord = async (
  options: FakeDiscordOptions = {},
  { startWaitMs = 1_000 }: ConnectOptions = {},
): Promise<DiscordPlatform> => {
  const fake = await startFakeDiscord(options);
  const guild = fake.addGuild({ name: 'Finance Club' });
  const users = new Map<string, FakeUser>();
  const channels = new Map<string, FakeChannel>();

  const userOf = ({ id }: Person): FakeUser => {
    const user = users.get(id);
    if (!user) throw new Error(`Nobody is called ${id}`);
    return user;
  };
  const placeOf = (channel: FakeChannel): Place => {
    channels.set(channel.id, channel);
    if (channel.kind === 'direct') return { id: channel.id, kind: 'direct' };
    return channel.kind.endsWith('thread')
      ? { id: channel.id, kind: 'thread', room: channel.parentId ?? '' }
      : { id: channel.id, kind: 'room' };
  };
  const channelOf = ({ id }: Place): FakeChannel => {
    const channel = channels.get(id);
    if (!channel) throw new Error(`There is no channel ${id}`);
    return channel;
  };
  const addPerson: Platform['addPerson'] = (name, { locale = 'en', runsServer = false } = {}) => {
    const user = fake.addUser({ name, locale: locale === 'ko' ? 'ko' : 'en-US' });
    users.set(user.id, user);
    fake.addMember(guild, user, { managesGuild: runsServer });
    return { id: user.id, name };
  };
  const seen = (message: SeenMessage): Seen => ({
    id: message.id,
    place: {
      id: message.channelId,
      kind: channels.get(message.channelId)?.kind === 'direct' ? 'direct' : 'room',
    },
    text: [message.content, ...message.embeds.flatMap(texts)].join('\n'),
    cards: message.embeds.length,
    isPrivate: message.ephemeralFor !== undefined,
    isUnderWay: message.isThinking,
    buttons: message.buttons.map(({ label, isDisabled }) => ({ label, isEnabled: !isDisabled })),
    pings: [
      ...(message.pinged.everyone ? ['everyone'] : []),
      ...message.pinged.roles.map((role) => `role ${role}`),
    ],
    rings: message.pinged.users,
    files: message.attachments.map(({ name }) => name),
  });
  const called = (interaction: FakeInteraction): Call => ({
    acknowledgedAfterMs: () => interaction.acknowledgedAfterMs,
    form: () => interaction.modal?.fields.map(({ label }) => label),
    fillIn: (values) => {
      const fields = interaction.modal?.fields ?? [];
      const filled = fields.flatMap(({ customId }, index) => {
        const value = values[index];
        return value === undefined ? [] : [[customId, value] as const];
      });
      return called(fake.submitModal(interaction, Object.fromEntries(filled)));
    },
  });
  const boss = addPerson('boss');

  return {
    fake,
    guild,
    env: { DISCORD_BOT_TOKEN: fake.token, DISCORD_API_URL: fake.apiUrl },
    openChannel: async ({ config, clock, logger }) => {
      const discord = config.platforms['discord'] as DiscordSettings | undefined;
      if (!discord) throw new Error('Discord is not configured');
      const settings = { ...discord, startWaitMs, identifyPauseMs: 0 };
      return createDiscordChannel({ settings, clock, logger, locale: config.locale });
    },
    isSetUp: () => fake.commands().length > 0,
    boss,
    addPerson,
    addRoom: (name) => placeOf(fake.addChannel(guild, { name })),
    direct: (person) => placeOf(fake.directChannel(userOf(person))),
    leave: (person) => fake.removeMember(guild, userOf(person)),
    callIntoThread: (person, room, words) => {
      const thread = fake.addThread(channelOf(room), { name: 'a thread', owner: userOf(person) });
      return said(fake.say(userOf(person), thread, `${fake.mention()} ${words}`), placeOf(thread));
    },
    openThread: (person, room, words) => {
      const thread = fake.addThread(channelOf(room), { name: 'a thread', owner: userOf(person) });
      return said(fake.say(userOf(person), thread, words), placeOf(thread));
    },
    threadOn: (person, { id, place }, name) =>
      placeOf(
        fake.addThread(channelOf(place), {
          name,
          owner: userOf(person),
          starter: { id, channelId: place.id },
        }),
      ),
    say: (person, place, words, { mention = false, files = [] } = {}) =>
      said(
        fake.say(userOf(person), channelOf(place), {
          content: mention ? `${fake.mention()} ${words}` : words,
          isVoice: files.some(({ spokenMs }) => spokenMs !== undefined),
          attachments: files.map(({ name, mimeType, bytes, spokenMs }) => ({
            name,
            bytes,
            contentType: mimeType,
            ...(spokenMs !== undefined && { durationSecs: spokenMs / 1_000 }),
          })),
        }),
        place,
      ),
    replyTo: (person, { id, place }, words) =>
      said(fake.reply(userOf(person), { id, channelId: place.id }, words), place),
    menu: (person, { id, place }, name) => void fake.menu(userOf(person), { id, channelId: place.id }, name),
    forward: (person, { id, place }, to) =>
      void fake.forward(userOf(person), { id, channelId: place.id }, channelOf(to)),
    permit: (room, rights) => fake.permit(channelOf(room), rights),
    edit: ({ id, place }, words) => void fake.edit({ id, channelId: place.id }, words),
    remove: ({ id, place }) => fake.remove({ id, channelId: place.id }),
    call: (person, place, command, values = {}, { isUnknown = false } = {}) => {
      const form = isUnknown ? { name: command, values } : formOf(command, values);
      return called(
        fake.command(userOf(person), channelOf(place), form.name, form.values, { isStale: isUnknown }),
      );
    },
    press: (person, { id, place }, label) => {
      const message = { id, channelId: place.id };
      const button = fake
        .messagesIn(place.id)
        .find((each) => each.id === id)
        ?.buttons.filter((each) => each.label === label)
        .toSorted((a, b) => Number(a.isDisabled) - Number(b.isDisabled))[0];
      return called(fake.press(userOf(person), message, button?.customId ?? label));
    },
    suggestions: async (person, place, typed) =>
      (await fake.autocomplete(userOf(person), channelOf(place), 'price', 'symbol', typed)).map(
        ({ name }) => name,
      ),
    seenBy: ({ id }, place) =>
      fake
        .visibleTo(id, place.id)
        .filter(({ author }) => author.id === fake.bot.id)
        .map(seen),
    statusFor: ({ place, id }) => {
      const typed = entriesOf(fake.history, 'typed').some(({ channelId }) => channelId === place.id);
      const eyes = fake.messagesIn(place.id).find((each) => each.id === id)?.reactions ?? [];
      return [...(typed ? ['typing'] : []), ...eyes.map(({ emoji }) => emoji)].join(' ');
    },
    statusesSeen: () => [],
    offences: () => offencesIn(fake),
    close: fake.close,
  };
};

export const discordKit: PlatformKit = {
  name: 'discord',
  can: {
    rooms: true,
    calls: true,
    buttons: true,
    cards: true,
    replies: true,
    directThreads: false,
    threadTitles: true,
    edits: true,
    typedOptions: true,
    status: 'typing',
    stream: true,
    files: true,
  },
  open: () => openDiscord(),
};
