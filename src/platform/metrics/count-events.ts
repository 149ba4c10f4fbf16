import type { EventName, Events, FinClawEventMap } from '#src/kernel/operations/events.ts';
import type { Instruments } from './instruments.ts';

const MAX_VALUES = 100;
const MAX_CHARS = 100;
const OTHER = 'other';

/**
 * Limits the values of a label, because each value is a time series that is kept for good. Codes and names are few; if one
 * of them ever is not, further values are counted as `other`.
 */
const createLabelValues = (): ((label: string, value: string) => string) => {
  const known = new Map<string, Set<string>>();
  return (label, value) => {
    const values = known.getOrInsertComputed(label, () => new Set());
    if (values.has(value)) return value;
    if (values.size >= MAX_VALUES || value.length > MAX_CHARS) return OTHER;
    values.add(value);
    return value;
  };
};

type Listeners = { readonly [Name in EventName]?: (payload: FinClawEventMap[Name]) => void };

const seconds = (ms: number): number => ms / 1_000;

/** An impossible count would make the counter throw, or go down. */
const believable = (count: number): number => (Number.isFinite(count) && count > 0 ? count : 0);

/**
 * A call that timed out is reported twice: as a timeout, then as the error it ended in. The next error of the same tool is
 * therefore not counted. It may belong to another call, but the sums are the same.
 */
const createTimeouts = () => {
  const open = new Map<string, number>();
  return {
    add: (tool: string): void => void open.set(tool, (open.get(tool) ?? 0) + 1),
    take: (tool: string): boolean => {
      const count = open.get(tool) ?? 0;
      if (count > 0) open.set(tool, count - 1);
      return count > 0;
    },
  };
};

