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
  /** `continue`: the stage has nothing to say. */
  readonly verdict: PolicyVerdict | 'continue';
  readonly reason: string;
  /** The operator's own words about it. */
  readonly note?: string;
}

/** One question to a call. A stage sees the rules of all stages: an allow may lift a default before its turn. */
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
  /** Of all stages, or up to the one that denied. */
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

/** The first allow that was written for this case and that no stricter rule of its stage overrules. */
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

/** A stage in which nothing but rules speaks. */
const ruleStage = (name: RuleStage, silence: string): PolicyStage => ({
  name,
  evaluate: (_ctx, matched) => byRule(name, matched) ?? goOn(name, silence),
});

/** The limits of an agent come first: no allow lifts them. */
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

/** Personal data is shown to its owner alone, unless the operator wrote down a place where others may see it. */
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

/** A rule about the group takes the place of its default; any other explicit allow lifts the default. */
const groupPolicy: PolicyStage = {
  name: 'group-policy',
  evaluate: ({ toolDefinition }, matched, groups) => {
    const stage = 'group-policy';
    const decided = byRule(stage, matched);
    if (decided) return decided;
    // A group that nobody defined is as foreign as a tool can be: somebody should look at the call.
    const verdict = groupOf(toolDefinition.group, groups)?.defaultPolicy ?? 'require-approval';
    const reason = `By default, the group "${toolDefinition.group}" ${VERBS[verdict]} this tool.`;
    if (verdict === 'allow') return goOn(stage, reason);
    const lifting = explicitAllow(matched);
    return lifting ? goOn(stage, `${reason} That is lifted. ${lifting.says}`) : { stage, verdict, reason };
  },
};

/** What a tool asks for by itself gives way only to a rule whose author had this very tool in mind. */
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
 * Whether a call may be made. A deny ends it at once; the first wish for approval stands until the end; an
 * allow goes on, so that what guards money is always asked. Never throws.
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
