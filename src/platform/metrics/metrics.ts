import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInstruments, type Instruments } from './instruments.ts';
import { Registry } from 'prom-client';
import type { Events } from '#src/kernel/events.ts';
import type { SystemStatus } from '#src/kernel/operations.ts';
import type { QueueLoad } from '#src/kernel/ports.ts';
import { raceAbort, withDeadline } from '../abort.ts';
import type { Clock } from '../clock.ts';
import type { LaneStatus } from '../concurrency-lane.ts';
import type { FinClawLogger } from '../logger.ts';
import { countEvents } from './count-events.ts';

export interface ProcessWatch {
  /** Sets the gauges to what is true now. */
  readonly read: () => void;
  readonly stop: () => void;
}

const RESOLUTION_MS = 10;
const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

/** What is measured is the time between two ticks, of which the resolution itself is no delay. Nothing yet is 0. */
const delaySeconds = (betweenTicksNs: number): number =>
  Math.max(0, betweenTicksNs / NANOSECONDS - RESOLUTION_MS / 1_000);

/** Memory, processor time, and how long the event loop kept others waiting since the last reading. */
const watchProcess = (instruments: Instruments): ProcessWatch => {
  const { eventLoopDelay, residentMemory, heapUsed, cpuSeconds, startTime } = instruments;
  const ticks = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  ticks.enable();
  startTime.set(performance.timeOrigin / 1_000);
  return {
    read: () => {
      eventLoopDelay.set({ stat: 'p50' }, delaySeconds(ticks.percentile(50)));
      eventLoopDelay.set({ stat: 'p99' }, delaySeconds(ticks.percentile(99)));
      eventLoopDelay.set({ stat: 'max' }, delaySeconds(ticks.max));
      ticks.reset();
      const memory = process.memoryUsage();
      residentMemory.set(memory.rss);
      heapUsed.set(memory.heapUsed);
      const { user, system } = process.cpuUsage();
      cpuSeconds.reset();
      cpuSeconds.inc((user + system) / MICROSECONDS);
    },
    stop: () => void ticks.disable(),
  };
};

export interface MetricsDeps {
  readonly events: Events;
  readonly queue: () => QueueLoad;
  readonly lanes: () => readonly LaneStatus[];
  /** Asks the database. Where it fails or takes too long, these numbers are missing and the others are not. */
  readonly inbox?: () => Promise<SystemStatus['inbox']>;
  readonly breakers?: () => SystemStatus['breakers'];
  readonly clock: Clock;
  readonly logger: Pick<FinClawLogger, 'warn'>;
}

export interface Metrics {
  readonly contentType: string;
  /** The numbers of now, as Prometheus reads them. */
  readonly render: () => Promise<string>;
  readonly stop: () => void;
}

const INBOX_COUNT_MS = 2_000;

/** Counts the program's own events in a registry of its own. Nobody is named: no person, no conversation. */
export const createMetrics = (deps: MetricsDeps): Metrics => {
  const { clock } = deps;
  const registry = new Registry();
  const instruments = createInstruments(registry);
  const processWatch = watchProcess(instruments);
  let isOn = true;
  countEvents(deps.events, instruments, () => isOn);

  const readLoad = (): void => {
    const { sessions, running, waiting } = deps.queue();
    instruments.queueSessions.set(sessions);
    instruments.queueRunning.set(running);
    instruments.queueWaiting.set(waiting);
    for (const { laneId: lane, active, queued } of deps.lanes()) {
      instruments.laneActive.set({ lane }, active);
      instruments.laneWaiting.set({ lane }, queued);
    }
    // Those that are well again are no longer in the list.
    instruments.circuitOpen.reset();
    for (const { name, state } of deps.breakers?.() ?? [])
      instruments.circuitOpen.set({ name }, state === 'open' ? 1 : 0);
  };

  let counting: Promise<SystemStatus['inbox']> | undefined;
  const countInbox = async (inbox: NonNullable<MetricsDeps['inbox']>): Promise<void> => {
    const late = (): Error => new Error(`no answer within ${INBOX_COUNT_MS} ms`);
    const { signal, clear } = withDeadline(new AbortController().signal, INBOX_COUNT_MS, clock, late);
    try {
      // A database that does not answer is not asked once more by every scrape.
      counting ??= inbox().finally(() => (counting = undefined));
      const { pending, suspended } = await raceAbort(counting, signal, clock, 0);
      instruments.inbox.set({ status: 'pending' }, pending);
      instruments.inbox.set({ status: 'suspended' }, suspended);
    } catch (error) {
      instruments.inbox.reset();
      deps.logger.warn('The inbox could not be counted for the metrics', { error });
    } finally {
      clear();
    }
  };

  return {
    contentType: registry.contentType,
    render: async () => {
      if (deps.inbox) await countInbox(deps.inbox);
      readLoad();
      processWatch.read();
      return registry.metrics();
    },
    stop: () => {
      isOn = false;
      processWatch.stop();
    },
  };
};
