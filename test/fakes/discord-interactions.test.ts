import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client,
  DiscordAPIError,
  Events,
  GatewayIntentBits,
  type Interaction,
  MessageFlags,
  ModalBuilder,
  REST,
  Routes,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeFetch } from './discord/node-fetch.ts';
import type { FakeDiscord, FakeDiscordOptions } from './discord/api.ts';
import { entriesOf } from './discord/history.ts';
import type { FakeChannel, FakeUser } from './discord/seen.ts';
import { startFakeDiscord } from './discord/server.ts';

const COMMANDS = [
  {
    name: 'price',
    name_localizations: { ko: '시세' },
    description: 'A price',
    options: [
      { type: 3, name: 'symbol', description: 's', required: true, autocomplete: true },
      { type: 4, name: 'days', description: 'd' },
      { type: 5, name: 'all', description: 'a' },
    ],
  },
];

interface Scene {
  readonly fake: FakeDiscord;
  readonly channel: FakeChannel;
  readonly jun: FakeUser;
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A bot that answers interactions like this; what it throws comes out of `failures`. */
const scene = async (
  answer: (interaction: Interaction) => Promise<unknown>,
  options: FakeDiscordOptions = {},
): Promise<Scene & { readonly failures: unknown[] }> => {
  const fake = await startFakeDiscord(options);
  const guild = fake.addGuild({ name: 'Desk', locale: 'ko' });
  const channel = fake.addChannel(guild, { name: 'general' });
  const jun = fake.addUser({ name: 'jun', locale: 'ko' });
  fake.addMember(guild, jun, { managesGuild: true });
  const client = new Client({
    intents: [GatewayIntentBits.Guilds],
    rest: { api: fake.apiUrl, retries: 0, makeRequest: nodeFetch },
  });
  closers.push(fake.close, () => client.destroy());
  const failures: unknown[] = [];
  client.on(Events.InteractionCreate, (interaction) => {
    answer(interaction).catch((error: unknown) => failures.push(error));
  });
  const ready = new Promise((resolve) => void client.once(Events.ClientReady, resolve));
  await client.login(fake.token);
  await ready;
  await client.application?.commands.set(COMMANDS);
  return { fake, channel, jun, failures };
};

const codeOf = (error: unknown): unknown => (error instanceof DiscordAPIError ? error.code : error);

/** What a bot is told that follows up, answers, answers again and follows up; then what its person sees. */
const trial = async (options: FakeDiscordOptions): Promise<readonly unknown[]> => {
  const { fake, channel, jun, failures } = await scene(async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    const { id, token, client, applicationId } = interaction;
    const send = (route: `/${string}`, body: object): Promise<unknown> =>
      client.rest
        .post(route, { auth: false, body })
        .then(() => failures.push('none'))
        .catch((error: unknown) => failures.push(error));
    const reply = { type: 4, data: { content: 'hi' } };
    await send(Routes.webhook(applicationId, token), { content: 'more' });
    await send(Routes.interactionCallback(id, token), reply);
    await send(Routes.interactionCallback(id, token), reply);
    await send(Routes.webhook(applicationId, token), { content: 'more' });
  }, options);
  const used = fake.command(jun, channel, 'price', { symbol: 'A' });
  await fake.until(() => failures.length === 4);
  return [...failures.map(codeOf), ...used.answers.map(({ content }) => content)];
};

