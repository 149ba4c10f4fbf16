import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { CHANNELS } from '#channels/index.ts';
import { createApp } from '#src/app.ts';
import { type Config, loadConfig } from '#src/platform/config/config.ts';
import { configJsonSchema } from '#src/platform/config/config-file.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { identityName } from '#src/kernel/people/identity.ts';
import { asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import { optionalVariable, webAddress } from '#src/kernel/operations/setting-schemas.ts';
import { createBindingMatcher } from '#src/chat/intake/binding.ts';
import { defineChannel } from '#src/platform/channel-definition.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { openChannels } from '#src/wiring/channels.ts';
import { TestChannel } from '#test/support/channel.ts';
import { temporaryDir } from '#test/support/database.ts';
import { inboundMessage } from '#test/support/messages.ts';

const NOOK = asId<ChannelId>('nook');
const TEXT = { description: 'Of Nook.', unset: 'Nook is off' };
const SECRET = 'wisteria-harbour-42';

/** A platform that no part of the program knows: all there is of it is this definition. */
const nook = defineChannel({
  id: NOOK,
  variables: {
    NOOK_PHRASE: optionalVariable(z.string(), TEXT),
    NOOK_URL: optionalVariable(webAddress, TEXT),
  },
  secrets: ['NOOK_PHRASE'],
  addresses: ['NOOK_URL'],
  block: z.strictObject({ rooms: z.array(z.string()).default([]) }).prefault({}),
  problems: ({ NOOK_PHRASE, NOOK_URL }) => (NOOK_URL && !NOOK_PHRASE ? ['NOOK_PHRASE: is missing'] : []),
  settings: ({ NOOK_PHRASE }, { rooms }) =>
    NOOK_PHRASE === undefined ? undefined : { phrase: NOOK_PHRASE, rooms },
  create: async ({ rooms }) => new TestChannel({ id: NOOK, maxMessageLength: 1_000 + rooms.length }),
  markup: {
    mention: /@\{\w+\}/g,
    rules: [{ pattern: /\[\[(\w+)\]\]/g, readable: (_found, [name = '']) => name }],
  },
});
const CHANNELS_AND_NOOK = [...CHANNELS, nook];

const configOf = (env: NodeJS.ProcessEnv, file: object = {}): Config => {
  const dataDir = temporaryDir();
  writeFileSync(join(dataDir, 'finclaw.config.json'), JSON.stringify(file));
  return loadConfig({ ...env, FINCLAW_DATA_DIR: dataDir }, dataDir, CHANNELS_AND_NOOK);
};

it('a channel that only its definition describes is configured, checked and shown like the others', () => {
  const config = configOf(
    { NOOK_PHRASE: SECRET },
    { nook: { rooms: ['lobby'] }, agents: { club: {} }, bindings: [{ agent: 'club', peers: ['nook:77'] }] },
  );
  expect(config.platforms).toEqual({ nook: { phrase: SECRET, rooms: ['lobby'] } });
  // A bot with a channel never shows sample prices, and strangers may not spend without limit.
  expect(config.market.hasLiveSetup).toBe(true);
  expect(config.engine.perUserUsd).toBe('2');
  expect(config.secrets).toContain(SECRET);
  const shown = new Map(config.effective.map(({ path, value, source }) => [path, `${value} (${source})`]));
  expect(shown.get('NOOK_PHRASE')).toBe('[***] (environment)');
  expect(shown.get('nook.rooms')).toBe('lobby (file)');
  expect(JSON.parse(configJsonSchema(CHANNELS_AND_NOOK))).toHaveProperty('properties.nook.properties.rooms');

  expect(configOf({}).platforms).toEqual({});
  expect(configOf({}).market.hasLiveSetup).toBe(false);
  expect(() => configOf({ NOOK_URL: 'https://nook.example.com' })).toThrow('\n  NOOK_PHRASE: is missing');
  expect(() => configOf({ NOOK_PHRASE: SECRET, NOOK_URL: 'http://nook.example.com' })).toThrow(
    'NOOK_URL: would send keys and messages unencrypted',
  );
  expect(() => configOf({}, { nook: { room: [] } })).toThrow(
    'nook.room: there is no such setting; did you mean "rooms"?',
  );

  const match = createBindingMatcher(
    config.bindings,
    CHANNELS_AND_NOOK.map(({ id }) => id),
  );
  const from = (channelId: ChannelId, senderId: string) =>
    match(inboundMessage({ channelId, senderId: asId<UserId>(senderId) })).agentId;
  expect(from(NOOK, '77')).toBe('club');
  // An id of another platform that reads like one of this channel is somebody else.
  expect(from(asId<ChannelId>('slack'), 'nook:77')).toBe('main');
  expect(identityName({ channelId: NOOK, userId: asId<UserId>('77') }, 'en')).toBe('Nook (`77`)');
});

it('a channel that only its definition describes talks to people in its own mentions and markup', async () => {
  const config = configOf(
    { NOOK_PHRASE: SECRET, FINCLAW_MARKET: 'sample' },
    { nook: { rooms: ['lobby', 'attic'] } },
  );
  const log: string[] = [];
  const logger = createLogger({
    level: 'debug',
    pretty: false,
    secrets: config.secrets,
    write: (line) => void log.push(line),
  });
  const deps = { version: '0.0.0-test', clock: systemClock, logger };
  const channels = await openChannels(CHANNELS_AND_NOOK, config, { ...deps, env: {} });
  const [channel] = channels;
  if (channels.length !== 1 || !(channel instanceof TestChannel))
    throw new Error('Nook was not opened alone');
  expect(channel.capabilities.maxMessageLength).toBe(1_002);
  const app = await createApp(config, { ...deps, platforms: CHANNELS_AND_NOOK, channels });
  onTestFinished(app.stop);
  await app.start();

  const said = async (body: string): Promise<string> => {
    const count = channel.sent.length + 1;
    await channel.receive(
      inboundMessage({
        channelId: NOOK,
        chatType: 'channel',
        chatId: asId<ChatId>('lobby'),
        body,
        mentionsBot: true,
      }),
    );
    return (await channel.waitForSent(count)).at(-1)?.payload.text ?? '';
  };
  expect(await said('@{bot7}')).toBe(gateTexts('en').nothingAsked());
  expect(await said('@{bot7} /price [[AAPL]]')).toContain('Apple');
  logger.warn(`refused: ${SECRET}`);
  expect(log.join('')).toContain('refused: [***]');
  expect(log.join('')).not.toContain(SECRET);
});
