import type { Currency } from '#src/kernel/money.ts';
import { ZERO } from './exact.ts';
import type { Disposal, Gain, LedgerState } from './ledger-state.ts';

/** A recorded sale whose realised gain is not what it was. */
export interface ChangedGain {
  readonly number: number;
  readonly currency: Currency;
  readonly before: Gain;
  readonly after: Gain;
}

const NO_GAIN: Gain = { local: ZERO, base: { total: ZERO, fromPrice: ZERO, fromFx: ZERO } };

const isSame = (a: Gain, b: Gain): boolean =>
  a.local.equals(b.local) && (a.base && b.base ? a.base.total.equals(b.base.total) : a.base === b.base);

const gainsOf = ({ disposals }: LedgerState): ReadonlyMap<Disposal['entry'], Gain> =>
  new Map(disposals.map(({ entry, gain }) => [entry, gain]));

/**
 * What an entry that counts before others has changed about them: both ledgers are of the same entries, but for that
 * one. Its own gain is none of them.
 */
export const changedGains = (before: LedgerState, after: LedgerState): readonly ChangedGain[] => {
  const [was, is] = [gainsOf(before), gainsOf(after)];
  // A trade that closes something in one of them alone realised nothing in the other.
  const entries = [...new Set([...was.keys(), ...is.keys()])];
  return entries.flatMap((entry) => {
    const [one, other] = [was.get(entry) ?? NO_GAIN, is.get(entry) ?? NO_GAIN];
    const isRecorded = 'number' in entry && typeof entry.number === 'number';
    return isRecorded && !isSame(one, other)
      ? [{ number: Number(entry.number), currency: entry.currency, before: one, after: other }]
      : [];
  });
};
