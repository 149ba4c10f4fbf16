import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { operationsTexts } from '#commands/admin/texts.ts';
import { modelUsageTexts } from '#src/kernel/agent/texts/usage.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { formatDuration, formatMoment } from '#src/kernel/time.ts';
import { Decimal, formatCount, formatUsd } from '#src/kernel/money.ts';
import type { DeadLetter, StatusReports, SystemStatus } from '#src/kernel/operations/status.ts';
import type { QueueModes } from '#src/kernel/chat/queue.ts';
import type { Uses } from '#src/platform/services.ts';
import { asCode } from '../shared/labels.ts';
import { adminCommand, ephemeral } from '../shared/results.ts';

interface StatusDeps extends Uses<'queue.status' | 'usage.today' | 'usage.limits'> {
  readonly status: StatusReports;
  readonly modes: Pick<QueueModes, 'of'>;
}

const MEGABYTE = 1_000_000;
const MAX_DEAD_LETTERS = 3;
const MAX_REASON_CHARS = 120;

const formatMemory = (bytes: number, locale: Locale): string => `${formatCount(bytes / MEGABYTE, locale)} MB`;

const describeParts = (system: SystemStatus, locale: Locale): readonly string[] => {
  const t = operationsTexts(locale).status;
  const channels = system.channels.map(
    ({ id, isConnected }) => `${asCode(id)} ${isConnected ? t.connected() : t.disconnected()}`,
  );
  const lanes = system.lanes.map(({ laneId, active, queued, maxConcurrency }) => {
    const waiting = queued > 0 ? ` (${t.laneWaiting({ count: queued })})` : '';
    return `${asCode(laneId)} ${formatCount(active, locale)}/${formatCount(maxConcurrency, locale)}${waiting}`;
  });
  const breakers = system.breakers.map(({ name, state }) => `${asCode(name)} ${t.breakerStates[state]}`);
  return [
    t.channels({ list: channels.join(' · ') }),
    t.queue(system.queue),
    t.lanes({ list: lanes.join(' · ') }),
    t.inbox(system.inbox),
    t.breakers({ list: breakers.length > 0 ? breakers.join(' · ') : t.noBreakers() }),
    t.numbers(system.numbers),
  ];
};

const SHORT_ID = 8;

const describeProcesses = ({ processes }: SystemStatus, ctx: TurnContext): readonly string[] => {
  if (processes.length === 0) return [];
  const t = operationsTexts(ctx.locale).status;
  return [
    t.processes({ count: processes.length }),
    ...processes.map(({ id, role, version, channels, sessions, startedAt, isSelf, isLeading }) => {
      const facts = [
        asCode(role),
        version,
        channels.join(', '),
        t.sessionsHeld({ count: sessions }),
        t.since({ at: formatMoment(startedAt, ctx) }),
        ...(isSelf ? [t.thisProcess()] : []),
        ...(isLeading ? [t.leads()] : []),
      ];
      return `- ${asCode(id.slice(0, SHORT_ID))} — ${facts.join(' · ')}`;
    }),
  ];
};

const describeConversation = ({ queue, modes }: StatusDeps, ctx: TurnContext): string => {
  const t = operationsTexts(ctx.locale).status;
  const { isRunning, waiting } = queue.status(ctx.sessionKey);
  const { mode, setFor } = modes.of(ctx);
  return t.conversation({
    state: isRunning ? t.running() : t.idle(),
    waiting,
    mode: `${asCode(mode)} (${t.modeSetFor[setFor]})`,
  });
};

const describeDeadLetter = (letter: DeadLetter, ctx: TurnContext): string => {
  const t = operationsTexts(ctx.locale).status;
  const facts = [
    formatMoment(letter.at, ctx),
    letter.channelId,
    t.attempts({ count: letter.attempts }),
    asCode(Array.from(letter.reason).slice(0, MAX_REASON_CHARS).join('')),
  ];
  return `- ${asCode(letter.errorId)} — ${facts.join(' · ')}`;
};

const describeDeadLetters = (
  { count, newest }: SystemStatus['deadLetters'],
  ctx: TurnContext,
): readonly string[] => {
  const t = operationsTexts(ctx.locale).status;
  if (count === 0) return [t.noDeadLetters()];
  return [
    t.deadLetters({ count }),
    ...newest.slice(0, MAX_DEAD_LETTERS).map((letter) => describeDeadLetter(letter, ctx)),
  ];
};

const describePlugins = ({ plugins }: SystemStatus, locale: Locale): readonly string[] => {
  const t = operationsTexts(locale).status;
  const list = plugins.map((plugin) => {
    if ('file' in plugin) {
      const reason = asCode(Array.from(plugin.reason).slice(0, MAX_REASON_CHARS).join(''));
      return `${asCode(plugin.file)} ${t.pluginRefused({ reason })}`;
    }
    const { name, failures } = plugin;
    return failures === 0 ? asCode(name) : `${asCode(name)} ${t.pluginFailures({ count: failures })}`;
  });
  return list.length === 0 ? [] : [t.plugins({ list: list.join(' · ') })];
};

const describeUsage = async (usage: StatusDeps['usage'], locale: Locale): Promise<string> => {
  const { total } = await usage.today('all');
  const { perDayUsd } = usage.limits;
  const used =
    total.requestCount === 0
      ? [modelUsageTexts(locale).nothingToday()]
      : [
          formatUsd(total.costUsd, locale),
          modelUsageTexts(locale).requests({ count: total.requestCount }),
          // An incomplete cost must not look complete.
          ...(total.unpricedCount > 0
            ? [modelUsageTexts(locale).unpriced({ count: total.unpricedCount })]
            : []),
          ...(total.failedCount > 0 ? [modelUsageTexts(locale).failed({ count: total.failedCount })] : []),
        ];
  const limit = perDayUsd && {
    limit: formatUsd(perDayUsd, locale),
    left: formatUsd(Decimal.max(perDayUsd.minus(total.costUsd), 0), locale),
  };
  const facts = [...used, ...(limit ? [modelUsageTexts(locale).limitAll(limit)] : [])];
  return operationsTexts(locale).status.usageToday({ usage: facts.join(' · ') });
};

const report = async (deps: StatusDeps, ctx: TurnContext): Promise<string> => {
  const { locale } = ctx;
  const [system, usage] = await Promise.all([deps.status.current(), describeUsage(deps.usage, locale)]);
  return [
    operationsTexts(locale).status.title({
      version: system.version,
      uptime: formatDuration(system.uptimeMs, locale),
      memory: formatMemory(system.memoryBytes, locale),
    }),
    ...describeParts(system, locale),
    ...describeProcesses(system, ctx),
    describeConversation(deps, ctx),
    usage,
    ...describePlugins(system, locale),
    ...describeDeadLetters(system.deadLetters, ctx),
  ].join('\n');
};

export const statusDefinition: CommandDefinition = {
  name: 'status',
  aliases: ['상태'],
  description: {
    ko: '봇의 연결, 대기열, 장애, 오늘의 비용을 보여 줍니다',
    en: 'connections, queue, failures and cost',
  },
  usage: { ko: '/status', en: '/status' },
  category: 'admin',
  requiredRoles: ['admin'],
  isPrivate: true,
};

export const status = (deps: StatusDeps): Command =>
  adminCommand(statusDefinition, async (_args, ctx) => ephemeral(await report(deps, ctx)));
