import { FinClawError } from '#src/kernel/errors.ts';

/** A source failed after it had given some results, which are kept. */
export class IncompleteError<T> extends FinClawError {
  override readonly name = 'IncompleteError';
  readonly found: readonly T[];
  /** Symbols that could not be requested. Any other symbol missing from `found` has no data. */
  readonly failedSymbols: readonly string[];

  constructor(found: readonly T[], failedSymbols: readonly string[], cause: unknown) {
    super('The market source gave a part only', 'MARKET_INCOMPLETE', { statusCode: 503, cause });
    this.found = found;
    this.failedSymbols = failedSymbols;
  }
}
