import { nobodyToAsk } from '#src/agent/tools/approvals.ts';
import { BUILT_IN_GROUPS } from '#src/agent/tools/tool-groups.ts';
import { LoopDetector } from '#src/agent/tools/loop-detector.ts';
import {
  type CallExecutionDeps,
  createCallExecution,
  type ExecuteTool,
} from '#src/agent/tools/call-execution.ts';
import { InMemoryToolRegistry } from '#src/agent/tools/tool-registry.ts';
import type { Tool } from '#src/kernel/agent/tool.ts';
import { createHooks } from '#src/platform/plugins/hook-runner.ts';
import { recordingLogger } from './context.ts';

/** A registry without rules of an operator, without plugins, and with nobody who could be asked. */
export const registryOf = (
  deps: Pick<CallExecutionDeps, 'clock' | 'events'> & Partial<CallExecutionDeps>,
  tools: readonly Tool[] = [],
): InMemoryToolRegistry & { readonly execute: ExecuteTool } => {
  const all: CallExecutionDeps = {
    rules: [],
    groups: BUILT_IN_GROUPS,
    loops: new LoopDetector(deps.clock),
    approvals: nobodyToAsk,
    hooks: createHooks(recordingLogger().logger, deps.clock),
    ...deps,
  };
  const registry = new InMemoryToolRegistry(all);
  for (const tool of tools) registry.register(tool, 'built-in');
  return Object.assign(registry, { execute: createCallExecution(registry, all) });
};
