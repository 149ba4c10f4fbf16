import type { Steps } from '#src/platform/steps.ts';
import type { Sheet, SheetRow } from '../files/sheet.ts';
import { tablesIn, type TransactionTable } from './find-tables.ts';

/** Sections of an activity statement of Interactive Brokers that hold transactions. */
const SECTIONS: ReadonlySet<string> = new Set([
  'Trades',
  'Dividends',
  'Withholding Tax',
  'Deposits & Withdrawals',
  'Fees',
  'Other Fees',
  'Transaction Fees',
  'Sales Tax Details',
  'Interest',
  'Corporate Actions',
  'Transfers',
]);

/** Cash of one currency at the ends of the period, as the statement says. */
export interface StatedCash {
  readonly currency: string;
  readonly kind: 'starting' | 'ending';
  readonly amount: string;
}

export interface StatementTables {
  readonly tables: readonly TransactionTable[];
  readonly cash: readonly StatedCash[];
}

const CASH_LINES: Readonly<Record<string, StatedCash['kind']>> = {
  'starting cash': 'starting',
  'ending cash': 'ending',
};

const stated = ({
  cells: [section, kind, line = '', currency = '', amount = ''],
}: SheetRow): readonly StatedCash[] => {
  const which = section === 'Cash Report' && kind === 'Data' ? CASH_LINES[line.toLowerCase()] : undefined;
  return which !== undefined && /^[A-Z]{3}$/u.test(currency) ? [{ currency, kind: which, amount }] : [];
};

/** An activity statement names the section and what a line is in its first two cells. */
export const isStatement = ({ rows }: Sheet): boolean =>
  rows.some(({ cells }) => SECTIONS.has(cells[0] ?? '') && cells[1] === 'Header');

export const statementTables = function* (sheet: Sheet): Steps<StatementTables> {
  const bySection = Map.groupBy(sheet.rows, ({ cells }) => cells[0] ?? '');
  const tables: TransactionTable[] = [];
  for (const section of SECTIONS) {
    const rows = (bySection.get(section) ?? [])
      .filter(({ cells }) => cells[1] === 'Header' || cells[1] === 'Data')
      .map((row) => ({ ...row, cells: row.cells.slice(2) }));
    tables.push(...(yield* tablesIn({ ...sheet, rows }, { section })));
  }
  return { tables, cash: sheet.rows.flatMap(stated) };
};
