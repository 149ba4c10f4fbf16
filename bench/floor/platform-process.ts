import { setTimeout } from 'node:timers/promises';
import {
  type Asked,
  type Census,
  type Load,
  type LoadResult,
  type PlatformReply,
  type PlatformRequest,
  type PlatformSettings,
  sharedNowMs,
  TAGS,
} from './load.ts';
import { openDiscord, openSlack, type Watcher } from './people.ts';

/** A fake platform and the people on it, in a process of their own: what they cost is not the bot's. */
const settings = JSON.parse(process.env['PLATFORM_SETTINGS'] ?? '{}') as PlatformSettings;
/** So long without a call, and the bot is done with what it was asked. */
const QUIET_MS = 250;
const ANSWER_LIMIT_MS = 120_000;

interface Waiting {
  readonly asked: { -readonly [Key in keyof Asked]: Asked[Key] };
  readonly see: () => void;
}

let calls: Record<string, number> = {};
let lastCallMs = 0;
const tags = new Set<string>();
/** By place, the oldest first. */
const waiting = new Map<number, Waiting[]>();

const watcher: Watcher = {
  onCall: (method) => {
    calls[method] = (calls[method] ?? 0) + 1;
    lastCallMs = performance.now();
  },
  onSign: (place) => {
    const first = waiting.get(place)?.find(({ asked }) => asked.signAtMs === undefined);
    if (first) first.asked.signAtMs = sharedNowMs();
  },
  onShown: (place, text) => {
    const said = new Set(text.match(TAGS));
    for (const { asked, see } of waiting.get(place) ?? []) if (said.has(asked.tag)) see();
  },
};
const people = await (settings.platform === 'slack' ? openSlack : openDiscord)(settings, watcher);

/** How long this process was held up at most: then it is not the bot that was slow. */
let heldUpMs = 0;
let lookedAtMs = performance.now();
setInterval(() => {
  const nowMs = performance.now();
  heldUpMs = Math.max(heldUpMs, nowMs - lookedAtMs);
  lookedAtMs = nowMs;
}, 50).unref();

const LETTERS = 26;
const TAG_LETTERS = 5;

const nextTag = (): string => {
  let left = tags.size;
  let letters = '';
  for (let place = 0; place < TAG_LETTERS; place += 1) {
    letters = String.fromCharCode('a'.charCodeAt(0) + (left % LETTERS)) + letters;
    left = Math.floor(left / LETTERS);
  }
  const tag = `q${settings.platform.charAt(0)}${letters}`;
  tags.add(tag);
  return tag;
};

interface Question {
  readonly place: number;
  readonly person: number;
  readonly text: string;
  readonly isNew: boolean;
  readonly atMs: number;
}

/** Asks, and waits until the answer is visible or the time for it has passed. */
const askOnce = async ({ place, person, text, isNew, atMs }: Question): Promise<Asked> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const limit = globalThis.setTimeout(resolve, ANSWER_LIMIT_MS);
  const asked: Waiting['asked'] = { tag: nextTag(), atMs };
  const here = waiting.get(place) ?? [];
  waiting.set(place, here);
  const entry: Waiting = {
    asked,
    see: () => {
      asked.answeredAtMs ??= sharedNowMs();
      resolve();
    },
  };
  here.push(entry);
  people.ask({ place, person, text: `${text} (${asked.tag})`, isNew });
  await promise;
  clearTimeout(limit);
  here.splice(here.indexOf(entry), 1);
  return asked;
};

const complain = (unanswered: readonly Asked[]): never => {
  throw new Error(
    `No answer in ${ANSWER_LIMIT_MS} ms to ${unanswered.map(({ tag }) => tag).join(', ')}; calls ${JSON.stringify(calls)}; platform held up for ${heldUpMs.toFixed(0)} ms`,
  );
};

const run = async (load: Load): Promise<LoadResult> => {
  const { questions, text, atOnce = 1, everyMs, firstPlace = 0, isNew = false } = load;
  calls = {};
  const asked: Asked[] = [];
  const startedAtMs = sharedNowMs();
  const askNumber = async (number: number, atMs = sharedNowMs()): Promise<void> => {
    const place = (firstPlace + number) % settings.places;
    const person = Math.floor((firstPlace + number) / settings.places);
    asked.push(await askOnce({ place, person, text, isNew, atMs }));
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
      const atMs = startedAtMs + number * everyMs;
      await setTimeout(Math.max(0, atMs - sharedNowMs()));
      answers.push(askNumber(number, atMs));
    }
    await Promise.all(answers);
  }
  const elapsedMs = sharedNowMs() - startedAtMs;
  const unanswered = asked.filter(({ answeredAtMs }) => answeredAtMs === undefined);
  if (unanswered.length > 0 && !load.mayStayUnanswered) complain(unanswered);
  // Where others still ask, it never becomes quiet.
  while (!load.mayStayUnanswered && performance.now() - lastCallMs < QUIET_MS) await setTimeout(QUIET_MS);
  const latenciesMs = asked.flatMap(({ atMs, answeredAtMs }) =>
    answeredAtMs === undefined ? [] : [answeredAtMs - atMs],
  );
  return { elapsedMs, latenciesMs, asked, calls };
};

const takeCensus = (): Census => {
  const answers = new Map<string, number>();
  for (const text of people.said())
    for (const tag of new Set(text.match(TAGS))) answers.set(tag, (answers.get(tag) ?? 0) + 1);
  return {
    asked: tags.size,
    unanswered: [...tags].filter((tag) => !answers.has(tag)),
    repeated: [...answers].flatMap(([tag, count]) => (count > 1 ? [tag] : [])),
    ...people.heartbeats(),
  };
};

const reply = (message: PlatformReply): void => void process.send?.(message);

process.on('disconnect', () => process.exit(0));
process.on('message', (request: PlatformRequest) => {
  const { id } = request;
  void Promise.try(async () => ('load' in request ? run(request.load) : takeCensus())).then(
    (result) => reply({ id, result }),
    (error: unknown) => reply({ id, failed: String(error) }),
  );
});
process.send?.({ env: people.env });