const createListeners = (instruments: Instruments): Listeners => {
  const label = createLabelValues();
  const timeouts = createTimeouts();
  const channel = (channelId: string) => ({ channel: label('channel', channelId) });
  const tool = (name: string) => ({ tool: label('tool', name) });

  return {
    'inbox:accept': ({ channelId }) => instruments.accepted.inc(channel(channelId)),
    'inbox:duplicate': ({ channelId }) => instruments.duplicate.inc(channel(channelId)),
    'gate:drop': ({ gate, reason }) =>
      instruments.dropped.inc({ gate: label('gate', gate), reason: label('reason', reason) }),
    'inbox:merge': () => instruments.merged.inc(),
    'inbox:supersede': () => instruments.superseded.inc(),
    'inbox:revise': ({ kind }) => instruments.revised.inc({ kind }),
    'inbox:dead': () => instruments.dead.inc(),
    'channel:event:error': ({ channelId, event }) =>
      instruments.channelEventErrors.inc({ ...channel(channelId), event: label('event', event) }),

    'pipeline:stage': ({ stage, action, durationMs }) =>
      instruments.stageSeconds.observe(
        { stage: label('stage', stage), action: label('action', action) },
        seconds(durationMs),
      ),
    'pipeline:complete': ({ success, durationMs }) =>
      instruments.pipelineSeconds.observe({ success: String(success) }, seconds(durationMs)),
    'pipeline:error': () => instruments.pipelineErrors.inc(),

    'model:request': (request) => {
      const asked = {
        provider: label('provider', request.provider),
        model: label('model', request.model),
      };
      instruments.modelSeconds.observe({ ...asked, outcome: request.outcome }, seconds(request.durationMs));
      const tokens = {
        input: request.inputTokens,
        output: request.outputTokens,
        cache_read: request.cacheReadTokens,
        cache_write: request.cacheWriteTokens,
      };
      for (const [kind, count] of Object.entries(tokens))
        instruments.modelTokens.inc({ ...asked, kind }, believable(count));
      // The cost of a model without a known price is unknown, not zero.
      if (request.costUsd !== undefined) instruments.modelCost.inc(asked, believable(request.costUsd));
    },

    'execution:context_threshold': ({ threshold }) =>
      instruments.contextThresholds.inc({ threshold: String(threshold) }),
    'context:compact': ({ strategy }) =>
      instruments.compactions.inc({ strategy: label('strategy', strategy) }),

    'tool:execute:end': ({ name, durationMs, isError }) => {
      instruments.toolCalls.inc({ ...tool(name), outcome: isError ? 'error' : 'ok' });
      instruments.toolSeconds.observe(tool(name), seconds(durationMs));
    },
    'tool:execute:timeout': ({ name, timeoutMs }) => {
      timeouts.add(tool(name).tool);
      instruments.toolCalls.inc({ ...tool(name), outcome: 'timeout' });
      instruments.toolSeconds.observe(tool(name), seconds(timeoutMs));
    },
    'tool:execute:error': ({ name, durationMs }) => {
      if (timeouts.take(tool(name).tool)) return;
      instruments.toolCalls.inc({ ...tool(name), outcome: 'error' });
      instruments.toolSeconds.observe(tool(name), seconds(durationMs));
    },
    'tool:policy:deny': ({ name }) => instruments.toolCalls.inc({ ...tool(name), outcome: 'denied' }),

    'tool:guard': ({ name, masked, cutChars }) => {
      for (const [kind, count] of Object.entries(masked))
        instruments.toolMasked.inc({ ...tool(name), kind: label('kind', kind) }, believable(count));
      if (cutChars > 0) instruments.toolCut.inc(tool(name));
    },

    'answer:to-repair': ({ asked }) => {
      instruments.answersToRepair.inc();
      instruments.numbersMissed.inc({ outcome: 'asked' }, believable(asked));
    },
    'answer:check': ({ supported, quoted, derived, exempt, repaired, marked }) => {
      instruments.answersChecked.inc();
      const verdicts = { supported, quoted, derived, exempt, unsupported: marked };
      for (const [verdict, count] of Object.entries(verdicts))
        instruments.numbersChecked.inc({ verdict }, believable(count));
      for (const [outcome, count] of Object.entries({ repaired, marked }))
        instruments.numbersMissed.inc({ outcome }, believable(count));
    },
    'answer:repair': ({ outcome }) => instruments.answerRepairs.inc({ outcome }),
    'answer:unchecked': () => instruments.answersUnchecked.inc(),

    'feedback:verdict': ({ verdict, model }) =>
      instruments.feedback.inc({ verdict, model: label('model', model) }),

    'delivery:sent': ({ channelId }) =>
      instruments.deliveries.inc({ ...channel(channelId), outcome: 'sent' }),
    'delivery:failed': ({ channelId }) =>
      instruments.deliveries.inc({ ...channel(channelId), outcome: 'failed' }),
    'delivery:retry': ({ channelId }) => instruments.deliveryRetries.inc(channel(channelId)),
    'approval:ask': () => instruments.approvals.inc({ status: 'asked' }),
    'approval:decide': ({ status }) => instruments.approvals.inc({ status: label('status', status) }),
    'backup:made': ({ reason }) => instruments.backups.inc({ reason, outcome: 'made' }),
    'backup:failed': ({ reason }) => instruments.backups.inc({ reason, outcome: 'failed' }),
    'backup:newest': ({ madeAtMs }) => instruments.backupTime.set(madeAtMs / 1_000),
    'retention:purge': ({ removed }) => {
      for (const [kind, count] of Object.entries(removed))
        instruments.retentionRemoved.inc({ kind: label('kind', kind) }, believable(count));
    },
  };
};

/** Counts events while `isOn`, because a listener cannot be removed. */
export const countEvents = (events: Events, instruments: Instruments, isOn: () => boolean): void => {
  const listeners = createListeners(instruments);
  events.onAny((name, payload) => {
    if (!isOn()) return;
    const listener = listeners[name] as ((payload: FinClawEventMap[EventName]) => void) | undefined;
    listener?.(payload);
  });
};
