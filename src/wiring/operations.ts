import { basename } from 'node:path';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import type {
  ProcessStatus,
  StatusReports,
  SystemStatus,
  RefusedPosts,
} from '#src/kernel/operations/status.ts';
import type { LogLine } from '#src/kernel/operations/log.ts';
import { type Base, loggingAs } from './base.ts';
import type { Parts } from './engine.ts';
import { type Build, buildFields } from '#src/platform/build.ts';
import type { Config } from '#src/platform/config/config.ts';
import { directoryId } from '#src/platform/files/directory-id.ts';
import { type HealthServer, startHealthServer } from '#src/platform/net/health-server.ts';
import { LRUCache } from 'lru-cache';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import { newErrorId } from '#src/platform/ids.ts';

interface OperationsParts extends Parts, Build {
  readonly channels: readonly ChannelPlugin[];
  readonly log?: () => readonly LogLine[];
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

/** Opens what operators see of the running program: `/status`, their page, and the health server with its metrics. */
export const openOperations = async (
  config: Config,
  parts: OperationsParts,
  opened: AsyncDisposableStack,
) => {
  const { httpPort, httpHost, operator } = config;
  const { channels, plugins, turns, agent, features, engine, log = () => [] } = parts;
  const base = loggingAs(parts.base, 'health');
  const { version, storage, lanes } = base;
  const refusedPosts = createRefusedPosts(base);
  const { queue, inbox, deadLetters } = turns;
  const breakers = () => [...engine.breakers(), ...agent.toolbox.registry.breakers(), ...features.breakers()];
  const connections = (): SystemStatus['channels'] =>
    channels.map((channel) => ({
      id: channel.id,
      isConnected: channel.isConnected(),
      problem: channel.problem?.(),
    }));
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
  const page =
    operator &&
    (await import('./operator.ts')).openOperatorPage(
      { ...config, operator },
      { ...parts, base: loggingAs(parts.base, 'operator'), status, log, refusedPosts: refusedPosts.list },
      opened,
    );
  /** Gives undefined if no port is set. */
  const startHealth = async (): Promise<HealthServer | undefined> => {
    if (!httpPort) return undefined;
    // The metrics library costs memory, so it is loaded only where somebody may read them.
    const { createMetrics } = await import('../platform/metrics/metrics.ts');
    const metrics = createMetrics({
      ...base,
      build: parts,
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
      operator: page?.handle,
      metrics,
      facts: () => ({ ...buildFields(parts), dataDirectory, lanes: lanes.status(), queue: queue.load() }),
      channels: connections,
      readiness: { database: storage.checkWritable },
      logger: base.logger,
    });
  };
  return { status, dashboard: page?.dashboard, startHealth, postRefused: refusedPosts.note };
};

/** The codes are a platform's, so there are few. */
const MAX_REASONS = 100;

/** Counts the posts that platforms refuse, by reason. */
const createRefusedPosts = ({ events, clock }: Pick<Base, 'events' | 'clock'>) => {
  const counts = new LRUCache<string, RefusedPosts>({ max: MAX_REASONS });
  const note: ChannelHost['postRefused'] = (channelId, code, error) => {
    const key = `${channelId}:${code}`;
    const errorId = newErrorId();
    counts.set(key, { channelId, code, count: (counts.get(key)?.count ?? 0) + 1, at: clock.now(), errorId });
    events.emit('channel:post:refused', { channelId, code, errorId, error });
  };
  /** The last one first. */
  return { note, list: (): readonly RefusedPosts[] => [...counts.values()] };
};
