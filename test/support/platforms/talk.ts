import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { CHANNELS } from '#channels/index.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type AppDeps, createApp } from '#src/app.ts';
import { loadConfig } from '#src/platform/config/config.ts';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import { type Clock, systemClock } from '#src/platform/concurrency/clock.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import type { App } from '#src/wiring/lifecycle.ts';
import { type FakeAnthropic, startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import { type AnthropicBody, blocksOf } from '#test/fakes/anthropic/body.ts';
import type { FakeReply, FakeScript } from '#test/fakes/model-reply.ts';
import { copyDatabaseTo } from '#test/support/database.ts';
import { answer } from '#test/support/engine-app.ts';
import { examplePlugin } from '#test/support/example-plugin.ts';
import { pausedTimeMs } from '#test/support/paused-time.ts';
import type { Person, Place, Platform, PlatformKit, Seen } from './driver.ts';

export interface BotOptions {
  /** What stands in the configuration file. */
  readonly config?: object;
  readonly env?: NodeJS.ProcessEnv;
  /** Stands between the platforms and the inbox: storing may fail there. */
  readonly receiving?: (receive: ChannelHost['receive']) => ChannelHost['receive'];
  readonly version?: string;
  /** How `fetch_url` finds servers. */
  readonly web?: AppDeps['web'];
  /** Default: real time. */
  readonly clock?: Clock;
}

/** A plugin by which a test can make tools wait: it runs in this very process. A hook has five seconds, and then it is the next one's turn. */
const HOLD = Symbol.for('finclaw.test.hold');
const HOLDING_PLUGIN = `const pause = async () => {
  const waited = Promise.withResolvers();
  const timer = setTimeout(waited.resolve, 3_000);
  await Promise.race([globalThis[Symbol.for('finclaw.test.hold')], waited.promise]);
  clearTimeout(timer);
};
export default {
  name: 'holding',
  setup: ({ on }) => { for (let turn = 0; turn < 10; turn += 1) on('beforeToolExecute', pause); },
};`;

/** Tools wait until the returned function is called, or the test ends. */
export const holdTools = (): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(globalThis, { [HOLD]: promise });
  onTestFinished(() => resolve());
  return resolve;
};

