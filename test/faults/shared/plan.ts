import type { Role } from '#src/kernel/operations/status.ts';
import { QUEUE_MODES, type QueueMode } from '#src/kernel/chat/queue.ts';
import { type Person, planMessage, type Step } from '../plan.ts';
import { PLATFORM_NAMES, type PlatformName } from '../platforms/plan.ts';
import { createRandom, type Random } from '../random.ts';

/**
 * What happens to one of several processes, or to the database. `freeze`: the process stands still for longer than its
 * sessions are kept for it, and then goes on. `cut`: every connection to the database is cut. `deaf`: only those are cut
 * over which processes hear from each other. `restart`: the database itself stops and starts again.
 */
export const FAULTS = ['kill', 'kill', 'kill', 'end', 'freeze', 'cut', 'deaf', 'restart'] as const;
export type Fault = (typeof FAULTS)[number];

interface PlannedFault {
  readonly atMs: number;
  readonly fault: Fault;
  /** Which process, counted from zero. */
  readonly process: number;
  /** How long a frozen process stands still. */
  readonly freezeMs: number;
}

export interface SharedPlan {
  readonly seed: number;
  readonly mode: QueueMode;
  readonly platform: PlatformName;
  /** What each of the processes does. */
  readonly roles: readonly Role[];
  readonly steps: readonly Step[];
  readonly faults: readonly PlannedFault[];
}

const ROLES: readonly [readonly Role[], ...(readonly Role[])[]] = [
  ['all', 'all'],
  ['all', 'all', 'all'],
  ['gateway', 'worker', 'worker'],
  ['gateway', 'gateway', 'worker'],
];

const PEOPLE: readonly [Person, ...Person[]] = [
  { chat: 'ann', isGroup: false, sender: 'ann' },
  { chat: 'dan', isGroup: false, sender: 'dan' },
  { chat: 'room', isGroup: true, sender: 'ben' },
  { chat: 'room', isGroup: true, sender: 'eve' },
  { chat: 'thread', isGroup: true, sender: 'ben' },
  { chat: 'thread', isGroup: true, sender: 'eve' },
];

const planSteps = (random: Random, messages: number): readonly Step[] => {
  const steps: Step[] = [];
  let atMs = 0;
  let who = random.pick(PEOPLE);
  for (let index = 1; index <= messages; index += 1) {
    if (random.chance(0.6)) {
      atMs += random.int(40, 300);
      who = random.pick(PEOPLE);
    } else atMs += random.int(0, 40);
    steps.push(...planMessage(random, String(index).padStart(2, '0'), who, atMs));
  }
  return steps.toSorted((one, other) => one.atMs - other.atMs);
};

const MESSAGES = 24;
const MIN_FAULTS = 3;
/** Two rounds of a usual run have thirty faults together. */
const MAX_FAULTS = 15;
/** Longer than a session is kept for a process that does not stir; and as long as a machine that hangs. */
const FREEZE_MS = 14_000;
const LONG_FREEZE_MS = 60_000;
const LONG_FREEZES = 0.2;
/** Of these, each run of the tests has some. */
export const SHORT_ROUNDS = 2;

/** Everything about a round but the speed of the machine. */
export const planSharedRound = (seed: number): SharedPlan => {
  const random = createRandom(seed + 50_000);
  const roles = random.pick<readonly Role[]>(ROLES);
  const steps = planSteps(random, MESSAGES);
  const faults = seed <= SHORT_ROUNDS ? MAX_FAULTS : random.int(MIN_FAULTS, MAX_FAULTS);
  const lastMs = steps.at(-1)?.atMs ?? 0;
  return {
    seed,
    mode: QUEUE_MODES[seed % QUEUE_MODES.length] ?? 'queue',
    platform: random.pick<PlatformName>(PLATFORM_NAMES),
    roles,
    steps,
    faults: Array.from({ length: faults }, () => ({
      atMs: random.int(100, lastMs),
      fault: random.pick<Fault>(FAULTS),
      process: random.int(0, roles.length - 1),
      freezeMs: seed > SHORT_ROUNDS && random.chance(LONG_FREEZES) ? LONG_FREEZE_MS : FREEZE_MS,
    })).toSorted((one, other) => one.atMs - other.atMs),
  };
};
