import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { EventName, FinClawEventMap } from '#src/kernel/operations/events.ts';
import type { Clock } from '../concurrency/clock.ts';
import { type CollectorSettings, createExporter, type SpanExporter } from './exporter.ts';
import type { Resource, Span } from './otlp.ts';
import type { Uses } from '../services.ts';

const TRACE_ID_CHARS = 32;
const SPAN_ID_CHARS = 16;
/** Far more than can wait and run at once. */
const MAX_MESSAGES = 10_000;
const NS_PER_MS = 1_000_000;

/**
 * The trace of a message and its first span, by the id of the message: a process that goes on with it, after a restart or
 * an approval, finds the same trace.
 */
export const idsOf = (inboxId: string): { readonly traceId: string; readonly spanId: string } => {
  const digest = hash('sha256', `finclaw trace ${inboxId}`);
  return {
    traceId: digest.slice(0, TRACE_ID_CHARS),
    spanId: digest.slice(TRACE_ID_CHARS, TRACE_ID_CHARS + SPAN_ID_CHARS),
  };
};

const ID_TIME_CHARS = 13;

/** When a message was accepted, by its id, which is a UUIDv7: in another process, or before a restart. Its clock may be ahead. */
const acceptedNs = (inboxId: string, nowNs: bigint): bigint => {
  const ms = Number.parseInt(inboxId.slice(0, ID_TIME_CHARS).replace('-', ''), 16);
  const atNs = BigInt(Number.isFinite(ms) ? ms : 0) * BigInt(NS_PER_MS);
  return atNs > 0n && atNs < nowNs ? atNs : nowNs;
};

const newSpanId = (): string => randomBytes(SPAN_ID_CHARS / 2).toString('hex');

const RATIO_CHARS = 12;

/** By the trace id, so that all processes decide alike. */
const isSampled = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-RATIO_CHARS), 16) < ratio * 16 ** RATIO_CHARS;

interface Message {
  readonly traceId: string;
  readonly spanId: string;
  readonly startNs: bigint;
  readonly link?: Span['link'];
  /** Undefined while it waits. */
  running: { stageId: string; stageStartNs: bigint; hasChildren: boolean } | undefined;
}

type Listeners = { readonly [Name in EventName]?: (payload: FinClawEventMap[Name]) => void };

const beforeNs = (endNs: bigint, durationMs: number): bigint =>
  endNs - BigInt(Math.max(0, Math.round(durationMs * NS_PER_MS)));

const newStage = (startNs: bigint) => ({ stageId: newSpanId(), stageStartNs: startNs, hasChildren: false });

