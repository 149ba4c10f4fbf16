import { errorMessage, FinClawError, RunAbortedError } from '#src/core/errors.ts';
import type { Events } from '#src/core/events.ts';
import type { Tool, ToolDefinition, ToolExecutionContext, ToolResult } from '#src/core/tool.ts';
import { raceAbort, withDeadline } from '#src/infra/abort.ts';
import { CircuitBreaker } from '#src/infra/circuit-breaker.ts';
import type { Clock } from '#src/infra/clock.ts';

export interface ToolRegistry {
  readonly get: (name: string) => Tool | undefined;
  /** Sorted by name: the list is part of the cached prompt and must not change its order. */
  readonly definitions: () => readonly ToolDefinition[];
  /** Whatever happens inside a tool is a result for the model; only the caller's own abort rejects. */
  readonly execute: (
    name: string,
    input: unknown,
    context: ToolExecutionContext,
    signal: AbortSignal,
  ) => Promise<ToolResult>;
}

interface Registration {
  readonly tool: Tool;
  readonly breaker: CircuitBreaker | undefined;
}

/** A person who stops an answer says nothing about the service behind the tool. */
const isFailure = (error: unknown): boolean => !(error instanceof RunAbortedError);

const failed = (content: string): ToolResult => ({ content, isError: true });

export class InMemoryToolRegistry implements ToolRegistry {
  readonly #tools = new Map<string, Registration>();
  /** The same list as long as nothing is registered: what is derived from it can be kept too. */
  #definitions: readonly ToolDefinition[] | undefined;
  readonly #clock: Clock;
  readonly #events: Events;

  constructor(clock: Clock, events: Events) {
    this.#clock = clock;
    this.#events = events;
  }

  register(tool: Tool, source: 'built-in' | 'plugin' | 'skill'): void {
    const { name, group, isExternal } = tool.definition;
    if (this.#tools.has(name)) {
      throw new FinClawError(`Two tools are called "${name}"`, 'TOOL_NAME_TAKEN', { isOperational: false });
    }
    const onChange = (from: string, to: string): void =>
      this.#events.emit('tool:circuit:change', { name, from, to });
    const breaker = isExternal
      ? new CircuitBreaker({ name, clock: this.#clock, isFailure, onChange })
      : undefined;
    this.#tools.set(name, { tool, breaker });
    this.#definitions = undefined;
    this.#events.emit('tool:register', { name, group, source });
  }

  readonly get = (name: string): Tool | undefined => this.#tools.get(name)?.tool;

  readonly definitions = (): readonly ToolDefinition[] =>
    (this.#definitions ??= [...this.#tools.values()]
      .map(({ tool: { definition } }) => ({
        name: definition.name,
        description: definition.description,
        inputSchema: definition.inputSchema,
      }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)));

  readonly execute: ToolRegistry['execute'] = async (name, input, context, signal) => {
    const registered = this.#tools.get(name);
    if (!registered)
      return failed(`There is no tool "${name}". Available: ${[...this.#tools.keys()].join(', ')}`);
    const { requiresApproval, isTransactional } = registered.tool.definition;
    // Until a person can be asked, what needs a person's word does not happen.
    if (requiresApproval || isTransactional)
      return failed(`${name} needs a person's approval, and nobody can be asked.`);
    const { sessionKey } = context;
    const startedAtMs = this.#clock.monotonicMs();
    this.#events.emit('tool:execute:start', { name, sessionKey });
    try {
      const call = (): Promise<ToolResult> => this.#invoke(registered.tool, input, context, signal);
      const result = await (registered.breaker ? registered.breaker.run(call) : call());
      const durationMs = this.#clock.monotonicMs() - startedAtMs;
      this.#events.emit('tool:execute:end', { name, sessionKey, durationMs });
      return result;
    } catch (error) {
      signal.throwIfAborted();
      this.#events.emit('tool:execute:error', { name, sessionKey, error: errorMessage(error) });
      return failed(`The tool ${name} failed: ${errorMessage(error)}`);
    }
  };

  /** A tool that does not listen to its signal is left behind when its time is up. */
  async #invoke(
    tool: Tool,
    input: unknown,
    context: ToolExecutionContext,
    parent: AbortSignal,
  ): Promise<ToolResult> {
    const { name, timeoutMs } = tool.definition;
    const { signal, clear } = withDeadline(parent, timeoutMs, this.#clock, () => {
      this.#events.emit('tool:execute:timeout', { name, sessionKey: context.sessionKey, timeoutMs });
      return new FinClawError(`no result within ${timeoutMs / 1_000} s`, 'TOOL_TIMEOUT');
    });
    try {
      return await raceAbort(tool.invoke(input, context, signal), signal, this.#clock, 0);
    } catch (error) {
      parent.throwIfAborted();
      throw error;
    } finally {
      clear();
    }
  }
}
