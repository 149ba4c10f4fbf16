import type { Steps } from '#src/infra/steps.ts';
import { ibanLength, isIbanValid } from './checksums.ts';
import type { Finding } from './finding.ts';
import { accountMask } from './judge-number.ts';

const IBAN_START = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?=[ A-Z0-9])/g;

const isIbanCharacter = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
const BLANK = 32;

/** Its country says how long it is: words behind it are never taken for a part of it. */
export const ibansIn = function* (text: string): Steps<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { 0: found, index } of text.matchAll(IBAN_START)) {
    yield;
    const length = ibanLength(found.slice(0, 2)) ?? 0;
    let to = index;
    let size = 0;
    while (size < length && to - index < length + 10) {
      const code = text.charCodeAt(to);
      if (isIbanCharacter(code)) size += 1;
      else if (code !== BLANK) break;
      to += 1;
    }
    if (length === 0 || size < length || /[A-Za-z0-9]/.test(text.charAt(to))) continue;
    const iban = text.slice(index, to).replaceAll(' ', '');
    if (isIbanValid(iban)) findings.push({ from: index, to, mask: accountMask(iban) });
  }
  return findings;
};
