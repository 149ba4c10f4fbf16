import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeAnthropic, startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import { type HistoryEntry } from '#test/fakes/platform/history.ts';
import { copyDatabaseTo } from '#test/support/database.ts';
import { openArtificialStage } from './artificial-stage.ts';
import { BotProcess } from './bot-process.ts';
import { check } from './checker.ts';
import { Executioner, type Strike } from './executioner.ts';
import type { InboxRow } from './facts.ts';
import { isAccountedFor } from './is-accounted-for.ts';
import { createModel } from './model.ts';
import type { Plan } from './plan.ts';
import { readStore } from './read-store.ts';
import type { OpenStage, OnStageMoment, Stage } from './stage.ts';

export interface RoundResult {
  readonly plan: Plan;
  readonly problems: readonly string[];
  readonly history: readonly HistoryEntry[];
  readonly rows: readonly InboxRow[];
  readonly log: string;
}

/** Where all that was written has visibly come to its end, only the last signs are waited for. */
const QUIET_BEATS = 5;
const POLL_MS = 20;
/** So many times as long as anything may wait, and an event that nobody acknowledges. */
const HANGING_FACTOR = 5;
const ROUND_LIMIT_MS = 110_000;
const STOP_LIMIT_MS = 20_000;

/** One round: a platform, a model, and one process after the other on the same data. */
class Round {
  readonly #plan: Plan;
  readonly #dataDir: string;
  readonly #executioner = new Executioner();
  readonly #stage: Stage;
  readonly #processes: BotProcess[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #deadlineMs = performance.now() + ROUND_LIMIT_MS;
  readonly #killed = new Set<number>();
  #env: NodeJS.ProcessEnv = {};
  #life = 0;
  #stepsLeft: number;
  #isOpening = false;
  #isBegun = false;
  #onOpened: () => void = () => undefined;

  constructor(plan: Plan, dataDir: string, stage: Stage) {
    this.#plan = plan;
    this.#dataDir = dataDir;
    this.#stage = stage;
    this.#stepsLeft = plan.steps.length;
  }

