import { agentSettingsOf, type AgentTable } from '#src/kernel/agent/agent-settings.ts';
import type { AgentId } from '#src/kernel/ids.ts';
import type { RegisteredToolDefinition } from '#src/kernel/agent/tool.ts';
import { CALL_TOOL, FIND_TOOLS } from './on-demand-tools.ts';
import { matchesTool } from './policy-rules.ts';

/** The tools an agent may use, for the policy and for every list of tools that a model sees. */
export interface AgentLimits {
  /** The reason why the agent may not use a tool; undefined if it may. The model may read it. */
  readonly objectionTo: (
    agentId: AgentId,
    tool: Pick<RegisteredToolDefinition, 'name' | 'group'>,
  ) => string | undefined;
}

export const NO_LIMITS: AgentLimits = { objectionTo: () => undefined };

/** The date, the skills and the access to other tools: only a rule with the exact name denies them. */
const ALWAYS_USABLE: ReadonlySet<string> = new Set([
  'get_datetime',
  'read_skill',
  FIND_TOOLS.name,
  CALL_TOOL.name,
]);

/** The configured limits. */
export const createAgentLimits = (agents: AgentTable): AgentLimits => ({
  objectionTo: (agentId, { name, group }) => {
    const { allow, deny = [] } = agentSettingsOf(agents, agentId).tools ?? {};
    const isAlwaysUsable = ALWAYS_USABLE.has(name);
    const fits = (pattern: string): boolean =>
      isAlwaysUsable ? pattern === name : matchesTool({ pattern }, name, group);
    const denying = deny.find(fits);
    if (denying !== undefined)
      return `The agent "${agentId}" may not use this tool: its setting tools.deny has "${denying}".`;
    if (!allow || isAlwaysUsable || allow.some(fits)) return undefined;
    return `The agent "${agentId}" may not use this tool: nothing in its setting tools.allow fits it.`;
  },
});
