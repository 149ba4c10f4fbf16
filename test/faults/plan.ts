import { QUEUE_MODES, type QueueMode } from '#src/kernel/chat/queue.ts';
import type { Moment, Words } from '#test/fakes/platform/server.ts';
import { createRandom, type Random } from './random.ts';
import { COMMAND, edited, question } from './words.ts';

export type Action =
  | { readonly kind: 'say'; readonly words: Words }
  /** Without a body, the message is deleted. */
  | { readonly kind: 'change'; readonly number: string; readonly body?: string }
  | { readonly kind: 'repeat'; readonly number: string }
  /** Something goes wrong between the platform and the bot. */
  | { readonly kind: 'trouble'; readonly trouble: string };

export interface Step {
  readonly atMs: number;
  readonly action: Action;
}

/** The process is ended when something has happened so often in its life, or a little later. */
export interface Kill {
  /** Now and then it is asked to end, in between. */
  readonly signal: 'SIGKILL' | 'SIGTERM';
  readonly moment: Moment | 'model' | 'market' | 'time';
  readonly count: number;
  readonly delayMs: number;
}

export interface Plan {
  /** Of a round on a real one. */
  readonly platform?: string;
  readonly seed: number;
  readonly mode: QueueMode;
  readonly maxPerSession: number;
  /** Said and answered before anything goes wrong. */
  readonly opening: readonly Words[];
  readonly steps: readonly Step[];
  readonly kills: readonly Kill[];
}

const MESSAGES = 20;

export type Person = Omit<Words, 'number' | 'body'>;
const PEOPLE: readonly [Person, ...Person[]] = [
  { chat: 'ann', isGroup: false, sender: 'ann' },
  { chat: 'room', isGroup: true, sender: 'ben' },
  { chat: 'room', isGroup: true, sender: 'eve' },
];
const DAN: Person = { chat: 'dan', isGroup: false, sender: 'dan' };

export const planMessage = (random: Random, number: string, who: Person, atMs: number): Step[] => {
  if (random.chance(0.08))
    return [{ atMs, action: { kind: 'say', words: { ...who, number, body: COMMAND } } }];
  const toolCalls = random.pick([0, 0, 1, 1, 2]);
  const body = question(number, { toolCalls, isLong: random.chance(0.2) });
  const steps: Step[] = [{ atMs, action: { kind: 'say', words: { ...who, number, body } } }];
  if (random.chance(0.15)) {
    const change = random.chance(0.5) ? { body: edited(body) } : {};
    steps.push({ atMs: atMs + random.int(0, 60), action: { kind: 'change', number, ...change } });
  }
  if (random.chance(0.12))
    steps.push({ atMs: atMs + random.int(20, 500), action: { kind: 'repeat', number } });
  return steps;
};

const planSteps = (random: Random): readonly Step[] => {
  const people: typeof PEOPLE = random.chance(0.5) ? [...PEOPLE, DAN] : PEOPLE;
  const steps: Step[] = [];
  let atMs = 0;
  let left = 0;
  let who = random.pick(people);
  for (let index = 1; index <= MESSAGES; index += 1) {
    if (left === 0) {
      left = random.int(1, 5);
      atMs += random.int(30, 220);
      who = random.pick(people);
    } else {
      atMs += random.int(0, 25);
      // In the middle of what one writes, another one speaks up.
      if (random.chance(0.25)) who = random.pick(people);
    }
    left -= 1;
    steps.push(...planMessage(random, String(index).padStart(2, '0'), who, atMs));
  }
  return steps.toSorted((one, other) => one.atMs - other.atMs);
};

export const planKill = (random: Random): Kill => {
  const signal = random.chance(0.15) ? 'SIGTERM' : 'SIGKILL';
  const moment = random.pick<Kill['moment']>([
    'time',
    'post',
    'posted',
    'posted',
    'ack',
    'react',
    'model',
    'model',
    'connect',
  ]);
  if (moment === 'time') return { signal, moment, count: 1, delayMs: random.int(50, 900) };
  if (moment === 'connect') return { signal, moment, count: 1, delayMs: random.int(0, 120) };
  return { signal, moment, count: random.int(1, 6), delayMs: random.pick([0, 0, 0, 1, 2, 4, 8, 15, 30]) };
};

/** One of each mode, that every run of the tests can afford: the program starts again once. */
export const SHORT_ROUNDS = QUEUE_MODES.length;

/** Everything about a round but the speed of the machine. */
export const planRound = (seed: number): Plan => {
  const random = createRandom(seed);
  return {
    seed,
    mode: QUEUE_MODES[seed % QUEUE_MODES.length] ?? 'queue',
    maxPerSession: random.chance(0.2) ? 4 : 50,
    opening: [],
    steps: planSteps(random),
    kills: Array.from({ length: random.int(1, 3) }, () => planKill(random)).slice(
      seed <= SHORT_ROUNDS ? -1 : 0,
    ),
  };
};
