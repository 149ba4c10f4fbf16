import type { PortfolioRecord } from '#src/kernel/ledger.ts';
import type { LedgerRules } from './ledger-state.ts';

/** How the ledger of a portfolio is counted. They may change while one waits: what is recorded goes by those of that moment. */
export const rulesOf = ({ baseCurrency, costMethod: method, allowsShort }: PortfolioRecord): LedgerRules => ({
  baseCurrency,
  method,
  allowsShort,
});

/** Of a portfolio that is still to be made. */
export const newRules = (baseCurrency: string): LedgerRules => ({
  baseCurrency,
  method: 'average',
  allowsShort: false,
});
