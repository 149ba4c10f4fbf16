import type { TurnId } from '#src/kernel/ids.ts';
import type { AccountReads } from '#src/kernel/operations/audit.ts';
import type { Uses } from '#src/platform/services.ts';

type AccountReadsDeps = Uses<'audit.record' | 'clock.now' | 'logger.error'>;

/** More turns than run at once. A turn that is forgotten too early gets a second entry at worst. */
const MAX_TURNS = 1_000;

/** Records that a tool read account data: once for each turn and tool, however often the tool is called. */
export const createAccountReads = ({ audit, clock, logger }: AccountReadsDeps): AccountReads => {
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
        logger.error('The read of account data by a tool could not be recorded', { toolName, error });
      }
    },
  };
};
