/** `suspended`: waits for an approval. `parked`: the next start goes on with it. */
export type MessageOutcome =
  | 'answered'
  | 'skipped'
  | 'suspended'
  | 'failed'
  | 'stopped'
  | 'superseded'
  | 'parked';

/**
 * Events of the program with their payloads. They are for the log, the metrics and the traces; nothing else may depend on
 * them.
 */
export interface FinClawEventMap {
  // Gateway
  'gate:drop': { gate: string; reason: string; channelId: string };
  'inbox:accept': { inboxId: string; sessionKey: string; channelId: string; chatType: string };
  'inbox:duplicate': { eventId: string; channelId: string };
  'inbox:recover': { count: number };
  'inbox:merge': { inboxId: string; into: string };
  'inbox:supersede': { inboxId: string; by: string };
  'inbox:revise': { inboxId: string; kind: 'edited' | 'deleted' };
  'inbox:dead': { inboxId: string; sessionKey: string; attempts: number; errorId: string };
  /** An event of a platform that could not be read or handled. The next one goes on. */
  'channel:event:error': { channelId: string; event: string; error: unknown };
  /** A platform refused a post, which may have arrived in another form or place. */
  'channel:post:refused': { channelId: string; code: string; errorId: string; error: unknown };
  // Pipeline
  'pipeline:start': {
    sessionKey: string;
    inboxId: string;
    channelId: string;
    chatType: string;
    /** False after a restart or an approval. */
    isFirst: boolean;
  };
  'pipeline:stage': {
    sessionKey: string;
    inboxId: string;
    stage: string;
    action: string;
    durationMs: number;
  };
  /** How a message ended. No word of it, and no name. */
  'pipeline:complete': {
    sessionKey: string;
    inboxId: string;
    channelId: string;
    chatType: string;
    success: boolean;
    outcome: MessageOutcome;
    durationMs: number;
    stages: readonly string[];
    /** The stage that did not end. */
    stage?: string;
    /** The command that answered. */
    command?: string;
    /** Why there was no answer, or no ordinary one. */
    reason?: string;
    errorId?: string;
    /** The model that answered last. */
    model?: string;
    /** How many tools were called. */
    tools: number;
    /** Of all requests to models. Absent if there was none, or the price of one is unknown. */
    costUsd?: number;
  };
  'pipeline:error': {
    sessionKey: string;
    inboxId: string;
    channelId: string;
    chatType: string;
    /** The stage that failed. Absent outside of the stages. */
    stage?: string;
    errorId: string;
    error: unknown;
  };
  /** `inboxId`: the message that it answers. Absent for alerts and briefings. */
  'delivery:sent': {
    deliveryId: string;
    channelId: string;
    attempts: number;
    inboxId?: string;
    durationMs?: number;
  };
  'delivery:retry': { deliveryId: string; channelId: string; attempt: number; error: unknown };
  'delivery:failed': {
    deliveryId: string;
    channelId: string;
    error: unknown;
    inboxId?: string;
    durationMs?: number;
  };
  // Backups
  'backup:made': {
    file: string;
    reason: string;
    bytes: number;
    rows: number;
    tookMs: number;
    encrypted: boolean;
  };
  'backup:failed': { reason: string; error: unknown };
  /** When the newest backup was made: at the start, and after each one. */
  'backup:newest': { madeAtMs: number };
  // Execution
  'execution:start': { agentId: string; sessionKey: string };
  'execution:turn': { agentId: string; sessionKey: string; turn: number };
  'execution:tool_use': { agentId: string; toolName: string; durationMs: number };
  'execution:complete': {
    agentId: string;
    sessionKey: string;
    status: string;
    turns: number;
    durationMs: number;
    inputTokens: number;
    outputTokens: number;
  };
  'execution:context_threshold': { agentId: string; ratio: number; threshold: 0.8 | 0.95 };
  /** What the check of an answer doubts. Never the words themselves. */
  'answer:miss': {
    agentId: string;
    fault: 'unsupported' | 'value' | 'direction' | 'day' | 'stranger' | 'claim';
    /** Of the fact that says otherwise, or `none`. */
    tool: string;
    metric: string;
    /** `mark`: it is marked, or a line below the answer speaks of it. `none`: it goes out as it is. */
    follow: 'repair' | 'mark' | 'none';
  };
  /** The model is asked to look at its answer again. */
  'answer:to-repair': { agentId: string; asked: number };
  /** The numbers of an answer that people got. */
  'answer:check': {
    agentId: string;
    checked: number;
    supported: number;
    quoted: number;
    derived: number;
    repaired: number;
    marked: number;
    exempt: number;
    unchecked: number;
  };
  /** How a request to correct an answer ended. `insisted`: something doubted is left. `failed`: no other answer came. */
  'answer:repair': { agentId: string; outcome: 'corrected' | 'insisted' | 'failed' };
  /** The check of an answer failed; the answer was sent as it was. */
  'answer:unchecked': { agentId: string };
  /** A person's verdict on an answer, or a changed one. */
  'feedback:verdict': { verdict: 'up' | 'down'; provider: string; model: string };
  // Models and keys
  /** One request to a model, however it ended. */
  'model:request': {
    /** The message that the request was made for, if for one. */
    inboxId?: string;
    provider: string;
    model: string;
    outcome: 'ok' | 'failed' | 'aborted';
    durationMs: number;
    inputTokens: number;
    outputTokens: number;
    cacheReadTokens: number;
    cacheWriteTokens: number;
    /** Absent if the price is unknown. */
    costUsd?: number;
    stopReason?: string;
    /** The provider's ids of the request and the response, as far as known. */
    requestId?: string;
    responseId?: string;
  };
  'provider:circuit:change': { provider: string; from: string; to: string };
  'model:resolve': { alias: string; modelId: string };
  'model:fallback': { from: string; to: string; reason: string };
  'model:exhausted': { models: readonly string[]; lastError: string };
  'auth:resolve': { provider: string; source: string };
  'auth:cooldown': { profileId: string; reason: string; durationMs: number };
  'auth:health:change': { profileId: string; from: string; to: string };
  // Tools
  'tool:register': { name: string; group: string; source: string };
  'tool:execute:start': { name: string; sessionKey: string };
  'tool:execute:end': {
    name: string;
    sessionKey: string;
    inboxId: string;
    durationMs: number;
    isError: boolean;
  };
  'tool:execute:error': {
    name: string;
    sessionKey: string;
    inboxId: string;
    durationMs: number;
    error: string;
  };
  'tool:execute:timeout': { name: string; sessionKey: string; timeoutMs: number };
  'tool:policy:verdict': { name: string; verdict: string; stage: string };
  'tool:policy:deny': { name: string; reason: string };
  'tool:circuit:change': { name: string; from: string; to: string };
  /** The result guard masked or cut something. Counts only, never the content. */
  'tool:guard': { name: string; masked: Readonly<Record<string, number>>; cutChars: number };
  'tool:loop': { name: string; sessionKey: string; kind: string };
  'approval:ask': { id: string; toolName: string; sessionKey: string };
  'approval:decide': { id: string; toolName: string; status: string; by: string };
  'plugin:load': { name: string; path: string };
  'plugin:error': { path: string; error: unknown };
  'skill:load': { count: number };
  'skill:error': { path: string; error: unknown };
  // Storage
  'retention:purge': { removed: Readonly<Record<string, number>> };
  // Sessions and context
  'session:repair': { sessionKey: string; corruptions: readonly string[] };
  'context:window:status': { status: string; usageRatio: number };
  'context:compact': { strategy: string; removedCount: number; beforeTokens: number; afterTokens: number };
  'context:compact:fallback': { fromStrategy: string; toStrategy: string };
}

export type EventName = keyof FinClawEventMap;

/** Port: `emit` never throws and never waits. */
export interface Events {
  readonly emit: <Name extends EventName>(name: Name, payload: FinClawEventMap[Name]) => void;
  readonly onAny: (listener: (name: EventName, payload: FinClawEventMap[EventName]) => void) => void;
}
