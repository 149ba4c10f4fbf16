import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import { amountsIn } from './amounts.ts';
import { type EntryFields, type EntryText, readEntryText } from './entries.ts';

/** The portfolios of a transfer, as far as they are named. */
interface TransferSides {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const FROM = /^from$/iu;
const TO = /^(?:to|into|→|->|=>)$/iu;
const ARROW = /^(?:→|->|=>)$/u;
const OUT_OF_KO = /^(?<name>[\p{L}\p{N}_-]{1,24})에서$/u;
const INTO_KO = /^(?<name>[\p{L}\p{N}_-]{1,24}?)(?:으로|로|에)$/u;
/** `연금 계좌로`: the particle belongs to the name. */
const ACCOUNT_KO = / (?:계좌|포트폴리오)(?=(?:에서|으로|로|에)(?: |$))/gu;
const FILLER = /^(?:my|the|portfolio|account|포트폴리오|계좌|현금|cash|내|제)$/iu;

/** Takes `from main to pension`, `main → pension` or `기본에서 연금으로` out of a line. */
const readTransferSides = (
  tokens: readonly string[],
  given: TransferSides,
): TransferSides & { readonly rest: readonly string[] } => {
  const words = tokens
    .join(' ')
    .replaceAll(ACCOUNT_KO, '')
    .split(' ')
    .filter((token) => !FILLER.test(token));
  let { from, to } = given;
  const rest: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [word = '', next] = words.slice(at, at + 2);
    const out = OUT_OF_KO.exec(word)?.groups?.['name'];
    const into = INTO_KO.exec(word)?.groups?.['name'];
    if (FROM.test(word) && next !== undefined && from === undefined) {
      from = next;
      at += 1;
    } else if (TO.test(word) && next !== undefined && to === undefined) {
      if (ARROW.test(word) && from === undefined) from = rest.pop();
      to = next;
      at += 1;
    } else if (out !== undefined && from === undefined) from = out;
    else if (into !== undefined && to === undefined && !/\d/u.test(word)) to = into;
    else rest.push(word);
  }
  return { from, to, rest };
};

/** Reads `AAPL 10 from main to pension` or `100만원 기본에서 연금으로`: what moves is named as in a sale or a deposit. */
export const readTransferText = (
  tokens: readonly string[],
  named: TransferSides,
  symbols: Pick<SymbolSearch, 'resolve'>,
  given: EntryFields = {},
): EntryText & TransferSides => {
  const { from, to, rest } = readTransferSides(tokens, named);
  const text = rest.join(' ');
  const isMoney = amountsIn(text).some(({ value }) => value.unit === 'money');
  return { ...readEntryText(isMoney ? 'deposit' : 'sell', text, symbols, given), from, to };
};
