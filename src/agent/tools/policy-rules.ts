import type { ChatType } from '#src/kernel/message.ts';
import type { RegisteredToolDefinition, ToolGroupId } from '#src/kernel/tool.ts';

export type PolicyVerdict = 'allow' | 'deny' | 'require-approval';

export interface PolicyRule {
  /** A tool's name, `*` for any characters in it, or `group:` and a group. */
  readonly pattern: string;
  readonly verdict: PolicyVerdict;
  readonly reason?: string | undefined;
  /** The highest of a stage decides. */
  readonly priority: number;
  /** Ids, or `channel:id`. Who is in `users` or has one of `roles` is meant. */
  readonly users?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
  /** A platform, a chat id, `platform:chatId`, or a type of chat. */
  readonly channels?: readonly string[] | undefined;
}

/** Who wants to call what, and where. */
export interface PolicyContext {
  readonly toolName: string;
  readonly toolDefinition: RegisteredToolDefinition;
  readonly userId: string;
  readonly userRoles: readonly string[];
  readonly isAdmin: boolean;
  /** The platform. */
  readonly channelId: string;
  readonly chatId: string;
  readonly chatType: ChatType;
  /** Why the loop detector objects. */
  readonly isLooping?: string | undefined;
  /** Why the tool itself asks for approval of this very call. */
  readonly toolAsks?: string | undefined;
  /** Why the agent of this conversation may not use the tool, whoever asks. */
  readonly agentObjection?: string | undefined;
}

/** The stages that rules belong to, each rule to exactly one. */
const RULE_STAGES = [
  'global-deny',
  'global-allow',
  'user-deny',
  'user-allow',
  'channel-policy',
  'group-policy',
  'tool-policy',
] as const;
export type RuleStage = (typeof RULE_STAGES)[number];

/** A rule in the form in which it is asked. */
export interface CompiledRule {
  readonly rule: PolicyRule;
  readonly stage: RuleStage;
  /** The rule in words, for administrators. It names no ids: the model may read it too. */
  readonly says: string;
  readonly people: { readonly users: ReadonlySet<string>; readonly roles: ReadonlySet<string> } | undefined;
  readonly chats: ReadonlySet<string> | undefined;
}

type RulesByStage = Partial<Record<RuleStage, readonly CompiledRule[]>>;

/** By stage, from the deciding rule on, up to the first that does not allow: what stands behind it is overruled. */
export type MatchedRules = Readonly<RulesByStage>;

const GROUP_PREFIX = 'group:';
const STRICTNESS: Readonly<Record<PolicyVerdict, number>> = { deny: 2, 'require-approval': 1, allow: 0 };
/** What a verdict does, for a sentence about a tool. */
export const VERBS: Readonly<Record<PolicyVerdict, string>> = {
  allow: 'allows',
  deny: 'denies',
  'require-approval': 'asks for approval of',
};

const stageOf = ({ pattern, verdict, users, roles, channels }: PolicyRule): RuleStage => {
  if (users ?? roles) return verdict === 'deny' ? 'user-deny' : 'user-allow';
  if (channels) return 'channel-policy';
  if (pattern.startsWith(GROUP_PREFIX)) return 'group-policy';
  if (pattern.includes('*')) return verdict === 'deny' ? 'global-deny' : 'global-allow';
  return 'tool-policy';
};

const describeRule = ({ pattern, verdict, reason, priority, users, roles, channels }: PolicyRule): string => {
  const traits = [
    `priority ${priority}`,
    ...((users ?? roles) ? ['for certain people'] : []),
    ...(channels ? ['in certain chats'] : []),
  ];
  return `The rule "${pattern}" (${traits.join(', ')}) ${VERBS[verdict]} this tool${reason ? `: ${reason}` : '.'}`;
};

const compileRule = (rule: PolicyRule): CompiledRule => ({
  rule,
  stage: stageOf(rule),
  says: describeRule(rule),
  people: (rule.users ?? rule.roles) ? { users: new Set(rule.users), roles: new Set(rule.roles) } : undefined,
  chats: rule.channels && new Set(rule.channels),
});

/** The sort is stable: of equals, the one that was written first decides. */
const byRank = ({ rule: one }: CompiledRule, { rule: other }: CompiledRule): number =>
  other.priority - one.priority || STRICTNESS[other.verdict] - STRICTNESS[one.verdict];

