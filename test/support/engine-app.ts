import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import type { AppDeps } from '#src/app.ts';
import type { App } from '#src/wiring/lifecycle.ts';
import type { Receipt } from '#src/kernel/channel/host.ts';
import { asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { Decimal } from '#src/kernel/money.ts';
import {
  type FakeAnthropic,
  type FakeAnthropicOptions,
  startFakeAnthropic,
} from '#test/fakes/anthropic/server.ts';
import type { FakeExchange, FakeReply } from '#test/fakes/model-reply.ts';
import { type FakeOpenAi, type FakeOpenAiOptions, startFakeOpenAi } from '#test/fakes/openai/server.ts';
import { startAppOn } from './app.ts';
import { TestChannel, type TestChannelOptions } from './channel.ts';
import { temporaryDir } from './database.ts';
import { inboundMessage } from './messages.ts';
import { WatchedClock } from './watched-clock.ts';

/** Of no form that the log knows: only by its value can such a key be kept out of it. */
export const CLAUDE_KEYS = ['geheim-claude-eins-1111', 'geheim-claude-zwei-2222'] as const;
export const GPT_KEY = 'geheim-gpt-eins-3333';

const DRAIN_MS = 10_000;

export interface Servers {
  readonly claude: FakeAnthropic;
  readonly gpt: FakeOpenAi;
}

/** Both providers on loopback; gone with the test. */
export const startServers = async (
  options: { readonly claude?: FakeAnthropicOptions; readonly gpt?: FakeOpenAiOptions } = {},
): Promise<Servers> => {
  const claude = await startFakeAnthropic(options.claude);
  onTestFinished(claude.close);
  const gpt = await startFakeOpenAi(options.gpt);
  onTestFinished(gpt.close);
  return { claude, gpt };
};

interface EngineAppOptions {
  readonly servers?: Servers;
  /** Beside the addresses; by default one key each, Sonnet first and GPT behind it. */
  readonly env?: NodeJS.ProcessEnv;
  /** What stands in the configuration file. */
  readonly config?: object;
  readonly clock?: WatchedClock;
  readonly dataDir?: string;
  readonly channel?: TestChannelOptions;
  /** How `fetch_url` finds servers. */
  readonly web?: AppDeps['web'];
}

export interface EngineApp extends Servers {
  readonly app: App;
  readonly channel: TestChannel;
  readonly clock: WatchedClock;
  readonly dataDir: string;
  readonly log: readonly string[];
  /** A direct message, taken but not yet answered. */
  readonly send: (user: string, body: string, more?: Partial<MsgContext>) => Promise<Receipt>;
  /** A direct message and all that was said to it. */
  readonly ask: (user: string, body: string, more?: Partial<MsgContext>) => Promise<readonly string[]>;
  /** Lets what runs have its ten seconds. */
  readonly stop: () => Promise<void>;
}

const from = (user: string, body: string, more: Partial<MsgContext> = {}): MsgContext =>
  inboundMessage({
    channelId: asId<ChannelId>('test'),
    chatId: asId<ChatId>(user),
    senderId: asId<UserId>(user),
    body,
    ...more,
  });

const settled = async (receipt: Receipt): Promise<void> => {
  if (receipt.outcome === 'accepted') await receipt.settled;
};

/** The whole program with the real SDKs, on a channel in memory and on servers that keep the providers' rules. */
export const startEngineApp = async (options: EngineAppOptions = {}): Promise<EngineApp> => {
  const { clock = new WatchedClock(), dataDir = temporaryDir(), config = {}, env = {} } = options;
  const servers = options.servers ?? (await startServers());
  const file = {
    timeZone: 'Asia/Seoul',
    admins: { users: ['boss'] },
    // The note under the first answer has tests of its own: `pipeline: {}` brings it back.
    pipeline: { privacyNote: false },
    welcome: false,
    // Off unless asked for; the tests of answers run with it.
    grounding: { mode: 'repair' },
    ...config,
  };
  writeFileSync(join(dataDir, 'test.config.json'), JSON.stringify(file));
  const channel = new TestChannel(options.channel);
  const { app, log } = await startAppOn(channel, {
    dataDir,
    clock,
    ...(options.web && { web: options.web }),
    env: {
      FINCLAW_CONFIG: 'test.config.json',
      ANTHROPIC_API_KEY: CLAUDE_KEYS[0],
      ANTHROPIC_BASE_URL: servers.claude.url,
      OPENAI_API_KEY: GPT_KEY,
      OPENAI_BASE_URL: servers.gpt.url,
      FINCLAW_MODEL: 'sonnet',
      FINCLAW_FALLBACKS: 'gpt',
      // Time stands still here: a minute would never be over.
      FINCLAW_RATE_LIMIT: '0',
      ...env,
    },
  });
  const stop = async (): Promise<void> => {
    const stopping = app.stop();
    await Promise.race([stopping, clock.untilWaiting(DRAIN_MS).then(() => clock.advance(DRAIN_MS))]);
    await stopping;
  };
  onTestFinished(stop);
  const send: EngineApp['send'] = (user, body, more) => channel.receive(from(user, body, more));
  const ask: EngineApp['ask'] = async (user, body, more) => {
    const message = from(user, body, more);
    await settled(await channel.receive(message));
    return channel.sent
      .filter(({ target }) => target.replyToMessageId === message.messageId)
      .map(({ payload }) => payload.text);
  };
  return { ...servers, app, channel, clock, dataDir, log, send, ask, stop };
};

/** What a server was asked: with which key, for which model, and what it did. */
export const requestsTo = (server: {
  readonly history: readonly Pick<
    FakeExchange<{ readonly model?: string }>,
    'apiKey' | 'body' | 'outcome' | 'problem'
  >[];
}): readonly string[] =>
  server.history.map(
    ({ apiKey, body, outcome, problem }) =>
      `${apiKey.slice(-4)} ${body.model} ${outcome}${problem === undefined ? '' : `: ${problem}`}`,
  );

export const answer = (text: string): FakeReply => ({ kind: 'answer', text });
export const status = (code: number, retryAfterSeconds?: number): FakeReply => ({
  kind: 'status',
  status: code,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});
export const callsTool = (...symbols: readonly string[]): FakeReply => ({
  kind: 'answer',
  toolCalls: [{ name: 'get_quote', input: { symbols } }],
});

// oxlint-disable-next-line unicorn/no-thenable -- the shared word for it; nobody awaits a reply
export const holds = (until: Promise<void>, then: FakeReply): FakeReply => ({ kind: 'hold', until, then });

export interface BookedRequest {
  readonly userId: string;
  readonly model: string;
  readonly key: string;
  readonly outcome: string;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** The ledger, in the order of booking. Only of an app that has stopped: the database is its own until then. */
export const bookedIn = (dataDir: string): readonly BookedRequest[] => {
  const database = new DatabaseSync(join(dataDir, 'finclaw.sqlite'));
  try {
    const rows = database
      .prepare(
        `select user_id as userId, model, profile_id as key, outcome, input_tokens as input,
           output_tokens as output, cache_read_tokens as cacheRead, cache_write_tokens as cacheWrite
         from usage order by rowid`,
      )
      .all();
    return rows.map((row) => ({ ...row }) as unknown as BookedRequest);
  } finally {
    database.close();
  }
};

/** What each request of the ledger cost, in the order of booking. Only of an app that has stopped. */
export const costsIn = (dataDir: string): readonly Decimal[] => {
  const database = new DatabaseSync(join(dataDir, 'finclaw.sqlite'));
  try {
    const rows = database
      .prepare('select cast(cost_pico_usd as text) as pico from usage order by rowid')
      .all() as unknown as readonly { readonly pico: string }[];
    return rows.map(({ pico }) => new Decimal(`${pico}e-12`));
  } finally {
    database.close();
  }
};

/** Waits for what a server or the program does in real time; a test that waits too long has failed. */
export const until = async (isSo: () => boolean): Promise<void> => {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`It never came to this: ${isSo.toString()}`)), 10_000);
  try {
    while (!isSo()) await Promise.race([new Promise((resolve) => setTimeout(resolve, 2)), tooLate]);
  } finally {
    clearTimeout(timer);
  }
};

/** Enough turns of the event loop for what a server in this process has sent to be read here. */
export const untilRead = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** The files of the data directory in which a text stands, byte by byte. */
export const filesWith = (dataDir: string, text: string): readonly string[] =>
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text));

/** The sentence without the number of the failure, which is another one every time. */
export const withoutErrorId = (text: string | undefined): string | undefined =>
  text?.replace(/(?<=\((?:error|오류) )[0-9a-f]{8}(?=\))/, '…');

export const countInLog = (log: readonly string[], message: string): number =>
  log.filter((line) => line.includes(`"${message}"`)).length;
