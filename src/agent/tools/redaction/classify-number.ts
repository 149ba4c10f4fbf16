import {
  hasIssuer,
  isCalendarDay,
  isCompanyNumber,
  isLuhnValid,
  isResidentNumber,
  isSocialSecurityNumber,
} from './checksums.ts';
import { unitAt } from '#src/language/units.ts';
import { nearestTopic, type NumberLabel, topicSinceNumber } from './number-labels.ts';

/** A number of seven digits or more that stands for itself, and what is said around it. */
export interface Candidate {
  readonly digits: string;
  /** What the value is called that it stands in, in JSON. */
  readonly name: string;
  /** `3-3-6`: the lengths of its groups. */
  readonly shape: string;
  readonly firstGroup: string;
  readonly before: string;
  readonly after: string;
  /** Over its column, if it stands in a table. */
  readonly heading: string;
  readonly label: NumberLabel | undefined;
}

const lastFour = (digits: string): string => `****${digits.slice(-4)}`;
const cardMask = (digits: string): string => `[card ${lastFour(digits)}]`;

/** Of a short number, four digits would be half. */
export const accountMask = (digits: string): string =>
  digits.length >= 10 ? `[account ${lastFour(digits)}]` : '[account]';

/** What is counted besides money, shares and percentages, and scales. The word must end there. */
const COUNTED =
  /^\s?(?:[십백천]?[만억조]|명|건)(?!\p{L})|^(?:[십백천]?[만억조]|명|건)(?:[을를이가은는의에로씩도와과]|으로|입니|규모|까지|부터|증가|감소)/u;
const SCALED_MONEY = /^\s?[십백천]?[만억조백천]\s?(?=\p{L})/u;
/** `98765432 USD 500`: the money is that of the amount behind it. */
const AMOUNT_BEHIND = /^\s*[\d$]/;

