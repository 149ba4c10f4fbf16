import { FinClawError } from '#src/core/errors.ts';

export type PipelineErrorCode =
  | 'PIPELINE_TIMEOUT'
  | 'STAGE_FAILED'
  | 'CONTEXT_BUILD_FAILED'
  | 'EXECUTION_FAILED'
  | 'DELIVERY_FAILED';

export class PipelineError extends FinClawError {
  override readonly name = 'PipelineError';
  declare readonly code: PipelineErrorCode;

  constructor(message: string, code: PipelineErrorCode, options: { readonly cause?: unknown } = {}) {
    super(message, code, { statusCode: 500, ...options });
  }
}
