import type { ContentBlock } from '#src/core/model.ts';
import { fitsRole, hasLegalName, saysNothing } from './fitting-blocks.ts';
import type { TranscriptEntry } from './transcript-entry.ts';

/** Takes the results off the calls that wait for one. False for a result that none waits for, or without words. */
const takeResults = (content: readonly ContentBlock[], open: Set<string>): boolean =>
  content.every(
    (block) => block.type === 'tool_result' && block.content.trim() !== '' && open.delete(block.toolUseId),
  );

/** False for an id that is there twice. */
const addCalls = (content: readonly ContentBlock[], open: Set<string>): boolean =>
  content.every((block) => {
    if (block.type !== 'tool_use') return true;
    if (open.has(block.id) || !hasLegalName(block)) return false;
    open.add(block.id);
    return true;
  });

/**
 * Whether a finished turn is as it should be: it begins with the person and ends with the assistant, and before
 * each message that holds no results every call has exactly one. Nearly all turns are, and this is quick; one
 * that is not has to be looked at closely.
 */
export const isWholeTurn = (turn: readonly TranscriptEntry[], mayContinue: boolean): boolean => {
  const open = new Set<string>();
  let mayAnswer = mayContinue;
  for (const { message } of turn) {
    const { role, content, isPaused } = message;
    if (saysNothing(content) || !content.every((block) => fitsRole(block, role))) return false;
    if (role === 'tool' ? !takeResults(content, open) : open.size > 0) return false;
    if (role === 'assistant' && (!mayAnswer || !addCalls(content, open))) return false;
    mayAnswer = role !== 'assistant' || isPaused === true || open.size > 0;
  }
  const last = turn.at(-1)?.message;
  return open.size === 0 && last?.role === 'assistant' && last.isPaused !== true;
};
