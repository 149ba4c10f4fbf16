import { type AgentId, asId, type SessionKey } from './ids.ts';
import type { QueueMode } from './ports.ts';

/** What sets one agent apart from the others. What is absent is as the operator set it for all. */
export interface AgentSettings {
  /** Names or aliases: the chain of its conversations, where nobody chose a model there. */
  readonly model?: string | undefined;
  readonly fallbacks?: readonly string[] | undefined;
  /** Behind those that hold for all. */
  readonly instructions?: string | undefined;
  /** Patterns as in rules about tools. What is denied stays so, whatever is allowed; without `allow`: all. */
  readonly tools?:
    | { readonly allow?: readonly string[] | undefined; readonly deny?: readonly string[] | undefined }
    | undefined;
  readonly queueMode?: QueueMode | undefined;
  readonly maxTurns?: number | undefined;
  readonly temperature?: number | undefined;
  /** Of all its conversations together. */
  readonly maxConcurrentTurns?: number | undefined;
}

/** By the agents' ids. */
export type AgentTable = Readonly<Record<string, AgentSettings>>;

/** Always there, also where no setting names it. */
export const MAIN_AGENT: AgentId = asId<AgentId>('main');

const own = (agents: AgentTable, id: string): AgentSettings | undefined =>
  Object.hasOwn(agents, id) ? agents[id] : undefined;

/**
 * The settings of an agent. One that the configuration no longer has, though a conversation of it goes on, is
 * as the main agent: limits that an operator set for everybody else must not end with a line taken out.
 */
export const agentSettingsOf = (agents: AgentTable, agentId: AgentId): AgentSettings =>
  own(agents, agentId) ?? own(agents, MAIN_AGENT) ?? {};

/** The agent that a conversation belongs to: the part of its key behind `agent:`. */
export const agentOf = (sessionKey: SessionKey): AgentId => {
  const [, agent = ''] = sessionKey.split(':');
  return asId<AgentId>(agent.replaceAll('%3A', ':').replaceAll('%25', '%'));
};
