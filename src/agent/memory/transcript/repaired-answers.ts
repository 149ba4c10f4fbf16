import type { ConversationMessage } from '#src/kernel/agent/model.ts';

/**
 * Leaves out answers that were corrected, and the notes that asked for it. Models still read both, because providers
 * cache a conversation that only grows; people never see them.
 */
export const withoutRepaired = <E extends { readonly message: ConversationMessage }>(
  entries: readonly E[],
): readonly E[] => {
  const gone = new Set<number>();
  for (const [index, { message }] of entries.entries()) {
    if (!message.isRepair) continue;
    gone.add(index);
    let answer = index - 1;
    if (entries[answer]?.message.role === 'assistant') gone.add(answer);
    while (entries[answer - 1]?.message.isPaused) gone.add((answer -= 1));
  }
  return gone.size === 0 ? entries : entries.filter((_, index) => !gone.has(index));
};
