import type { Budget, RequestToPay } from '#src/agent/usage/budget.ts';
import { newId } from '#src/platform/ids.ts';
import type { UsageEntry } from '#src/agent/store/usage.ts';

export interface BookingBudget extends Pick<Budget, 'reserve'> {
  readonly booked: UsageEntry[];
  /** In order, also those that were never sent. */
  readonly reserved: RequestToPay[];
  /** How many of them were never sent. */
  readonly canceled: () => number;
}

/** Money without end, and a ledger in memory. */
export const bookingBudget = (): BookingBudget => {
  const booked: UsageEntry[] = [];
  const reserved: RequestToPay[] = [];
  let canceled = 0;
  return {
    booked,
    reserved,
    canceled: () => canceled,
    reserve: async (request) => {
      reserved.push(request);
      const { inputTokens: _tokens, inputUsd: _usd, mostUsd: _most, ...who } = request;
      return {
        verdict: 'reserved',
        reservation: {
          settle: async (outcome, usage, costUsd, ids) =>
            void booked.push({ ...who, id: newId(), outcome, usage, costUsd, ids }),
          cancel: async () => {
            canceled += 1;
          },
        },
      };
    },
  };
};
