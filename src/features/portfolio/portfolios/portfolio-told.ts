import type { Timestamp } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { createFactRecorder, type FactRecorder } from '#src/markets/answers/fact-recorder.ts';

/** The source of facts that come from the person's own ledger. */
export const LEDGER_SOURCE = 'ledger';

interface Of {
  readonly portfolio: { readonly name: string };
  readonly now: Timestamp;
  /** Some of the numbers are sample data. */
  readonly isSample: boolean;
}

/** Numbers that come from the ledger of a portfolio. */
export const portfolioTold = ({ portfolio: { name }, now, isSample }: Of, locale: Locale): FactRecorder =>
  createFactRecorder(locale, {
    entity: `portfolio:${name}`,
    names: [name],
    asOf: now.toString(),
    source: LEDGER_SOURCE,
    isSample,
  });
