import { type Choice, isControl } from './message.ts';

export const EFFECTS = ['recorded', 'set', 'removed', 'sent', 'changed'] as const;

/** What a tool call has changed for the person. The program writes it below the model's answer, whatever that says. */
export interface ChangeReceipt {
  readonly effect: (typeof EFFECTS)[number];
  /** A few lines of Markdown in the person's language. */
  readonly text: string;
  /** Buttons that take it back or go on with it. */
  readonly choices?: readonly Choice[];
}

/** A receipt of unknown origin, with the buttons that are well-formed; undefined if it is none. */
export const readReceipt = (value: unknown): ChangeReceipt | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const { effect, text, choices } = value as Partial<ChangeReceipt>;
  const known = EFFECTS.find((each) => each === effect);
  if (!known || typeof text !== 'string' || text.trim() === '') return undefined;
  const pressable = Array.isArray(choices) ? choices.filter(isControl) : [];
  return { effect: known, text, ...(pressable.length > 0 && { choices: pressable }) };
};
