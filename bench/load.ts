import type { Role } from '#src/kernel/operations/status.ts';
import { runPostgres, type RunningPostgres } from '#test/support/postgres-server.ts';
import type { Asked, Load } from './floor/load.ts';
import {
  type Bot,
  FINCLAW,
  freePort,
  type Model,
  openBot,
  openModel,
  openPlatform,
} from './floor/processes.ts';
import { PRICE_QUESTION } from './floor/setting.ts';
import { median, percentile } from './statistics.ts';

/** What a model takes to answer. A question needs two answers: a tool call, and the words. */
const MODEL_MS = 300;
/** On two platforms, half of them each. */
const CHATS = 200;
const PEOPLE = 2_000;
/** So few conversations at a time for each process that they wait for the model, not for the processor. */
const FEW = 8;
/** What a process does by default. */
const MANY = 64;
/** More than all workers together do at a time. */
const AT_ONCE = 96;
const STEADY_PER_SECOND = 8;
const PLATFORMS = ['slack', 'discord'] as const;

interface Topology {
  readonly name: string;
  /** Of the processes on PostgreSQL; none for one process on SQLite. */
  readonly roles: readonly Role[];
}

const TOPOLOGIES: readonly Topology[] = [
  { name: 'one on SQLite', roles: [] },
  { name: 'one on PostgreSQL', roles: ['all'] },
  { name: 'gateway and 1 worker', roles: ['gateway', 'worker'] },
  { name: 'gateway and 2 workers', roles: ['gateway', 'worker', 'worker'] },
  { name: 'gateway and 4 workers', roles: ['gateway', 'worker', 'worker', 'worker', 'worker'] },
];

interface Amounts {
  readonly rounds: number;
  readonly questions: number;
  readonly steadySeconds: number;
}

const FULL: Amounts = { rounds: 2, questions: 300, steadySeconds: 30 };
const QUICK: Amounts = { rounds: 1, questions: 120, steadySeconds: 15 };

const ends = (values: readonly number[]): string =>
  `${percentile(values, 0.5).toFixed(0)} and ${percentile(values, 0.99).toFixed(0)}`;

/** The medians of the rounds, for each of the processes. */
const each = (rounds: readonly (readonly number[])[], digits: number): string =>
  (rounds[0] ?? [])
    .map((_, process) => median(rounds.map((round) => round[process] ?? Number.NaN)).toFixed(digits))
    .join(' + ');

/** What all rounds of a topology found. */
class Results {
  readonly name: string;
  /** Messages a second where the model, and where the processor is what they wait for. */
  readonly fewPerSecond: number[] = [];
  readonly manyPerSecond: number[] = [];
  /** From the event, at a steady rate. */
  readonly signsMs: number[] = [];
  readonly modelsMs: number[] = [];
  readonly answersMs: number[] = [];
  /** Of a message, for each of the processes. */
  readonly cpuMs: number[][] = [];
  readonly residentMb: number[][] = [];

  constructor(name: string) {
    this.name = name;
  }

  add(asked: readonly Asked[], modelAtMs: ReadonlyMap<string, number>): void {
    for (const { tag, atMs, signAtMs = Number.NaN, answeredAtMs = Number.NaN } of asked) {
      this.signsMs.push(signAtMs - atMs);
      this.modelsMs.push((modelAtMs.get(tag) ?? Number.NaN) - atMs);
      this.answersMs.push(answeredAtMs - atMs);
    }
  }

  row(): string {
    const cells = [
      this.name.padEnd(22),
      median(this.fewPerSecond).toFixed(1).padStart(8),
      median(this.manyPerSecond).toFixed(1).padStart(9),
      ends(this.signsMs).padEnd(15),
      ends(this.modelsMs).padEnd(15),
      ends(this.answersMs).padEnd(15),
      each(this.cpuMs, 1).padEnd(32),
      each(this.residentMb, 0),
    ];
    return cells.join(' | ');
  }
}

const HEAD = [
  'processes'.padEnd(22),
  `${FEW} each/s`.padStart(8),
  `${MANY} each/s`.padStart(9),
  'sign, ms'.padEnd(15),
  'model, ms'.padEnd(15),
  'answer, ms'.padEnd(15),
  'CPU of a message, ms'.padEnd(32),
  'memory, MB',
].join(' | ');

interface Fixture {
  readonly model: Model;
  readonly postgres: RunningPostgres;
  readonly amounts: Amounts;
}

