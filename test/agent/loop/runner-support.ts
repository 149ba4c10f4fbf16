import { expect } from 'vitest';
import type { AgentRunParams } from '#src/agent/loop/run-params.ts';
import { Runner, type RunResult } from '#src/agent/loop/runner.ts';
import { ToolExecutor } from '#src/agent/loop/tool-executor.ts';
import type { ResolvedModel } from '#src/agent/models/resolve-model.ts';
import { nobodyToAsk } from '#src/agent/tools/approvals.ts';
import type { ApprovalDecision } from '#src/agent/tools/approval-decision.ts';
import type { CallExecutionDeps } from '#src/agent/tools/call-execution.ts';
import type { ExecutionEvent, StreamState } from '#src/kernel/agent/execution.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import type { Tool, ToolResultCode } from '#src/kernel/agent/tool.ts';
import { AGENT, MODEL, type ScriptedProvider, toolContext } from '#test/agent/support.ts';
import { callerOn } from './caller-support.ts';
import { registryOf } from '#test/support/registry.ts';

export const user = (text: string): ConversationMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
});
export const assistant = (...content: readonly ContentBlock[]): ConversationMessage => ({
  role: 'assistant',
  content,
});
export const results = (...content: readonly ContentBlock[]): ConversationMessage => ({
  role: 'tool',
  content,
});
export const text = (words: string): ContentBlock => ({ type: 'text', text: words });
export const use = (id: string, name: string, input: unknown = {}, malformed?: string): ContentBlock => ({
  type: 'tool_use',
  id,
  name,
  input,
  ...(malformed === undefined ? {} : { malformed }),
});
export const result = (
  toolUseId: string,
  content: string,
  isError = false,
  code?: ToolResultCode,
): ContentBlock => ({
  type: 'tool_result',
  toolUseId,
  content,
  isError,
  ...(code && { code }),
});
/** Words of the program in the place of an answer. */
export const note = (words: string): ConversationMessage => ({ ...assistant(text(words)), isNote: true });
export const notRunResult = (toolUseId: string, why: string): ContentBlock =>
  result(toolUseId, `Not run: ${why}.`, true, 'not-run');
/** Of a call that was under way when its run ended. */
export const interruptedResult = (toolUseId: string): ContentBlock =>
  result(
    toolUseId,
    'The run ended while this was under way. It is not known whether it took effect: do not repeat it unasked, and tell the person to check.',
    true,
    'maybe-done',
  );

/** The same tool, of which a person has to allow every call. */
export const asksFirst = (tool: Tool): Tool => ({
  ...tool,
  definition: { ...tool.definition, requiresApproval: true },
});
/** A person whose word is asked for anew with every call. */
export const deciding = (
  word: () => Exclude<ApprovalDecision['status'], 'refused'>,
): CallExecutionDeps['approvals'] => ({
  requireApproval: async () => ({ status: word() }),
  recallApproval: async () => undefined,
});

interface SetUp extends Pick<Partial<AgentRunParams>, 'append' | 'takeSteering'> {
  readonly provider: ScriptedProvider;
  readonly tools?: readonly Tool[];
  readonly models?: readonly ResolvedModel[];
  readonly maxParallel?: number;
  readonly maxRetriesPerKey?: number;
  readonly approvals?: CallExecutionDeps['approvals'];
}

/** The states that a run went through, in order. */
export const statesOf = (shown: readonly ExecutionEvent[]): readonly StreamState[] =>
  shown.flatMap((event) => (event.type === 'state_change' ? [event.to] : []));

/** A run ends with the change to `done`, once, and nothing comes behind it. */
export const expectOneDone = (shown: readonly ExecutionEvent[]): void => {
  expect(shown.at(-1)).toMatchObject({ type: 'state_change', to: 'done' });
  expect(statesOf(shown).filter((state) => state === 'done')).toHaveLength(1);
};

export const runnerOn = (setUp: SetUp) => {
  const { provider, tools = [], append, maxParallel = 8, maxRetriesPerKey = 0, models = [MODEL] } = setUp;
  const { askModel, clock, events, names, payloads, booked } = callerOn(provider, {
    settings: { maxRetriesPerKey },
  });
  const approvals = setUp.approvals ?? nobodyToAsk;
  const registry = registryOf({ clock, events, approvals }, tools);
  const { monotonicMs } = clock;
  const executor = new ToolExecutor({
    executeTool: registry.execute,
    maxParallel,
    maxResultChars: 10_000,
    monotonicMs,
  });
  const runner = new Runner({ askModel, tools: executor, clock, events });
  const controller = new AbortController();
  const appended: ConversationMessage[] = [];
  const shown: ExecutionEvent[] = [];
  const run = (messages: readonly ConversationMessage[], maxTurns = 8): Promise<RunResult> =>
    runner.execute(
      {
        agentId: AGENT,
        models,
        systemPrompt: 'Be brief.',
        tools: registry.definitions(),
        messages,
        toolContext,
        maxTurns,
        append: async (message) => {
          await append?.(message);
          appended.push(message);
        },
        onEvent: (event) => shown.push(event),
        ...(setUp.takeSteering ? { takeSteering: setUp.takeSteering } : {}),
      },
      controller.signal,
    );
  return { clock, controller, appended, shown, names, payloads, booked, run };
};
