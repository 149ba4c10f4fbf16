import type { AlertCondition, AlertSide } from '#src/kernel/people/alerts.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Kill } from '../plan.ts';
import type { PlatformName } from '../platforms/plan.ts';
import { createRandom, type Random } from '../random.ts';

/** What goes wrong with the messages of a round, beside the kills. */
const TROUBLES = ['lost-response', 'late-answers', 'none', 'lost-request', 'unavailable'] as const;
export type AlertTrouble = (typeof TROUBLES)[number];

/** Private chats by the name of the person; `room` is a channel in which two of them set theirs. */
export const PEOPLE = ['ann', 'dan', 'eve'] as const;
export type Chat = (typeof PEOPLE)[number] | 'room';
export interface Person {
  readonly name: (typeof PEOPLE)[number];
  readonly chat: Chat;
}
const PLACES: readonly [Person, ...Person[]] = [
  { name: 'ann', chat: 'ann' },
  { name: 'dan', chat: 'dan' },
  { name: 'eve', chat: 'eve' },
  { name: 'ann', chat: 'room' },
  { name: 'eve', chat: 'room' },
];

/** Coins trade at any hour. Those that move do so while the bot is away. */
export interface Coin {
  readonly symbol: string;
  readonly price: number;
  /** Before which life of the bot it rises by a tenth; absent: its price stays. */
  readonly movesBeforeLife?: number;
}
export const RISE = 1.1;

export interface PlannedAlert {
  readonly symbol: string;
  readonly condition: AlertCondition;
  readonly isRepeating: boolean;
  readonly person: Person;
  /** What an earlier look saw; `unknown`: nobody has looked. */
  readonly side: AlertSide;
  /** Something that keeps it from being told, whatever its condition. */
  readonly hindrance?: 'snoozed' | 'expired';
  /** From which life on it is to be told; absent: never. */
  readonly toldFromLife?: number;
}

export interface AlertPlan {
  readonly platform: PlatformName;
  readonly seed: number;
  readonly coins: readonly Coin[];
  readonly alerts: readonly PlannedAlert[];
  readonly briefingFor: Person;
  readonly kills: readonly Kill[];
  readonly trouble: { readonly kind: AlertTrouble; readonly inLife: number };
}

const at = (coin: Coin, factor: number): Decimal => new Decimal(coin.price).times(factor);

type Draft = Pick<PlannedAlert, 'condition' | 'side' | 'hindrance'>;

/** What comes true when the coin has risen; where it stays, what is so already. */
const comingTrue = (random: Random, coin: Coin): Draft => {
  const isMoving = coin.movesBeforeLife !== undefined;
  const line = at(coin, isMoving ? 1.05 : 0.95);
  return random.pick<Draft>([
    { condition: { kind: 'above', price: line }, side: 'unknown' },
    { condition: { kind: 'above', price: line }, side: 'unmet' },
    { condition: { kind: 'crosses-above', price: line }, side: 'unmet' },
    {
      condition: {
        kind: 'change',
        percent: new Decimal(5),
        direction: 'either',
        since: 'set',
        basePrice: at(coin, isMoving ? 1 : 0.9),
      },
      side: 'unmet',
    },
  ]);
};

/** What does not come true, or must not be told all the same. */
const staying = (random: Random, coin: Coin): Draft => {
  const [high, low] = [at(coin, 2), at(coin, 0.5)];
  const isSo = { kind: 'above', price: low } as const;
  return random.pick<Draft>([
    { condition: { kind: 'above', price: high }, side: 'unknown' },
    { condition: { kind: 'below', price: low }, side: 'unmet' },
    { condition: { kind: 'crosses-below', price: low }, side: 'unmet' },
    // It is so already, and nobody saw it come about.
    { condition: { kind: 'crosses-above', price: low }, side: 'unknown' },
    // It was told before.
    { condition: isSo, side: 'met' },
    { condition: isSo, side: 'unknown', hindrance: 'snoozed' },
    { condition: isSo, side: 'unknown', hindrance: 'expired' },
  ]);
};

const planAlerts = (random: Random, coins: readonly [Coin, ...Coin[]]): readonly PlannedAlert[] => {
  const alertOn = (coin: Coin, isToCome: boolean): PlannedAlert => ({
    symbol: coin.symbol,
    person: random.pick(PLACES),
    isRepeating: random.chance(0.4),
    ...(isToCome ? comingTrue(random, coin) : staying(random, coin)),
    ...(isToCome && { toldFromLife: coin.movesBeforeLife ?? 1 }),
  });
  return [
    // Of each coin at least one.
    ...coins.map((coin) => alertOn(coin, true)),
    ...Array.from({ length: random.int(5, 9) }, () => alertOn(random.pick(coins), true)),
    ...Array.from({ length: random.int(4, 7) }, () => alertOn(random.pick(coins), false)),
  ];
};

/** In turns, so that a few rounds have seen each. */
const MOMENTS = ['posted', 'post', 'market', 'time'] as const;

const planKill = (random: Random, moment: (typeof MOMENTS)[number]): Kill => {
  const kill = { signal: 'SIGKILL', moment } as const;
  switch (moment) {
    case 'post':
      // It was taken to be sent, and never got to the platform.
      return { ...kill, count: random.int(1, 8), delayMs: 0 };
    case 'posted':
      return { ...kill, count: random.int(1, 8), delayMs: random.pick([0, 0, 0, 1, 2, 4, 8, 15, 30]) };
    case 'market':
      // Somewhere between the price and what is made of it.
      return { ...kill, count: random.pick([1, 2, 3, 3, 3]), delayMs: random.int(0, 120) };
    case 'time':
      return { ...kill, count: 1, delayMs: random.int(100, 2_200) };
  }
  return moment satisfies never;
};

/** How many rounds of each platform every run of the tests includes, with one kill each. */
export const SHORT_ROUNDS = 1;

/** Everything about a round but the speed of the machine. */
export const planAlertRound = (platform: PlatformName, seed: number): AlertPlan => {
  const random = createRandom(seed + (platform === 'slack' ? 30_000 : 20_000));
  const killCount = seed <= SHORT_ROUNDS ? 1 : random.int(1, 3);
  const turn = seed - (platform === 'slack' ? 0 : 1);
  const kills = Array.from({ length: killCount }, (_, index) =>
    planKill(random, index === 0 ? (MOMENTS[turn % MOMENTS.length] ?? 'time') : random.pick(MOMENTS)),
  );
  const lastLife = killCount + 1;
  const coins: readonly [Coin, ...Coin[]] = [
    { symbol: 'BTC-KRW', price: 140_000_000 },
    { symbol: 'BTC-USD', price: 95_000 },
    { symbol: 'ETH-KRW', price: 4_700_000, movesBeforeLife: 2 },
    { symbol: 'XRP-KRW', price: 3_300, movesBeforeLife: lastLife },
  ];
  return {
    platform,
    seed,
    coins,
    alerts: planAlerts(random, coins),
    briefingFor: random.pick(PLACES),
    kills,
    trouble: { kind: TROUBLES[(seed - 1) % TROUBLES.length] ?? 'none', inLife: random.int(1, lastLife) },
  };
};
