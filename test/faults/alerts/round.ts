import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryEntry } from '#test/fakes/platform/history.ts';
import { bundledProgram } from '#test/support/bundled-programs.ts';
import { type LiveMarket, openLiveMarket } from '#test/support/live-market.ts';
import { BotProcess } from '../bot-process.ts';
import { Executioner, type Strike } from '../executioner.ts';
import { type AlertFacts, checkAlerts, isAllTold } from './checker.ts';
import { fillStore, type SetAlert } from './fill-store.ts';
import { type AlertPlan, RISE } from './plan.ts';
import { readRecords } from './read-records.ts';
import type { AlertStage, OnMoment, OpenAlertStage } from './stage.ts';

export interface AlertRoundResult {
  readonly plan: AlertPlan;
  readonly problems: readonly string[];
  readonly facts: AlertFacts;
  readonly notes: readonly HistoryEntry[];
  readonly log: string;
}

const PROGRAM = bundledProgram('platform-bot-process');
const POLL_MS = 20;
/** Longer than from one look at the alerts to the next: what would be told twice is told by then. */
const QUIET_BEATS = 25;
/** Longer than anything in the bot waits before it tries again: what is missing by then does not come. */
const HOPELESS_BEATS = 160;
const ROUND_LIMIT_MS = 100_000;
const STOP_LIMIT_MS = 20_000;

/** One round: a platform, a market, and one process after the other on the same alerts. */
class AlertRound {
  readonly #plan: AlertPlan;
  readonly #dataDir: string;
  readonly #stage: AlertStage;
  readonly #market: LiveMarket;
  readonly #executioner: Executioner;
  readonly #processes: BotProcess[] = [];
  readonly #killed = new Set<number>();
  readonly #deadlineMs = performance.now() + ROUND_LIMIT_MS;
  #alerts: readonly SetAlert[] = [];
  #life = 0;

  constructor(
    plan: AlertPlan,
    dataDir: string,
    stage: AlertStage,
    market: LiveMarket,
    executioner: Executioner,
  ) {
    this.#plan = plan;
    this.#dataDir = dataDir;
    this.#stage = stage;
    this.#market = market;
    this.#executioner = executioner;
  }