/** An amount or a count: 1234567890원, 98765432 shares. 주식회사 is no unit, and neither is the name of a bank. */
const isCounted = (after: string): boolean => {
  if (COUNTED.test(after)) return true;
  const unit = unitAt(after, SCALED_MONEY.exec(after)?.[0].length ?? 0);
  return unit !== null && !(/^\s?[a-z]/i.test(after) && AMOUNT_BEHIND.test(after.slice(unit.end)));
};
const EPOCH = /^(?:1[2-9]|20)\d{8}(?:\d{3}|\d{6})?$/;
const ROUND = /000$/;
/** `?id=`, `#`: an address or a reference, unless a word says what it is. */
const IN_ADDRESS = /[=#&?]$/;

/** How cards are printed. */
export const CARD_SHAPE = /^(?:4-4-4-4|4-4-4-4-3|4-6-5|4-6-4)$/;

/**
 * A right sum alone proves nothing: every tenth market cap has one. It takes the groups of a card, a word
 * that says so, or an issuer's prefix and length where nothing speaks of an amount, a time or an id.
 */
const judgeCard = ({ digits, name, shape, before, after, heading, label }: Candidate): string | undefined => {
  if (digits.length < 13 || digits.length > 19) return undefined;
  const isGrouped = CARD_SHAPE.test(shape);
  if (!isLuhnValid(digits)) return label === 'card' && isGrouped ? cardMask(digits) : undefined;
  if (isGrouped) return label === 'reference' && !hasIssuer(digits) ? undefined : cardMask(digits);
  const topic = nearestTopic(heading) ?? nearestTopic(before);
  if (topic === 'card') return cardMask(digits);
  const isFree = /(?:^|[\s"'`*([|:>가-힣])$/.test(before) && !isCounted(after) && !ROUND.test(digits);
  const isBare = !shape.includes('-') && isFree && topic !== 'other';
  // Under a name that says nothing, 14 and 15 digits are sooner trillions of won.
  const isLongEnough = name.trim() === '' || digits.length >= 16;
  return isBare && isLongEnough && hasIssuer(digits) ? cardMask(digits) : undefined;
};

const judgePerson = ({ digits, shape, label, before }: Candidate): string | undefined => {
  const isFree = label !== 'reference' && label !== 'phone' && !IN_ADDRESS.test(before);
  if (isResidentNumber(digits)) {
    if (label === 'rrn') return '[RRN]';
    if (shape === '6-7' && isFree && !isCompanyNumber(digits)) return '[RRN]';
  }
  if (label === 'ssn' && digits.length === 9) return '[SSN]';
  return shape === '3-2-4' && isFree && isSocialSecurityNumber(digits) ? '[SSN]' : undefined;
};

/** How Korean banks and brokers write their accounts. */
const BANK_SHAPE = /^(?:6-2-6|3-3-6|3-2-6|4-3-6|3-6-5|3-4-4-2|3-6-2-3|4-2-7|4-4-4-1)$/;
const YEAR = /^(?:19|20)\d\d$/;
const MOBILE = /^01[016-9]/;

const isPhone = ({ digits, shape, firstGroup }: Candidate): boolean =>
  (firstGroup.startsWith('0') && /^[234]-[34]-4$/.test(shape)) ||
  (shape === '4-4' && /^1[5-8]/.test(digits)) ||
  (/^(?:1-)?3-3-4$/.test(shape) && !firstGroup.startsWith('0')) ||
  (MOBILE.test(digits) && digits.length <= 11);

/** 2024-01-15, 2024-2025, 20240115-0001. */
const isDate = ({ digits, shape, firstGroup }: Candidate): boolean =>
  (YEAR.test(firstGroup) && (/^4-\d-\d$/.test(shape) || (shape === '4-4' && YEAR.test(digits.slice(4))))) ||
  (shape.startsWith('8-') && isCalendarDay(firstGroup));

const hasBankFormat = ({ digits, shape, firstGroup, label, before }: Candidate): boolean =>
  label !== 'reference' &&
  label !== 'phone' &&
  (label !== undefined || !IN_ADDRESS.test(before)) &&
  !MOBILE.test(digits) &&
  ((BANK_SHAPE.test(shape) && !YEAR.test(firstGroup)) || (shape === '4-4-4' && /^100\d/.test(digits)));

const SAYS_BANK = /(?:은행|뱅크|bank|증권|금고|우체국)[ :：]{0,3}[([]?$|계좌|account|입금|송금|이체|예금주/i;
const BANK_BEHIND = /^\s?\(?[가-힣A-Z]{2,6}(?:은행|뱅크)|^\s?계좌/;

/** A bank's name is also that of a listed share: its number must look like an account and like nothing else. */
const isNamedByBank = ({ digits, shape, firstGroup, label, before, after }: Candidate): boolean => {
  if (digits.length < 10) return false;
  if (shape.includes('-')) return label === 'bank' && !YEAR.test(firstGroup);
  const isNamed = (label === 'bank' && SAYS_BANK.test(before)) || (!label && BANK_BEHIND.test(after));
  const isQuantity = EPOCH.test(digits) || ROUND.test(digits) || topicSinceNumber(before) === 'other';
  return isNamed && !isQuantity && digits.length >= 11 && digits.length <= 14;
};

const judgeAccount = (candidate: Candidate): string | undefined => {
  const { digits, shape, label, before, after, heading } = candidate;
  const isBare = !shape.includes('-');
  const isLocal = label === 'account-number' && shape === '3-3-4';
  if ((isPhone(candidate) && !isLocal) || isDate(candidate) || digits.length > 16) return undefined;
  const mask = accountMask(digits);
  if (!isBare && hasBankFormat(candidate)) return mask;
  if (label === 'account-number') return mask;
  if (isBare && isCounted(after)) return undefined;
  if (label !== 'account') return isNamedByBank(candidate) ? mask : undefined;
  // "per account 10000000": without a sign between them, a round number is an amount.
  const isSigned = heading !== '' || /[:=#：|"]["'`\s]{0,3}$/.test(before);
  const isRound = isBare && ROUND.test(digits) && !isSigned;
  return digits.length >= 8 && !isRound && !isCalendarDay(digits) ? mask : undefined;
};

/** What is to stand in place of the number; nothing where it may stay. */
export const classifyNumber = (candidate: Candidate): string | undefined =>
  judgeCard(candidate) ?? judgePerson(candidate) ?? judgeAccount(candidate);
