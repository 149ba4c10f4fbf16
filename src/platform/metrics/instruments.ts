import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** A stage may take a millisecond, a whole message minutes. */
const MESSAGE_SECONDS = [0.005, 0.02, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300];
const MODEL_SECONDS = [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300];
const TOOL_SECONDS = [0.005, 0.02, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60];

const named = (name: string): string => `finclaw_${name}`;

/** All metrics. Names end in their unit; every label has few values. */
export const createInstruments = (registry: Registry) => {
  const registers = [registry];
  const counter = <Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ) => new Counter({ name: named(name), help, labelNames, registers });
  const gauge = <Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ) => new Gauge({ name: named(name), help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: readonly Label[],
  ) => new Histogram({ name: named(name), help, buckets, labelNames, registers });

  return {
    accepted: counter('messages_accepted_total', 'Messages taken into the inbox', ['channel']),
    duplicate: counter('messages_duplicate_total', 'Events that a platform delivered again', ['channel']),
    dropped: counter('messages_dropped_total', 'Messages that a gate turned away', ['gate', 'reason']),
    merged: counter('messages_merged_total', 'Messages that became part of the turn of another one'),
    superseded: counter('messages_superseded_total', 'Messages given up for a newer one of their sender'),
    revised: counter('messages_revised_total', 'Messages edited or deleted by their sender', ['kind']),
    dead: counter('messages_dead_total', 'Messages given up after failing again and again'),

    build: gauge('build_info', 'Always 1: its labels say which version runs', ['version', 'commit', 'date']),
    channelConnected: gauge('channel_connected', '1 while this process is connected to the platform', [
      'channel',
    ]),
    channelEventErrors: counter(
      'channel_event_errors_total',
      'Events of a platform that could not be read or handled',
      ['channel', 'event'],
    ),
    queueSessions: gauge('queue_sessions', 'Conversations with work'),
    queueRunning: gauge('queue_running', 'Messages being answered'),
    queueWaiting: gauge('queue_waiting', 'Messages waiting for their turn'),
    laneActive: gauge('lane_active', 'Runs in a lane', ['lane']),
    laneWaiting: gauge('lane_waiting', 'Runs waiting for a slot in a lane', ['lane']),
    inbox: gauge('inbox_messages', 'Messages in the inbox that are not done', ['status']),
    circuitOpen: gauge('circuit_open', '1 while a failing provider or tool is not called', ['name']),

    stageSeconds: histogram('stage_duration_seconds', 'Time in one stage', MESSAGE_SECONDS, [
      'stage',
      'action',
    ]),
    pipelineSeconds: histogram('pipeline_duration_seconds', 'Time of a whole message', MESSAGE_SECONDS, [
      'success',
    ]),
    pipelineErrors: counter('pipeline_errors_total', 'Messages that ended in an error'),

    modelSeconds: histogram('model_request_duration_seconds', 'Time of a request to a model', MODEL_SECONDS, [
      'provider',
      'model',
      'outcome',
    ]),
    modelTokens: counter('model_tokens_total', 'Tokens of requests to models', ['provider', 'model', 'kind']),
    modelCost: counter('model_cost_usd_total', 'US dollars, as far as prices are known', [
      'provider',
      'model',
    ]),

    contextThresholds: counter(
      'context_thresholds_total',
      'Conversations that filled their window up to a threshold',
      ['threshold'],
    ),
    compactions: counter('context_compactions_total', 'Conversations whose older parts were replaced', [
      'strategy',
    ]),
    toolCalls: counter('tool_calls_total', 'Tool calls by how they ended', ['tool', 'outcome']),
    toolMasked: counter('tool_results_masked_total', 'Values that were masked in tool results', [
      'tool',
      'kind',
    ]),
    toolCut: counter('tool_results_cut_total', 'Tool results that were too long and cut', ['tool']),
    toolSeconds: histogram('tool_duration_seconds', 'Time of a tool call', TOOL_SECONDS, ['tool']),

    answersChecked: counter('answers_checked_total', 'Answers of which the numbers and claims were checked'),
    answersToRepair: counter(
      'answers_to_repair_total',
      'Answers that the model was asked to look at again: a rise is a fault',
    ),
    numbersChecked: counter('answer_numbers_total', 'Numbers of answers by what the check says of them', [
      'verdict',
    ]),
    numbersMissed: counter(
      'answer_numbers_missed_total',
      'Numbers of answers that the check doubts, by what became of them',
      ['outcome'],
    ),
    answerRepairs: counter('answer_repairs_total', 'Answers that the model was asked to correct', [
      'outcome',
    ]),
    answersUnchecked: counter(
      'answer_checks_failed_total',
      'Answers sent unchecked because the check failed',
    ),

    feedback: counter('feedback_total', 'Verdicts of people on answers, new and changed ones', [
      'verdict',
      'model',
    ]),

    deliveries: counter('deliveries_total', 'Messages sent to a platform', ['channel', 'outcome']),
    deliveryRetries: counter('delivery_retries_total', 'Sends that failed and are tried again', ['channel']),
    approvals: counter('approvals_total', 'Questions to a person, asked and decided', ['status']),
    backups: counter('backups_total', 'Backups that were made, or failed', ['reason', 'outcome']),
    backupTime: gauge('backup_timestamp_seconds', 'When the newest backup was made, in seconds since 1970'),
    retentionRemoved: counter('retention_removed_total', 'Rows removed because of their age', ['kind']),

    eventLoopDelay: gauge('event_loop_delay_seconds', 'Since the last scrape: how late timers ran', ['stat']),
    residentMemory: gauge('process_resident_memory_bytes', 'Memory of the process'),
    heapUsed: gauge('process_heap_used_bytes', 'Memory of JavaScript objects'),
    cpuSeconds: counter('process_cpu_seconds_total', 'Processor time, user and system'),
    startTime: gauge('process_start_time_seconds', 'When the process began, as Unix time'),
  };
};

export type Instruments = ReturnType<typeof createInstruments>;
