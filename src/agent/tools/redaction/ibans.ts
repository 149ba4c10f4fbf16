import { ibanLength, isIbanValid } from './checksums.ts';
import type { Finding } from './finding.ts';
import { accountMask } from './judge-number.ts';

const IBAN_START = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?=[ A-Z0-9])/g;

/** Its country says how long it is: words behind it are never taken for a part of it. */
export const ibansIn = (text: string): readonly Finding[] => {
  const findings: Finding[] = [];
  for (const { 0: found, index } of text.matchAll(IBAN_START)) {
    const length = ibanLength(found.slice(0, 2)) ?? 0;
    let to = index;
    let iban = '';
    while (iban.length < length && to - index < length + 10 && /[A-Z0-9 ]/.test(text.charAt(to))) {
      if (text[to] !== ' ') iban += text.charAt(to);
      to += 1;
    }
    const isWhole = iban.length === length && !/[A-Za-z0-9]/.test(text.charAt(to));
    if (length > 0 && isWhole && isIbanValid(iban))
      findings.push({ from: index, to, mask: accountMask(iban) });
  }
  return findings;
};
