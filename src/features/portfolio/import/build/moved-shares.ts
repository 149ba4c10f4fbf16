import { isShareTransfer, type NewTransaction } from '#src/kernel/market/ledger.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { withoutBase } from '#src/features/portfolio/ledger/moved-lots.ts';
import { RowError, type RowProblem } from '../problems.ts';
import { nonZero, ZERO } from '../columns/cells.ts';
import type { RecordDraft } from '../rows/read-record.ts';

/** A side of a transfer in our own export: shares with the lots that moved, or money. */
export const transferOf = (
  { lots, quantity, otherPortfolio: toPortfolio, amount, isRateInBase }: RecordDraft,
  kind: 'transfer-in' | 'transfer-out',
  isOfShares: boolean,
  entryOf: (request: Partial<RecordRequest>) => NewTransaction,
): NewTransaction => {
  if (!isOfShares) return entryOf({ amount: nonZero(amount)?.toFixed(), toPortfolio });
  const entry = entryOf({ quantity: quantity?.toFixed(), toPortfolio });
  if (!isShareTransfer(entry)) return entry;
  const isWhole = lots?.reduce((sum, lot) => sum.plus(lot.quantity), ZERO).equals(entry.quantity);
  if (!lots || !isWhole) throw new RowError({ kind: kind === 'transfer-in' ? 'shares-in' : 'shares-out' });
  return { ...entry, lots: isRateInBase ? lots : withoutBase(lots) };
};

/** What a spin-off or a merger brought. */
export const receivedOf = ({
  quantity,
  received,
  toQuantity,
  costPercent,
  amount,
  price,
}: RecordDraft): Partial<RecordRequest> => ({
  quantity: quantity?.toFixed(),
  toName: received?.code || received?.isin || received?.name,
  toQuantity: toQuantity?.toFixed(),
  percent: costPercent?.toFixed(),
  amount: nonZero(amount)?.toFixed(),
  price: price?.toFixed(),
});

export const MERGER_WORDS = /merge[rd]|\bmrgs?\b|\bsxch\b|합병|주식교환|\bfusi(?:e|on)\b/iu;
const SPIN_WORDS = /spin-?off|\bsoff\b|인적분할|회사분할|분할상장/iu;
const REPAID_WORDS = /유상감자|공개매수/u;
const LEAVES = /출고|\bpayout\b/iu;
/** The company that was divided: `GE(US3696043013) Spinoff 1 for 4 (…)`, `DISTRIBUTION SPINOFF FROM:(GE )`. */
const PARENT =
  /(?:^|\s)(?<first>[A-Z0-9.]{1,12}) ?\([A-Z]{2}[A-Z0-9]{9}\d\)|\bFROM:\((?<from>[A-Z0-9.]{1,12}) ?\)/iu;

export const isOut = ({ quantity, words }: RecordDraft): boolean =>
  quantity?.isNegative() === true || LEAVES.test(words);

/**
 * Why a line cannot be recorded, with what it says. No broker states the part of the cost that a spin-off moves; a merger
 * on one line lacks the other company.
 */
export const reorganisationProblem = ({
  words,
  code,
  isin,
  name,
  quantity,
  date,
}: RecordDraft): RowProblem => {
  const { first, from } = PARENT.exec(words)?.groups ?? {};
  const event = SPIN_WORDS.test(words)
    ? 'spin-off'
    : REPAID_WORDS.test(words)
      ? 'capital-return'
      : MERGER_WORDS.test(words)
        ? 'merger'
        : 'rename';
  return {
    kind: 'reorganisation',
    event,
    name: code || name || isin,
    quantity: quantity?.abs(),
    parent: first ?? from,
    date,
  };
};
