import { type AgentTable, MAIN_AGENT } from '#src/kernel/agent/agent-settings.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { type AgentId, asId } from '#src/kernel/ids.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';
import type { Uses } from '#src/platform/services.ts';
import { type WindowLimits, windowOf } from '../memory/window/model-window.ts';
import { estimateRequest } from '../tokens.ts';
import type { ModelEntry } from '../models/catalog.ts';
import type { Prompts } from './open-prompts.ts';

/** A conversation needs at least this much for questions, results and answers. */
const MIN_TALK_TOKENS = 1_500;

/** The division of a model's window before the conversation begins. */
interface WindowFigures {
  readonly windowTokens: number;
  readonly promptTokens: number;
  readonly toolTokens: number;
  /** Number of listed tools; the others are found on demand. */
  readonly toolCount: number;
  readonly reserveTokens: number;
  /** Room for the conversation. */
  readonly talkTokens: number;
}

interface WindowFit {
  readonly fits: boolean;
  /** Measured on the first call: it needs the schemas of all tools, and a start with a large window does not. */
  readonly figures: () => WindowFigures;
}

type FitOf = (entry: ModelEntry, agentId: AgentId) => WindowFit;

/** Measures the head of an agent's requests, once per window size. */
export const createFitOf = (prompts: Pick<Prompts, 'forAgent'>, limits: WindowLimits): FitOf => {
  const known = new Map<string, { readonly tools: readonly ToolDefinition[]; readonly fit: WindowFit }>();
  return (entry, agentId) => {
    const window = windowOf(entry, limits);
    const { windowTokens, reserveTokens } = window;
    const { tools, systemPrompt } = prompts.forAgent(agentId, window);
    const key = [agentId, windowTokens, reserveTokens].join(' ');
    const before = known.get(key);
    // Registering a tool creates a new list.
    if (before?.tools === tools) return before.fit;
    let measured: WindowFigures | undefined;
    const measure = (): WindowFigures => {
      const promptTokens = estimateRequest({ systemPrompt: systemPrompt(), tools: [], messages: [] });
      const toolTokens = estimateRequest({ systemPrompt: '', tools, messages: [] });
      const talkTokens = windowTokens - reserveTokens - promptTokens - toolTokens;
      return { windowTokens, promptTokens, toolTokens, toolCount: tools.length, reserveTokens, talkTokens };
    };
    const figures = (): WindowFigures => (measured ??= measure());
    // A large window always has room, because its prompt is limited by a budget.
    const fit = { fits: !window.isSmall || figures().talkTokens >= MIN_TALK_TOKENS, figures };
    known.set(key, { tools, fit });
    return fit;
  };
};

const count = (tokens: number): string => tokens.toLocaleString('en-US');

const describe = (figures: WindowFigures): string =>
  `${count(figures.windowTokens)} tokens: ${count(figures.promptTokens)} for the instructions, ${count(figures.toolTokens)} for ${figures.toolCount} tools, ${count(figures.reserveTokens)} for an answer`;

interface WindowCheckDeps extends Uses<'logger.warn'> {
  readonly fitOf: FitOf;
  readonly agents: AgentTable;
  readonly maxContextTokens: number;
  /** The usable models, in order. */
  readonly configuredFor: (agentId: AgentId) => readonly ModelEntry[];
}

const agentsOf = ({ agents }: Pick<WindowCheckDeps, 'agents'>): ReadonlySet<AgentId> =>
  new Set([MAIN_AGENT, ...Object.keys(agents).map(asId<AgentId>)]);

const onlineModelsOf = (
  { configuredFor }: Pick<WindowCheckDeps, 'configuredFor'>,
  agentId: AgentId,
): readonly ModelEntry[] => configuredFor(agentId).filter(({ provider }) => provider !== 'offline');

const ofAgent = (agentId: AgentId): string => (agentId === MAIN_AGENT ? '' : ` for the agent ${agentId}`);

/**
 * Throws `WINDOW_TOO_SMALL`, with advice, if the window of a primary model has no room for a conversation; a fallback
 * without room is logged as skipped.
 */
export const checkWindows = (deps: WindowCheckDeps): void => {
  const skipped = new Set<string>();
  for (const agentId of agentsOf(deps)) {
    const misfit = (entry: ModelEntry, figures: WindowFigures): string => {
      const advice =
        figures.windowTokens === deps.maxContextTokens
          ? 'Raise agent.maxContextTokens'
          : 'Choose a model with a larger window (a server such as Ollama may have to be started with one)';
      return `${entry.id} has no room for a conversation${ofAgent(agentId)}. Its window has ${describe(figures)}; ${count(Math.max(0, figures.talkTokens))} are left, and ${count(MIN_TALK_TOKENS)} are needed. ${advice}, or shorten the instructions.`;
    };
    for (const [index, entry] of onlineModelsOf(deps, agentId).entries()) {
      const { fits, figures } = deps.fitOf(entry, agentId);
      if (fits) continue;
      if (index === 0) throw new FinClawError(misfit(entry, figures()), 'WINDOW_TOO_SMALL');
      skipped.add(`${misfit(entry, figures())} Until then it is skipped as a fallback.`);
    }
  }
  for (const warning of skipped) deps.logger.warn(warning);
};

/** One line for each primary model, with the division of its window. */
export const describeWindows = (
  deps: Pick<WindowCheckDeps, 'fitOf' | 'agents' | 'configuredFor'>,
): readonly string[] => {
  const lines = new Set<string>();
  for (const agentId of agentsOf(deps)) {
    const [first] = onlineModelsOf(deps, agentId);
    if (!first) continue;
    const figures = deps.fitOf(first, agentId).figures();
    lines.add(
      `Window of ${first.displayName}${ofAgent(agentId)}: ${describe(figures)}, ${count(figures.talkTokens)} for the conversation`,
    );
  }
  return [...lines];
};