/** Makes the spans of each message from the events about it. They hold no text of people, no arguments and no ids of persons. */
const createListeners = (exporter: Pick<SpanExporter, 'add'>, ratio: number, clock: Clock): Listeners => {
  const { messages, nowNs, addPart, addStage, addRoot, endWaiting } = createSpans(exporter, ratio, clock);

  return {
    'inbox:accept': ({ inboxId }) => {
      const ids = idsOf(inboxId);
      if (isSampled(ids.traceId, ratio))
        messages.set(inboxId, { ...ids, startNs: nowNs(), running: undefined });
    },
    'inbox:merge': ({ inboxId, into }) => endWaiting(inboxId, 'merged', into),
    'inbox:supersede': ({ inboxId, by }) => endWaiting(inboxId, 'superseded', by),

    'pipeline:start': ({ inboxId, isFirst }) => {
      const ids = idsOf(inboxId);
      if (!isSampled(ids.traceId, ratio)) return;
      const startNs = nowNs();
      const known = messages.get(inboxId);
      const waited = known?.running ? undefined : known;
      // A second run of a message is a span of its own, linked with the first one.
      const begun = isFirst
        ? (waited ?? { ...ids, startNs: acceptedNs(inboxId, startNs) })
        : { traceId: ids.traceId, spanId: newSpanId(), startNs, link: ids };
      messages.set(inboxId, { ...begun, running: newStage(startNs) });
      if (isFirst)
        exporter.add({
          traceId: begun.traceId,
          spanId: newSpanId(),
          parentSpanId: begun.spanId,
          name: 'queue wait',
          kind: 'internal',
          startNs: begun.startNs,
          endNs: startNs,
          attributes: {},
        });
    },
    'pipeline:stage': ({ inboxId, stage, action, durationMs }) => {
      const message = messages.get(inboxId);
      if (!message?.running) return;
      const endNs = nowNs();
      addStage(message, stage, beforeNs(endNs, durationMs), { action, isError: action === 'abort' });
      message.running = newStage(endNs);
    },
    'pipeline:complete': ({
      inboxId,
      channelId,
      chatType,
      outcome,
      reason,
      command,
      errorId,
      tools,
      costUsd,
      stage,
    }) => {
      const message = messages.get(inboxId);
      if (!message?.running) return;
      messages.delete(inboxId);
      const isError = outcome === 'failed';
      // Spans of a stage that did not come to its end, or outside of a stage.
      if (message.running.hasChildren)
        addStage(message, stage, message.running.stageStartNs, { action: outcome, isError });
      addRoot(
        message,
        {
          'messaging.system': channelId,
          'finclaw.chat_type': chatType,
          'finclaw.outcome': outcome,
          'finclaw.reason': reason,
          'finclaw.command': command,
          'finclaw.error_id': errorId,
          'finclaw.tools': tools,
          'finclaw.cost_usd': costUsd,
        },
        isError,
      );
    },

    'model:request': (request) =>
      addPart(request.inboxId, request.durationMs, {
        name: 'model call',
        kind: 'client',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': request.provider,
          'gen_ai.request.model': request.model,
          'gen_ai.response.id': request.responseId,
          'gen_ai.response.finish_reasons':
            request.stopReason === undefined ? undefined : [request.stopReason],
          'gen_ai.usage.input_tokens':
            request.inputTokens + request.cacheReadTokens + request.cacheWriteTokens,
          'gen_ai.usage.output_tokens': request.outputTokens,
          'gen_ai.usage.cache_read.input_tokens': request.cacheReadTokens,
          'gen_ai.usage.cache_creation.input_tokens': request.cacheWriteTokens,
          'finclaw.outcome': request.outcome,
          'finclaw.cost_usd': request.costUsd,
          'finclaw.request_id': request.requestId,
        },
        isError: request.outcome === 'failed',
      }),
    'tool:execute:end': (end) => addTool(addPart, end, end.isError ? 'refused' : 'ok'),
    'tool:execute:error': (end) => addTool(addPart, end, 'failed'),
    'delivery:sent': (sent) => addDelivery(addPart, sent, 'sent', sent.attempts),
    'delivery:failed': (failed) => addDelivery(addPart, failed, 'failed'),
  };
};

