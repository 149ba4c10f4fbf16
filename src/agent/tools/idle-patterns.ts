import type { AgentTable } from '#src/core/agent-settings.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { STAND_INS } from './on-demand.ts';
import { isAbout, type PolicyRule } from './policy-rules.ts';
import type { ToolRegistry } from './registry.ts';

interface Patterns {
  readonly rules: readonly PolicyRule[];
  readonly agents?: AgentTable | undefined;
}

/** A pattern that is about nothing is a slip of the pen: whoever wrote it believes that it holds. */
export const warnOfIdlePatterns = (
  { rules, agents = {} }: Patterns,
  registry: Pick<ToolRegistry, 'list'>,
  logger: Pick<FinClawLogger, 'warn'>,
): void => {
  const definitions = registry.list().map(({ tool }) => tool.definition);
  const isIdle = (pattern: string): boolean =>
    !pattern.startsWith('group:') &&
    !definitions.some(({ name, group }) => isAbout({ pattern }, name, group));

  for (const { pattern } of rules)
    if (isIdle(pattern)) logger.warn(`The rule "${pattern}" in tools.rules fits no tool; is it spelt right?`);
  for (const [id, { tools }] of Object.entries(agents))
    for (const list of ['allow', 'deny'] as const)
      for (const pattern of tools?.[list] ?? [])
        if (isIdle(pattern) && !STAND_INS.has(pattern))
          logger.warn(`"${pattern}" in agents.${id}.tools.${list} fits no tool; is it spelt right?`);
};