/** Starts the processes, and asks: as many questions at once as they take, and then, if wanted, at a steady rate. */
const measure = async (
  { roles }: Topology,
  conversations: number,
  { model, postgres, amounts }: Fixture,
  results: Results,
): Promise<void> => {
  await using opened = new AsyncDisposableStack();
  const platforms = await Promise.all(
    PLATFORMS.map((platform) =>
      openPlatform({
        platform,
        places: CHATS / PLATFORMS.length,
        people: PEOPLE / CHATS,
        callDelayMs: 0,
      }),
    ),
  );
  for (const { close } of platforms) opened.defer(close);
  const databaseUrl = roles.length > 0 ? await postgres.createDatabase() : undefined;
  const env = Object.assign({}, ...platforms.map((platform) => platform.env)) as NodeJS.ProcessEnv;
  const open = async (role: Role): Promise<Bot> => {
    const bot = await openBot(FINCLAW, { name: 'slack', env }, model, {
      probe: { liftsRestLimit: true },
      env: databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, FINCLAW_ROLE: role },
      config: { lanes: { main: { maxConcurrency: conversations } } },
    });
    opened.defer(bot.stop);
    return bot;
  };
  const [first = 'all', ...others] = roles;
  // The first one prepares the database.
  const bots = [await open(first), ...(await Promise.all(others.map(open)))];
  const ask = async (load: Pick<Load, 'questions' | 'atOnce' | 'everyMs'>) => {
    const loads = await Promise.all(
      platforms.map((platform) => platform.load({ ...load, text: PRICE_QUESTION })),
    );
    return {
      asked: loads.flatMap(({ asked }) => asked),
      elapsedMs: Math.max(...loads.map(({ elapsedMs }) => elapsedMs)),
    };
  };
  const share = 1 / PLATFORMS.length;
  const load = { atOnce: AT_ONCE * share };
  await ask({ ...load, questions: Math.min(CHATS, amounts.questions) * share });
  const { elapsedMs } = await ask({ ...load, questions: amounts.questions * share });
  const rates = conversations === FEW ? results.fewPerSecond : results.manyPerSecond;
  rates.push((1_000 * amounts.questions) / elapsedMs);
  if (conversations === FEW) return;
  await model.firstAskedMs();
  const before = bots.map((bot) => bot.cpuMs());
  const questions = STEADY_PER_SECOND * amounts.steadySeconds;
  const { asked } = await ask({
    questions: questions * share,
    everyMs: 1_000 / (STEADY_PER_SECOND * share),
  });
  results.cpuMs.push(bots.map((bot, index) => (bot.cpuMs() - (before[index] ?? 0)) / questions));
  results.residentMb.push(bots.map((bot) => bot.residentMb()));
  results.add(asked, await model.firstAskedMs());
};

/** One process and many processes under load: how many messages they answer, how fast, and what a message costs. */
export const benchLoad = async (isQuick: boolean): Promise<void> => {
  const amounts = isQuick ? QUICK : FULL;
  const model = await openModel(MODEL_MS);
  const postgres = await runPostgres(await freePort());
  try {
    const all = TOPOLOGIES.map((topology) => ({ topology, results: new Results(topology.name) }));
    for (let round = 0; round < amounts.rounds; round += 1)
      for (const { topology, results } of round % 2 === 0 ? all : all.toReversed())
        for (const conversations of [FEW, MANY])
          await measure(topology, conversations, { model, postgres, amounts }, results);
    console.log(
      `${PEOPLE} people in ${CHATS} chats on Slack and Discord, a model of ${MODEL_MS} ms, one tool call; messages a second with ${FEW} and with ${MANY} conversations at a time for each process; then, at ${STEADY_PER_SECOND} messages a second, p50 and p99 from the event to the first sign, to the first request to the model and to the answer`,
    );
    console.log(HEAD);
    for (const { results } of all) console.log(results.row());
    const [one, two] = ['gateway and 1 worker', 'gateway and 2 workers'].map((name) =>
      median(all.find(({ topology }) => topology.name === name)?.results.fewPerSecond ?? []),
    );
    console.log(
      `where the model is the bottleneck, two workers do ${((two ?? Number.NaN) / (one ?? Number.NaN)).toFixed(2)}× the work of one; aim at least 1.7×`,
    );
  } finally {
    await postgres.stop();
    model.close();
  }
};