  async run(): Promise<AlertRoundResult> {
    try {
      writeFileSync(this.#configPath, JSON.stringify({ alerts: { everySeconds: 1 }, welcome: false }));
      this.#alerts = await fillStore(this.#dataDir, this.#plan, this.#stage);
      const problems = await this.#live();
      await this.#endAll();
      const facts = { ...this.#facts(), ...readRecords(this.#dataDir) };
      return {
        plan: this.#plan,
        problems: [...problems, ...checkAlerts(facts)],
        facts,
        notes: this.#stage.pulse.notes,
        log: this.#processes.map(({ log }) => log).join('--- next ---\n'),
      };
    } finally {
      await this.#endAll();
    }
  }

  get #configPath(): string {
    return join(this.#dataDir, 'finclaw.config.json');
  }

  /** What is to be told by now, and what the platform shows. */
  #facts(): Omit<AlertFacts, 'firings' | 'notifications'> {
    return {
      alerts: this.#alerts.map(({ id, chat, toldFromLife = Infinity }) => ({
        id,
        chat,
        isTold: toldFromLife <= this.#life,
      })),
      briefing: { chat: this.#stage.placeOf(this.#plan.briefingFor) },
      messages: this.#stage.messages(),
    };
  }

  /** One life after the other, until the kills are used up and all is quiet. What went wrong with the processes. */
  async #live(): Promise<readonly string[]> {
    const { kills, trouble } = this.#plan;
    let next = this.#spawn();
    for (const [index, kill] of [...kills, undefined].entries()) {
      this.#life = index + 1;
      const [bot, life] = [next, this.#life];
      // The next one loads while this one runs.
      if (kill) next = this.#spawn();
      this.#setPrices();
      if (trouble.inLife === life) this.#stage.trouble(trouble.kind);
      const strike: Strike = (signal, why) => {
        this.#killed.add(life);
        this.#stage.pulse.note({ type: 'killed', life, signal, why });
        bot.end(signal);
      };
      this.#stage.pulse.note({ type: 'started', life });
      this.#executioner.arm(kill, strike);
      await bot.start();
      this.#stage.pulse.attend(bot);
      const over = new AbortController();
      const state = await Promise.race([bot.exited, this.#untilRest(over.signal)]);
      over.abort();
      this.#executioner.arm(undefined, strike);
      if (state === 'overdue') return [`It did not come to rest within ${ROUND_LIMIT_MS / 1_000} s`];
      // Who has come to rest before the moment came is killed there: the next one must not tell it again.
      if (state === 'at rest') strike(kill?.signal ?? 'SIGTERM', 'at rest');
      const problem = await this.#endOf(bot, life);
      if (problem !== undefined) return [problem];
    }
    return [];
  }

  #setPrices(): void {
    for (const { symbol, price, movesBeforeLife = Infinity } of this.#plan.coins) {
      const now = movesBeforeLife <= this.#life ? price * RISE : price;
      const [coin, money] = symbol.split('-');
      if (money === 'KRW') this.#market.upbit.prices.set(`KRW-${coin}`, Math.round(now));
      else this.#market.yahoo.setQuote(symbol, { regularMarketPrice: now });
    }
  }

  async #untilRest(signal: AbortSignal): Promise<'at rest' | 'overdue'> {
    const { pulse } = this.#stage;
    for (;;) {
      await sleep(POLL_MS);
      if (signal.aborted || performance.now() > this.#deadlineMs) return 'overdue';
      if (pulse.quietBeats > HOPELESS_BEATS) return 'at rest';
      if (pulse.quietBeats > QUIET_BEATS && isAllTold(this.#facts())) return 'at rest';
    }
  }

  /** Undefined where it ended as it was told to. */
  async #endOf(bot: BotProcess, life: number): Promise<string | undefined> {
    const exit = await Promise.race([bot.exited, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
    if (!exit) return `It did not end within ${STOP_LIMIT_MS / 1_000} s`;
    const { code, signal } = exit;
    this.#stage.pulse.note({ type: 'exited', life, code });
    return this.#killed.has(life) && (code === 0 || signal === 'SIGKILL')
      ? undefined
      : `The process ended by itself with ${code ?? signal}`;
  }

  async #endAll(): Promise<void> {
    for (const each of this.#processes) each.end('SIGKILL');
    await Promise.all(this.#processes.map(({ exited }) => exited));
  }

  #spawn(): BotProcess {
    const bot = new BotProcess(PROGRAM, {
      FINCLAW_DATA_DIR: this.#dataDir,
      FINCLAW_CONFIG: this.#configPath,
      // Where prices cannot be had, it says so as a warning.
      LOG_LEVEL: 'info',
      ANTHROPIC_API_KEY: '',
      OPENAI_API_KEY: '',
      DATABASE_URL: '',
      FINCLAW_HTTP_PORT: '',
      ...this.#market.env,
      ...this.#stage.env,
    });
    this.#processes.push(bot);
    return bot;
  }
}

export const runAlertRound = async (
  plan: AlertPlan,
  openStage: OpenAlertStage,
): Promise<AlertRoundResult> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-alert-fault-'));
  const executioner = new Executioner();
  const see: OnMoment = (moment) => executioner.see(moment);
  const stage = await openStage(see);
  let asked = 0;
  const market: LiveMarket = await openLiveMarket({
    now: () => {
      // A source looks at the time whenever it is asked for something; the prices of most alerts are Upbit's.
      stage.pulse.stir();
      const { length } = market.upbit.requests;
      if (length > asked) executioner.see('market');
      asked = length;
      return Temporal.Now.instant();
    },
  });
  try {
    return await new AlertRound(plan, dataDir, stage, market, executioner).run();
  } finally {
    await Promise.all([stage.close(), market.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
};
