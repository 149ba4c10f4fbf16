import { writeFile } from 'node:fs/promises';
import { CHANNELS } from '#channels/index.ts';
import { join } from 'node:path';
import { createApp } from '#src/app.ts';
import { loadConfig } from '#src/platform/config/config.ts';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type EventId,
  type MessageId,
  type UserId,
} from '#src/kernel/ids.ts';
import { type Clock, systemClock } from '#src/platform/concurrency/clock.ts';
import { newId } from '#src/platform/ids.ts';
import { createLogger } from '#src/platform/logging/logger.ts';

const CONFIG_FILE = 'trial.config.json';
const CHANNEL = asId<ChannelId>('trial');
/** A fixed Monday morning in Seoul, so that answers of different days can be compared. */
const NOW = '2026-11-16T01:00:00Z';

/** The date stands still; timers run, so that nothing waits for ever. */
const fixedClock: Clock = { ...systemClock, now: () => Temporal.Instant.from(NOW) };

export interface TrialBot {
  /** Sends a line to a conversation and gives the bot's answer. */
  readonly say: (conversation: string, line: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts the whole bot with the offline model and the sample market, on a channel that only collects messages. */
export const startTrialBot = async (dataDir: string): Promise<TrialBot> => {
  let host: ChannelHost | undefined;
  let said: string[] = [];
  const channel: ChannelPlugin = {
    id: CHANNEL,
    capabilities: { maxMessageLength: 20_000, supportsMarkdown: true, supportsTables: true },
    start: async (given) => void (host = given),
    stop: async () => undefined,
    close: async () => undefined,
    isConnected: () => true,
    send: async ({ payload: { text, media = [], choices = [] } }) => {
      const below = [...media.map(({ name }) => name), ...choices.map(({ label }) => label)];
      said.push([text, ...below.map((each) => `[${each}]`)].join('\n'));
      return { messageId: newId<MessageId>() };
    },
    directTarget: async (target) => target,
  };
  await writeFile(join(dataDir, CONFIG_FILE), JSON.stringify({ timeZone: 'Asia/Seoul' }));
  const config = loadConfig(
    {
      FINCLAW_MARKET: 'sample',
      FINCLAW_DATA_DIR: dataDir,
      FINCLAW_CONFIG: CONFIG_FILE,
      FINCLAW_RATE_LIMIT: '0',
    },
    dataDir,
    CHANNELS,
  );
  const logger = createLogger({
    level: 'error',
    pretty: true,
    secrets: [],
    write: (line) => void process.stderr.write(line),
  });
  const app = await createApp(config, {
    version: '0.0.0-trial',
    platforms: CHANNELS,
    channels: [channel],
    clock: fixedClock,
    logger,
  });
  await app.start();

  return {
    say: async (conversation, line) => {
      said = [];
      const id = newId<EventId>();
      const receipt = await host?.receive({
        id,
        messageId: asId<MessageId>(id),
        channelId: CHANNEL,
        accountId: asId<AccountId>('local'),
        chatId: asId<ChatId>(conversation),
        chatType: 'direct',
        senderId: asId<UserId>('you'),
        senderName: 'you',
        senderRoles: [],
        isFromSelf: false,
        body: line,
        timestamp: fixedClock.now(),
      });
      if (receipt?.outcome === 'accepted') await receipt.settled;
      return said.join('\n\n');
    },
    stop: app.stop,
  };
};