  async run(): Promise<RoundResult> {
    const stage = this.#stage;
    const model = await startFakeAnthropic();
    try {
      model.otherwise(
        createModel(() => {
          stage.stir();
          this.#executioner.see('model');
        }, stage.fillerRepeats),
      );
      this.#prepare(model);
      const problems = await this.#live();
      await this.#endAll();
      const store = readStore(this.#dataDir);
      const history = stage.tell(store);
      const refusals = model.history.flatMap(({ problem }) => problem ?? []);
      return {
        plan: this.#plan,
        problems: [
          ...problems,
          ...check(history, store.rows),
          ...stage.complaints(),
          ...refusals.map((problem) => `The model refused a request: ${problem}`),
        ],
        history,
        rows: store.rows,
        log: this.#processes.map(({ log }) => log).join('--- killed ---\n'),
      };
    } finally {
      this.#timers.forEach(clearTimeout);
      await this.#endAll();
      await model.close();
    }
  }

  /** What the platform is about to do; false: it does not. */
  readonly see: OnStageMoment = (moment) => {
    if (moment === 'connect') {
      this.#stage.note({ type: 'connected', life: this.#life });
      if (!this.#isOpening) this.#open();
    }
    return this.#executioner.see(moment);
  };

  #prepare(model: FakeAnthropic): void {
    const config = {
      timeZone: 'Asia/Seoul',
      queue: { maxPerSession: this.#plan.maxPerSession },
      ...this.#stage.config,
    };
    writeFileSync(join(this.#dataDir, 'finclaw.config.json'), JSON.stringify({ welcome: false, ...config }));
    this.#env = {
      FINCLAW_DATA_DIR: this.#dataDir,
      FINCLAW_CONFIG: join(this.#dataDir, 'finclaw.config.json'),
      FINCLAW_QUEUE_MODE: this.#plan.mode,
      FINCLAW_RATE_LIMIT: '0',
      ANTHROPIC_API_KEY: 'geheim-claude-eins-1111',
      ANTHROPIC_BASE_URL: model.url,
      OPENAI_API_KEY: '',
      DATABASE_URL: '',
      FINCLAW_HTTP_PORT: '',
      FINCLAW_MODEL: 'sonnet',
      FINCLAW_FALLBACKS: 'none',
      ...this.#stage.env,
    };
  }

  /** One life after the other, until the kills are used up and all is quiet. What went wrong with the processes. */
  async #live(): Promise<readonly string[]> {
    let next = this.#spawn();
    // Who has come to rest is killed once more, to see that nothing is done again; further kills would tell no more.
    let kills = this.#plan.kills;
    for (let life = 1; ; life += 1) {
      const bot = next;
      const [kill, ...others] = kills;
      // The next one loads while this one runs.
      if (kill) next = this.#spawn();
      const strike: Strike = (signal, why) => {
        this.#killed.add(life);
        this.#stage.note({ type: 'killed', life, signal, why });
        bot.end(signal);
      };
      this.#life = life;
      this.#stage.note({ type: 'started', life });
      if (this.#isBegun) this.#executioner.arm(kill, strike);
      else this.#onOpened = () => this.#executioner.arm(kill, strike);
      await bot.start();
      this.#stage.attend(bot);
      const over = new AbortController();
      const state = await Promise.race([bot.exited, this.#untilRest(over.signal)]);
      over.abort();
      this.#executioner.arm(undefined, strike);
      if (state === 'overdue') return [`It did not come to rest within ${ROUND_LIMIT_MS / 1_000} s`];
      if (state === 'hanging') return ['It hangs: events are not acknowledged, and nothing happens'];
      if (state === 'at rest') strike(kill?.signal ?? 'SIGTERM', 'at rest');
      kills = state === 'at rest' ? [] : others;
      const problem = await this.#endOf(bot, life);
      if (problem !== undefined) return [problem];
      if (!kill) return [];
    }
  }

  /** Undefined where it ended as it was told to. */
  async #endOf(bot: BotProcess, life: number): Promise<string | undefined> {
    const exit = await Promise.race([bot.exited, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
    if (!exit) return `It did not end within ${STOP_LIMIT_MS / 1_000} s`;
    const { code, signal } = exit;
    const wasTold = this.#killed.has(life);
    this.#stage.note({ type: 'exited', life, code });
    return wasTold && (code === 0 || signal === 'SIGKILL')
      ? undefined
      : `The process ended by itself with ${code ?? signal}`;
  }

  async #endAll(): Promise<void> {
    for (const each of this.#processes) each.end('SIGKILL');
    await Promise.all(this.#processes.map(({ exited }) => exited));
  }

  #spawn(): BotProcess {
    const bot = new BotProcess(this.#stage.program, this.#env);
    this.#processes.push(bot);
    return bot;
  }

  async #untilRest(signal: AbortSignal): Promise<'at rest' | 'hanging' | 'overdue'> {
    for (;;) {
      await sleep(POLL_MS);
      if (signal.aborted || performance.now() > this.#deadlineMs) return 'overdue';
      const { isServed, quietBeats, longQuietBeats } = this.#stage;
      if (quietBeats > HANGING_FACTOR * longQuietBeats) return 'hanging';
      if (!this.#isBegun || this.#stepsLeft > 0 || !isServed || quietBeats < QUIET_BEATS) continue;
      if (quietBeats > longQuietBeats || isAccountedFor(this.#stage.tell())) return 'at rest';
    }
  }

  /** At first all goes well; only then somebody may be killed. */
  #open(): void {
    this.#isOpening = true;
    const { opening } = this.#plan;
    if (opening.length === 0) this.#begin();
    else void this.#beginWhenAnswered();
  }

  async #beginWhenAnswered(): Promise<void> {
    // The bot is let in first.
    await sleep(POLL_MS);
    for (const words of this.#plan.opening) this.#stage.act({ kind: 'say', words });
    while (!isAccountedFor(this.#stage.tell())) {
      await sleep(POLL_MS);
      if (performance.now() > this.#deadlineMs) return;
    }
    this.#begin();
    this.#executioner.see('connect');
  }

  #begin(): void {
    this.#isBegun = true;
    this.#onOpened();
    for (const { atMs, action } of this.#plan.steps)
      this.#timers.push(
        setTimeout(() => {
          this.#stepsLeft -= 1;
          this.#stage.act(action);
        }, atMs),
      );
  }
}

export const runRound = async (
  plan: Plan,
  openStage: OpenStage = openArtificialStage,
): Promise<RoundResult> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-fault-'));
  // Every third round begins without a database, so a kill may hit the migrations as well.
  if (plan.seed % 3 !== 1) await copyDatabaseTo(dataDir);
  let round: Round | undefined;
  const stage = await openStage((moment) => round?.see(moment) ?? true);
  try {
    round = new Round(plan, dataDir, stage);
    return await round.run();
  } finally {
    await stage.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