describe('interactions', () => {
  it('carry what a person filled in, and are answered after a deferral', async () => {
    const { fake, channel, jun } = await scene(async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      await interaction.deferReply();
      const { options, locale, memberPermissions } = interaction;
      const manages = memberPermissions?.has('ManageGuild');
      const words = [
        options.getString('symbol'),
        options.getInteger('days'),
        options.getBoolean('all'),
        locale,
        manages,
      ];
      await interaction.editReply(words.join(' '));
      await interaction.followUp({
        content: 'more',
        files: [{ attachment: Buffer.from('x'), name: 'x.txt' }],
      });
    });
    const used = fake.command(jun, channel, '시세', { symbol: 'AAPL', days: 3, all: true });
    expect(used.acknowledgedAfterMs).toBeUndefined();
    await fake.until(() => used.answers.length === 2);
    expect(used).toMatchObject({ isDeferred: true, isEphemeral: false, callbackType: 5 });
    expect(used.acknowledgedAfterMs).toBeLessThan(3_000);
    expect(used.answers.map(({ content }) => content)).toEqual(['AAPL 3 true ko true', 'more']);
    expect(used.answers[1]?.attachments[0]?.name).toBe('x.txt');
    expect(fake.visibleTo('someone else', channel.id)).toHaveLength(2);
  });

  it('stay as private as they were deferred; a later follow-up decides for itself', async () => {
    const { fake, channel, jun } = await scene(async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      await interaction.followUp('only for you, although it does not say so');
      await interaction.followUp('for all');
      await interaction.followUp({ content: 'for you', flags: MessageFlags.Ephemeral });
    });
    const used = fake.command(jun, fake.directChannel(jun), 'price', { symbol: 'A' });
    const inGuild = fake.command(jun, channel, 'price', { symbol: 'A' });
    await fake.until(() => inGuild.answers.length === 3 && used.answers.length === 3);
    expect(inGuild.answers.map(({ ephemeralFor }) => ephemeralFor)).toEqual([jun.id, undefined, jun.id]);
    expect(fake.visibleTo('someone else', channel.id).map(({ content }) => content)).toEqual(['for all']);
    const events = entriesOf(fake.history, 'dispatched').filter(({ event }) => event === 'MESSAGE_CREATE');
    expect(events).toHaveLength(2);
    const rest = new REST({ api: fake.apiUrl, version: '10', makeRequest: nodeFetch }).setToken(fake.token);
    const hidden = rest.get(Routes.channelMessage(channel.id, inGuild.answers[0]?.id ?? ''));
    expect(codeOf(await hidden.catch((error: unknown) => error))).toBe(10_008);
  });

  it('can be answered once only, in time only, and followed up after that only', async () => {
    expect(await trial({})).toEqual([10_015, 'none', 40_060, 'none', 'hi', 'more']);
    expect(await trial({ interactionDeadlineMs: 0 })).toEqual([10_015, 10_062, 10_062, 10_015]);
    expect(await trial({ interactionTokenMs: 0 })).toEqual([50_027, 'none', 40_060, 50_027, 'hi']);
  });

  it('complete an option while it is typed', async () => {
    const { fake, channel, jun } = await scene(async (interaction) => {
      if (!interaction.isAutocomplete()) return;
      const typed = interaction.options.getFocused();
      await interaction.respond([{ name: `${typed} Electronics`, value: '005930.KS' }]);
    });
    expect(await fake.autocomplete(jun, channel, 'price', 'symbol', 'Samsung')).toEqual([
      { name: 'Samsung Electronics', value: '005930.KS' },
    ]);
  });

  it('come from buttons and forms, and may change the message they were on', async () => {
    const { fake, channel, jun } = await scene(async (interaction) => {
      if (interaction.isChatInputCommand()) {
        const button = new ButtonBuilder()
          .setCustomId('open')
          .setLabel('Enter a key')
          .setStyle(ButtonStyle.Primary);
        const row = new ActionRowBuilder<ButtonBuilder>().addComponents(button);
        await interaction.reply({ content: 'press', components: [row], withResponse: true });
      } else if (interaction.isButton()) {
        const input = new TextInputBuilder()
          .setCustomId('key')
          .setLabel('Key')
          .setStyle(TextInputStyle.Short);
        const row = new ActionRowBuilder<TextInputBuilder>().addComponents(input);
        await interaction.showModal(
          new ModalBuilder().setCustomId('form').setTitle('A key').addComponents(row),
        );
      } else if (interaction.isModalSubmit() && interaction.isFromMessage()) {
        const content = `got ${interaction.fields.getTextInputValue('key').length} characters`;
        await interaction.update({ content, components: [] });
      }
    });
    const used = fake.command(jun, channel, 'price', { symbol: 'A' });
    const question = await used.answered();
    expect(question.buttons).toEqual([
      { customId: 'open', label: 'Enter a key', style: 1, isDisabled: false },
    ]);
    const pressed = fake.press(jun, question, 'open');
    await pressed.acknowledged();
    expect(pressed.modal).toMatchObject({
      customId: 'form',
      title: 'A key',
      fields: [{ customId: 'key', label: 'Key' }],
    });
    expect(() => fake.submitModal(pressed, {})).toThrow('key');
    await fake.submitModal(pressed, { key: 'secret' }).acknowledged();
    expect(used.answers).toMatchObject([{ content: 'got 6 characters', buttons: [] }]);
    expect(() => fake.press(jun, question, 'open')).toThrow('cannot press');
    expect(entriesOf(fake.history, 'acknowledged').map(({ callbackType }) => callbackType)).toEqual([
      4, 9, 7,
    ]);
  });
});
