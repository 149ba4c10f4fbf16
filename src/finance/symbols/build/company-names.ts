import { spokenLetters } from '../letter-names.ts';

/** Names as the lists have them, made readable: what a share is on paper is left out, what tells two apart stays. */

const THE_BEHIND = /^(.*?) \(The\)(.*)/;
const DEPOSITARY = /,? american deposit[ao]ry (?:shares?|receipts?).*/i;
const PLAIN_SHARE = /,? (?:(?:common|capital) (?:stock|shares?)|ordinary shares?)(?: \([^(]*\))?\.?$/i;

export const readableUsName = (raw: string): string =>
  raw
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(THE_BEHIND, 'The $1$2')
    .replace(DEPOSITARY, ' ADS')
    .replace(PLAIN_SHARE, '');

/** What is no company: what is owed or may be bought, shares of a preferred kind, a shell that looks for a company. */
const PAPER = [
  /\b(?:warrants?|rights?|debentures?|notes|preferred|preference)\b|%|\btangible equity units?\b/i,
  /(?<!common )(?<!partner )\bunits?\.?$/i,
  /\b(?:acquisitions?|spac|strats|zones)\b/i,
  /(?<!american )(?<!global )\bdeposit[ao]ry (?:shares|interests)\b/i,
  /\b(?:funds?|bdc)\b/i,
];

const FUND_WORD =
  /\b(?:municipal|muni\w*|income|term|securities|opportunit\w+|credit|dividend|return|strateg\w+)\b/i;
/** Closed-end funds; a trust that owns houses is a company. */
const isFundTrust = (name: string): boolean => {
  const from = name.search(FUND_WORD);
  return from >= 0 && /\btrust\b/i.test(name.slice(from));
};

/** Warrants, rights, notes, blank-cheque companies, funds: nobody who names the company means them. */
export const isSecondaryUs = (name: string): boolean =>
  isFundTrust(name) || PAPER.some((pattern) => pattern.test(name));

/** The blank-cheque companies of Korea: `하나34호스팩`, `엘에스스팩1호`. */
export const isShellKr = (nameKo: string): boolean => /스팩(?:제?\d+호)?$/u.test(nameKo);

const PREFERRED = /^(?<company>.+?)(?<series>\d?)우(?<form>[A-Z]?)(?:\([^(]*\))?$/u;
const ORDINALS = ['', '', '2nd ', '3rd ', '4th ', '5th '];

/** `삼성전자우` is `Samsung Electronics Co., Ltd. (Preferred)`: the lists call both by one English name. */
export const preferredOf = (code: string, nameKo: string): string | undefined => {
  const { company, series = '', form = '' } = PREFERRED.exec(nameKo)?.groups ?? {};
  // The code of a common share ends in 0.
  if (company === undefined || code.endsWith('0')) return undefined;
  return `${ORDINALS[Number(series)] ?? `${series}th `}Preferred${form === '' ? '' : ` ${form}`}`;
};

const LETTERS_FIRST = /^(?:[A-Z]{2,4}(?=[가-힣 ])|[A-Z]{3,4}$)/;

/** `LG전자` is also written as it is spoken: 엘지전자. But 엘지 alone is the group, not the company `LG`. */
export const spokenName = (nameKo: string): string | undefined => {
  const [letters] = LETTERS_FIRST.exec(nameKo) ?? [];
  return letters === undefined ? undefined : spokenLetters(letters) + nameKo.slice(letters.length);
};
