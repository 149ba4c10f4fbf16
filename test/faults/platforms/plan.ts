import { QUEUE_MODES } from '#src/kernel/chat/queue.ts';
import { type Person, type Plan, planKill, planMessage, type Step } from '../plan.ts';
import { createRandom, type Random } from '../random.ts';
import { question } from '../words.ts';

export const PLATFORM_NAMES = ['discord', 'slack'] as const;
export type PlatformName = (typeof PLATFORM_NAMES)[number];

/** What goes wrong without anybody being killed. Each platform has its own. */
const DISCORD_TROUBLES = [
  'cut',
  'op7',
  'op9',
  'op9-resumable',
  'forgotten',
  'deaf',
  'slow-history',
  'lost-response',
  'lost-request',
  'unavailable',
] as const;
export type DiscordTrouble = (typeof DISCORD_TROUBLES)[number];

const SLACK_TROUBLES = [
  'cut',
  'refresh',
  'warning',
  'deaf',
  'refused',
  'lost-acks',
  'slow-history',
  'lost-response',
  'lost-request',
  'unavailable',
] as const;
export type SlackTrouble = (typeof SLACK_TROUBLES)[number];

export const TROUBLES: Readonly<Record<PlatformName, readonly [string, ...string[]]>> = {
  discord: DISCORD_TROUBLES,
  slack: SLACK_TROUBLES,
};

/** In a private chat, in a channel, in a thread, and somebody who talks to the others in the channel. */
const PEOPLE: readonly [Person, ...Person[]] = [
  { chat: 'ann', isGroup: false, sender: 'ann' },
  { chat: 'dan', isGroup: false, sender: 'dan' },
  { chat: 'room', isGroup: true, sender: 'ben' },
  { chat: 'room', isGroup: true, sender: 'eve' },
  { chat: 'thread', isGroup: true, sender: 'ben' },
  { chat: 'thread', isGroup: true, sender: 'eve' },
  { chat: 'chatter', isGroup: true, sender: 'zoe' },
];

const MESSAGES = 14;
/** Of each platform, that every run of the tests can afford: fewer messages, and the program starts again once. */
export const SHORT_ROUNDS = 1;
const MESSAGES_OF_SHORT = 8;

/**
 * Everybody has spoken to the bot once: what is said in places that it does not know, while it is away, no platform
 * tells afterwards.
 */
export const OPENING = PEOPLE.filter(
  ({ chat, sender }) => chat !== 'chatter' && !(chat !== sender && sender === 'eve'),
).map((person, index) => {
  const number = String(91 + index);
  return { ...person, number, body: question(number, { toolCalls: 0, isLong: false }) };
});

const planSteps = (random: Random, platform: PlatformName, messages: number): readonly Step[] => {
  const steps: Step[] = [];
  let atMs = 0;
  let who = random.pick(PEOPLE);
  for (let index = 1; index <= messages; index += 1) {
    if (random.chance(0.5)) {
      atMs += random.int(80, 600);
      who = random.pick(PEOPLE);
    } else atMs += random.int(0, 40);
    steps.push(...planMessage(random, String(index).padStart(2, '0'), who, atMs));
    if (random.chance(0.2))
      steps.push({
        atMs: atMs + random.int(0, 300),
        action: { kind: 'trouble', trouble: random.pick(TROUBLES[platform]) },
      });
  }
  return steps.toSorted((one, other) => one.atMs - other.atMs);
};

/** Everything about a round but the speed of the machine. */
export const planPlatformRound = (platform: PlatformName, seed: number): Plan => {
  const random = createRandom(seed + (platform === 'slack' ? 10_000 : 0));
  const isShort = seed <= SHORT_ROUNDS;
  return {
    platform,
    seed,
    // Three rounds of each platform are all modes.
    mode: QUEUE_MODES[(seed + (platform === 'slack' ? 3 : 0)) % QUEUE_MODES.length] ?? 'queue',
    maxPerSession: 50,
    opening: OPENING,
    steps: planSteps(random, platform, isShort ? MESSAGES_OF_SHORT : MESSAGES),
    kills: Array.from({ length: isShort ? 1 : random.int(1, 3) }, () => planKill(random)),
  };
};

const TROUBLE_EVERY_MS = 350;

/** All that goes wrong, one after the other, each with something said right behind it; nobody is killed. */
export const planTroubledRound = (platform: PlatformName): Plan => ({
  platform,
  seed: 0,
  mode: 'queue',
  maxPerSession: 50,
  opening: OPENING,
  steps: TROUBLES[platform].toReversed().flatMap((trouble, index): readonly Step[] => {
    const atMs = index * TROUBLE_EVERY_MS;
    const number = String(index + 1).padStart(2, '0');
    const person = OPENING[index % OPENING.length] ?? PEOPLE[0];
    const body = question(number, { toolCalls: 0, isLong: index % 4 === 0 });
    return [
      { atMs, action: { kind: 'trouble', trouble } },
      { atMs: atMs + 10, action: { kind: 'say', words: { ...person, number, body } } },
    ];
  }),
  kills: [],
});
