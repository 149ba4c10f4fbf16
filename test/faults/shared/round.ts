import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type FakeAnthropic, startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import type { PostgresServer } from '#test/support/database.ts';
import { BotProcess } from '../bot-process.ts';
import { check } from '../checker.ts';
import type { InboxRow } from '../facts.ts';
import { isAccountedFor } from '../is-accounted-for.ts';
import { createModel } from '../model.ts';
import { OPENING } from '../platforms/plan.ts';
import { openDiscordStage } from '../platforms/discord-stage.ts';
import { openSlackStage } from '../platforms/slack-stage.ts';
import type { SentPart, Store } from '../read-store.ts';
import type { RoundResult } from '../round.ts';
import type { Stage } from '../stage.ts';
import type { Fault, SharedPlan } from './plan.ts';

const POLL_MS = 50;
const QUIET_MS = 700;
/** If some messages have no answer, which may be right, nothing must happen for as long as anything may take. */
const LONG_QUIET_MS = 15_000;
const ROUND_LIMIT_MS = 160_000;
const STOP_LIMIT_MS = 20_000;
const DATABASE_DOWN_MS = 500;

type SharedResult = Omit<RoundResult, 'plan'>;

/** Nobody can start without the database. */
const NO_DATABASE = /The database cannot be used/;

interface Running {
  readonly life: number;
  readonly place: number;
  readonly bot: BotProcess;
  isFrozen: boolean;
}

