import { FinClawError } from '#src/kernel/errors.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { IncompleteError } from './incomplete-error.ts';

interface Failure {
  readonly source: string;
  readonly asked: string;
  readonly symbols: readonly string[];
}

export type LogFailure = (error: unknown, failure: Failure) => void;

/**
 * Logs each failure of a source once, even if many callers waited for the same request. An open breaker is not logged:
 * the failures that opened it were.
 */
export const createFailureLog = (logger: FinClawLogger): LogFailure => {
  const told = new WeakSet();
  return (failed, failure) => {
    const error = failed instanceof IncompleteError ? failed.cause : failed;
    if (typeof error === 'object' && error !== null) {
      if (told.has(error)) return;
      told.add(error);
    }
    const isOpen = error instanceof FinClawError && error.code === 'CIRCUIT_OPEN';
    logger[isOpen ? 'debug' : 'warn']('market source failed', { ...failure, error });
  };
};
