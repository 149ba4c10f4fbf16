import { groupByTurn } from './group-by-turn.ts';
import { isUnreadable, type TranscriptEntry, type TranscriptLine } from './transcript-entry.ts';
import { detectCorruption, repairTranscript } from './transcript-repair.ts';

const keyOf = ({ turnId, at, message }: TranscriptEntry): string => `${turnId} ${at} ${message.role}`;

/** What can be read, once; nothing is closed or made up. */
const readable = (lines: readonly TranscriptLine[]): readonly TranscriptEntry[] => {
  const liveTurns = new Set(lines.flatMap((line) => (isUnreadable(line) ? [] : [line.turnId])));
  return repairTranscript(lines, detectCorruption(lines, { liveTurns }));
};

/**
 * One conversation from its parts, the oldest first. A part begins with what was kept of the one before: of such
 * an entry the first form counts, since the kept one may have been shortened. Summaries are left out, for all that
 * they stand for is there.
 */
export const joinSegments = (parts: readonly (readonly TranscriptLine[])[]): readonly TranscriptEntry[] => {
  const known = new Set<string>();
  const all = parts.flatMap((lines) => {
    const fresh = readable(lines).filter((entry) => !entry.message.isSummary && !known.has(keyOf(entry)));
    for (const entry of fresh) known.add(keyOf(entry));
    return fresh;
  });
  return groupByTurn(all);
};
