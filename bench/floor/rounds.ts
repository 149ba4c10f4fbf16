import { median, percentile } from '../statistics.ts';
import type { Load, LoadResult, PlatformName } from './load.ts';
import {
  type Bot,
  type BotOptions,
  type Contestant,
  type Model,
  openBot,
  openPlatform,
  type Platform,
} from './processes.ts';

export const PLACES = 200;
/** So many questions of every place before anything is counted: code is compiled, threads are known. */
const WARM_UP_PASSES = 2;
const AT_ONCE = 32;

export interface Round {
  readonly cpuMs: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly calls: number;
}

export interface Entrant {
  readonly contestant: Contestant;
  readonly platform: Platform;
  readonly bot: Bot;
  readonly rounds: Round[];
  last: LoadResult | undefined;
}

const runRound = async (
  { platform, bot }: Entrant,
  load: Load,
): Promise<{ round: Round; result: LoadResult }> => {
  const before = bot.cpuMs();
  const result = await platform.load(load);
  const { elapsedMs, latenciesMs, calls } = result;
  const count = load.questions;
  const round = {
    cpuMs: (bot.cpuMs() - before) / count,
    perSecond: (1_000 * count) / elapsedMs,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    calls: Object.values(calls).reduce((sum, times) => sum + times, 0) / count,
  };
  return { round, result };
};

export interface Race {
  readonly platform: PlatformName;
  readonly text: string;
  readonly rounds: number;
  readonly questions: number;
  /** How they are asked after the warm-up. Default: 32 at once. */
  readonly load?: Pick<Load, 'atOnce' | 'isNew'>;
  readonly botOptions?: (contestant: Contestant) => BotOptions;
}

/** The same questions for every bot, in rounds that take turns; who begins changes with every round. */
export const race = async (
  contestants: readonly Contestant[],
  model: Model,
  { platform, text, rounds, questions, load = { atOnce: AT_ONCE }, botOptions = () => ({}) }: Race,
  look: (entrants: readonly Entrant[]) => void,
): Promise<void> => {
  await using opened = new AsyncDisposableStack();
  const entrants: Entrant[] = [];
  for (const contestant of contestants) {
    const fake = await openPlatform({ platform, places: PLACES, callDelayMs: 0 });
    opened.defer(fake.close);
    const bot = await openBot(contestant, fake, model, botOptions(contestant));
    opened.defer(bot.stop);
    entrants.push({ contestant, platform: fake, bot, rounds: [], last: undefined });
  }
  for (const entrant of entrants)
    await entrant.platform.load({ questions: WARM_UP_PASSES * PLACES, text, atOnce: AT_ONCE });
  for (let number = 0; number < rounds; number += 1) {
    const order = number % 2 === 0 ? entrants : entrants.toReversed();
    for (const entrant of order) {
      const { round, result } = await runRound(entrant, {
        ...load,
        questions,
        text,
        firstPlace: (number * questions) % PLACES,
      });
      entrant.rounds.push(round);
      entrant.last = result;
    }
  }
  look(entrants);
};

/** Medians of what was counted in the rounds. */
export const medianOf = ({ rounds }: Entrant, figure: keyof Round): number =>
  median(rounds.map((round) => round[figure]));
