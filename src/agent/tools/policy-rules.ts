import type { ChatType } from '#src/kernel/chat/message.ts';
import type { RegisteredToolDefinition, ToolGroupId } from '#src/kernel/agent/tool.ts';

export type PolicyVerdict = 'allow' | 'deny' | 'require-approval';

export interface PolicyRule {
  /** A tool's name, `*` for any characters in it, or `group:` and a group. */
  readonly pattern: string;
  readonly verdict: PolicyVerdict;
  readonly reason?: string | undefined;
  /** The highest priority in a stage decides. */
  readonly priority: number;
  /** Ids, or `channel:id`. A rule applies to people in `users` or with one of `roles`. */
  readonly users?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
  /** A platform, a chat id, `platform:chatId`, or a type of chat. */
  readonly channels?: readonly string[] | undefined;
}

/** The call, the requester and the chat. */
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
  /** The loop detector's objection. */
  readonly isLooping?: string | undefined;
  /** The tool's own reason to require approval for this call. */
  readonly toolAsks?: string | undefined;
  /** The reason why the agent may not use the tool, whoever asks. */
  readonly agentObjection?: string | undefined;
}

/** Stages with rules; each rule belongs to exactly one. */
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

/** A rule prepared for matching. */
export interface CompiledRule {
  readonly rule: PolicyRule;
  readonly stage: RuleStage;
  /** A description for administrators. It contains no ids, because the model may read it too. */
  readonly says: string;
  readonly people: { readonly users: ReadonlySet<string>; readonly roles: ReadonlySet<string> } | undefined;
  readonly chats: ReadonlySet<string> | undefined;
}

type RulesByStage = Partial<Record<RuleStage, readonly CompiledRule[]>>;

/** Per stage, from the deciding rule to the first that does not allow; later rules are overruled. */
export type MatchedRules = Readonly<RulesByStage>;

const GROUP_PREFIX = 'group:';
const STRICTNESS: Readonly<Record<PolicyVerdict, number>> = { deny: 2, 'require-approval': 1, allow: 0 };
/** Verbs for sentences about a tool. */
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

/** Ties keep the configured order, because the sort is stable. */
const byRank = ({ rule: one }: CompiledRule, { rule: other }: CompiledRule): number =>
  other.priority - one.priority || STRICTNESS[other.verdict] - STRICTNESS[one.verdict];

/** Greedy leftmost matching of the fixed parts never misses a match. */
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

/** Whether a rule's pattern matches a tool, whoever calls it and wherever. */
export const matchesTool = (
  { pattern }: Pick<PolicyRule, 'pattern'>,
  toolName: string,
  group: ToolGroupId,
): boolean =>
  pattern.startsWith(GROUP_PREFIX)
    ? fits(pattern.slice(GROUP_PREFIX.length), group)
    : fits(pattern, toolName);

type PolicyPlace = Pick<PolicyContext, 'channelId' | 'chatId' | 'chatType'>;

/**
 * The names of one chat in rules. The platform is excluded: a rule for a whole platform does not mean a single
 * chat.
 */
export const namesOfChat = ({ channelId, chatId, chatType }: PolicyPlace): ReadonlySet<string> =>
  new Set<string>([chatId, `${channelId}:${chatId}`, chatType]);

/**
 * Whether a tool for personal data is unusable in a shared chat: true unless the operator allowed it for this
 * very chat. The model is not told about it there.
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

/** All rules in order of precedence, indexed by tool. */
interface CompiledRules {
  readonly ranked: readonly CompiledRule[];
  /** All people, roles and chats named by rules. */
  readonly names: ReadonlySet<string>;
  readonly byTool: Map<string, RulesByStage>;
}

const cache = new WeakMap<readonly PolicyRule[], CompiledRules>();

/** Compiled once per list; later changes to the list have no effect. */
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

/** The names of a person and a chat in rules. */
interface Subject {
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly chats: readonly string[];
}

/** Drops names that no rule mentions, which leaves most calls with little to compare. */
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
