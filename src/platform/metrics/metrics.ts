import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInstruments, type Instruments } from './instruments.ts';
import { Registry } from 'prom-client';
import type { SystemStatus } from '#src/kernel/operations/status.ts';
import type { QueueLoad } from '#src/kernel/chat/queue.ts';
import { withTimeLimit } from '../concurrency/abort.ts';
import { type Build, buildFields } from '../build.ts';
import type { LaneStatus } from '../concurrency/concurrency-lane.ts';
import { countEvents } from './count-events.ts';
import type { Uses } from '../services.ts';

const RESOLUTION_MS = 10;
const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

/** The delay of a tick: the time between two ticks without the resolution itself; 0 before the first tick. */
const delaySeconds = (betweenTicksNs: number): number =>
  Math.max(0, betweenTicksNs / NANOSECONDS - RESOLUTION_MS / 1_000);

/** Memory, processor time, and the delay of the event loop since the last reading. */
const watchProcess = (instruments: Instruments) => {
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

export interface MetricsDeps extends Uses<'clock' | 'events' | 'logger.warn'> {
  readonly build: Build;
  readonly channels: () => SystemStatus['channels'];
  readonly queue: () => QueueLoad;
  readonly lanes: () => readonly LaneStatus[];
  /** Queries the database. If it fails or takes too long, only these numbers are missing. */
  readonly inbox: () => Promise<SystemStatus['inbox']>;
  readonly breakers: () => SystemStatus['breakers'];
}

const INBOX_COUNT_MS = 2_000;

/** Counts the program's events in its own registry. No metric names a person or a conversation. */
export const createMetrics = (deps: MetricsDeps) => {
  const registry = new Registry();
  const instruments = createInstruments(registry);
  const processWatch = watchProcess(instruments);
  instruments.build.set(buildFields(deps.build), 1);
  let isOn = true;
  countEvents(deps.events, instruments, () => isOn);

  const readLoad = (): void => {
    for (const { id, isConnected } of deps.channels())
      instruments.channelConnected.set({ channel: id }, isConnected ? 1 : 0);
    const { sessions, running, waiting } = deps.queue();
    instruments.queueSessions.set(sessions);
    instruments.queueRunning.set(running);
    instruments.queueWaiting.set(waiting);
    for (const { laneId: lane, active, queued } of deps.lanes()) {
      instruments.laneActive.set({ lane }, active);
      instruments.laneWaiting.set({ lane }, queued);
    }
    // Breakers that have recovered are no longer in the list.
    instruments.circuitOpen.reset();
    for (const { name, state } of deps.breakers())
      instruments.circuitOpen.set({ name }, state === 'open' ? 1 : 0);
  };

  let counting: Promise<SystemStatus['inbox']> | undefined;
  const countInbox = async (): Promise<void> => {
    try {
      // While the database does not answer, further scrapes wait for the same query.
      counting ??= deps.inbox().finally(() => (counting = undefined));
      const { pending, suspended } = await withTimeLimit(counting, INBOX_COUNT_MS, deps.clock);
      instruments.inbox.set({ status: 'pending' }, pending);
      instruments.inbox.set({ status: 'suspended' }, suspended);
    } catch (error) {
      instruments.inbox.reset();
      deps.logger.warn('The inbox could not be counted for the metrics', { error });
    }
  };

  return {
    contentType: registry.contentType,
    /** The current metrics in the format of Prometheus. */
    render: async (): Promise<string> => {
      await countInbox();
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
