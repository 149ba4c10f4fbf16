import type { ChannelHost, ChannelPlugin } from './kernel/channel.ts';
import { errorMessage, FinClawError } from './kernel/errors.ts';
import { waitAtMost } from './platform/abort.ts';
import type { Clock } from './platform/clock.ts';
import type { HealthServer } from './platform/health-server.ts';
import type { FinClawLogger } from './platform/logger.ts';

/** Something that works by itself between start and end. */
export interface Service {
  readonly name: string;
  readonly start: () => Promise<void> | void;
  readonly stop: () => Promise<void> | void;
}

export interface LifecycleDeps {
  readonly channels: readonly ChannelPlugin[];
  readonly host: Omit<ChannelHost, 'requestShutdown'>;
  /** Undefined where none is wanted. */
  readonly startHealth: () => Promise<HealthServer | undefined>;
  /** Takes up what an earlier process left. */
  readonly recover: () => Promise<void>;
  /** Answers can be sent, or never will be. */
  readonly onReady: (isReady: boolean) => void;
  /** Started in order once messages are received; stopped before the answers under way end. */
  readonly services: readonly Service[];
  readonly queue: { readonly drain: () => Promise<void>; readonly abortAll: () => Promise<void> };
  /** Closes the data. */
  readonly dispose: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

export interface App {
  /** Takes up unfinished messages and begins to receive. When it throws, everything is closed again. */
  readonly start: () => Promise<void>;
  /** Stops receiving, lets running answers end (10 s), parks the rest, closes everything. Safe to call twice. */
  readonly stop: () => Promise<void>;
  /** Resolves when the app has stopped, whoever asked for it. */
  readonly stopped: Promise<void>;
}

const DRAIN_MS = 10_000;

/** A platform whose token is wrong must not keep people on the others waiting. Throws where none could be started. */
const startChannels = async (
  { channels, onReady, logger }: Pick<LifecycleDeps, 'channels' | 'onReady' | 'logger'>,
  host: ChannelHost,
): Promise<void> => {
  const starts = channels.map(async (channel) => {
    await channel.start(host);
    // Nobody here waits for a platform that is slow to answer.
    onReady(true);
  });
  const results = await Promise.allSettled(starts);
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ id: channels[index]?.id, error: result.reason as unknown }] : [],
  );
  const [first] = failures;
  if (first && failures.length === 1 && channels.length === 1) throw first.error;
  if (failures.length === channels.length)
    throw new FinClawError(failures.map(({ error }) => errorMessage(error)).join('\n'), 'NO_CHANNEL');
  for (const { id, error } of failures)
    logger.error(`${id} could not be started; the others go on without it. ${errorMessage(error)}`, {
      error,
    });
};

/** The order in which everything begins and ends. */
export const createLifecycle = (deps: LifecycleDeps): App => {
  const { channels, services, queue, clock, logger } = deps;
  const { promise: stopped, resolve: onStopped } = Promise.withResolvers<void>();
  let health: HealthServer | undefined;

  /** What one part cannot close must not keep the others open. */
  const closing = async (what: string, action: () => Promise<void> | void | undefined): Promise<void> => {
    try {
      await action();
    } catch (error) {
      logger.error(`${what} could not be closed`, { error });
    }
  };

  const shutDown = async (): Promise<void> => {
    deps.onReady(false);
    await Promise.all([
      ...services.map(({ name, stop: end }) => closing(`The ${name}`, end)),
      ...channels.map((channel) => closing(channel.id, channel.stop)),
    ]);
    await waitAtMost(queue.drain(), DRAIN_MS, clock);
    await queue.abortAll();
    await Promise.all(channels.map((channel) => closing(channel.id, channel.close)));
    await closing('The health server', () => health?.close());
    await closing('The data', deps.dispose);
    onStopped();
  };
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= shutDown());

  return {
    start: async () => {
      const host = { ...deps.host, requestShutdown: () => void stop() };
      try {
        health = await deps.startHealth();
        await deps.recover();
        await startChannels(deps, host);
        for (const service of services) await service.start();
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
    stopped,
  };
};
