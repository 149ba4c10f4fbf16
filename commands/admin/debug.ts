import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { editDistance } from '#src/platform/text/edit-distance.ts';
import type { Uses } from '#src/platform/services.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { debugTexts, operationsTexts } from '#commands/admin/texts.ts';
import { privacyTexts } from '#src/kernel/people/texts/privacy.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { formatMoment } from '#src/kernel/time.ts';
import { formatCount } from '#src/kernel/money.ts';
import type { AuditEntry } from '#src/kernel/operations/audit.ts';
import type { RecentRuns, RunTrace, StageTrace } from '#src/kernel/operations/run-traces.ts';
import type { ModelRequestTrace } from '#src/kernel/agent/usage.ts';
import type { PolicyView, ToolPolicies } from '#src/kernel/agent/tool-policy.ts';
import { shortened } from '#src/kernel/text.ts';
import { asCode } from '../shared/labels.ts';
import { adminCommand, ephemeral, usageOf } from '../shared/results.ts';

interface DebugDeps extends Uses<'audit.recent' | 'audit.recentReads' | 'usage.requests'> {
  readonly toolPolicies: ToolPolicies;
  readonly recentRuns: RecentRuns;
}

const POLICY: ReadonlySet<string> = new Set(['policy', '정책']);
const LAST: ReadonlySet<string> = new Set(['last', '최근']);
const AUDIT: ReadonlySet<string> = new Set(['audit', '감사']);
const AUDIT_LENGTH = 20;
const COUNT = /^[1-9]\d?$/;
const MAX_NEAR = 3;
const TOOL_NAME = /^[\w-]{1,64}$/;

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** A longer name may have more typing mistakes. */
const nearest = (typed: string, names: readonly string[]): readonly string[] => {
  const wanted = typed.toLowerCase();
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  return names
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MAX_NEAR)
    .map(({ name }) => name);
};

const describeView = (view: PolicyView, locale: Locale): string => {
  const t = debugTexts(locale);
  const stages = view.stages.map(({ stage, verdict, reason }, index) => {
    const facts = [t.verdicts[verdict], ...(reason === '' ? [] : [reason])];
    return `${index + 1}. \`${stage}\` — ${facts.join(' · ')}`;
  });
  return [
    `**\`${view.toolName}\`** (\`group:${view.group}\`) — **${t.verdicts[view.verdict]}**`,
    t.decidedBy({ stage: view.decidingStage, reason: view.reason }),
    '',
    ...stages,
  ].join('\n');
};

const explain = (toolPolicies: ToolPolicies, typed: string, ctx: TurnContext): string => {
  const t = debugTexts(ctx.locale);
  const names = toolPolicies.names();
  if (names.length === 0) return t.noTools();
  if (typed === '') return t.tools({ names: codes(names) });
  const name =
    names.find((known) => known === typed) ??
    names.find((known) => known.toLowerCase() === typed.toLowerCase());
  const view = name === undefined ? undefined : toolPolicies.explain(name, ctx);
  if (view) return describeView(view, ctx.locale);
  const near = nearest(typed, names);
  // A possible name of a tool is quoted with its underscores.
  const repeated = TOOL_NAME.test(typed) ? typed : shortened(typed);
  return near.length > 0
    ? t.suggest({ name: repeated, choices: codes(near) })
    : t.unknown({ name: repeated, names: codes(names) });
};

const describeStage = ({ stage, action, durationMs }: StageTrace, index: number, locale: Locale): string => {
  const { actions } = operationsTexts(locale).lastRuns;
  const known: Readonly<Record<string, string>> = actions;
  return `${index + 1}. ${asCode(stage)} — ${known[action] ?? asCode(action)} · ${formatCount(durationMs, locale)} ms`;
};

const describeRequest = (
  { model, outcome, requestId, responseId }: ModelRequestTrace,
  locale: Locale,
): string => {
  const t = operationsTexts(locale).lastRuns;
  const facts = [
    t.outcomes[outcome],
    ...(requestId === undefined ? [] : [t.requestId({ id: asCode(requestId) })]),
    ...(responseId === undefined ? [] : [t.responseId({ id: asCode(responseId) })]),
  ];
  return `- ${asCode(model)} — ${facts.join(' · ')}`;
};

const describeRun = (run: RunTrace, requests: readonly ModelRequestTrace[], ctx: TurnContext): string => {
  const { locale } = ctx;
  const t = operationsTexts(locale).lastRuns;
  const { startedAt, durationMs, success, stages, reason, errorId } = run;
  const facts = [
    `**${formatMoment(startedAt, ctx)}**`,
    `${formatCount(durationMs, locale)} ms`,
    success ? t.done() : t.failed(),
  ];
  return [
    facts.join(' · '),
    ...stages.map((stage, index) => describeStage(stage, index, locale)),
    ...(requests.length > 0 ? [t.requests(), ...requests.map((each) => describeRequest(each, locale))] : []),
    ...(reason === undefined ? [] : [t.reason({ reason: asCode(reason) })]),
    ...(errorId === undefined ? [] : [t.errorId({ errorId: asCode(errorId) })]),
  ].join('\n');
};

