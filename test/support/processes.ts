import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { App } from '#src/wiring/lifecycle.ts';
import { asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { Role } from '#src/kernel/operations/status.ts';
import type { QueueMode } from '#src/kernel/chat/queue.ts';
import { type FakeAnthropic, startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import { startAppOn } from './app.ts';
import { type SentMessage, TestChannel } from './channel.ts';
import { temporaryDir } from './database.ts';
import { inboundMessage } from './messages.ts';

export interface TestProcess {
  readonly app: App;
  readonly channel: TestChannel;
  readonly log: readonly string[];
}

export interface TestProcesses {
  readonly claude: FakeAnthropic;
  readonly all: readonly TestProcess[];
  /** What arrived on the platform, whoever sent it, in order. */
  readonly sent: readonly SentMessage[];
  readonly texts: () => readonly string[];
  /** One more process on the same database. */
  readonly join: (role?: Role) => Promise<TestProcess>;
}

interface ProcessesOptions {
  readonly databaseUrl: string;
  readonly count?: number;
  /** What each process does, instead of everything. */
  readonly roles?: readonly Role[];
  readonly mode?: QueueMode;
  readonly config?: object;
  readonly env?: NodeJS.ProcessEnv;
  /** Files that stand in every data directory. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Several apps as if in processes of their own: they share a database, a platform and a model, and nothing else. */
export const startProcesses = async (options: ProcessesOptions): Promise<TestProcesses> => {
  const { databaseUrl, count = 2, roles = [], mode = 'queue', config = {}, env = {}, files = {} } = options;
  const claude = await startFakeAnthropic();
  onTestFinished(claude.close);
  const sent: SentMessage[] = [];
  const all: TestProcess[] = [];

  const enter = async (role?: Role): Promise<TestProcess> => {
    const dataDir = temporaryDir();
    const settings = {
      timeZone: 'Asia/Seoul',
      admins: { users: ['boss'] },
      pipeline: { privacyNote: false },
      welcome: false,
      ...config,
    };
    writeFileSync(join(dataDir, 'test.config.json'), JSON.stringify(settings));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dataDir, name), text);
    const channel = new TestChannel();
    const { push } = channel.sent;
    channel.sent.push = (...messages) => {
      sent.push(...messages);
      return push.apply(channel.sent, messages);
    };
    const { app, log } = await startAppOn(channel, {
      dataDir,
      env: {
        DATABASE_URL: databaseUrl,
        // A process with a role needs a platform; this one is in memory.
        ...(role && { FINCLAW_ROLE: role, SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' }),
        FINCLAW_CONFIG: 'test.config.json',
        FINCLAW_QUEUE_MODE: mode,
        FINCLAW_RATE_LIMIT: '0',
        ANTHROPIC_API_KEY: 'geheim-claude-eins-1111',
        ANTHROPIC_BASE_URL: claude.url,
        FINCLAW_MODEL: 'sonnet',
        FINCLAW_FALLBACKS: 'none',
        ...env,
      },
    });
    const process = { app, channel, log };
    all.push(process);
    return process;
  };
  for (let index = 0; index < (roles.length || count); index += 1) await enter(roles[index]);
  return { claude, all, sent, texts: () => sent.map(({ payload }) => payload.text), join: enter };
};

/** A direct message, written now. */
export const written = (user: string, body: string, more: Partial<MsgContext> = {}): MsgContext =>
  inboundMessage({
    channelId: asId<ChannelId>('test'),
    chatId: asId<ChatId>(user),
    senderId: asId<UserId>(user),
    timestamp: Temporal.Now.instant(),
    body,
    ...more,
  });
