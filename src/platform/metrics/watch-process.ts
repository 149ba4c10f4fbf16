import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Instruments } from './instruments.ts';

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
export const watchProcess = (instruments: Instruments): ProcessWatch => {
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