/** Runs a query on its own connection, and again after the database has come back. */
const ask = async <Row extends object>(url: string, query: string): Promise<readonly Row[]> => {
  for (let attempt = 1; ; attempt += 1) {
    const client = new Client({ connectionString: url, application_name: 'observer' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(query)).rows;
    } catch (error) {
      if (attempt > 20) throw error;
      await sleep(250);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
};

const readStore = async (url: string): Promise<Store> => ({
  rows: await ask<InboxRow>(
    url,
    `select id, event_id as event, session_key as session, sender_id as sender, status, attempts,
       taken_by as "takenBy" from inbox order by id`,
  ),
  parts: await ask<SentPart>(
    url,
    `select id as "deliveryId", inbox_id as "inboxId", platform_message_id as "messageId"
       from outbox order by inbox_id, part_index`,
  ),
});

interface RoundParts {
  readonly plan: SharedPlan;
  readonly stage: Stage;
  readonly postgres: PostgresServer;
  readonly url: string;
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  /** Resolves when a process receives from the platform. */
  readonly connected: Promise<void>;
}

/** Several processes on one database, one Slack and one model; things happen to them, and somebody takes their place. */
class SharedRound {
  readonly #plan: SharedPlan;
  readonly #stage: Stage;
  readonly #postgres: PostgresServer;
  readonly #url: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #dataDir: string;
  readonly #all: BotProcess[] = [];
  /** By their place in the plan. */
  readonly #running = new Map<number, Running>();
  readonly #problems: string[] = [];
  readonly #connected: Promise<void>;
  #lives = 0;

  constructor({ plan, stage, postgres, url, env, dataDir, connected }: RoundParts) {
    this.#plan = plan;
    this.#stage = stage;
    this.#postgres = postgres;
    this.#url = url;
    this.#env = env;
    this.#dataDir = dataDir;
    this.#connected = connected;
  }

  async run(): Promise<SharedResult> {
    try {
      await this.#start();
      await Promise.all([this.#say(), this.#disturb()]);
      await this.#untilRest();
      await Promise.all([...this.#running.values()].map((each) => this.#end(each, 'SIGTERM')));
      const store = await readStore(this.#url);
      const history = this.#stage.tell(store);
      return {
        problems: [...this.#problems, ...check(history, store.rows), ...this.#stage.complaints()],
        history,
        rows: store.rows,
        log: this.#all.map(({ log }, index) => `--- process ${index + 1} ---\n${log}`).join(''),
      };
    } finally {
      for (const bot of this.#all) bot.end('SIGKILL');
      await Promise.all(this.#all.map(({ exited }) => exited));
    }
  }

  /** Each begins when the one before is there, so that it is known which is which. */
  async #start(): Promise<void> {
    for (const place of this.#plan.roles.keys()) await this.#spawn(place);
    // What is said before somebody listens is lost on Discord.
    await this.#connected;
    await sleep(QUIET_MS);
    for (const words of OPENING) this.#stage.act({ kind: 'say', words });
    await this.#untilRest();
  }

  async #spawn(place: number): Promise<void> {
    const role = this.#plan.roles[place] ?? 'all';
    // Each has a disk of its own, as on machines of their own.
    const dataDir = join(this.#dataDir, String(place));
    mkdirSync(dataDir, { recursive: true });
    const env = { ...this.#env, FINCLAW_ROLE: role, FINCLAW_DATA_DIR: dataDir };
    const bot = new BotProcess(this.#stage.program, env);
    this.#all.push(bot);
    this.#lives += 1;
    const running = { life: this.#lives, place, bot, isFrozen: false };
    this.#running.set(place, running);
    this.#stage.note({ type: 'started', life: running.life });
    await bot.start();
    this.#stage.attend(bot);
    void bot.exited.then(({ code, signal }) => {
      if (this.#running.get(place) !== running) return;
      // Whoever runs the program starts it again.
      if (NO_DATABASE.test(bot.log)) void this.#spawn(place);
      else this.#problems.push(`Process ${running.life} ended by itself with ${code ?? signal}`);
    });
  }

  async #say(): Promise<void> {
    const startedMs = performance.now();
    for (const { atMs, action } of this.#plan.steps) {
      await sleep(Math.max(0, startedMs + atMs - performance.now()));
      this.#stage.act(action);
    }
  }

  async #disturb(): Promise<void> {
    const startedMs = performance.now();
    const under: Promise<void>[] = [];
    for (const { atMs, fault, process: place, freezeMs } of this.#plan.faults) {
      await sleep(Math.max(0, startedMs + atMs - performance.now()));
      under.push(this.#happen(fault, place, freezeMs));
    }
    await Promise.all(under);
  }

  async #happen(fault: Fault, place: number, freezeMs: number): Promise<void> {
    const running = this.#running.get(place);
    if (!running || running.isFrozen) return;
    this.#stage.note({ type: 'killed', life: running.life, signal: fault, why: 'planned' });
    switch (fault) {
      case 'kill':
        await this.#end(running, 'SIGKILL');
        return this.#spawn(place);
      case 'end':
        await this.#end(running, 'SIGTERM');
        return this.#spawn(place);
      case 'freeze':
        running.isFrozen = true;
        running.bot.end('SIGSTOP');
        await sleep(freezeMs);
        running.bot.end('SIGCONT');
        running.isFrozen = false;
        return;
      case 'cut':
      case 'deaf': {
        const which = fault === 'cut' ? `<> 'observer'` : `= 'finclaw link'`;
        await ask(
          this.#url,
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name ${which} and pid <> pg_backend_pid()`,
        );
        return;
      }
      case 'restart':
        return this.#postgres.restart(DATABASE_DOWN_MS);
    }
    return fault satisfies never;
  }

  async #end(running: Running, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#running.delete(running.place);
    running.bot.end(signal);
    const exit = await Promise.race([running.bot.exited, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
    if (!exit) this.#problems.push(`Process ${running.life} did not end within ${STOP_LIMIT_MS / 1_000} s`);
    // One that still loads has nothing to hand over.
    else if (
      signal === 'SIGTERM' &&
      exit.code !== 0 &&
      exit.signal !== 'SIGTERM' &&
      !NO_DATABASE.test(running.bot.log)
    )
      this.#problems.push(`Process ${running.life} ended with ${exit.code ?? exit.signal}`);
  }

  /** Everything is acknowledged and settled, and nothing more happens. */
  async #untilRest(): Promise<void> {
    const deadlineMs = performance.now() + ROUND_LIMIT_MS;
    let seen = -1;
    let sinceMs = performance.now();
    while (performance.now() < deadlineMs) {
      await sleep(POLL_MS);
      const size = this.#stage.tell().length;
      if (size !== seen) {
        seen = size;
        sinceMs = performance.now();
      }
      const quietMs = performance.now() - sinceMs;
      if (!this.#stage.isServed || quietMs < QUIET_MS) continue;
      if (quietMs < LONG_QUIET_MS && !isAccountedFor(this.#stage.tell())) continue;
      const [row] = await ask<{ readonly count: string }>(
        this.#url,
        `select count(*) as count from inbox where status = 'pending'`,
      );
      if (row?.count === '0') return;
    }
    this.#problems.push(`It did not come to rest within ${ROUND_LIMIT_MS / 1_000} s`);
  }
}

const STAGES = { discord: openDiscordStage, slack: openSlackStage };

const environmentOf = (
  plan: SharedPlan,
  stage: Stage,
  model: FakeAnthropic,
  url: string,
  dataDir: string,
) => {
  const config = join(dataDir, 'finclaw.config.json');
  writeFileSync(config, JSON.stringify({ timeZone: 'Asia/Seoul', welcome: false, ...stage.config }));
  return {
    FINCLAW_CONFIG: config,
    FINCLAW_QUEUE_MODE: plan.mode,
    FINCLAW_RATE_LIMIT: '0',
    ANTHROPIC_API_KEY: 'geheim-claude-eins-1111',
    ANTHROPIC_BASE_URL: model.url,
    OPENAI_API_KEY: '',
    DATABASE_URL: url,
    FINCLAW_HTTP_PORT: '',
    FINCLAW_MODEL: 'sonnet',
    FINCLAW_FALLBACKS: 'none',
    ...stage.env,
  };
};

export const runSharedRound = async (plan: SharedPlan, postgres: PostgresServer): Promise<SharedResult> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-shared-'));
  const { promise: connected, resolve: onConnected } = Promise.withResolvers<void>();
  const stage = await STAGES[plan.platform](plan.seed, (moment) => {
    if (moment === 'connect') onConnected();
    return true;
  });
  const model = await startFakeAnthropic();
  try {
    model.otherwise(createModel(() => stage.stir(), stage.fillerRepeats));
    const url = await postgres.createDatabase();
    const env = environmentOf(plan, stage, model, url, dataDir);
    return await new SharedRound({ plan, stage, postgres, url, env, dataDir, connected }).run();
  } finally {
    await stage.close();
    await model.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** What is needed to understand a round that went wrong, and how to run it again. */
export const describeSharedRound = (
  plan: SharedPlan,
  { problems, history, rows, log }: SharedResult,
): string =>
  [
    `Round ${plan.seed} on ${plan.platform}, mode ${plan.mode}, ${plan.roles.join(', ')}. Run it again with`,
    `  FINCLAW_FAULT_SEED=${plan.seed} npx vitest run test/faults/shared/rounds.test.ts`,
    ...problems.map((problem) => `- ${problem}`),
    'What was planned:',
    ...plan.faults.map(({ atMs, fault, process }) => `${atMs}  ${fault} ${process}`),
    'What the platform saw:',
    ...history.map((entry) => JSON.stringify(entry)),
    'What the inbox holds:',
    ...rows.map((row) => JSON.stringify(row)),
    'What the logs say:',
    log,
  ].join('\n');
