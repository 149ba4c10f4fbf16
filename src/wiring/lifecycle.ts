import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { errorMessage, FinClawError } from '../kernel/errors.ts';
import { waitAtMost } from '../platform/concurrency/abort.ts';
import type { HealthServer } from '../platform/net/health-server.ts';
import type { Uses } from '#src/platform/services.ts';

/** A background service that runs from the start of the program to its end. */
export interface Service {
  readonly name: string;
  readonly start: () => Promise<void> | void;
  readonly stop: () => Promise<void> | void;
}

export interface LifecycleDeps extends Uses<'clock' | 'logger'> {
  readonly channels: readonly ChannelPlugin[];
  readonly host: Omit<ChannelHost, 'requestShutdown'>;
  /** Gives undefined if no health server is wanted. */
  readonly startHealth: () => Promise<HealthServer | undefined>;
  /** Queues what an earlier process did not finish. */
  readonly recover: () => Promise<void>;
  /** True once answers can be sent, false when they never will be. */
  readonly onReady: (isReady: boolean) => void;
  /** Services start in order once messages are received, and stop before the running answers end. */
  readonly services: readonly Service[];
  readonly queue: {
    /** How long running answers may take to end. Undefined: 10 s. */
    readonly drainMs?: () => number | undefined;
    readonly drain: () => Promise<void>;
    /** Aborts the rest, and gives their conversations to other processes. */
    readonly abortAll: () => Promise<void>;
  };
  /** Closes the storage and everything else that was opened. */
  readonly dispose: () => Promise<void>;
  /** Resolves if the storage can no longer be used. The app then stops; the error of a failed disk is not one of ours. */
  readonly storageFailure: Promise<Error>;
}

export type App = ReturnType<typeof createLifecycle>;

const DRAIN_MS = 10_000;
/** A part that cannot reach its platform or the database must not keep the program from ending. */
const CLOSE_MS = 12_000;
/** All of them together. Supervisors usually kill a program 30 seconds after they asked it to stop. */
const SHUTDOWN_MS = 25_000;
const LEAST_CLOSE_MS = 500;

/** A channel that fails to start does not stop the others. Throws when no channel could be started. */
const startChannels = async (
  { channels, onReady, logger }: Pick<LifecycleDeps, 'channels' | 'onReady' | 'logger'>,
  host: ChannelHost,
  isStopping: () => boolean,
): Promise<void> => {
  const starts = channels.map(async (channel) => {
    await channel.start(host);
    // People on this platform do not wait for another one that is slow to start.
    if (!isStopping()) onReady(true);
  });
  const results = await Promise.allSettled(starts);
  // A start that was given up is no failure.
  if (isStopping()) return;
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

/** Starts and stops the parts of the program in order. */
export const createLifecycle = (deps: LifecycleDeps) => {
  const { channels, services, queue, clock, logger } = deps;
  const { promise: stopped, resolve: onStopped } = Promise.withResolvers<number>();
  let exitCode = 0;
  let health: HealthServer | undefined;
  let endsAtMs = Infinity;

  /** A part that fails to close, or hangs, does not keep the others open. */
  const closing = async (what: string, action: () => Promise<void> | void | undefined): Promise<void> => {
    try {
      const isClosed = await waitAtMost(
        Promise.resolve(action()).then(() => true),
        Math.max(LEAST_CLOSE_MS, Math.min(CLOSE_MS, endsAtMs - clock.monotonicMs())),
        clock,
      );
      if (!isClosed) logger.warn(`${what} did not stop in time; FinClaw ends without it`);
    } catch (error) {
      logger.error(`${what} could not be closed`, { error });
    }
  };

  const shutDown = async (): Promise<void> => {
    deps.onReady(false);
    endsAtMs = clock.monotonicMs() + SHUTDOWN_MS;
    await Promise.all([
      ...services.map(({ name, stop: end }) => closing(`The ${name}`, end)),
      ...channels.map((channel) => closing(channel.id, channel.stop)),
    ]);
    await waitAtMost(queue.drain(), queue.drainMs?.() ?? DRAIN_MS, clock);
    await closing('The queue', () => queue.abortAll());
    await Promise.all(channels.map((channel) => closing(channel.id, channel.close)));
    await closing('The health server', () => health?.close());
    await closing('The data', deps.dispose);
    onStopped(exitCode);
  };
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= shutDown());
  /** A supervisor restarts the program because of its exit code. */
  const stopAfter = (error: Error): void => {
    const advice =
      error instanceof FinClawError
        ? `${error.message} FinClaw stops.`
        : `${error.message}. FinClaw stops, so that a restart can recover.`;
    logger.error(advice, { error });
    exitCode = 1;
    void stop();
  };
  void deps.storageFailure.then(stopAfter);

  const isStopping = (): boolean => stopping !== undefined;
  const startParts = async (): Promise<void> => {
    health = await deps.startHealth();
    // What comes after the end is not closed by it.
    if (isStopping()) return health?.close();
    await deps.recover();
    if (isStopping()) return undefined;
    await startChannels(deps, { ...deps.host, requestShutdown: () => void stop() }, isStopping);
    for (const service of services) if (!isStopping()) await service.start();
    return undefined;
  };

  return {
    /**
     * Recovers unfinished messages and begins to receive. When it throws, everything is closed again. False: it was
     * stopped before it was ready.
     */
    start: async (): Promise<boolean> => {
      try {
        await startParts();
      } catch (error) {
        // Whoever stopped the start knows why it did not succeed.
        if (!isStopping()) {
          await stop();
          throw error;
        }
      }
      return !isStopping();
    },
    /** Stops receiving, lets running answers end (10 s, or 1 s if another process goes on with them), parks the rest, closes everything. Safe to call twice. */
    stop,
    /** Resolves with the exit code when the app has stopped, whoever asked for it. After a failure it is 1. */
    stopped,
  };
};
