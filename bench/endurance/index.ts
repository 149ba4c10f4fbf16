import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { runPostgres } from '#test/support/postgres-server.ts';
import type { Census } from '../floor/load.ts';
import { freePort, openModel, openPlatform, type Platform } from '../floor/processes.ts';
import { PRICE_QUESTION } from '../floor/setting.ts';
import { median, percentile } from '../statistics.ts';
import { Crew } from './crew.ts';
import { countPending, fateOf } from './database.ts';
import { planFaults } from './plan.ts';

export interface EnduranceOptions {
  readonly minutes: number;
  /** Messages a second, of both platforms: about half of what the processes can do here. */
  readonly rate: number;
  /** Which faults. */
  readonly seed: number;
}

const MODEL_MS = 300;
/** On each of two platforms. */
const CHATS = 100;
const PEOPLE_PER_CHAT = 10;
const ROLES = ['gateway', 'worker', 'worker'] as const;
const HEARTBEAT_MS = 5_000;
const MINUTE_MS = 60_000;
const SAMPLE_MS = 5_000;
/** Before the end nothing happens for so long, and after it something may still come. */
const REST_MS = 20_000;
/** Answers that are still to come are waited for, but not longer. */
const BACKLOG_LIMIT_MS = 300_000;
const AIM_P99_MS = 50;

const addUp = (censuses: readonly Census[]): Census => ({
  asked: censuses.reduce((sum, { asked }) => sum + asked, 0),
  unanswered: censuses.flatMap(({ unanswered }) => unanswered),
  repeated: censuses.flatMap(({ repeated }) => repeated),
  heartbeats: censuses.reduce((sum, { heartbeats }) => sum + heartbeats, 0),
  missedHeartbeats: censuses.reduce((sum, { missedHeartbeats }) => sum + missedHeartbeats, 0),
});

const countAll = async (platforms: readonly Platform[]): Promise<Census> =>
  addUp(await Promise.all(platforms.map(({ census }) => census())));

/** A steady rate of questions, of which none waits for an answer; ends when all have one or have waited for too long. */
const askFor = async (
  platforms: readonly Platform[],
  { minutes, rate }: EnduranceOptions,
): Promise<readonly number[]> => {
  const perSecond = rate / platforms.length;
  const results = await Promise.all(
    platforms.map(({ load }) =>
      load({
        text: PRICE_QUESTION,
        questions: Math.round(perSecond * 60 * minutes),
        everyMs: 1_000 / perSecond,
        mayStayUnanswered: true,
      }),
    ),
  );
  return results.flatMap(({ latenciesMs }) => latenciesMs);
};

const summarize = (census: Census): string =>
  `${census.asked} asked, ${census.asked - census.unanswered.length} answered, ${census.unanswered.length} unanswered, ${census.repeated.length} answered twice; ${census.missedHeartbeats} of ${census.heartbeats} heartbeats missed`;

/** A gateway and two workers at a steady rate, while processes and the database fail: is all answered, and once? */
export const benchEndurance = async (options: EnduranceOptions): Promise<void> => {
  const { minutes, rate, seed } = options;
  await using opened = new AsyncDisposableStack();
  const model = await openModel(MODEL_MS);
  opened.defer(model.close);
  const postgres = await runPostgres(await freePort());
  opened.defer(postgres.stop);
  const shared = {
    places: CHATS,
    people: PEOPLE_PER_CHAT,
    callDelayMs: 0,
    heartbeatIntervalMs: HEARTBEAT_MS,
  };
  const platforms = await Promise.all(
    (['slack', 'discord'] as const).map((platform) => openPlatform({ ...shared, platform })),
  );
  for (const { close } of platforms) opened.defer(close);
  const databaseUrl = await postgres.createDatabase();
  const crew = new Crew({
    roles: ROLES,
    env: Object.assign({}, ...platforms.map(({ env }) => env)) as NodeJS.ProcessEnv,
    model,
    postgres,
    databaseUrl,
  });
  opened.defer(() => crew.stop());
  await crew.start();

  const faults = planFaults(seed, ROLES.length - 1, minutes * MINUTE_MS - REST_MS);
  console.log(
    `${minutes} minutes, ${rate} messages a second, ${ROLES.join(', ')}, ${faults.length} faults of seed ${seed}`,
  );
  const startedAtMs = performance.now();
  // What the machine alone makes a process wait for.
  const late = monitorEventLoopDelay({ resolution: 1 });
  late.enable();
  const isOver = new AbortController();
  const disturb = async (): Promise<void> => {
    const happening: Promise<void>[] = [];
    for (const planned of faults) {
      await setTimeout(Math.max(0, startedAtMs + planned.atMs - performance.now()));
      console.log(`  ${(planned.atMs / 1_000).toFixed(0)} s: ${planned.fault} ${crew.nameOf(planned.place)}`);
      happening.push(crew.happen(planned));
    }
    await Promise.all(happening);
  };
  const watch = async (): Promise<void> => {
    for (let sample = 1; !isOver.signal.aborted; sample += 1) {
      await setTimeout(SAMPLE_MS, undefined, { signal: isOver.signal }).catch(() => undefined);
      crew.sample();
      if (sample % (MINUTE_MS / SAMPLE_MS) !== 0) continue;
      const minute = sample / (MINUTE_MS / SAMPLE_MS);
      console.log(`minute ${minute}: ${summarize(await countAll(platforms))}; ${crew.report()}`);
    }
  };
  const watching = watch();
  const [latenciesMs] = await Promise.all([askFor(platforms, options), disturb()]);
  const deadlineMs = performance.now() + BACKLOG_LIMIT_MS;
  // What would come twice may come late.
  do await setTimeout(REST_MS);
  while (performance.now() < deadlineMs && (await countPending(databaseUrl)) > 0);
  isOver.abort();
  await watching;
  const census = await countAll(platforms);
  console.log(`at the end: ${summarize(census)}`);
  console.log(
    `answers after p50 ${percentile(latenciesMs, 0.5).toFixed(0)} ms, p99 ${percentile(latenciesMs, 0.99).toFixed(0)} ms, at most ${percentile(latenciesMs, 1).toFixed(0)} ms; event loops ${median(crew.p99sMs).toFixed(1)} ms late at p99 in the median, ${percentile(crew.p99sMs, 1).toFixed(1)} ms at worst, aim ${AIM_P99_MS} ms; that of this idle process ${(late.percentile(99) / 1e6 - 1).toFixed(1)} ms`,
  );
  console.log(`memory: ${crew.memory()}`);
  const wrong = [
    ...(await Promise.all(
      census.unanswered.map(async (tag) => `${tag} has no answer: ${await fateOf(databaseUrl, tag)}`),
    )),
    ...census.repeated.map((tag) => `${tag} has several answers`),
    ...crew.problems,
  ];
  for (const problem of wrong) console.log(problem);
  if (wrong.length > 0) process.exitCode = 1;
};
