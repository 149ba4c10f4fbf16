import type { ToolPolicies } from '#src/kernel/ports.ts';
import { agentOf } from '#src/kernel/session-agent.ts';
import type { RegisteredToolDefinition, ToolExecutionContext } from '#src/kernel/tool.ts';
import { type AgentLimits, NO_LIMITS } from './agent-limits.ts';
import type { ToolGroup } from './groups.ts';
import { evaluateToolPolicy, type PolicyContext, type PolicyRule } from './policy.ts';
import type { ToolRegistry } from './registry.ts';

type Requester = Pick<
  ToolExecutionContext,
  'userId' | 'userRoles' | 'isAdmin' | 'channelId' | 'chatType' | 'sessionKey'
> & { readonly target: Pick<ToolExecutionContext['target'], 'chatId'> };

/** A call as the policy sees it: which tool, for whom, where. */
export const policyContextOf = (
  toolDefinition: RegisteredToolDefinition,
  { userId, userRoles, isAdmin, channelId, chatType, sessionKey, target }: Requester,
  agents: AgentLimits,
  { isLooping, toolAsks }: Pick<PolicyContext, 'isLooping' | 'toolAsks'> = {},
): PolicyContext => ({
  toolName: toolDefinition.name,
  toolDefinition,
  userId,
  userRoles,
  isAdmin,
  channelId,
  chatId: target.chatId,
  chatType,
  agentObjection: agents.objectionTo(agentOf(sessionKey), toolDefinition),
  ...(isLooping === undefined ? {} : { isLooping }),
  ...(toolAsks === undefined ? {} : { toolAsks }),
});

const ASKS_BY_ITSELF = 'Some calls of this tool ask for approval, by what they would do.';

/** Why a tool may or may not be used by this sender in this chat. */
export const createToolPolicies = (deps: {
  readonly registry: Pick<ToolRegistry, 'get' | 'list'>;
  readonly rules: readonly PolicyRule[];
  readonly groups: readonly ToolGroup[];
  readonly agents?: AgentLimits;
}): ToolPolicies => ({
  names: () => deps.registry.list().map(({ tool }) => tool.definition.name),
  explain: (toolName, ctx) => {
    const tool = deps.registry.get(toolName)?.tool;
    if (!tool) return undefined;
    const { definition } = tool;
    const { senderId: userId, chatId } = ctx;
    const requester = policyContextOf(
      definition,
      { ...ctx, userId, target: { chatId } },
      deps.agents ?? NO_LIMITS,
    );
    const result = evaluateToolPolicy(requester, deps.rules, deps.groups);
    return {
      toolName,
      group: definition.group,
      verdict: result.finalVerdict,
      decidingStage: result.decidingStage,
      reason: tool.approvalFor ? `${result.reason} ${ASKS_BY_ITSELF}` : result.reason,
      stages: result.stageResults,
    };
  },
});
