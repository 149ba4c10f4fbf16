import { FinClawError, RunAbortedError } from '#src/kernel/errors.ts';
import type { Tool, ToolExecutionContext } from '#src/kernel/agent/tool.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import type { Uses } from '#src/platform/services.ts';

/** A person's abort is no failure of the service behind the tool. */
export const isToolFailure = (error: unknown): boolean => !(error instanceof RunAbortedError);

/** Runs part of a tool within its timeout. A tool that ignores its signal is abandoned when the time is up. */
export const withToolTimeout = async <T>(
  { name, timeoutMs }: Pick<Tool['definition'], 'name' | 'timeoutMs'>,
  run: (signal: AbortSignal) => Promise<T>,
  { sessionKey }: Pick<ToolExecutionContext, 'sessionKey'>,
  deps: Uses<'clock' | 'events'>,
  parent: AbortSignal,
): Promise<T> => {
  const { signal, clear } = withDeadline(parent, timeoutMs, deps.clock, () => {
    deps.events.emit('tool:execute:timeout', { name, sessionKey, timeoutMs });
    return new FinClawError(`no result within ${timeoutMs / 1_000} s`, 'TOOL_TIMEOUT');
  });
  try {
    return await raceAbort(run(signal), signal, deps.clock, 0);
  } catch (error) {
    parent.throwIfAborted();
    throw error;
  } finally {
    clear();
  }
};
