import type { InboundMessage } from './message.ts';

export type GateVerdict =
  | { readonly verdict: 'pass' }
  | {
      readonly verdict: 'drop';
      /** A stable code: it is counted and logged. */
      readonly reason: string;
      /** One sentence to the sender, in their language, where they should know. */
      readonly reply?: string;
      /** Where the reply names one: the log knows it. */
      readonly errorId?: string;
    };

/** Decides whether the bot listens to a message at all. Gates run in order; the first drop wins. */
export interface Gate {
  readonly name: string;
  readonly check: (message: InboundMessage) => GateVerdict | Promise<GateVerdict>;
}

export const PASS: GateVerdict = { verdict: 'pass' };
