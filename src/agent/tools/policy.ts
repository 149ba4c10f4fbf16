import { BUILT_IN_GROUPS, groupOf, type ToolGroup } from './tool-groups.ts';
import {
  type CompiledRule,
  type MatchedRules,
  matchRules,
  namesOfChat,
  type PolicyContext,
  type PolicyRule,
  type PolicyVerdict,
  type RuleStage,
  VERBS,
} from './policy-rules.ts';
export type { PolicyContext, PolicyRule, PolicyVerdict } from './policy-rules.ts';
import type { ToolPolicies } from '#src/kernel/agent/tool-policy.ts';
import { agentOf } from '#src/kernel/agent/agent-settings.ts';
import type { RegisteredToolDefinition, ToolExecutionContext } from '#src/kernel/agent/tool.ts';
import { type AgentLimits, NO_LIMITS } from './agent-limits.ts';
import type { ToolRegistry } from './tool-registry.ts';

interface StageVerdict {
  /** `continue`: the stage does not decide. */
  readonly verdict: PolicyVerdict | 'continue';
  readonly reason: string;
  /** The operator's own words about the rule, for the person who is asked. */
  readonly note?: string | undefined;
}

interface PolicyStageResult extends StageVerdict {
  readonly stage: string;
}

type Decision = PolicyStageResult & { readonly verdict: PolicyVerdict };

/**
 * One check of a call. A stage sees the rules of all stages, because an allow may lift a default of an earlier
 * stage.
 */
interface PolicyStage {
  readonly name: string;
  readonly evaluate: (
    ctx: PolicyContext,
    matched: MatchedRules,
    groups: readonly ToolGroup[],
  ) => StageVerdict;
}

export interface PolicyEvaluationResult {
  readonly finalVerdict: PolicyVerdict;
  /** Results of all stages, or up to the one that denied. */
  readonly stageResults: readonly PolicyStageResult[];
  readonly decidingStage: string;
  readonly reason: string;
  readonly note?: string | undefined;
}

const LIFTING_STAGES = [
  'global-allow',
  'user-allow',
  'channel-policy',
  'group-policy',
  'tool-policy',
] as const satisfies readonly RuleStage[];

/** The first explicit allow that no stricter rule of its stage overrules. */
const explicitAllow = (
  matched: MatchedRules,
  isSuch: (rule: PolicyRule) => boolean = () => true,
): CompiledRule | undefined =>
  LIFTING_STAGES.flatMap((stage) => matched[stage] ?? []).find(
    ({ rule }) => rule.verdict === 'allow' && isSuch(rule),
  );

const goOn = (reason: string): StageVerdict => ({ verdict: 'continue', reason });

const byRule = (stage: RuleStage, matched: MatchedRules): StageVerdict | undefined => {
  const deciding = matched[stage]?.[0];
  return deciding && { verdict: deciding.rule.verdict, reason: deciding.says, note: deciding.rule.reason };
};

/** A stage that only evaluates rules. */
const ruleStage = (name: RuleStage, silence: string): PolicyStage => ({
  name,
  evaluate: (_ctx, matched) => byRule(name, matched) ?? goOn(silence),
});

/** Agent limits come first, and no allow lifts them. */
const globalDeny: PolicyStage = {
  name: 'global-deny',
  evaluate: ({ agentObjection: reason }, matched) =>
    reason === undefined
      ? (byRule('global-deny', matched) ?? goOn('No rule denies this tool to everybody.'))
      : { verdict: 'deny', reason },
};

const userDeny: PolicyStage = {
  name: 'user-deny',
  evaluate: ({ toolDefinition, isAdmin }, matched) =>
    toolDefinition.adminsOnly && !isAdmin
      ? { verdict: 'deny', reason: 'Only administrators may use this tool.' }
      : (byRule('user-deny', matched) ?? goOn('No rule denies this tool to this person.')),
};

/** Personal data is shown to its owner only, unless the operator allowed a chat explicitly. */
const channelPolicy: PolicyStage = {
  name: 'channel-policy',
  evaluate: ({ toolDefinition, ...place }, matched) => {
    const decided = byRule('channel-policy', matched);
    const isExposed = toolDefinition.accessesSensitiveData && place.chatType !== 'direct';
    if (!isExposed || decided?.verdict === 'deny')
      return decided ?? goOn('No rule for this chat speaks about this tool.');
    const thisChat = namesOfChat(place);
    const lifting = explicitAllow(matched, ({ channels }) =>
      Boolean(channels?.some((name) => thisChat.has(name))),
    );
    if (lifting) return decided ?? goOn(`Personal data may be used in this chat. ${lifting.says}`);
    const reason =
      'This tool uses personal data, and others read along in this chat: a direct chat is needed.';
    return { verdict: 'deny', reason };
  },
};

