import { FinClawError } from '#src/core/errors.ts';

/** `CHART_BUSY`: too many wait already. The others: this picture could not be drawn; the next one may be. */
export type ChartErrorCode = 'CHART_BUSY' | 'CHART_TIMEOUT' | 'CHART_FAILED' | 'CHART_STOPPED';

export class ChartError extends FinClawError {
  override readonly name = 'ChartError';
  override readonly code: ChartErrorCode;

  constructor(code: ChartErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, code, { statusCode: 503, ...(options.cause ? { cause: options.cause } : {}) });
    this.code = code;
  }
}
