import { MAIN_AGENT } from '#src/kernel/agent/agent-settings.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Events } from '#src/kernel/operations/events.ts';
import type { AgentId } from '#src/kernel/ids.ts';
import type { ChatPlace } from '#src/kernel/chat/message.ts';
import type { RegisteredToolDefinition, Tool, ToolDefinition, ToolGroupId } from '#src/kernel/agent/tool.ts';
import {
  type BreakerStatus,
  CircuitBreaker,
  troubledBreakers,
} from '#src/platform/concurrency/circuit-breaker.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Uses } from '#src/platform/services.ts';
import { type AgentLimits, NO_LIMITS } from './agent-limits.ts';
import type { ToolGroup } from './tool-groups.ts';
import { isToolFailure } from './tool-timeout.ts';
import { mostUsed, STAND_INS } from './on-demand-tools.ts';
import { isHiddenInChat, type PolicyRule } from './policy-rules.ts';

export type ToolSource = 'built-in' | 'plugin';

export interface RegisteredTool {
  readonly tool: Tool;
  readonly source: ToolSource;
  /** Set for tools that depend on an external service, and shared by all callers. */
  readonly breaker: CircuitBreaker | undefined;
}

export interface ToolRegistry {
  readonly register: (tool: Tool, source: ToolSource) => void;
  readonly get: (name: string) => RegisteredTool | undefined;
  readonly has: (name: string) => boolean;
  /** Sorted by name. */
  readonly list: () => readonly RegisteredTool[];
  /**
   * The tools that the model sees in an agent's conversations (default: the main agent). In shared chats
   * without the tools for personal data. Sorted, because the list is part of the cached prompt and must not
   * change. A list above `maxTokens` is reduced to the most used tools.
   */
  readonly definitions: (
    agentId?: AgentId,
    place?: ChatPlace,
    maxTokens?: number,
  ) => readonly ToolDefinition[];
  /** The tools available through `find_tools` and `call_tool` there. */
  readonly onDemand: (agentId?: AgentId, place?: ChatPlace, maxTokens?: number) => readonly RegisteredTool[];
  /** Breakers of tools that have been failing. */
  readonly breakers: () => readonly BreakerStatus[];
}

/** The part of a definition that a provider needs; policy and timeouts stay here. */
export const toApiToolDefinition = (registered: RegisteredToolDefinition): ToolDefinition => ({
  name: registered.name,
  description: registered.description,
  get inputSchema() {
    return registered.inputSchema;
  },
});

export interface ToolRegistryDeps extends Uses<'clock' | 'events'> {
  readonly rules: readonly PolicyRule[];
  readonly groups: readonly ToolGroup[];
  /** Tool limits per agent. Default: none. */
  readonly agents?: AgentLimits;
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

export class InMemoryToolRegistry implements ToolRegistry {
  readonly #tools = new Map<string, RegisteredTool>();
  /**
   * Keyed by agent and hidden tools. The list stays identical until a tool is registered, so derived data can
   * be cached too.
   */
  readonly #definitions = new Map<string, readonly ToolDefinition[]>();
  readonly #rules: readonly PolicyRule[];
  readonly #agents: AgentLimits;
  readonly #clock: Clock;
  readonly #events: Events;
  readonly #inclusion: ReadonlyMap<ToolGroupId, ToolGroup['includeInPromptWhen']>;

  constructor(deps: ToolRegistryDeps) {
    this.#clock = deps.clock;
    this.#events = deps.events;
    this.#rules = deps.rules;
    this.#agents = deps.agents ?? NO_LIMITS;
    this.#inclusion = new Map(deps.groups.map(({ id, includeInPromptWhen }) => [id, includeInPromptWhen]));
  }

  readonly register = (tool: Tool, source: ToolSource): void => {
    const { name, group, isExternal } = tool.definition;
    if (this.has(name)) {
      throw new FinClawError(`Two tools are called "${name}"`, 'TOOL_NAME_TAKEN', { isOperational: false });
    }
    const onChange = (from: string, to: string): void =>
      this.#events.emit('tool:circuit:change', { name, from, to });
    const breaker = isExternal
      ? new CircuitBreaker({ name, clock: this.#clock, isFailure: isToolFailure, onChange })
      : undefined;
    this.#tools.set(name, { tool, source, breaker });
    this.#definitions.clear();
    this.#events.emit('tool:register', { name, group, source });
  };

  readonly get = (name: string): RegisteredTool | undefined => this.#tools.get(name);

  /** The names of `find_tools` and `call_tool` are reserved too. */
  readonly has = (name: string): boolean => this.#tools.has(name) || STAND_INS.has(name);

  readonly list = (): readonly RegisteredTool[] =>
    [...this.#tools.values()].toSorted((a, b) => byName(a.tool.definition, b.tool.definition));

  readonly definitions = (
    agentId: AgentId = MAIN_AGENT,
    place?: ChatPlace,
    maxTokens = Infinity,
  ): readonly ToolDefinition[] => {
    const hidden = this.#hiddenIn(place);
    return this.#definitions.getOrInsertComputed([agentId, maxTokens, ...hidden].join('\0'), () => {
      const standIns = this.#standIns(agentId);
      const listed = this.#usable(agentId, hidden)
        .filter(({ tool }) => this.#inclusion.get(tool.definition.group) === 'always')
        .map(({ tool }) => toApiToolDefinition(tool.definition));
      // A tool that is not listed must be reachable on demand.
      const kept = standIns.length === STAND_INS.size ? mostUsed(listed, standIns, maxTokens) : listed;
      return [...kept, ...standIns].toSorted(byName);
    });
  };

  readonly onDemand = (
    agentId: AgentId = MAIN_AGENT,
    place?: ChatPlace,
    maxTokens = Infinity,
  ): readonly RegisteredTool[] => {
    // Both tools are needed to reach the others.
    if (this.#standIns(agentId).length < STAND_INS.size) return [];
    const listed = new Set(this.definitions(agentId, place, maxTokens).map(({ name }) => name));
    return this.#usable(agentId, this.#hiddenIn(place)).filter(
      ({ tool: { definition } }) => !listed.has(definition.name),
    );
  };

  /** Names of hidden tools, in registration order. */
  #hiddenIn(place: ChatPlace | undefined): ReadonlySet<string> {
    if (!place || place.chatType === 'direct') return new Set();
    return new Set(
      this.list().flatMap(({ tool: { definition } }) =>
        isHiddenInChat(definition, place, this.#rules) ? [definition.name] : [],
      ),
    );
  }

  #standIns(agentId: AgentId): readonly ToolDefinition[] {
    return [...STAND_INS.values()].filter(({ name }) => this.#mayUse(agentId, { name, group: 'system' }));
  }

  readonly breakers = (): readonly BreakerStatus[] =>
    troubledBreakers(this.list().flatMap(({ breaker }) => (breaker ? [breaker] : [])));

  #usable(agentId: AgentId, hidden: ReadonlySet<string>): readonly RegisteredTool[] {
    return this.list().filter(
      ({ tool: { definition } }) => !hidden.has(definition.name) && this.#mayUse(agentId, definition),
    );
  }

  #mayUse(agentId: AgentId, tool: Pick<RegisteredToolDefinition, 'name' | 'group'>): boolean {
    return this.#agents.objectionTo(agentId, tool) === undefined;
  }
}
