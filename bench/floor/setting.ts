import type { BotOptions, Contestant, Model } from './processes.ts';

/** What all parts of the bench share. */
export interface Setting {
  readonly model: Model;
  /** The minimal bot first. */
  readonly contestants: readonly Contestant[];
  readonly isQuick: boolean;
  readonly botOptions: (contestant: Contestant) => BotOptions;
}

/** Answered without a number: a number would need a source. */
export const QUESTION = 'What is the difference between a limit order and a market order?';
/** Answered with one tool call. */
export const PRICE_QUESTION = 'What is the price of Apple?';
