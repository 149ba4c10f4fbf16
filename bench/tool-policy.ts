import { evaluateToolPolicy, type PolicyContext, type PolicyRule } from '#src/agent/tools/policy.ts';
import type { RegisteredToolDefinition, ToolGroupId } from '#src/kernel/agent/tool.ts';
import { median } from './statistics.ts';

const RULES = 200;
const TOOLS = 40;
const PEOPLE = 50;
const ROUNDS = 101;
const EVALUATIONS_PER_ROUND = 2_000;
const VERDICTS = ['allow', 'require-approval', 'allow', 'allow'] as const;
const GROUPS: readonly ToolGroupId[] = ['finance', 'system', 'web', 'data', 'communication', 'custom'];

/** Of every kind. Nothing is denied: a deny ends early, and the whole way is to be measured. */
const mixedRules = (): readonly PolicyRule[] =>
  Array.from({ length: RULES }, (_, index): PolicyRule => {
    const rule = { verdict: VERDICTS[index % 4] ?? 'allow', priority: index % 10, reason: `reason ${index}` };
    const name = `get_tool_${index % TOOLS}`;
    switch (index % 6) {
      case 0:
        return { ...rule, pattern: name };
      case 1:
        return { ...rule, pattern: `*_tool_${index % 10}*` };
      case 2:
        return { ...rule, pattern: 'get_*', users: [`U${index}`, `discord:U${index % PEOPLE}`] };
      case 3:
        return { ...rule, pattern: '*', channels: [`C${index}`, `slack:C${index}`] };
      case 4:
        return { ...rule, pattern: `group:${GROUPS[index % GROUPS.length]}` };
      default:
        return { ...rule, pattern: 'get_*', roles: [`role-${index}`] };
    }
  });

const toolOf = (index: number): RegisteredToolDefinition => ({
  name: `get_tool_${index}`,
  description: '',
  inputSchema: {},
  group: GROUPS[index % GROUPS.length] ?? 'custom',
  requiresApproval: index % 7 === 0,
  isTransactional: index % 5 === 0,
  accessesSensitiveData: false,
  adminsOnly: false,
  isExternal: false,
  timeoutMs: 30_000,
});

const contexts = (): readonly PolicyContext[] =>
  Array.from({ length: TOOLS * PEOPLE }, (_, index): PolicyContext => {
    const toolDefinition = toolOf(index % TOOLS);
    const userId = `U${index % PEOPLE}`;
    return {
      toolName: toolDefinition.name,
      toolDefinition,
      userId,
      userRoles: ['member', 'analyst', `role-${index % RULES}`],
      isAdmin: false,
      channelId: 'discord',
      chatId: `C${index % PEOPLE}`,
      chatType: 'channel',
    };
  });

const show = (value: number | undefined): string => (value ?? Number.NaN).toFixed(1);

/** In microseconds a call of the policy. */
const timeOf = (calls: readonly PolicyContext[], rules: readonly PolicyRule[]): number => {
  const startedAt = performance.now();
  for (const call of calls) evaluateToolPolicy(call, rules);
  return ((performance.now() - startedAt) * 1_000) / calls.length;
};

/** What the policy costs a tool call, with rules of every kind that were read before and that were not. */
export const benchToolPolicy = (): void => {
  const calls = contexts().slice(0, EVALUATIONS_PER_ROUND);
  const known = mixedRules();
  const warm = Array.from({ length: ROUNDS }, () => timeOf(calls, known)).toSorted((a, b) => a - b);
  const first = Array.from({ length: ROUNDS }, () => timeOf(calls.slice(0, 1), mixedRules()));
  console.log(
    `tool policy: median ${show(median(warm))} µs (${show(warm[0])}–${show(warm.at(-1))}, n=${warm.length}) an evaluation with ${RULES} rules; bar 20 µs; the first one with a list ${show(median(first))} µs`,
  );
};