/** The whole bot on real time, with Claude behind it, and people on one platform or more. */
export interface Bot {
  readonly claude: Pick<FakeAnthropic, 'history' | 'reply' | 'otherwise'>;
  /** What the model was to say and has not said is forgotten: a failed test must not spoil the next one. */
  readonly forgetReplies: () => void;
  readonly dataDir: string;
  readonly log: readonly string[];
  /** How often this has happened in it up to now: `inbox:accept` and the like. */
  readonly count: (event: string) => number;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** A new process on the same data. */
  readonly restart: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface Talk extends Bot {
  readonly platform: Platform;
  /** Waits until the person sees such a message of the bot there, or in one of these places. */
  readonly sees: (person: Person, where: Place | readonly Place[], what: Wanted) => Promise<Seen>;
}

type Wanted = string | RegExp | ((seen: Seen) => boolean);

export type TalkOptions = Omit<BotOptions, 'config'> & {
  /** It may name people and places. */
  readonly config?: (platform: Platform) => object;
};

/** Only whoever waits in vain waits as long as this: a slow machine is no fault. */
const WAIT_MS = 25_000;
/** Events that have a sentence are named behind it. */
const LOGGED_NAME = /"msg":"(?:[^"]*","event":")?([^"]*)"/;
const LOOK_MS = 10;

/** What the model says where a test has not put words into its mouth. */
export const ECHO = 'You said: ';

/** The person's own words in the newest turn of a request: not what others had said, files, or what we know. */
export const spokenIn = (body: AnthropicBody): string =>
  blocksOf(body.messages.findLast(({ role }) => role === 'user')?.content ?? [])
    .flatMap((block) => (block.type === 'text' && !block.text.startsWith('<') ? [block.text] : []))
    .join('\n');

/** All text of the newest turn, whoever said it. */
export const readIn = (body: AnthropicBody | undefined): string =>
  blocksOf(body?.messages.at(-1)?.content ?? [])
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n');

const echo = (body: AnthropicBody): FakeReply => answer(`${ECHO}${spokenIn(body)}`);

const fits = (what: Wanted, seen: Seen): boolean => {
  if (typeof what === 'function') return what(seen);
  return typeof what === 'string' ? seen.text.includes(what) : what.test(seen.text);
};

const awakeMs = (): number => performance.now() - pausedTimeMs();

/**
 * Looks again and again, on real time; whoever waits too long has failed, and reads what was there instead.
 * A pause of the whole machine does not count as waiting.
 */
export const eventually = async <T>(
  look: () => T | undefined | false,
  instead: () => unknown = () => '',
  waitMs = WAIT_MS,
): Promise<T> => {
  const giveUpAtMs = awakeMs() + waitMs;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (awakeMs() > giveUpAtMs)
      throw new Error(`It never came to ${look.toString()}; instead: ${JSON.stringify(instead(), null, 1)}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
};

export const startBot = async (
  platforms: readonly Platform[],
  {
    config = {},
    env = {},
    receiving = (receive) => receive,
    version = '0.0.0-test',
    web,
    clock = systemClock,
  }: BotOptions = {},
): Promise<Bot> => {
  const server = await startFakeAnthropic();
  let replies: readonly FakeScript<AnthropicBody>[] = [];
  let otherwise: FakeScript<AnthropicBody> = echo;
  server.otherwise((body) => {
    const [next = otherwise, ...rest] = replies;
    replies = rest;
    return typeof next === 'function' ? next(body) : next;
  });
  const claude: Bot['claude'] = {
    history: server.history,
    reply: (...scripts) => {
      replies = [...replies, ...scripts];
    },
    otherwise: (script) => {
      otherwise = script;
    },
  };
  const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-test-'));
  const file = {
    timeZone: 'Asia/Seoul',
    admins: { users: platforms.map(({ boss }) => boss.id) },
    pipeline: { privacyNote: false },
    welcome: false,
    plugins: ['./holding.mjs', './lucky.mjs'],
    ...config,
  };
  writeFileSync(join(dataDir, 'test.config.json'), JSON.stringify(file));
  writeFileSync(join(dataDir, 'holding.mjs'), HOLDING_PLUGIN);
  writeFileSync(
    join(dataDir, 'lucky.mjs'),
    `const console = { error: () => undefined };\n${examplePlugin()}`,
  );
  const log: string[] = [];
  const counts = new Map<string, number>();
  const write = (line: string): void => {
    log.push(line);
    const name = LOGGED_NAME.exec(line)?.[1] ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  let app: App | undefined;

  const start = async (): Promise<void> => {
    const variables = {
      FINCLAW_CONFIG: 'test.config.json',
      FINCLAW_DATA_DIR: dataDir,
      ANTHROPIC_API_KEY: 'geheim-claude-eins-1111',
      ANTHROPIC_BASE_URL: server.url,
      FINCLAW_MODEL: 'sonnet',
      FINCLAW_FALLBACKS: 'none',
      FINCLAW_RATE_LIMIT: '0',
      // No test asks the real markets.
      FINCLAW_MARKET: 'sample',
      ...Object.assign({}, ...platforms.map((platform) => platform.env)),
      ...env,
    };
    const loaded = loadConfig(variables, dataDir, CHANNELS);
    const logger = createLogger({
      level: 'debug',
      pretty: false,
      secrets: loaded.secrets,
      write,
    });
    const deps = { config: loaded, clock, logger };
    const opened = await Promise.all(platforms.map(({ openChannel }) => openChannel(deps)));
    const channels = opened.map((channel) => ({
      ...channel,
      start: (host: ChannelHost) => channel.start({ ...host, receive: receiving(host.receive) }),
    }));
    await copyDatabaseTo(dataDir);
    app = await createApp(loaded, {
      version,
      platforms: CHANNELS,
      channels,
      clock,
      logger,
      ...(web && { web }),
    });
    await app.start();
  };
  const stop = async (): Promise<void> => {
    await app?.stop();
    app = undefined;
  };
  const close = async (): Promise<void> => {
    await stop();
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    claude,
    forgetReplies: () => {
      replies = [];
      otherwise = echo;
    },
    dataDir,
    log,
    count: (event) => counts.get(event) ?? 0,
    start,
    stop,
    restart: async () => {
      await stop();
      await start();
    },
    close,
  };
};

export const seesOn = (platform: Platform): Talk['sees'] => {
  const seenIn = (person: Person, where: Place | readonly Place[]): readonly Seen[] =>
    [where].flat().flatMap((place) => platform.seenBy(person, place));
  return (person, where, what) =>
    eventually(
      () => seenIn(person, where).find((seen) => fits(what, seen)),
      () => ({
        sought: String(what),
        seen: seenIn(person, where).map(({ text, isUnderWay }) => ({ text, isUnderWay })),
        offences: platform.offences(),
      }),
    );
};

/** One platform and the bot on it. */
export const startTalk = async (kit: PlatformKit, options: TalkOptions = {}): Promise<Talk> => {
  const platform = await kit.open();
  try {
    const { config = () => ({}), ...others } = options;
    const bot = await startBot([platform], {
      ...others,
      config: config(platform),
    });
    await eventually(platform.isSetUp);
    return {
      ...bot,
      platform,
      sees: seesOn(platform),
      close: async () => {
        await bot.close();
        await platform.close();
      },
    };
  } catch (error) {
    await platform.close();
    throw error;
  }
};
