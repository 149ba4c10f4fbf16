import { type Gate, PASS } from '#src/core/gate.ts';

/** A bot that answers itself never stops. */
export const itself = (): Gate => ({
  name: 'itself',
  check: (message) => (message.isFromSelf ? { verdict: 'drop', reason: 'own-message' } : PASS),
});
