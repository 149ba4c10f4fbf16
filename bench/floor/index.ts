import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median } from '../statistics.ts';
import { benchFirstMessage, benchWait } from './latency.ts';
import type { PlatformName } from './load.ts';
import { benchEventLoop } from './event-loop.ts';
import { benchGrowth } from './growth.ts';
import { FINCLAW, MINIMAL, openModel, type BotOptions, type Contestant } from './processes.ts';
import { race, type Entrant, type Round, medianOf } from './rounds.ts';
import { PRICE_QUESTION, QUESTION, type Setting } from './setting.ts';
import { benchSql } from './sql.ts';

export interface FloorOptions {
  /** Fewer rounds: a minute a part. */
  readonly isQuick?: boolean;
  /** Names of parts. Default: all. */
  readonly only?: readonly string[];
  /** Another checkout of FinClaw that takes part. */
  readonly against?: string;
  /** Writes CPU profiles of FinClaw. */
  readonly isProfiled?: boolean;
  /** Further flags for FinClaw's Node. */
  readonly nodeFlags?: readonly string[];
}

const FLUSHES = 30;

/** What a flush takes here: disks differ, and much of the waiting is for them. */
const flushMs = (): number => {
  const directory = mkdtempSync(join(tmpdir(), 'finclaw-floor-'));
  const file = openSync(join(directory, 'flush'), 'a');
  const times = Array.from({ length: FLUSHES }, () => {
    writeSync(file, 'x'.repeat(300));
    const startedAtMs = performance.now();
    fdatasyncSync(file);
    return performance.now() - startedAtMs;
  });
  closeSync(file);
  rmSync(directory, { recursive: true, force: true });
  return median(times);
};

/** Time of all cores, and what of it other machines on the same host took. */
const cpuTimes = (): { readonly all: number; readonly stolen: number } => {
  if (!existsSync('/proc/stat')) return { all: 1, stolen: 0 };
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const times = line.split(/\s+/).slice(1, 9).map(Number);
  return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 };
};

const withStolenTime = async (name: string, run: () => Promise<void>): Promise<void> => {
  const before = cpuTimes();
  await run();
  const after = cpuTimes();
  const share = (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
  if (share > 0.02)
    console.log(
      `${name}: ${(100 * share).toFixed(0)} % of the machine's time was taken away meanwhile; trust ratios only`,
    );
};

const show = (value: number | undefined): string => (value ?? Number.NaN).toFixed(2);

/** The ratio of every round to the round of the minimal bot beside it. */
const ratios = (entrant: Entrant, floor: Entrant, figure: keyof Round): string => {
  const values = entrant.rounds.map(
    (round, index) => round[figure] / (floor.rounds[index]?.[figure] ?? Number.NaN),
  );
  const sorted = values.toSorted((a, b) => a - b);
  return `${show(median(values))}× (${show(sorted[0])}–${show(sorted.at(-1))}, n=${sorted.length})`;
};

const callsOf = ({ last }: Entrant): string => {
  const calls = Object.entries(last?.calls ?? {}).toSorted(([, a], [, b]) => b - a);
  const questions = last?.latenciesMs.length ?? Number.NaN;
  return calls.map(([method, count]) => `${method} ${(count / questions).toFixed(2)}`).join(', ');
};

interface Part {
  readonly title: string;
  readonly platform: PlatformName;
  readonly text: string;
  readonly questions: number;
}

const benchLoad = async (part: Part, setting: Setting): Promise<void> => {
  const { contestants, model, isQuick, botOptions } = setting;
  const { title, platform, text, questions } = part;
  const probe = platform === 'discord' ? { probe: { liftsRestLimit: true } } : {};
  await race(
    contestants,
    model,
    {
      platform,
      text,
      questions,
      rounds: isQuick ? 3 : 7,
      botOptions: (contestant) => ({ ...botOptions(contestant), ...probe }),
    },
    ([floor, ...others]) => {
      if (!floor) return;
      for (const entrant of [floor, ...others]) {
        const of = (figure: keyof Round, digits = 0): string => medianOf(entrant, figure).toFixed(digits);
        console.log(
          `${title}, ${entrant.contestant.name}: CPU ${of('cpuMs', 1)} ms, ${of('perSecond')} a second, p50 ${of('p50Ms')} ms, p99 ${of('p99Ms')} ms, ${of('calls', 1)} calls, ${entrant.bot.residentMb().toFixed(0)} MB`,
        );
      }
      for (const entrant of others) {
        const { name } = entrant.contestant;
        console.log(
          `${title}, CPU of ${name} to the minimal bot: ${ratios(entrant, floor, 'cpuMs')}; aim at most 2.0×`,
        );
        console.log(
          `${title}, rate of ${name} to the minimal bot: ${ratios(entrant, floor, 'perSecond')}; aim at least 0.6×`,
        );
        console.log(
          `${title}, calls of ${name}: ${medianOf(entrant, 'calls').toFixed(1)} (${callsOf(entrant)}); aim at most 4`,
        );
      }
    },
  );
};

const PARTS: Readonly<Record<string, (setting: Setting) => Promise<void>>> = {
  'slack-cpu': (setting) =>
    benchLoad(
      { title: 'Slack mention, 32 at once', platform: 'slack', text: QUESTION, questions: 400 },
      setting,
    ),
  'discord-cpu': (setting) =>
    benchLoad(
      { title: 'Discord mention, 32 at once', platform: 'discord', text: QUESTION, questions: 400 },
      setting,
    ),
  'slack-tool': (setting) =>
    benchLoad(
      { title: 'Slack tool turn, 32 at once', platform: 'slack', text: PRICE_QUESTION, questions: 300 },
      setting,
    ),
  'slack-wait': (setting) => benchWait('slack', setting),
  'discord-wait': (setting) => benchWait('discord', setting),
  'slack-first': (setting) => benchFirstMessage('slack', setting),
  'discord-first': (setting) => benchFirstMessage('discord', setting),
  'event-loop': benchEventLoop,
  sql: benchSql,
  growth: benchGrowth,
};

const botOptionsOf =
  ({ nodeFlags = [] }: FloorOptions, profiles: string | undefined) =>
  ({ kind }: Contestant): BotOptions => {
    if (kind === 'minimal') return {};
    const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
    return { nodeFlags: [...nodeFlags, ...profiling] };
  };

/** FinClaw as `npm start` runs it against the least that a bot with a journal does, on the same fakes and libraries. */
export const benchFloor = async (options: FloorOptions = {}): Promise<void> => {
  const { isQuick = false, only = Object.keys(PARTS), against, isProfiled = false } = options;
  const unknown = only.filter((name) => !(name in PARTS));
  if (unknown.length > 0)
    throw new Error(`No such part: ${unknown.join(', ')}. There are ${Object.keys(PARTS).join(', ')}.`);
  const profiles = isProfiled ? mkdtempSync(join(tmpdir(), 'finclaw-profiles-')) : undefined;
  const other: readonly Contestant[] =
    against === undefined ? [] : [{ name: `FinClaw in ${against}`, kind: 'finclaw', root: resolve(against) }];
  const model = await openModel();
  console.log(`a flush of the disk takes ${flushMs().toFixed(1)} ms here`);
  try {
    const setting: Setting = {
      model,
      contestants: [MINIMAL, FINCLAW, ...other],
      isQuick,
      botOptions: botOptionsOf(options, profiles),
    };
    for (const name of only) await withStolenTime(name, async () => PARTS[name]?.(setting));
  } finally {
    model.close();
    if (profiles !== undefined) console.log(`CPU profiles: ${profiles}`);
  }
};
