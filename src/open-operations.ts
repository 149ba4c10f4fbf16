import { basename } from 'node:path';
import type { Engine } from './agent/engine.ts';
import type { Turns } from './chat/turns/turns.ts';
import type { Features } from './features/open-features.ts';
import type { ChannelPlugin } from './kernel/channel.ts';
import { errorMessage } from './kernel/errors.ts';
import type { ProcessStatus, StatusReports, SystemStatus } from './kernel/operations.ts';
import type { Agent } from './open-agent.ts';
import type { Base } from './open-base.ts';
import type { Config } from './platform/config/config.ts';
import { directoryId } from './platform/directory-id.ts';
import type { Plugins } from './platform/plugins/plugin-loader.ts';
import { type HealthServer, type RequestHandler, startHealthServer } from './platform/health-server.ts';

interface OperationsParts {
  readonly version: string;
  readonly channels: readonly ChannelPlugin[];
  readonly base: Base;
  readonly plugins: Plugins;
  readonly turns: Pick<Turns, 'queue' | 'inbox' | 'deadLetters'>;
  readonly agent: Pick<Agent, 'toolbox'>;
  readonly features: Pick<Features, 'breakers'>;
  readonly engine: Pick<Engine, 'breakers' | 'numbers'>;
}

const processesIn = (cluster: Base['cluster']): readonly ProcessStatus[] =>
  cluster?.processes.list().map((process) => {
    const isSelf = process.id === cluster.processId;
    return {
      ...process,
      startedAt: Temporal.Instant.from(process.startedAt),
      isSelf,
      isLeading: isSelf && cluster.isLeading(),
    };
  }) ?? [];

/** Opens what operators see of the running program: `/status`, and the health server with its metrics. */
export const openOperations = (
  { httpPort, httpHost }: Pick<Config, 'httpPort' | 'httpHost'>,
  { version, channels, base, plugins, turns, agent, features, engine }: OperationsParts,
  opened: AsyncDisposableStack,
) => {
  const { storage, lanes } = base;
  const { queue, inbox, deadLetters } = turns;
  const breakers = () => [...engine.breakers(), ...agent.toolbox.registry.breakers(), ...features.breakers()];
  const connections = (): SystemStatus['channels'] =>
    channels.map((channel) => ({ id: channel.id, isConnected: channel.isConnected() }));
  const status: StatusReports = {
    current: async () => ({
      version,
      uptimeMs: process.uptime() * 1_000,
      memoryBytes: process.memoryUsage.rss(),
      channels: connections(),
      queue: queue.load(),
      lanes: lanes.status(),
      breakers: breakers(),
      processes: processesIn(base.cluster),
      inbox: await inbox.counts(),
      numbers: engine.numbers(),
      deadLetters: await deadLetters.summary(3),
      plugins: [
        ...plugins.loaded.map((name) => ({ name, failures: plugins.failuresOf(name) })),
        ...plugins.failed.map(({ path, error }) => ({ file: basename(path), reason: errorMessage(error) })),
      ],
    }),
  };
  /** Gives undefined if no port is set. */
  const startHealth = async (operator: RequestHandler | undefined): Promise<HealthServer | undefined> => {
    if (!httpPort) return undefined;
    // The metrics library costs memory, so it is loaded only where somebody may read them.
    const { createMetrics } = await import('./platform/metrics/metrics.ts');
    const metrics = createMetrics({
      ...base,
      channels: connections,
      queue: queue.load,
      lanes: () => lanes.status(),
      inbox: inbox.counts,
      breakers,
    });
    opened.defer(metrics.stop);
    // By this the doctor tells this process from another bot on the port.
    const dataDirectory = directoryId(base.dataDir);
    return startHealthServer({
      port: httpPort,
      host: httpHost,
      operator,
      metrics,
      load: () => ({ dataDirectory, lanes: lanes.status(), queue: queue.load() }),
      readiness: {
        database: storage.checkWritable,
        channels: async () => {
          if (!channels.every((channel) => channel.isConnected())) throw new Error('not connected');
        },
      },
      logger: base.logger,
    });
  };
  return { status, startHealth };
};
