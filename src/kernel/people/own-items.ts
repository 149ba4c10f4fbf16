import type { PersonRef } from '../ids.ts';
import type { FilledOptions } from '../chat/command-definition.ts';
import type { Locale } from '../locale.ts';

/** One of a person's own things, to pick from a list. */
export interface OwnItem {
  /** What a command takes. */
  readonly value: string;
  readonly label: string;
}

/**
 * Port: a person's own things, for autocompletion. It reads stored data only, and asks no market. `filled` are the other
 * options of the form by their names.
 */
export type OwnItems = Readonly<
  Record<
    'portfolio' | 'entry' | 'alert' | 'briefing' | 'watched',
    (person: PersonRef, locale: Locale, filled: FilledOptions) => Promise<readonly OwnItem[]>
  >
>;
