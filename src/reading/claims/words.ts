import type { ChangeReceipt } from '#src/kernel/chat/receipt.ts';

export type Effect = ChangeReceipt['effect'];

const EFFECTS: readonly Effect[] = ['recorded', 'set', 'removed', 'sent', 'changed'];

export type Kinds = Readonly<Record<Effect, RegExp>>;

export const effectIn = (kinds: Kinds, verb: string): Effect | undefined =>
  EFFECTS.find((each) => kinds[each].test(verb));

const BREAK = /[,;:—–()✅]\s| - |(?<=했|됐|되었)(?:고|는데|지만|으니)\s/gu;

/** Where the last clause of a text begins. */
export const clauseStart = (text: string): number => {
  let start = 0;
  for (const { index, 0: found } of text.matchAll(BREAK)) start = index + found.length;
  return start;
};

export const wordCount = (text: string): number => text.split(/\s+/u).filter(Boolean).length;
