import type { Locale } from '#src/kernel/locale.ts';
import { liveTexts } from '#src/kernel/chat/texts/live.ts';
import type { ToolCall } from '#src/kernel/agent/model.ts';
import { unwrapCall } from './on-demand-tools.ts';
import type { ToolRegistry } from './tool-registry.ts';

/** A short description of a running call, also for wrapped calls. Never throws. */
export const callProgress =
  (registry: Pick<ToolRegistry, 'get'>) =>
  (asked: ToolCall, locale: Locale): string => {
    const t = liveTexts(locale);
    const unwrapped = unwrapCall(asked);
    if (unwrapped.status === 'find') return t.findingTools();
    const { name, input } = unwrapped.status === 'call' ? unwrapped.call : asked;
    try {
      // A plugin's tool may lack this function.
      const progress = registry.get(name)?.tool.progress as unknown;
      const status = typeof progress === 'function' ? (progress(input, locale) as unknown) : undefined;
      if (typeof status === 'string' && status.trim() !== '') return status;
    } catch {
      // Fall back to the tool's name.
    }
    return t.usingTool({ name });
  };
