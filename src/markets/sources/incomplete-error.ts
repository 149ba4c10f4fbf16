import { FinClawError } from '#src/kernel/errors.ts';

/** A source gave some of what it was asked for before it failed: what came is not lost with the rest. */
export class IncompleteError<T> extends FinClawError {
  override readonly name = 'IncompleteError';
  readonly found: readonly T[];
  /** What could not be asked for; the other symbols were, and are missing from `found` where there is no data. */
  readonly failedSymbols: readonly string[];

  constructor(found: readonly T[], failedSymbols: readonly string[], cause: unknown) {
    super('The market source gave a part only', 'MARKET_INCOMPLETE', { statusCode: 503, cause });
    this.found = found;
    this.failedSymbols = failedSymbols;
  }
}
