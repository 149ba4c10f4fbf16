import { LogLevel, type Logger } from '@slack/bolt';
import type { FinClawLogger } from '#src/platform/logger.ts';

/**
 * What Bolt logs, as details of ours: we report connections and failures ourselves. Its own details are left
 * out, for they hold what people wrote.
 */
export const boltLogger = (logger: FinClawLogger): Logger => {
  const tell = (...words: readonly unknown[]): void =>
    logger.debug(
      `Slack: ${words.map((word) => (word instanceof Error ? word.message : String(word))).join(' ')}`,
    );
  return {
    debug: () => undefined,
    info: tell,
    warn: tell,
    error: tell,
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
};
