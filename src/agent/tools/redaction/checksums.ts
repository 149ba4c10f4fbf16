/** Sums that tell a real number of its kind from any other. Digits only, unless said otherwise. */

const digit = (text: string, index: number): number => text.charCodeAt(index) - 48;

export const isLuhnValid = (digits: string): boolean => {
  let sum = 0;
  for (let index = digits.length - 1, isDoubled = false; index >= 0; index -= 1, isDoubled = !isDoubled) {
    const value = digit(digits, index) * (isDoubled ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
};

/** Prefix and exact length, as issuers give them out today (Visa's 13 digits are gone, its 19 never came). */
const ISSUED =
  /^(?:4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|4[4-9]\d|5\d\d)\d{12}|62\d{14}(?:\d{3})?)$/;

export const hasIssuer = (digits: string): boolean => ISSUED.test(digits);

/** `yymmdd`: whether there is such a day (a century is not known, so February has 29). */
const isMonthAndDay = (month: number, day: number): boolean =>
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  day <= ([4, 6, 9, 11].includes(month) ? 30 : month === 2 ? 29 : 31);

/** `20240115` as a day of our time. */
export const isCalendarDay = (digits: string): boolean =>
  /^(?:19|20)\d{6}$/.test(digits) && isMonthAndDay(Number(digits.slice(4, 6)), Number(digits.slice(6)));

/** Korean resident and foreigner numbers: thirteen digits, a day of birth and a digit from 1 to 8. */
export const isResidentNumber = (digits: string): boolean =>
  /^\d{6}[1-8]\d{6}$/.test(digits) && isMonthAndDay(Number(digits.slice(2, 4)), Number(digits.slice(4, 6)));

const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * digit(digits, index), 0);

const RESIDENT_WEIGHTS = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];
const COMPANY_WEIGHTS = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2];

/**
 * The public number of a Korean company looks like a resident's: 110111-1707178. It is one if its own sum
 * is right and that of a resident (which all had until 2020) is not.
 */
export const isCompanyNumber = (digits: string): boolean => {
  const last = digit(digits, 12);
  const rest = weighted(digits, RESIDENT_WEIGHTS) % 11;
  // Foreigners' sums are two higher.
  const isResident = (11 - rest) % 10 === last || (13 - rest) % 10 === last;
  return !isResident && (10 - (weighted(digits, COMPANY_WEIGHTS) % 10)) % 10 === last;
};

/** Areas 000, 666 and 9xx, group 00 and serial 0000 were never given out. */
export const isSocialSecurityNumber = (digits: string): boolean =>
  /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(digits);

const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 ' +
    'QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

export const ibanLength = (country: string): number | undefined => IBAN_LENGTHS[country];

/** Letters count from 10; the first four characters go to the end; the rest of the division by 97 is 1. */
export const isIbanValid = (iban: string): boolean => {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
};
