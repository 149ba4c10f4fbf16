import { setTimeout } from 'node:timers/promises';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import type { Load, LoadResult, PlatformSettings } from './load.ts';

/** A fake platform and the people on it, in a process of their own: what they cost is not the bot's. */
const settings = JSON.parse(process.env['PLATFORM_SETTINGS'] ?? '{}') as PlatformSettings;
/** So long without a call, and the bot is done with what it was asked. */
const QUIET_MS = 250;
const ANSWER_LIMIT_MS = 120_000;

interface People {
  readonly env: Readonly<Record<string, string>>;
  readonly ask: (place: number, text: string) => void;
}

interface Watcher {
  readonly onCall: (method: string) => void;
  readonly onPost: (channel: string) => void;
}

const places = new Map<string, number>();
const indexes = Array.from({ length: settings.places }, (_, index) => index);

const openSlack = async ({ onCall, onPost }: Watcher): Promise<People> => {
  const fake = await startFakeSlack({ callDelayMs: settings.callDelayMs });
  fake.onMoment(({ name, method = '', channel = '' }) => {
    if (name === 'request') onCall(method);
    if (name === 'posted') onPost(channel);
  });
  const threads = indexes.map((index) => {
    const user = fake.addUser({ name: `user${index}`, realName: `User ${index}` }).id;
    const channel = fake.addChannel({ name: `room-${index}`, members: [user, fake.bot.userId] }).id;
    places.set(channel, index);
    const { ts } = fake.say(channel, user, 'Let us talk about it below.', { events: 'none' });
    return { user, channel, threadTs: ts };
  });
  return {
    env: { SLACK_BOT_TOKEN: fake.botToken, SLACK_APP_TOKEN: fake.appToken, SLACK_API_URL: fake.apiUrl },
    ask: (place, text) => {
      const thread = threads[place];
      if (thread) fake.say(thread.channel, thread.user, text, { threadTs: thread.threadTs, mention: true });
    },
  };
};

const openDiscord = async ({ onCall, onPost }: Watcher): Promise<People> => {
  const fake = await startFakeDiscord({ callDelayMs: settings.callDelayMs });
  fake.onMoment(({ kind, what, channelId = '' }) => {
    if (kind === 'request') onCall(what);
    if (kind === 'posted') onPost(channelId);
  });
  const guild = fake.addGuild({ name: 'Finance Club' });
  const room = fake.addChannel(guild, { name: 'general' });
  const threads = indexes.map((index) => {
    const user = fake.addUser({ name: `user${index}` });
    fake.addMember(guild, user);
    const thread = fake.addThread(room, { name: `thread ${index}`, owner: user, isJoined: true });
    places.set(thread.id, index);
    return { user, thread };
  });
  return {
    env: { DISCORD_BOT_TOKEN: fake.token, DISCORD_API_URL: fake.apiUrl },
    ask: (place, text) => {
      const thread = threads[place];
      if (thread) fake.say(thread.user, thread.thread, `${fake.mention()} ${text}`);
    },
  };
};

let calls: Record<string, number> = {};
let lastCallMs = 0;
/** Questions of a place that wait together are answered together. */
const waiting = new Map<number, (() => void)[]>();
const watcher: Watcher = {
  onCall: (method) => {
    calls[method] = (calls[method] ?? 0) + 1;
    lastCallMs = performance.now();
  },
  onPost: (channel) => {
    const place = places.get(channel) ?? -1;
    const answered = waiting.get(place) ?? [];
    waiting.delete(place);
    for (const see of answered) see();
  },
};
const people = await (settings.platform === 'slack' ? openSlack : openDiscord)(watcher);

/** How long this process was held up at most: then it is not the bot that was slow. */
let heldUpMs = 0;
let lookedAtMs = performance.now();
setInterval(() => {
  const nowMs = performance.now();
  heldUpMs = Math.max(heldUpMs, nowMs - lookedAtMs);
  lookedAtMs = nowMs;
}, 50).unref();

/** Asks, and waits until the answer is visible. */
const askOnce = async (place: number, text: string): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const limit = globalThis.setTimeout(
    () =>
      reject(
        new Error(
          `No answer in ${ANSWER_LIMIT_MS} ms at ${place}; calls ${JSON.stringify(calls)}; platform held up for ${heldUpMs.toFixed(0)} ms; ${waiting.size} unanswered`,
        ),
      ),
    ANSWER_LIMIT_MS,
  );
  const askedAtMs = performance.now();
  waiting.set(place, [...(waiting.get(place) ?? []), resolve]);
  people.ask(place, text);
  await promise;
  clearTimeout(limit);
  return performance.now() - askedAtMs;
};

const run = async ({ questions, text, atOnce = 1, everyMs, firstPlace = 0 }: Load): Promise<LoadResult> => {
  calls = {};
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const askNumber = async (number: number): Promise<void> => {
    const place = (firstPlace + number) % settings.places;
    latenciesMs.push(await askOnce(place, `${text} (${number})`));
  };
  if (everyMs === undefined) {
    const numbers = Iterator.from(Array.from({ length: questions }).keys());
    const work = async (): Promise<void> => {
      for (const number of numbers) await askNumber(number);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  } else {
    const answers: Promise<void>[] = [];
    for (let number = 0; number < questions; number += 1) {
      answers.push(askNumber(number));
      await setTimeout(Math.max(0, startedAtMs + (number + 1) * everyMs - performance.now()));
    }
    await Promise.all(answers);
  }
  const elapsedMs = performance.now() - startedAtMs;
  do await setTimeout(QUIET_MS);
  while (performance.now() - lastCallMs < QUIET_MS);
  return { elapsedMs, latenciesMs, calls };
};

process.on('disconnect', () => process.exit(0));
process.on('message', (load: Load) => {
  void run(load).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failed: String(error) }),
  );
});
process.send?.({ env: people.env });
