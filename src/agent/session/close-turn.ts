import type { SessionKey, TurnId } from '#src/core/ids.ts';
import { closingMessages } from '../execution/run-closing.ts';
import type { TranscriptStore } from './transcript-store.ts';

/**
 * Ends a turn that rested and is not gone on with: each of its calls gets a result that says why it was not run.
 * Without it the next message would find a conversation that looks damaged.
 */
export const createCloseTurn =
  (transcripts: Pick<TranscriptStore, 'load' | 'append'>) =>
  async (sessionKey: SessionKey, turnId: TurnId, why: string): Promise<void> => {
    const entries = await transcripts.load(sessionKey);
    const own = entries.flatMap((entry) => (entry.turnId === turnId ? [entry.message] : []));
    for (const message of closingMessages(own, '', why))
      await transcripts.append(sessionKey, { turnId, message });
  };
