import { type AgentId, asId, fromKeyPart, type SessionKey } from '../ids.ts';
import type { QueueMode } from '../chat/queue.ts';

/**
 * What follows a number without a source. `repair`: the model corrects its answer once, and what is still wrong is
 * marked. `mark`: it is marked at once. `off`: numbers are not checked.
 */
export const GROUNDING_MODES = ['repair', 'mark', 'off'] as const;
export type GroundingMode = (typeof GROUNDING_MODES)[number];

/** Settings of one agent. An absent field has the value that the operator configured for all agents. */
export interface AgentSettings {
  /** A name or alias, as in `fallbacks`. Used in conversations for which nobody has chosen a model. */
  readonly model?: string | undefined;
  readonly fallbacks?: readonly string[] | undefined;
  /** Appended to the instructions for all agents. */
  readonly instructions?: string | undefined;
  /** Patterns as in tool rules. `deny` wins over `allow`. Without `allow`, every tool is allowed. */
  readonly tools?:
    | { readonly allow?: readonly string[] | undefined; readonly deny?: readonly string[] | undefined }
    | undefined;
  readonly queueMode?: QueueMode | undefined;
  readonly maxTurns?: number | undefined;
  readonly temperature?: number | undefined;
  readonly grounding?: { readonly mode?: GroundingMode | undefined } | undefined;
  /** Across all its conversations. */
  readonly maxConcurrentTurns?: number | undefined;
}

/** Keyed by agent id. */
export type AgentTable = Readonly<Record<string, AgentSettings>>;

/** Exists even if the configuration does not name it. */
export const MAIN_AGENT: AgentId = asId<AgentId>('main');

const own = (agents: AgentTable, id: string): AgentSettings | undefined =>
  Object.hasOwn(agents, id) ? agents[id] : undefined;

/**
 * An agent that was removed from the configuration has the settings of the main agent. Otherwise its conversations
 * would continue without the operator's limits.
 */
export const agentSettingsOf = (agents: AgentTable, agentId: AgentId): AgentSettings =>
  own(agents, agentId) ?? own(agents, MAIN_AGENT) ?? {};

/** Reads the agent from the part of the key behind `agent:`. */
export const agentOf = (sessionKey: SessionKey): AgentId => {
  const [, agent = ''] = sessionKey.split(':', 2);
  return asId<AgentId>(fromKeyPart(agent));
};
