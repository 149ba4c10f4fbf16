import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WarmUp } from '#src/kernel/operations/warm-up.ts';
import type { Service } from './lifecycle.ts';
import type { FinClawLogger } from '../platform/logging/logger.ts';
import { releaseYoungGeneration } from '../platform/concurrency/young-generation.ts';

/**
 * Prepares what the first message needs, so that it is answered as fast as the tenth. It begins once messages are
 * received, and takes one piece for each turn of the event loop. A failure does not matter: the message that needs the
 * thing tries again.
 */
export const createWarmUp = (warmUps: readonly WarmUp[], logger: Pick<FinClawLogger, 'debug'>): Service => {
  let isStopped = false;
  let running: Promise<void> | undefined;

  const prepare = async ({ name, run }: WarmUp): Promise<void> => {
    try {
      for await (const _ of run()) {
        await nextTurn();
        if (isStopped) return;
      }
    } catch (error) {
      logger.debug(`Could not warm up the ${name}; the first message will do it`, { error });
    }
  };

  const prepareAll = async (): Promise<void> => {
    for (const warmUp of warmUps) {
      await nextTurn();
      if (isStopped) return;
      await prepare(warmUp);
    }
    releaseYoungGeneration();
    logger.debug('Warm-up finished');
  };

  return {
    name: 'warm-up',
    start: () => {
      running = prepareAll();
    },
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
};
