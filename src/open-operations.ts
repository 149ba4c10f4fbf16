import { basename } from 'node:path';
import type { ChannelPlugin } from './kernel/channel.ts';
import { errorMessage } from './kernel/errors.ts';
import type { Events } from './kernel/events.ts';
import type { StatusReports } from './kernel/operations.ts';
import type { Clock } from './platform/clock.ts';
import type { ConcurrencyLaneManager } from './platform/concurrency-lane.ts';
import { type HealthServer, startHealthServer } from './platform/health-server.ts';
import type { FinClawLogger } from './platform/logger.ts';
import type { LoadedPlugins } from './platform/plugins/plugin-loader.ts';
import type { Storage } from './platform/storage/database.ts';
import type { Turns } from './chat/turns/turns.ts';

export interface OperationsDeps {
  readonly version: string;
  /** Undefined where no health server is wanted. */
  readonly httpPort: number | undefined;
  readonly channels: readonly ChannelPlugin[];
  readonly storage: Storage;
  readonly lanes: ConcurrencyLaneManager;
  readonly breakers: () => Awaited<ReturnType<StatusReports['current']>>['breakers'];
  readonly turns: Pick<Turns, 'queue' | 'inbox' | 'deadLetters'>;
  readonly plugins: LoadedPlugins;
  /** Runs when the program ends. */
  readonly defer: (close: () => Promise<void>) => void;
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: FinClawLogger;
}

export interface Operations {
  readonly status: StatusReports;
  readonly startHealth: () => Promise<HealthServer | undefined>;
}

/** What operators see of the running program: `/status`, and the health server with its metrics. */
export const openOperations = ({
  version,
  httpPort,
  channels,
  storage,
  lanes,
  breakers,
  turns: { queue, inbox, deadLetters },
  plugins,
  defer,
  clock,
  events,
  logger,
}: OperationsDeps): Operations => ({
  status: {
    current: async () => ({
      version,
      uptimeMs: process.uptime() * 1_000,
      memoryBytes: process.memoryUsage.rss(),
      channels: channels.map((channel) => ({ id: channel.id, isConnected: channel.isConnected() })),
      queue: queue.load(),
      lanes: lanes.status(),
      breakers: breakers(),
      inbox: await inbox.counts(),
      deadLetters: await deadLetters.summary(3),
      plugins: [
        ...plugins.loaded.map((name) => ({ name, failures: plugins.failuresOf(name) })),
        ...plugins.failed.map(({ path, error }) => ({ file: basename(path), reason: errorMessage(error) })),
      ],
    }),
  },
  startHealth: async () => {
    if (!httpPort) return undefined;
    // The metrics library costs memory: it is loaded only where somebody may read them.
    const { createMetrics } = await import('./platform/metrics/metrics.ts');
    const metrics = createMetrics({
      events,
      queue: queue.load,
      lanes: () => lanes.status(),
      inbox: inbox.counts,
      breakers,
      clock,
      logger,
    });
    defer(async () => metrics.stop());
    return startHealthServer({
      port: httpPort,
      metrics,
      load: () => ({ lanes: lanes.status(), queue: queue.load() }),
      readiness: {
        database: storage.checkWritable,
        channels: async () => {
          if (!channels.every((channel) => channel.isConnected())) throw new Error('not connected');
        },
      },
      logger,
    });
  },
});