/** Each `*` takes what comes before the next fixed part, the first place that fits: that never misses a match. */
const fits = (pattern: string, name: string): boolean => {
  const [head = '', ...parts] = pattern.split('*');
  const tail = parts.pop();
  if (tail === undefined) return pattern === name;
  const end = name.length - tail.length;
  if (end < head.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
  let from = head.length;
  for (const part of parts) {
    const at = name.indexOf(part, from);
    if (at === -1 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
};

/** Whether a rule's pattern fits a tool, whoever calls it and wherever. */
export const matchesTool = (
  { pattern }: Pick<PolicyRule, 'pattern'>,
  toolName: string,
  group: ToolGroupId,
): boolean =>
  pattern.startsWith(GROUP_PREFIX)
    ? fits(pattern.slice(GROUP_PREFIX.length), group)
    : fits(pattern, toolName);

type PolicyPlace = Pick<PolicyContext, 'channelId' | 'chatId' | 'chatType'>;

/** Under which names one chat stands in rules. A rule for a whole platform had no one chat, and nobody's data, in mind. */
export const namesOfChat = ({ channelId, chatId, chatType }: PolicyPlace): ReadonlySet<string> =>
  new Set<string>([chatId, `${channelId}:${chatId}`, chatType]);

/**
 * Whether nobody can use a tool in a chat, because it is for personal data and others read along: unless the operator
 * wrote an allow for this very chat, whoever it is for. The model is not told of it there.
 */
export const isHiddenInChat = (
  { name, group, accessesSensitiveData }: RegisteredToolDefinition,
  place: PolicyPlace,
  rules: readonly PolicyRule[],
): boolean => {
  if (!accessesSensitiveData || place.chatType === 'direct') return false;
  const chat = namesOfChat(place);
  return !rules.some(
    ({ pattern, verdict, channels = [] }) =>
      verdict === 'allow' && channels.some((each) => chat.has(each)) && matchesTool({ pattern }, name, group),
  );
};

/** All rules in the order in which they are asked, and which of them are about a tool. */
interface CompiledRules {
  readonly ranked: readonly CompiledRule[];
  /** Every person, role and chat that some rule names. */
  readonly names: ReadonlySet<string>;
  readonly byTool: Map<string, RulesByStage>;
}

const cache = new WeakMap<readonly PolicyRule[], CompiledRules>();

/** Worked out once for a list: one that is changed after its first use is not read again. */
const compiled = (rules: readonly PolicyRule[]): CompiledRules =>
  cache.getOrInsertComputed(rules, () => ({
    ranked: rules.map(compileRule).toSorted(byRank),
    names: new Set(
      rules.flatMap(({ users = [], roles = [], channels = [] }) => [...users, ...roles, ...channels]),
    ),
    byTool: new Map(),
  }));

const rulesAbout = (toolName: string, group: ToolGroupId, { ranked, byTool }: CompiledRules): RulesByStage =>
  byTool.getOrInsertComputed(`${group}:${toolName}`, () =>
    Object.groupBy(
      ranked.filter(({ rule }) => matchesTool(rule, toolName, group)),
      ({ stage }) => stage,
    ),
  );

/** Under which names a person and a chat stand in rules. */
interface Subject {
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly chats: readonly string[];
}

/** Names that no rule has are left out: most calls then have next to nothing to compare. */
const subjectOf = (
  { channelId, userId, userRoles, chatId, chatType }: PolicyContext,
  { names }: CompiledRules,
): Subject => {
  const named = (candidates: readonly string[]): readonly string[] =>
    candidates.filter((candidate) => names.has(candidate));
  return {
    users: named([userId, `${channelId}:${userId}`]),
    roles: named(userRoles),
    chats: named([channelId, chatId, `${channelId}:${chatId}`, chatType]),
  };
};

const appliesTo = ({ people, chats }: CompiledRule, subject: Subject): boolean =>
  (!people ||
    subject.users.some((user) => people.users.has(user)) ||
    subject.roles.some((role) => people.roles.has(role))) &&
  (!chats || subject.chats.some((chat) => chats.has(chat)));

const applicable = (rules: readonly CompiledRule[], subject: Subject): readonly CompiledRule[] => {
  const found: CompiledRule[] = [];
  for (const rule of rules) {
    if (!appliesTo(rule, subject)) continue;
    found.push(rule);
    if (rule.rule.verdict !== 'allow') break;
  }
  return found;
};

export const matchRules = (ctx: PolicyContext, rules: readonly PolicyRule[]): MatchedRules => {
  const list = compiled(rules);
  const about = rulesAbout(ctx.toolName, ctx.toolDefinition.group, list);
  const subject = subjectOf(ctx, list);
  const matched: RulesByStage = {};
  for (const stage of RULE_STAGES) {
    const candidates = about[stage];
    if (candidates) matched[stage] = applicable(candidates, subject);
  }
  return matched;
};