const describeLast = async (
  { recentRuns, usage }: Pick<DebugDeps, 'recentRuns' | 'usage'>,
  count: number,
  ctx: TurnContext,
): Promise<string> => {
  const t = operationsTexts(ctx.locale).lastRuns;
  const runs = recentRuns.last(ctx.sessionKey).slice(0, count);
  if (runs.length === 0) return t.none();
  const described = runs.map(async (run) => {
    // A conversation has one turn at a time, so requests during a turn belong to its message. Commands run beside
    // turns and call no model.
    const isTurn = run.stages.some(({ stage }) => stage === 'execute');
    const endedAt = run.startedAt.add({ milliseconds: Math.ceil(run.durationMs) });
    const requests = isTurn ? await usage.requests(ctx.sessionKey, run.startedAt, endedAt) : [];
    return describeRun(run, requests, ctx);
  });
  return [t.title({ count: runs.length }), ...(await Promise.all(described))].join('\n\n');
};

const describeEntry = ({ at, action, person, details }: AuditEntry, ctx: TurnContext): string => {
  const { actions } = privacyTexts(ctx.locale).audit;
  const known = Object.entries(details).filter(([, detail]) => detail !== 0);
  const facts = [
    formatMoment(at, ctx),
    actions[action] ?? asCode(action),
    asCode(person),
    ...known.map(
      ([kind, detail]) =>
        `${kind} ${typeof detail === 'number' ? formatCount(detail, ctx.locale) : asCode(detail)}`,
    ),
  ];
  return `- ${facts.join(' · ')}`;
};

const describeAudit = async (audit: DebugDeps['audit'], ctx: TurnContext): Promise<string> => {
  const t = privacyTexts(ctx.locale).audit;
  const [entries, reads] = await Promise.all([audit.recent(AUDIT_LENGTH), audit.recentReads(AUDIT_LENGTH)]);
  const listed = (title: string, found: readonly AuditEntry[]): string =>
    [title, ...found.map((entry) => describeEntry(entry, ctx))].join('\n');
  return [
    entries.length > 0 ? listed(t.title({ count: entries.length }), entries) : t.none(),
    ...(reads.length > 0 ? [listed(t.readsTitle({ count: reads.length }), reads)] : []),
  ].join('\n\n');
};

export const debugDefinition: CommandDefinition = {
  name: 'debug',
  aliases: ['진단'],
  description: {
    ko: '최근 메시지의 처리 과정, 도구 사용 가능 여부, 개인정보 처리 기록을 보여 줍니다',
    en: 'recent runs, tool decisions and audits',
  },
  usage: {
    ko: '/debug last [개수] | policy [도구 이름] | audit',
    en: '/debug last [count] | policy [tool] | audit',
  },
  category: 'debug',
  requiredRoles: ['admin'],
  options: [
    {
      name: 'what',
      nameKo: '대상',
      description: { ko: '무엇을 볼지 고릅니다', en: 'what to look at' },
      type: 'text',
      isRequired: true,
      choices: [
        { value: 'last', label: { ko: '최근 메시지의 처리 과정', en: 'how the last messages went' } },
        {
          value: 'policy',
          label: { ko: '도구 사용 가능 여부와 이유', en: 'why a tool may or may not be used' },
        },
        {
          value: 'audit',
          label: { ko: '개인정보 처리 기록', en: 'what was done with personal data' },
        },
      ],
    },
    {
      name: 'details',
      nameKo: '내용',
      description: {
        ko: '최근 메시지의 개수, 또는 도구 이름',
        en: 'how many messages, or the name of the tool',
      },
      type: 'text',
    },
  ],
  isPrivate: true,
};

export const debug = ({ toolPolicies, recentRuns, usage, audit }: DebugDeps): Command =>
  adminCommand(debugDefinition, async ([what = '', ...rest], ctx) => {
    const which = what.toLowerCase();
    const details = rest.join(' ').replaceAll('`', '').trim();
    if (AUDIT.has(which) && details === '') return ephemeral(await describeAudit(audit, ctx));
    if (POLICY.has(which)) return ephemeral(explain(toolPolicies, details, ctx));
    if (LAST.has(which) && (details === '' || COUNT.test(details)))
      return ephemeral(await describeLast({ recentRuns, usage }, Number(details || 1), ctx));
    return usageOf(debugDefinition, ctx.locale);
  });
