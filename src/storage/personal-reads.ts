import type { TurnId } from '#src/core/ids.ts';
import type { AuditTrail, PersonalReads } from '#src/core/operations.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';

interface PersonalReadsDeps {
  readonly audit: Pick<AuditTrail, 'record'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<FinClawLogger, 'error'>;
}

/** More turns than run at once: one that is forgotten gets a second line at worst. */
const MAX_TURNS = 1_000;

/** One line a turn and tool, however often the tool is called; written together with what else is written then. */
export const createPersonalReads = ({ audit, clock, logger }: PersonalReadsDeps): PersonalReads => {
  const noted = new Map<TurnId, Set<string>>();
  return {
    note: async (toolName, { channelId, userId, turnId }) => {
      const tools = noted.getOrInsertComputed(turnId, () => new Set());
      if (tools.has(toolName)) return;
      tools.add(toolName);
      if (noted.size > MAX_TURNS) noted.delete(noted.keys().next().value ?? turnId);
      try {
        await audit.record('tool-read', { channelId, userId }, { [toolName]: 1 }, clock.now());
      } catch (error) {
        tools.delete(toolName);
        logger.error('That a tool read personal data could not be noted', { toolName, error });
      }
    },
  };
};
