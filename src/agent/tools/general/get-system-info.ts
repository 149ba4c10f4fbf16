import { z } from 'zod';
import type { Localized } from '#src/kernel/locale.ts';
import { liveTexts } from '#src/kernel/chat/texts/live.ts';
import { PROVIDER_NAMES } from '#src/kernel/agent/model.ts';
import type { Models } from '#src/kernel/agent/models.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/agent/tool.ts';
import type { LaneStatus } from '#src/platform/concurrency/concurrency-lane.ts';

export interface GetSystemInfoDeps {
  readonly version: string;
  readonly database: 'SQLite' | 'PostgreSQL';
  readonly load: () => { readonly lanes: readonly LaneStatus[] };
  readonly models: Pick<Models, 'current'>;
}

/** Shown to the person who approves the call. */
const SUMMARY: Localized = {
  ko: '봇의 상태 읽기: 버전, 가동 시간, 메모리, 작업량, 모델',
  en: 'Read the state of the bot: version, uptime, memory, load, model',
};

const BYTES_PER_MB = 1_000_000;

const megabytes = (bytes: number): string => `${Math.round(bytes / BYTES_PER_MB)} MB`;

/** `3d 04:05:06`. */
const describeDuration = (seconds: number): string => {
  const {
    days,
    hours,
    minutes,
    seconds: rest,
  } = Temporal.Duration.from({
    seconds: Math.floor(seconds),
  }).round({ largestUnit: 'days' });
  return `${days}d ${[hours, minutes, rest].map((part) => `${part}`.padStart(2, '0')).join(':')}`;
};

const describeLane = ({ laneId, active, queued, maxConcurrency }: LaneStatus): string =>
  `Lane ${laneId}: ${active} of ${maxConcurrency} running, ${queued} waiting`;

const input = toolInput(() => z.object({}));

/** Contains nothing useful to an attacker: no paths, host names, addresses or environment. */
export const getSystemInfo = ({ version, database, load, models }: GetSystemInfoDeps): Tool =>
  defineTool({
    name: 'get_system_info',
    description: [
      'Get the state of this bot for its administrator: version, uptime, memory, how much work runs and waits,',
      'database and the model in use here. Use it when an administrator asks how the bot itself is doing.',
    ].join(' '),
    group: 'system',
    adminsOnly: true,
    input,
    describe: (_input, locale) => SUMMARY[locale],
    progress: (_input, locale) => liveTexts(locale).system(),
    run: async (_input, { sessionKey, isAdmin }) => {
      if (!isAdmin) return { content: 'Only administrators are told about the system.', isError: true };
      const { model } = await models.current(sessionKey);
      const { rss, heapUsed } = process.memoryUsage();
      const lines = [
        `FinClaw ${version}`,
        `Node ${process.version} on ${process.platform} ${process.arch}`,
        `Up for ${describeDuration(process.uptime())}`,
        `Memory: ${megabytes(rss)}, of which ${megabytes(heapUsed)} JavaScript objects`,
        ...load().lanes.map(describeLane),
        `Database: ${database}`,
        `Model here: ${model.displayName} (${model.id}, ${PROVIDER_NAMES[model.provider]})`,
      ];
      return { content: lines.join('\n'), isError: false };
    },
  });
