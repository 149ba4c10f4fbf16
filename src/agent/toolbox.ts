import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentTable } from '#src/kernel/agent/agent-settings.ts';
import type { AccountReads } from '#src/kernel/operations/audit.ts';
import type { Tool, ToolGroupId } from '#src/kernel/agent/tool.ts';
import { compileBoundedPattern } from '#src/platform/text/bounded-pattern.ts';
import type { Hooks } from '#src/platform/plugins/hook-runner.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import type { Uses } from '#src/platform/services.ts';
import { createSkillManager } from './skills/skill-manager.ts';
import { READ_SKILL, readSkillTool } from './skills/read-skill-tool.ts';
import { createAgentLimits } from './tools/agent-limits.ts';
import type { ToolApprovals } from './tools/approvals.ts';
import { createCallExecution } from './tools/call-execution.ts';
import { GENERAL_TOOL_NAMES } from './tools/general/index.ts';
import { groupsWith } from './tools/tool-groups.ts';
import { LoopDetector } from './tools/loop-detector.ts';
import { STAND_INS } from './tools/on-demand-tools.ts';
import { createToolPolicies, type PolicyVerdict } from './tools/policy.ts';
import { matchesTool, type PolicyRule } from './tools/policy-rules.ts';
import { InMemoryToolRegistry, type ToolRegistry } from './tools/tool-registry.ts';

/** Every rule of the operator overrides these. They relax group defaults that would ask too often. */
const BUILT_IN_RULES: readonly PolicyRule[] = [
  {
    pattern: 'query_my_data',
    verdict: 'allow',
    reason: 'everybody may read what is kept about themselves',
    priority: Number.MIN_SAFE_INTEGER,
  },
];

interface Patterns {
  readonly rules: readonly PolicyRule[];
  readonly agents?: AgentTable | undefined;
}

/** A pattern that matches no tool is a typo, and its author believes it works. */
const warnOfIdlePatterns = (
  { rules, agents = {} }: Patterns,
  registry: Pick<ToolRegistry, 'list'>,
  logger: Pick<FinClawLogger, 'warn'>,
): void => {
  const definitions = registry.list().map(({ tool }) => tool.definition);
  const isIdle = (pattern: string): boolean =>
    !pattern.startsWith('group:') &&
    !definitions.some(({ name, group }) => matchesTool({ pattern }, name, group));

  for (const { pattern } of rules)
    if (isIdle(pattern)) logger.warn(`The rule "${pattern}" in tools.rules fits no tool; is it spelt right?`);
  for (const [id, { tools }] of Object.entries(agents))
    for (const list of ['allow', 'deny'] as const)
      for (const pattern of tools?.[list] ?? [])
        if (isIdle(pattern) && !STAND_INS.has(pattern))
          logger.warn(`"${pattern}" in agents.${id}.tools.${list} fits no tool; is it spelt right?`);
};

export interface ToolboxDeps extends Uses<'clock' | 'events' | 'logger'> {
  /** Settings as named in the configuration. */
  readonly settings: {
    readonly tools: {
      readonly rules: readonly PolicyRule[];
      readonly groups: Partial<Record<ToolGroupId, PolicyVerdict | undefined>>;
      /** The operator's patterns for the result guard. */
      readonly redactPatterns?:
        | readonly (string | { readonly name: string; readonly pattern: string })[]
        | undefined;
    };
    /** Per-agent tool limits, by agent id. */
    readonly agents?: AgentTable | undefined;
    readonly skillDirectories: readonly string[];
  };
  readonly dataDir: string;
  /** Only looks at the skills that are there: makes no directory for them, and watches none. */
  readonly isTrial?: boolean;
  readonly approvals: Pick<ToolApprovals, 'requireApproval' | 'recallApproval'>;
  readonly hooks: Hooks;
  /** Without it, reads of personal data are not logged. */
  readonly reads?: AccountReads;
}

/** The names of the built-in tools, except those about markets. */
export const BUILT_IN_TOOL_NAMES: readonly string[] = [
  ...GENERAL_TOOL_NAMES,
  ...STAND_INS.keys(),
  READ_SKILL,
];

const BUILT_IN_SKILLS = join(import.meta.dirname, '..', 'skills');

/** The tools under their policy, and the skills. */
export const openToolbox = async (deps: ToolboxDeps) => {
  const { settings, dataDir, isTrial = false, logger } = deps;
  const policy = {
    rules: [...BUILT_IN_RULES, ...settings.tools.rules],
    groups: groupsWith(settings.tools.groups),
    agents: createAgentLimits(settings.agents ?? {}),
    redactPatterns: (settings.tools.redactPatterns ?? []).map((each) =>
      typeof each === 'string'
        ? { pattern: compileBoundedPattern(each) }
        : { name: each.name, pattern: compileBoundedPattern(each.pattern) },
    ),
  };
  const registry = new InMemoryToolRegistry({ ...deps, ...policy });

  const ownSkills = join(dataDir, 'skills');
  // The directory must exist, because a missing directory cannot be watched.
  if (!isTrial) await mkdir(ownSkills, { recursive: true, mode: 0o700 });
  for (const directory of settings.skillDirectories)
    if (!existsSync(directory)) logger.warn(`The directory of skills ${directory} does not exist`);
  const skills = createSkillManager({
    ...deps,
    directories: [BUILT_IN_SKILLS, ownSkills, ...settings.skillDirectories],
    isWatching: !isTrial,
  });
  await skills.start();

  return {
    registry,
    execute: createCallExecution(registry, { ...deps, ...policy, loops: new LoopDetector(deps.clock) }),
    policies: createToolPolicies({ registry, ...policy }),
    skills,
    /** Registers the built-in tools, then those of plugins. */
    registerTools: (own: readonly Tool[], ofPlugins: readonly Tool[] = []) => {
      for (const tool of [...own, readSkillTool(skills)]) registry.register(tool, 'built-in');
      for (const tool of ofPlugins) registry.register(tool, 'plugin');
      warnOfIdlePatterns({ ...settings.tools, agents: settings.agents }, registry, logger);
    },
  };
};
