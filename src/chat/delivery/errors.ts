import { FinClawError, type FinClawErrorOptions } from '#src/kernel/errors.ts';

export type PipelineErrorCode =
  /** The deadline of the message passed. */
  | 'PIPELINE_TIMEOUT'
  | 'STAGE_FAILED'
  | 'CONTEXT_BUILD_FAILED'
  /** The engine gave no answer. */
  | 'EXECUTION_FAILED'
  /** The platform did not accept the answer. */
  | 'DELIVERY_FAILED';

export class PipelineError extends FinClawError {
  override readonly name = 'PipelineError';
  declare readonly code: PipelineErrorCode;

  constructor(
    message: string,
    code: PipelineErrorCode,
    options: Pick<FinClawErrorOptions, 'cause' | 'details'> = {},
  ) {
    super(message, code, { statusCode: 500, ...options });
  }
}
