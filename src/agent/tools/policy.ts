import { BUILT_IN_GROUPS, groupOf, type ToolGroup } from './groups.ts';
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
import type { ToolPolicies } from '#src/kernel/ports.ts';
import { agentOf } from '#src/kernel/agent-settings.ts';
import type { RegisteredToolDefinition, ToolExecutionContext } from '#src/kernel/tool.ts';
import { type AgentLimits, NO_LIMITS } from './agent-limits.ts';
import type { ToolRegistry } from './registry.ts';

interface PolicyStageResult {
  readonly stage: string;
  /** `continue`: the stage does not decide. */
  readonly verdict: PolicyVerdict | 'continue';
  readonly reason: string;
  readonly note?: string;
}

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
  ) => PolicyStageResult;
}

export interface PolicyEvaluationResult {
  readonly finalVerdict: PolicyVerdict;
  /** Results of all stages, or up to the one that denied. */
  readonly stageResults: readonly PolicyStageResult[];
  readonly decidingStage: string;
  readonly reason: string;
  /** The operator's own words about it, for the person who is asked. */
  readonly note?: string;
}

const LIFTING_STAGES = [
  'global-allow',
  'user-allow',
  'channel-policy',
  'group-policy',
  'tool-policy',
] as const satisfies readonly RuleStage[];

const anyRule = (): boolean => true;

/** The first explicit allow that no stricter rule of its stage overrules. */
const explicitAllow = (
  matched: MatchedRules,
  isSuch: (rule: PolicyRule) => boolean = anyRule,
): CompiledRule | undefined => {
  for (const stage of LIFTING_STAGES) {
    const found = matched[stage]?.find(({ rule }) => rule.verdict === 'allow' && isSuch(rule));
    if (found) return found;
  }
  return undefined;
};

const goOn = (stage: string, reason: string): PolicyStageResult => ({ stage, verdict: 'continue', reason });

const byRule = (stage: RuleStage, matched: MatchedRules): PolicyStageResult | undefined => {
  const deciding = matched[stage]?.[0];
  if (!deciding) return undefined;
  const { verdict, reason: note } = deciding.rule;
  return { stage, verdict, reason: deciding.says, ...(note === undefined ? {} : { note }) };
};

/** A stage that only evaluates rules. */
const ruleStage = (name: RuleStage, silence: string): PolicyStage => ({
  name,
  evaluate: (_ctx, matched) => byRule(name, matched) ?? goOn(name, silence),
});

/** Agent limits come first, and no allow lifts them. */
const globalDeny: PolicyStage = {
  name: 'global-deny',
  evaluate: ({ agentObjection: reason }, matched) => {
    const stage = 'global-deny';
    if (reason !== undefined) return { stage, verdict: 'deny', reason };
    return byRule(stage, matched) ?? goOn(stage, 'No rule denies this tool to everybody.');
  },
};

const userDeny: PolicyStage = {
  name: 'user-deny',
  evaluate: ({ toolDefinition, isAdmin }, matched) =>
    toolDefinition.adminsOnly && !isAdmin
      ? { stage: 'user-deny', verdict: 'deny', reason: 'Only administrators may use this tool.' }
      : (byRule('user-deny', matched) ?? goOn('user-deny', 'No rule denies this tool to this person.')),
};

/** Personal data is shown to its owner only, unless the operator allowed a chat explicitly. */
const channelPolicy: PolicyStage = {
  name: 'channel-policy',
  evaluate: ({ toolDefinition, ...place }, matched) => {
    const stage = 'channel-policy';
    const decided = byRule(stage, matched);
    const isExposed = toolDefinition.accessesSensitiveData && place.chatType !== 'direct';
    if (!isExposed || decided?.verdict === 'deny')
      return decided ?? goOn(stage, 'No rule for this chat speaks about this tool.');
    const thisChat = namesOfChat(place);
    const lifting = explicitAllow(matched, ({ channels }) =>
      Boolean(channels?.some((name) => thisChat.has(name))),
    );
    if (lifting) return decided ?? goOn(stage, `Personal data may be used in this chat. ${lifting.says}`);
    const reason =
      'This tool uses personal data, and others read along in this chat: a direct chat is needed.';
    return { stage, verdict: 'deny', reason };
  },
};

/** A rule for the group replaces its default; any other explicit allow lifts the default. */
const groupPolicy: PolicyStage = {
  name: 'group-policy',
  evaluate: ({ toolDefinition }, matched, groups) => {
    const stage = 'group-policy';
    const decided = byRule(stage, matched);
    if (decided) return decided;
    // An undefined group is unknown territory, so a person must approve.
    const verdict = groupOf(toolDefinition.group, groups)?.defaultPolicy ?? 'require-approval';
    const reason = `By default, the group "${toolDefinition.group}" ${VERBS[verdict]} this tool.`;
    if (verdict === 'allow') return goOn(stage, reason);
    const lifting = explicitAllow(matched);
    return lifting ? goOn(stage, `${reason} That is lifted. ${lifting.says}`) : { stage, verdict, reason };
  },
};

/** A tool's own requirement is lifted only by a rule for exactly this tool. */
const toolPolicy: PolicyStage = {
  name: 'tool-policy',
  evaluate: ({ toolName, toolDefinition, toolAsks }, matched) => {
    const stage = 'tool-policy';
    const decided = byRule(stage, matched);
    const reason = toolDefinition.requiresApproval ? 'The tool itself asks for approval.' : toolAsks;
    if (decided || reason === undefined) return decided ?? goOn(stage, 'No rule names this tool.');
    const lifting = explicitAllow(matched, ({ pattern }) => pattern === toolName);
    if (lifting) return goOn(stage, `${reason} That is lifted. ${lifting.says}`);
    return { stage, verdict: 'require-approval', reason };
  },
};

const financeSafety: PolicyStage = {
  name: 'finance-safety',
  evaluate: ({ toolDefinition, isLooping }) => {
    const stage = 'finance-safety';
    const reasons = [
      ...(toolDefinition.isTransactional ? ['This tool changes something: a person is asked first.'] : []),
      ...(isLooping === undefined ? [] : [isLooping]),
    ];
    return reasons.length > 0
      ? { stage, verdict: 'require-approval', reason: reasons.join(' ') }
      : goOn(stage, 'The tool changes nothing for good, and it is not called in a loop.');
  },
};

const defaultPolicy: PolicyStage = {
  name: 'default-policy',
  evaluate: () => ({
    stage: 'default-policy',
    verdict: 'allow',
    reason: 'What nothing objects to is allowed.',
  }),
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
  defaultPolicy,
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
  const decide = (
    finalVerdict: PolicyVerdict,
    { stage, reason, note }: PolicyStageResult,
  ): PolicyEvaluationResult => ({
    finalVerdict,
    stageResults,
    decidingStage: stage,
    reason,
    ...(note === undefined ? {} : { note }),
  });
  for (const stage of POLICY_STAGES) {
    const result = stage.evaluate(ctx, matched, groups);
    stageResults.push(result);
    if (result.verdict === 'deny') return decide('deny', result);
  }
  const first = (verdict: PolicyVerdict): PolicyStageResult | undefined =>
    stageResults.find((result) => result.verdict === verdict);
  const asking = first('require-approval');
  if (asking) return decide('require-approval', asking);
  return decide('allow', first('allow') ?? defaultPolicy.evaluate(ctx, matched, groups));
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
  ...(isLooping === undefined ? {} : { isLooping }),
  ...(toolAsks === undefined ? {} : { toolAsks }),
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
