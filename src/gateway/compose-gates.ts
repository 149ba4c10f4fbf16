import { type Gate, type GateVerdict, PASS } from '#src/core/gate.ts';
import type { InboundMessage } from '#src/core/message.ts';

export type GateDecision = GateVerdict & { readonly gate: string };

/** Asks the gates in order; the first that drops decides, and the ones behind it are not asked. */
export const composeGates =
  (gates: readonly Gate[]) =>
  async (message: InboundMessage): Promise<GateDecision> => {
    for (const gate of gates) {
      const verdict = await gate.check(message);
      if (verdict.verdict === 'drop') return { ...verdict, gate: gate.name };
    }
    return { ...PASS, gate: '' };
  };
