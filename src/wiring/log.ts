import type { LogLine } from '#src/kernel/operations/log.ts';
import type { Config } from '../platform/config/config.ts';
import { createLogRing } from '../platform/logging/log-ring.ts';
import { createLogger, type RootLogger } from '../platform/logging/logger.ts';

interface OpenedLog {
  readonly logger: RootLogger;
  /** The last lines, for the operator page. Absent if it is off. */
  readonly log?: () => readonly LogLine[];
  /** Takes over the printing from here on. Absent where the log is not on a terminal. */
  readonly printsLog?: (printer: ((line: string) => void) | undefined) => void;
}

const goOn = (): void => undefined;

/** Opens the log on stderr: readable lines on a terminal, JSON elsewhere. */
export const openLog = (
  config: Pick<Config, 'platforms' | 'logLevel' | 'secrets' | 'operator'>,
): OpenedLog => {
  const hasPlatform = Object.keys(config.platforms).length > 0;
  const ring = config.operator && createLogRing();
  // Whoever reads the log may go away, and its disk may be full. People still want their answers.
  if (!process.stderr.listeners('error').includes(goOn)) process.stderr.on('error', goOn);
  let print: ((line: string) => void) | undefined;
  const logger = createLogger({
    // In a terminal chat the log appears between question and answer, so it shows only warnings.
    level: config.logLevel ?? (hasPlatform ? 'info' : 'warn'),
    pretty: process.stderr.isTTY,
    hasColour: !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    secrets: config.secrets,
    ...(ring && { onLine: ring.add }),
    write: (line) => (print ? print(line.trimEnd()) : void process.stderr.write(line)),
  });
  return {
    logger,
    ...(ring && { log: ring.lines }),
    ...(process.stderr.isTTY && { printsLog: (printer) => (print = printer) }),
  };
};
