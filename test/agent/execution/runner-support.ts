import { type AgentRunParams, Runner, type RunResult } from '#src/agent/execution/runner.ts';
import { InMemoryToolRegistry } from '#src/agent/tools/registry.ts';
import type { ExecutionEvent } from '#src/core/execution.ts';
import type { ContentBlock, ConversationMessage } from '#src/core/model.ts';
import type { Tool } from '#src/core/tool.ts';
import { AGENT, MODEL, type ScriptedProvider, toolContext } from '#test/agent/support.ts';
import { recordingEvents } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

export const user = (text: string): ConversationMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
});
export const assistant = (...content: readonly ContentBlock[]): ConversationMessage => ({
  role: 'assistant',
  content,
});
export const text = (words: string): ContentBlock => ({ type: 'text', text: words });
export const use = (id: string, name: string, input: unknown = {}): ContentBlock => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const result = (toolUseId: string, content: string, isError = false): ContentBlock => ({
  type: 'tool_result',
  toolUseId,
  content,
  isError,
});

interface SetUp {
  readonly provider: ScriptedProvider;
  readonly tools?: readonly Tool[];
  readonly append?: AgentRunParams['append'];
}

export const runnerOn = ({ provider, tools = [], append }: SetUp) => {
  const clock = new ManualClock();
  const { events, names, payloads } = recordingEvents();
  const registry = new InMemoryToolRegistry(clock, events);
  for (const tool of tools) registry.register(tool, 'built-in');
  const runner = new Runner({ provider, tools: registry, clock, events });
  const controller = new AbortController();
  const appended: ConversationMessage[] = [];
  const shown: ExecutionEvent[] = [];
  const run = (messages: readonly ConversationMessage[], maxTurns = 8): Promise<RunResult> =>
    runner.execute(
      {
        agentId: AGENT,
        model: MODEL,
        systemPrompt: 'Be brief.',
        messages,
        toolContext,
        maxTurns,
        append: async (message) => {
          await append?.(message);
          appended.push(message);
        },
        onEvent: (event) => shown.push(event),
      },
      controller.signal,
    );
  return { clock, controller, appended, shown, names, payloads, run };
};
