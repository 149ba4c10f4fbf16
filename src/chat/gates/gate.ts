import type { MsgContext } from '#src/kernel/chat/message.ts';

export type GateVerdict =
  | { readonly verdict: 'pass' }
  | {
      readonly verdict: 'drop';
      /** A stable code for metrics and the log. */
      readonly reason: string;
      /** A message to the sender, in their language. Absent: the drop is silent. */
      readonly reply?: string;
      /** The error id in the reply, to be logged. */
      readonly errorId?: string;
    };

/** Decides whether a message is accepted. Gates run in order; the first drop wins. */
export interface Gate {
  readonly name: string;
  readonly check: (message: MsgContext) => GateVerdict | Promise<GateVerdict>;
}

export const PASS: GateVerdict = { verdict: 'pass' };