/** The messages that are traced, and their spans. */
const createSpans = (exporter: Pick<SpanExporter, 'add'>, ratio: number, clock: Clock) => {
  const messages = new LRUCache<string, Message>({ max: MAX_MESSAGES });
  const nowNs = (): bigint => clock.now().epochNanoseconds;

  /** A span of the stage that runs. Nothing if the message is not traced, or has ended. */
  const addPart = (
    inboxId: string | undefined,
    durationMs: number,
    span: Pick<Span, 'name' | 'kind' | 'attributes' | 'isError'>,
  ): void => {
    const message = inboxId === undefined ? undefined : messages.get(inboxId);
    if (!message?.running) return;
    message.running.hasChildren = true;
    const endNs = nowNs();
    exporter.add({
      ...span,
      traceId: message.traceId,
      spanId: newSpanId(),
      parentSpanId: message.running.stageId,
      startNs: beforeNs(endNs, durationMs),
      endNs,
    });
  };

  const addStage = (
    { traceId, spanId, running }: Message,
    /** Undefined for what was done outside of the stages. */
    stage: string | undefined,
    startNs: bigint,
    result: { readonly action: string; readonly isError: boolean },
  ): void => {
    if (!running) return;
    exporter.add({
      traceId,
      spanId: running.stageId,
      parentSpanId: spanId,
      name: stage === undefined ? 'outside of stages' : `stage ${stage}`,
      kind: 'internal',
      startNs,
      endNs: nowNs(),
      attributes: { 'finclaw.stage': stage, 'finclaw.action': result.action },
      isError: result.isError,
    });
  };

  const addRoot = (message: Message, attributes: Span['attributes'], isError = false): void => {
    const { traceId, spanId, startNs, link } = message;
    exporter.add({
      traceId,
      spanId,
      name: 'message',
      kind: 'consumer',
      startNs,
      endNs: nowNs(),
      attributes,
      isError,
      ...(link && { link }),
    });
  };

  /** The message may have been reported before a restart, so its span gets an id of its own. */
  const acceptedElsewhere = (inboxId: string): Message | undefined => {
    const { traceId } = idsOf(inboxId);
    if (!isSampled(traceId, ratio)) return undefined;
    return { traceId, spanId: newSpanId(), startNs: acceptedNs(inboxId, nowNs()), running: undefined };
  };

  /** A message that another one takes along, or that a newer one replaces before it began. */
  const endWaiting = (inboxId: string, outcome: string, into: string): void => {
    const message = messages.get(inboxId) ?? acceptedElsewhere(inboxId);
    if (!message || message.running) return;
    messages.delete(inboxId);
    addRoot({ ...message, link: idsOf(into) }, { 'finclaw.outcome': outcome });
  };

  return { messages, nowNs, addPart, addStage, addRoot, endWaiting };
};

type AddPart = ReturnType<typeof createSpans>['addPart'];

const addTool = (
  addPart: AddPart,
  {
    name,
    inboxId,
    durationMs,
  }: { readonly name: string; readonly inboxId: string; readonly durationMs: number },
  outcome: 'ok' | 'refused' | 'failed',
): void =>
  addPart(inboxId, durationMs, {
    name: `tool ${name}`,
    kind: 'internal',
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.type': 'function',
      'finclaw.outcome': outcome,
    },
    isError: outcome === 'failed',
  });

const addDelivery = (
  addPart: AddPart,
  { inboxId, channelId, durationMs = 0 }: FinClawEventMap['delivery:failed' | 'delivery:sent'],
  outcome: 'sent' | 'failed',
  attempts?: number,
): void =>
  addPart(inboxId, durationMs, {
    name: 'delivery',
    kind: 'producer',
    attributes: {
      'messaging.system': channelId,
      'messaging.operation.name': 'send',
      'finclaw.outcome': outcome,
      'finclaw.attempts': attempts,
    },
    isError: outcome === 'failed',
  });

export interface TracingSettings extends CollectorSettings {
  readonly serviceName: string;
  /** The share of the messages that are traced. */
  readonly ratio: number;
  /** Of the program: `deployment.environment.name` and the like. */
  readonly resource: Resource['attributes'];
}

interface TracingDeps extends Uses<'clock' | 'events.onAny' | 'logger.warn'> {
  readonly config: TracingSettings;
  readonly resource: Pick<Resource, 'version' | 'instanceId'>;
}

/** Sends a trace of each message to a collector, from its acceptance to its delivery. */
export const openTracing = (deps: TracingDeps): Pick<SpanExporter, 'close'> => {
  const { config, resource, events, clock, logger } = deps;
  const { serviceName, ratio, resource: attributes } = config;
  const exporter = createExporter({
    config,
    resource: { ...resource, serviceName, attributes },
    clock,
    logger,
  });
  const listeners = createListeners(exporter, ratio, clock);
  events.onAny((name, payload) => {
    const listener = listeners[name] as ((payload: FinClawEventMap[EventName]) => void) | undefined;
    listener?.(payload);
  });
  return { close: exporter.close };
};
