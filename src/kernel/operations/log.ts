import type { Timestamp } from '../ids.ts';

/** From the least to the most important. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A log line, masked and on one line. */
export interface LogLine {
  readonly at: Timestamp;
  readonly level: LogLevel;
  readonly logger: string;
  readonly text: string;
}
