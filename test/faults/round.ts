import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeAnthropic, startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import { type HistoryEntry, ofType } from '#test/fakes/platform/history.ts';
import { FakePlatform } from '#test/fakes/platform/server.ts';
import { BotProcess } from './bot-process.ts';
import { check } from './checker.ts';
import { Executioner, type Strike } from './executioner.ts';
import type { InboxRow } from './facts.ts';
import { isAccountedFor } from './is-accounted-for.ts';
import { createModel } from './model.ts';
import type { Action, Plan } from './plan.ts';
import { readInbox } from './read-inbox.ts';

export interface RoundResult {
  readonly plan: Plan;
  readonly problems: readonly string[];
  readonly history: readonly HistoryEntry[];
  readonly rows: readonly InboxRow[];
  readonly log: string;
}

/** Where all that was written has visibly come to its end, only the last signs are waited for. */
const QUIET_BEATS = 5;
/** Otherwise something may still wait, such as for the person to pause; nothing waits as long as this. */
const LONG_QUIET_BEATS = 30;
const POLL_MS = 20;
/** Long quiet, and an event that nobody acknowledges. */
const HANGING_BEATS = 150;
const ROUND_LIMIT_MS = 110_000;
const STOP_LIMIT_MS = 20_000;
const MAX_MESSAGE_LENGTH = 300;

/** One round: a platform, a model, and one process after the other on the same data. */
class Round {
  readonly #plan: Plan;
  readonly #dataDir: string;
  readonly #executioner = new Executioner();
  readonly #platform = new FakePlatform((moment) => this.#see(moment));
  readonly #processes: BotProcess[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #deadlineMs = performance.now() + ROUND_LIMIT_MS;
  #env: NodeJS.ProcessEnv = {};
  #stepsLeft: number;
  #isBegun = false;

  constructor(plan: Plan, dataDir: string) {
    this.#plan = plan;
    this.#dataDir = dataDir;
    this.#stepsLeft = plan.steps.length;
  }

  async run(): Promise<RoundResult> {
    const model = await startFakeAnthropic();
    try {
      model.otherwise(
        createModel(() => {
          this.#platform.stir();
          this.#executioner.see('model');
        }),
      );
      await this.#prepare(model);
      const problems = await this.#live();
      await this.#endAll();
      const rows = readInbox(this.#dataDir);
      const refusals = model.history.flatMap(({ problem }) => problem ?? []);
      return {
        plan: this.#plan,
        problems: [
          ...problems,
          ...check(this.#platform.history, rows),
          ...refusals.map((problem) => `The model refused a request: ${problem}`),
        ],
        history: this.#platform.history,
        rows,
        log: this.#processes.map(({ log }) => log).join('--- killed ---\n'),
      };
    } finally {
      this.#timers.forEach(clearTimeout);
      await this.#endAll();
      await Promise.all([model.close(), this.#platform.close()]);
    }
  }

  async #prepare(model: FakeAnthropic): Promise<void> {
    const config = { timeZone: 'Asia/Seoul', queue: { maxPerSession: this.#plan.maxPerSession } };
    writeFileSync(join(this.#dataDir, 'finclaw.config.json'), JSON.stringify(config));
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
      PLATFORM_PORT: String(await this.#platform.listen()),
      MAX_MESSAGE_LENGTH: String(MAX_MESSAGE_LENGTH),
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
        this.#platform.note({ type: 'killed', life, signal, why });
        bot.end(signal);
      };
      this.#executioner.arm(kill, strike);
      this.#platform.note({ type: 'started', life });
      await bot.start();
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
    const wasTold = ofType(this.#platform.history, 'killed').some((killed) => killed.life === life);
    this.#platform.note({ type: 'exited', life, code });
    return wasTold && (code === 0 || signal === 'SIGKILL')
      ? undefined
      : `The process ended by itself with ${code ?? signal}`;
  }

  async #endAll(): Promise<void> {
    for (const each of this.#processes) each.end('SIGKILL');
    await Promise.all(this.#processes.map(({ exited }) => exited));
  }

  #spawn(): BotProcess {
    const bot = new BotProcess(this.#env);
    this.#processes.push(bot);
    return bot;
  }

  async #untilRest(signal: AbortSignal): Promise<'at rest' | 'hanging' | 'overdue'> {
    for (;;) {
      await sleep(POLL_MS);
      if (signal.aborted || performance.now() > this.#deadlineMs) return 'overdue';
      const { isServed, quietBeats, history } = this.#platform;
      if (quietBeats > HANGING_BEATS) return 'hanging';
      if (!this.#isBegun || this.#stepsLeft > 0 || !isServed || quietBeats < QUIET_BEATS) continue;
      if (quietBeats > LONG_QUIET_BEATS || isAccountedFor(history)) return 'at rest';
    }
  }

  #see(moment: Parameters<Executioner['see']>[0]): boolean {
    if (moment === 'connect') {
      const life = ofType(this.#platform.history, 'started').length;
      this.#platform.note({ type: 'connected', life });
      if (!this.#isBegun) this.#begin();
    }
    return this.#executioner.see(moment);
  }

  #begin(): void {
    this.#isBegun = true;
    for (const { atMs, action } of this.#plan.steps)
      this.#timers.push(
        setTimeout(() => {
          this.#stepsLeft -= 1;
          this.#act(action);
        }, atMs),
      );
  }

  #act(action: Action): void {
    switch (action.kind) {
      case 'say':
        return this.#platform.say(action.words);
      case 'change':
        return this.#platform.change(action.number, action.body);
      case 'repeat':
        return this.#platform.repeat(action.number);
    }
  }
}

export const runRound = async (plan: Plan): Promise<RoundResult> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-fault-'));
  try {
    return await new Round(plan, dataDir).run();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};
