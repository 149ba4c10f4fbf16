import { type AgentTable, MAIN_AGENT } from '#src/kernel/agent-settings.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { type AgentId, asId } from '#src/kernel/ids.ts';
import type { ToolDefinition } from '#src/kernel/tool.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { type WindowLimits, windowOf } from '../memory/window/model-window.ts';
import { estimateRequest } from '../loop/tokens.ts';
import type { ModelEntry } from './catalog.ts';
import type { Prompts } from '../prompt/open-prompts.ts';

/** A conversation needs at least this much for questions, results and answers. */
const MIN_TALK_TOKENS = 1_500;

/** The division of a model's window before the conversation begins. */
interface WindowFit {
  readonly windowTokens: number;
  readonly promptTokens: number;
  readonly toolTokens: number;
  /** Number of listed tools; the others are found on demand. */
  readonly toolCount: number;
  readonly reserveTokens: number;
  /** Room for the conversation. */
  readonly talkTokens: number;
  readonly fits: boolean;
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
    const promptTokens = estimateRequest({ systemPrompt: systemPrompt(), tools: [], messages: [] });
    const toolTokens = estimateRequest({ systemPrompt: '', tools, messages: [] });
    const talkTokens = windowTokens - reserveTokens - promptTokens - toolTokens;
    const fit = {
      windowTokens,
      promptTokens,
      toolTokens,
      toolCount: tools.length,
      reserveTokens,
      talkTokens,
      // A large window always has room, because its prompt is limited by a budget.
      fits: !window.isSmall || talkTokens >= MIN_TALK_TOKENS,
    };
    known.set(key, { tools, fit });
    return fit;
  };
};

const count = (tokens: number): string => tokens.toLocaleString('en-US');

const figuresOf = ({ windowTokens, promptTokens, toolTokens, toolCount, reserveTokens }: WindowFit): string =>
  `${count(windowTokens)} tokens: ${count(promptTokens)} for the instructions, ${count(toolTokens)} for ${toolCount} tools, ${count(reserveTokens)} for an answer`;

interface WindowCheckDeps {
  readonly fitOf: FitOf;
  readonly agents: AgentTable;
  readonly maxContextTokens: number;
  /** The usable models, in order. */
  readonly configuredFor: (agentId: AgentId) => readonly ModelEntry[];
  readonly logger: Pick<FinClawLogger, 'warn'>;
}

/**
 * One line for each primary model, with the division of its window. Throws `WINDOW_TOO_SMALL`, with advice, if
 * one has no room for a conversation; a fallback without room is logged as skipped.
 */
export const checkWindows = (deps: WindowCheckDeps): readonly string[] => {
  const lines = new Set<string>();
  const skipped = new Set<string>();
  for (const agentId of new Set([MAIN_AGENT, ...Object.keys(deps.agents).map(asId<AgentId>)])) {
    const [first, ...others] = deps.configuredFor(agentId).filter(({ provider }) => provider !== 'offline');
    const of = agentId === MAIN_AGENT ? '' : ` for the agent ${agentId}`;
    const misfit = (entry: ModelEntry, fit: WindowFit): string => {
      const advice =
        fit.windowTokens === deps.maxContextTokens
          ? 'Raise agent.maxContextTokens'
          : 'Choose a model with a larger window (a server such as Ollama may have to be started with one)';
      return `${entry.id} has no room for a conversation${of}. Its window has ${figuresOf(fit)}; ${count(Math.max(0, fit.talkTokens))} are left, and ${count(MIN_TALK_TOKENS)} are needed. ${advice}, or shorten the instructions.`;
    };
    if (first) {
      const fit = deps.fitOf(first, agentId);
      if (!fit.fits) throw new FinClawError(misfit(first, fit), 'WINDOW_TOO_SMALL');
      lines.add(
        `Window of ${first.displayName}${of}: ${figuresOf(fit)}, ${count(fit.talkTokens)} for the conversation`,
      );
    }
    for (const entry of others) {
      const fit = deps.fitOf(entry, agentId);
      if (!fit.fits) skipped.add(`${misfit(entry, fit)} Until then it is skipped as a fallback.`);
    }
  }
  for (const warning of skipped) deps.logger.warn(warning);
  return [...lines];
};