/** A rule for the group replaces its default; any other explicit allow lifts the default. */
const groupPolicy: PolicyStage = {
  name: 'group-policy',
  evaluate: ({ toolDefinition }, matched, groups) => {
    const decided = byRule('group-policy', matched);
    if (decided) return decided;
    // Nothing is known about an undefined group, so a person must approve.
    const verdict = groupOf(toolDefinition.group, groups)?.defaultPolicy ?? 'require-approval';
    const reason = `By default, the group "${toolDefinition.group}" ${VERBS[verdict]} this tool.`;
    if (verdict === 'allow') return goOn(reason);
    const lifting = explicitAllow(matched);
    return lifting ? goOn(`${reason} That is lifted. ${lifting.says}`) : { verdict, reason };
  },
};

/** A tool's own requirement is lifted only by a rule for exactly this tool. */
const toolPolicy: PolicyStage = {
  name: 'tool-policy',
  evaluate: ({ toolName, toolDefinition, toolAsks }, matched) => {
    const decided = byRule('tool-policy', matched);
    const reason = toolDefinition.requiresApproval ? 'The tool itself asks for approval.' : toolAsks;
    if (decided || reason === undefined) return decided ?? goOn('No rule names this tool.');
    const lifting = explicitAllow(matched, ({ pattern }) => pattern === toolName);
    if (lifting) return goOn(`${reason} That is lifted. ${lifting.says}`);
    return { verdict: 'require-approval', reason };
  },
};

const financeSafety: PolicyStage = {
  name: 'finance-safety',
  evaluate: ({ toolDefinition, isLooping }) => {
    const reasons = [
      ...(toolDefinition.isTransactional ? ['This tool changes something: a person is asked first.'] : []),
      ...(isLooping === undefined ? [] : [isLooping]),
    ];
    return reasons.length > 0
      ? { verdict: 'require-approval', reason: reasons.join(' ') }
      : goOn('The tool changes nothing for good, and it is not called in a loop.');
  },
};

const ALLOWED_BY_DEFAULT: Decision = {
  stage: 'default-policy',
  verdict: 'allow',
  reason: 'No rule objects, so the tool is allowed.',
};

export const POLICY_STAGES: readonly PolicyStage[] = [
  globalDeny,
  ruleStage('global-allow', 'No rule for everybody allows this tool.'),
  userDeny,
  ruleStage('user-allow', 'No rule allows this tool to this person.'),
  channelPolicy,
  groupPolicy,
  toolPolicy,
  financeSafety,
  { name: ALLOWED_BY_DEFAULT.stage, evaluate: () => ALLOWED_BY_DEFAULT },
];

/**
 * Evaluates whether a call may be made. A deny ends the evaluation; the first approval requirement is kept; an
 * allow continues, so that transactional safeguards are always evaluated. Never throws.
 */
export const evaluateToolPolicy = (
  ctx: PolicyContext,
  rules: readonly PolicyRule[],
  groups: readonly ToolGroup[] = BUILT_IN_GROUPS,
): PolicyEvaluationResult => {
  const matched = matchRules(ctx, rules);
  const stageResults: PolicyStageResult[] = [];
  for (const { name, evaluate } of POLICY_STAGES) {
    const result = { stage: name, ...evaluate(ctx, matched, groups) };
    stageResults.push(result);
    if (result.verdict === 'deny') break;
  }
  const first = (wanted: PolicyVerdict): Decision | undefined =>
    stageResults.find((result): result is Decision => result.verdict === wanted);
  const deciding = first('deny') ?? first('require-approval') ?? first('allow') ?? ALLOWED_BY_DEFAULT;
  const { stage, verdict, reason, note } = deciding;
  return { finalVerdict: verdict, stageResults, decidingStage: stage, reason, note };
};

type Requester = Pick<
  ToolExecutionContext,
  'userId' | 'userRoles' | 'isAdmin' | 'channelId' | 'chatType' | 'sessionKey'
> & { readonly target: Pick<ToolExecutionContext['target'], 'chatId'> };

/** Builds the policy's view of a call: tool, requester, chat. */
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
  isLooping,
  toolAsks,
});

const ASKS_BY_ITSELF = 'Some calls of this tool ask for approval, by what they would do.';

/** Explains why a sender may or may not use a tool in a chat. */
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
