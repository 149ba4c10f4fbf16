import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHANNELS } from '#channels/index.ts';
import { createApp } from '#src/app.ts';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { asId, type AccountId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { MsgContext, MediaAttachment, ReplyPayload } from '#src/kernel/chat/message.ts';
import { type Clock, systemClock } from '#src/platform/concurrency/clock.ts';
import { loadConfig } from '#src/platform/config/config.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { copyDatabaseTo, temporaryDir } from '#test/support/database.ts';
import { inboundMessage } from '#test/support/messages.ts';

const CHANNEL = asId<ChannelId>('golden');
const SETTINGS_FILE = 'golden.config.json';
/** A Monday morning in Seoul. */
const STARTS_AT = '2026-11-16T01:00:00Z';

export interface Golden {
  /** What the person gets in answer to a line, in a form that can be read. */
  readonly say: (person: string, line: string, about?: Partial<MsgContext>) => Promise<string>;
  /** Moves the time of day; timers run on real time. */
  readonly moveTo: (instant: string) => void;
  readonly dataDir: string;
  readonly host: () => ChannelHost;
  readonly stop: () => Promise<void>;
}

const fileLine = ({ name, mimeType, url, altText = '' }: MediaAttachment): string => {
  const bytes = readFileSync(fileURLToPath(url));
  // What a picture shows depends on the fonts of the machine. Its figures are recorded where they are asked for as text.
  const content = mimeType.startsWith('image/') ? '' : `\n${bytes.toString('utf8').trimEnd()}`;
  return `[file] ${name} ${mimeType} ${altText}`.trimEnd() + content;
};

/** All that a channel is handed: text, cards, buttons with what they send, files. */
const payloadText = (payload: ReplyPayload): string => {
  const { text, textWithCards, cards = [], choices = [], media = [], locale, ...rest } = payload;
  return [
    text,
    ...(textWithCards === undefined ? [] : [`[with cards] ${textWithCards}`]),
    ...cards.map((card) => `[card] ${JSON.stringify(card)}`),
    ...choices.map((choice) => `[button] ${JSON.stringify(choice)}`),
    ...media.map((file) => fileLine(file)),
    ...(Object.keys(rest).length === 0 ? [] : [`[more] ${JSON.stringify(rest)}`]),
    ...(locale === undefined ? [] : [`[locale] ${locale}`]),
  ].join('\n');
};

/** The whole bot with the offline model and the sample market, at a time that stands still, on a channel with everything. */
export const startGolden = async (env: NodeJS.ProcessEnv = {}, settings: object = {}): Promise<Golden> => {
  const dataDir = temporaryDir();
  await copyDatabaseTo(dataDir);
  await writeFile(
    join(dataDir, SETTINGS_FILE),
    JSON.stringify({ timeZone: 'Asia/Seoul', admins: { users: ['boss'] }, welcome: false, ...settings }),
  );
  let now = Temporal.Instant.from(STARTS_AT);
  const clock: Clock = { ...systemClock, now: () => now };
  let host: ChannelHost | undefined;
  const sent: string[] = [];
  const channel: ChannelPlugin = {
    id: CHANNEL,
    capabilities: {
      maxMessageLength: 4_000,
      supportsMarkdown: true,
      supportsTables: true,
      supportsCards: true,
      supportsChoices: true,
    },
    start: async (given) => void (host = given),
    stop: async () => undefined,
    close: async () => undefined,
    isConnected: () => true,
    send: async ({ payload }) => {
      sent.push(payloadText(payload));
      return { messageId: asId(`sent-${sent.length}`) };
    },
    directTarget: async (target) => target,
  };
  const config = loadConfig(
    {
      FINCLAW_MARKET: 'sample',
      FINCLAW_CONFIG: SETTINGS_FILE,
      FINCLAW_RATE_LIMIT: '0',
      ...env,
      FINCLAW_DATA_DIR: dataDir,
    },
    dataDir,
    CHANNELS,
  );
  const app = await createApp(
    { ...config, backup: { ...config.backup, everyHours: 0 } },
    {
      version: '0.0.0-golden',
      platforms: CHANNELS,
      channels: [channel],
      clock,
      logger: createLogger({ level: 'error', pretty: false, secrets: [], write: () => undefined }),
    },
  );
  await app.start();
  const openHost = (): ChannelHost => {
    if (!host) throw new Error('The bot has not been started');
    return host;
  };
  return {
    say: async (person, line, about = {}) => {
      // What was made at the same time has no order.
      now = now.add({ seconds: 1 });
      const message = inboundMessage({
        channelId: CHANNEL,
        accountId: asId<AccountId>('local'),
        chatId: asId<ChatId>(person),
        senderId: asId<UserId>(person),
        senderName: person,
        body: line,
        timestamp: now,
        ...about,
      });
      const before = sent.length;
      const receipt = await openHost().receive(message);
      if (receipt.outcome === 'accepted') await receipt.settled;
      return sent.slice(before).join('\n--\n');
    },
    moveTo: (instant) => void (now = Temporal.Instant.from(instant)),
    dataDir,
    host: openHost,
    stop: app.stop,
  };
};
