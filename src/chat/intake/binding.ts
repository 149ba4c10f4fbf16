import { MAIN_AGENT } from '#src/kernel/agent/agent-settings.ts';
import { type AgentId, asId } from '#src/kernel/ids.ts';
import type { ChatType, MsgContext } from '#src/kernel/chat/message.ts';
import type { BindingMatch } from '#src/kernel/chat/stage.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';

export type MatchBinding = (message: MsgContext) => BindingMatch;

/** A rule that assigns messages to an agent. It matches if all its fields match. */
export interface Binding {
  readonly agent: string;
  /** Senders: `platform:id`, or the id alone. */
  readonly peers?: readonly string[] | undefined;
  /** A platform, `platform:chatId`, or the id of a chat. Threads count as their chat. */
  readonly channels?: readonly string[] | undefined;
  /** Accounts of the bot on its platforms: `platform:id`, or the id alone. */
  readonly accounts?: readonly string[] | undefined;
  readonly chatTypes?: readonly ChatType[] | undefined;
  /** Among rules of the same rank, the highest wins. */
  readonly priority: number;
}

/** The most specific rules come first. */
const RANKS = [
  'peer',
  'channel',
  'account',
  'default',
] as const satisfies readonly BindingMatch['matchedBy'][];

const rankOf = ({ peers, channels, accounts }: Binding): BindingMatch['matchedBy'] => {
  if (peers) return 'peer';
  if (channels) return 'channel';
  return accounts ? 'account' : 'default';
};

/** An id that looks like a platform, or like an id on another platform, matches only with its prefix. */
const isMisleading = (id: string, platforms: readonly string[]): boolean =>
  platforms.some((platform) => id === platform || id.startsWith(`${platform}:`));

const FIELDS = ['peers', 'channels', 'accounts', 'chatTypes'] as const;
type Names = Readonly<Record<(typeof FIELDS)[number], readonly string[]>>;

/** The names that a rule may use for the sender, the chat and the account of a message. */
const namesIn = (message: MsgContext, platforms: readonly string[]): Names => {
  const { channelId, senderId, chatId, accountId, chatType } = message;
  const namesOf = (id: string): readonly string[] => [
    `${channelId}:${id}`,
    ...(isMisleading(id, platforms) ? [] : [id]),
  ];
  return {
    peers: namesOf(senderId),
    channels: [channelId, ...namesOf(chatId)],
    accounts: namesOf(accountId),
    chatTypes: [chatType],
  };
};

interface CompiledBinding {
  readonly match: BindingMatch;
  /** Its place in the configuration. */
  readonly index: number;
  readonly priority: number;
  readonly fields: readonly (readonly [field: (typeof FIELDS)[number], names: ReadonlySet<string>])[];
}

const compile = (binding: Binding, index: number): CompiledBinding => ({
  match: { agentId: asId<AgentId>(binding.agent), matchedBy: rankOf(binding) },
  index,
  priority: binding.priority,
  fields: FIELDS.flatMap((field) => {
    const names = binding[field];
    return names ? [[field, new Set<string>(names)] as const] : [];
  }),
});

/** The sort is stable: among equals, the first in the configuration wins. */
const inOrder = (one: CompiledBinding, other: CompiledBinding): number =>
  RANKS.indexOf(one.match.matchedBy) - RANKS.indexOf(other.match.matchedBy) || other.priority - one.priority;

const fits = ({ fields }: CompiledBinding, names: Names): boolean =>
  fields.every(([field, wanted]) => names[field].some((name) => wanted.has(name)));

/** Whether the first rule matches every message that the second one matches. */
const covers = (first: CompiledBinding, second: CompiledBinding): boolean => {
  const others = new Map(second.fields);
  return first.fields.every(([field, names]) => others.get(field)?.isSubsetOf(names) ?? false);
};

/** A rule without effect is probably a mistake in the configuration. */
const warnOfIdleBindings = (ordered: readonly CompiledBinding[], log: Pick<FinClawLogger, 'warn'>): void => {
  for (const [place, binding] of ordered.entries()) {
    const name = `bindings[${binding.index}] to the agent "${binding.match.agentId}"`;
    const empty = binding.fields.find(([, names]) => names.size === 0);
    if (empty) log.warn(`${name} matches no message: its list "${empty[0]}" is empty.`);
    const before = ordered.slice(0, place).find((earlier) => covers(earlier, binding));
    if (before && !empty)
      log.warn(`${name} has no effect: bindings[${before.index}] comes first and matches the same messages.`);
  }
};

/**
 * Chooses the agent of a message: rules for the sender come before rules for the chat or platform, then rules for the
 * account, then all others. Without a match, the main agent answers. The same message always gets the same agent.
 */
export const createBindingMatcher = (
  bindings: readonly Binding[],
  platforms: readonly string[],
  log?: Pick<FinClawLogger, 'warn'>,
): MatchBinding => {
  const ordered = bindings.map(compile).toSorted(inOrder);
  if (log) warnOfIdleBindings(ordered, log);
  return (message) => {
    const names = namesIn(message, platforms);
    const found = ordered.find((binding) => fits(binding, names));
    return found?.match ?? { agentId: MAIN_AGENT, matchedBy: 'default' };
  };
};
