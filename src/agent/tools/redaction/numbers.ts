import { changeInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import {
  accountMask,
  adjacentLabel,
  asWords,
  CARD_SHAPE,
  classifyNumber,
  ibanLength,
  isIbanValid,
  nearestTopic,
  type NumberLabel,
  topicSinceNumber,
  wordsBefore,
} from './classify-number.ts';

/** A range of a text, without its end. */
interface Range {
  readonly from: number;
  readonly to: number;
}

interface Finding extends Range {
  readonly mask: string;
}

const IBAN_START = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?=[ A-Z0-9])/g;

const isIbanCharacter = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
const BLANK = 32;

/** The country determines the length of an IBAN, so words after it are never read as a part of it. */
const ibansIn = function* (text: string): Steps<readonly Finding[]> {
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

const delimiterOf = (line: string): string => {
  if (line.includes('|')) return '|';
  if (line.includes('\t')) return '\t';
  return line.split(',').length > 2 ? ',' : '';
};

/** The rule below a Markdown heading: `|---|---:|`. */
const RULE = /^[\s|:]*-[\s|:-]*$/;

/**
 * Finds the column heading of a number in a table (Markdown, tabs, commas). The first of consecutive lines with
 * the same delimiter is the heading. Positions must be requested in ascending order, because each line is read once.
 */
class TableHeadings {
  readonly #text: string;
  #lineEnd = -1;
  #delimiter = '';
  #headings: readonly string[] = [];
  #previous: readonly string[] = [];
  #isHeading = false;
  #cursor = 0;
  #column = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The heading of the column; empty outside tables and in the heading itself. */
  at(index: number): string {
    while (this.#lineEnd < index) this.#nextLine();
    if (this.#isHeading || this.#delimiter === '') return '';
    for (; this.#cursor < index; this.#cursor += 1)
      if (this.#text[this.#cursor] === this.#delimiter) this.#column += 1;
    return asWords((this.#headings[this.#column] ?? '').trim());
  }

  #nextLine(): void {
    const start = this.#lineEnd + 1;
    const end = this.#text.indexOf('\n', start);
    this.#lineEnd = end === -1 ? this.#text.length : end;
    const line = this.#text.slice(start, this.#lineEnd);
    const delimiter = delimiterOf(line);
    this.#isHeading = delimiter !== this.#delimiter;
    const cells = delimiter === '' ? [] : line.split(delimiter);
    if (delimiter === '|' && RULE.test(line)) this.#headings = this.#previous;
    else if (this.#isHeading) this.#headings = cells;
    this.#previous = cells;
    this.#delimiter = delimiter;
    this.#cursor = start;
    this.#column = 0;
  }
}

const MIN_DIGITS = 7;
const MAX_CHARS = 24;
const AFTER_CHARS = 16;

/** Matches seven digits with at most one blank or hyphen between two of them. */
const ENOUGH_DIGITS =
  /[\d\uff10-\uff19](?:[- \u00a0\u2009\u202f\u2010-\u2014\u2212\uff0d]?[\d\uff10-\uff19]){6}/;
const ODD_CHARACTERS = /[\u00a0\u2009\u202f\u2010-\u2014\u2212\uff0d\uff10-\uff19]/g;

/** Replaces full-width digits and unusual blanks and hyphens by plain ones, and keeps all positions. */
const plainView = (text: string): Steps<string> =>
  changeInSteps(text, (slice) =>
    slice.replace(ODD_CHARACTERS, (odd) => {
      const code = odd.charCodeAt(0);
      if (code >= 0xff10 && code <= 0xff19) return String(code - 0xff10);
      return code === 0xa0 || code === 0x2009 || code === 0x202f ? ' ' : '-';
    }),
  );

const isDigitAt = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index);
  return code >= 48 && code <= 57;
};

/** Finds digits joined by hyphens that are long enough, or one blank away from more digits. */
const tokensOf = (text: string): readonly Range[] => {
  const tokens: Range[] = [];
  for (let from = 0; from < text.length; from += 1) {
    if (!isDigitAt(text, from)) continue;
    let to = from + 1;
    while (isDigitAt(text, to) || (text[to] === '-' && isDigitAt(text, to + 1))) to += 1;
    const isOneOfMore =
      (text[to] === ' ' && isDigitAt(text, to + 1)) || (text[from - 1] === ' ' && isDigitAt(text, from - 2));
    if (to - from >= MIN_DIGITS || isOneOfMore) tokens.push({ from, to });
    from = to;
  }
  return tokens;
};

/** Whether the digits are only part of a decimal, a word, an address or a longer number. */
const isPartOfMore = (text: string, { from, to }: Range): boolean => {
  const next = text.charAt(to);
  return (
    /[\w+@]$|(?:^|[^가-힣])-$|[^\s가-힣]\/$|\d\.$/.test(text.slice(Math.max(0, from - 2), from)) ||
    /[\w@]/.test(next) ||
    (next === '-' && /\w/.test(text.charAt(to + 1))) ||
    (next === '.' && isDigitAt(text, to + 1))
  );
};

const JSON_MEMBER = /"\s{0,4}:\s{0,4}$/;
const JSON_ELEMENT = /(^|\S)\s{0,4}\[([\d\s.,eE+-]{0,55})$/;

/** Whether it is a number in JSON: `"marketCap": 12…`, `[1, 2, 3…`. A single number in brackets may be prose. */
const isJsonNumber = (before: string, after: string): boolean => {
  if (JSON_MEMBER.test(before)) return true;
  const [found, opener = '', elements = ''] = JSON_ELEMENT.exec(before) ?? [];
  if (found === undefined) return false;
  return /^[:,=([]?$/.test(opener) || elements.includes(',') || /^\s*,\s*[\d-]/.test(after);
};

/** Dates are in most results, so they are skipped early. */
const DAY = /^(?:19|20)\d\d-\d\d-\d\d$/;

const isYear = (group = ''): boolean => /^(?:19|20)\d\d$/.test(group);

/** Brokers put letters before account numbers (`U1234567`), which are masked with an announced account. */
const LETTERS_BEFORE = /(?<![\w.])[A-Z]{1,3}$/;

class NumberSearch {
  readonly #text: string;
  readonly #name: string;
  readonly #headings: TableHeadings;
  readonly #tokens: readonly Range[];

  constructor(text: string, name: string) {
    this.#text = text;
    this.#name = name;
    this.#headings = new TableHeadings(text);
    this.#tokens = tokensOf(text);
  }

  *run(): Steps<readonly Finding[]> {
    const findings: Finding[] = [];
    for (let index = 0; index < this.#tokens.length; index += 1) {
      yield;
      const found = this.#firstFinding(index);
      if (!found) continue;
      findings.push(found);
      while ((this.#tokens[index + 1]?.from ?? Infinity) < found.to) index += 1;
    }
    return findings;
  }

  #firstFinding(index: number): Finding | undefined {
    for (const count of this.#groupCounts(index)) {
      const found = this.#evaluate(index, count);
      if (found) return found;
    }
    return undefined;
  }

  /** Whether exactly one blank separates this token from the next. */
  #isJoined(index: number): boolean {
    const [left, right] = [this.#tokens[index], this.#tokens[index + 1]];
    return left !== undefined && right?.from === left.to + 1 && this.#text[left.to] === ' ';
  }

  /** Whether four digits and a blank precede this token. */
  #followsFour(index: number): boolean {
    return index > 0 && this.#isJoined(index - 1) && this.#lengthOf(index - 1) === 4;
  }

  #lengthOf(index: number): number {
    const token = this.#tokens[index];
    return token ? token.to - token.from : 0;
  }

  /** Possible numbers of tokens that form one number in groups (4111 1111 1111 1111), the most likely first. */
  #groupCounts(index: number): readonly number[] {
    const length = this.#lengthOf(index);
    if (length < 2 || length > 6 || !this.#isJoined(index)) return [1];
    // No card starts in the middle of a list of numbers.
    if (this.#followsFour(index) && this.#followsFour(index - 1)) return [1];
    let joined = 1;
    while (joined < 6 && this.#isJoined(index + joined - 1)) joined += 1;
    const lengths = Array.from({ length: joined }, (_, offset) => this.#lengthOf(index + offset));
    const cards = [5, 4, 3].filter(
      (count) => count <= joined && CARD_SHAPE.test(lengths.slice(0, count).join('-')),
    );
    const isFirst = index === 0 || !this.#isJoined(index - 1);
    return [...cards, ...(isFirst && lengths.every((each) => each <= 7) ? [joined] : []), 1];
  }

  /** Whether the groups are prices or years: part of a longer list, or announced as something other than a card. */
  #isAmongNumbers(index: number, count: number, before: string): boolean {
    if (nearestTopic(before) === 'card') return false;
    const isListed =
      this.#followsFour(index) || (this.#isJoined(index + count - 1) && this.#lengthOf(index + count) === 4);
    return isListed || topicSinceNumber(before) === 'other';
  }

  #evaluate(index: number, count: number): Finding | undefined {
    const from = this.#tokens[index]?.from ?? 0;
    const to = this.#tokens[index + count - 1]?.to ?? 0;
    if (to - from < MIN_DIGITS || to - from > MAX_CHARS) return undefined;
    const raw = this.#text.slice(from, to);
    if (DAY.test(raw)) return undefined;
    const groups = raw.split(/[- ]/);
    const digits = groups.join('');
    if (digits.length < MIN_DIGITS) return undefined;
    const letters = LETTERS_BEFORE.exec(this.#text.slice(Math.max(0, from - 5), from))?.[0] ?? '';
    const range = { from: from - letters.length, to };
    if (isPartOfMore(this.#text, range)) return undefined;
    const before = wordsBefore(this.#text, range.from, this.#name);
    const after = this.#text.slice(to, to + AFTER_CHARS);
    if (groups.length === 1 && isJsonNumber(before, after)) return undefined;
    const heading = this.#headings.at(range.from);
    const announced = adjacentLabel(heading);
    const label = announced ?? adjacentLabel(before);
    if (letters !== '')
      return isBrokerAccount(label, before) ? { ...range, mask: accountMask(digits) } : undefined;
    // A column of amounts has no accounts, even if the cell to the left names one.
    if (groups.length === 1 && !announced && nearestTopic(heading) === 'other') return undefined;
    const shape = groups.map((group) => group.length).join('-');
    // Tokens separated by blanks are one number only as an announced account or in the groups of a card.
    const isAccount = label === 'account' && digits.length >= 10 && !isYear(groups[0]);
    const isAnnounced = count === 1 || label === 'account-number' || isAccount;
    if (!isAnnounced && (!CARD_SHAPE.test(shape) || this.#isAmongNumbers(index, count, before)))
      return undefined;
    const firstGroup = groups[0] ?? '';
    const mask = classifyNumber({
      digits,
      name: this.#name,
      shape,
      firstGroup,
      before,
      after,
      heading,
      label,
    });
    return mask === undefined ? undefined : { ...range, mask };
  }
}

const isBrokerAccount = (label: NumberLabel | undefined, before: string): boolean =>
  label === 'account-number' || (label === 'account' && /[:=#：][^\w:=#：]*$/.test(before));

const applied = (text: string, findings: readonly Finding[]): string => {
  let masked = '';
  let copied = 0;
  for (const { from, to, mask } of findings) {
    if (from < copied) continue;
    masked += text.slice(copied, from) + mask;
    copied = to;
  }
  return masked + text.slice(copied);
};

/** Checked for short texts only; searching a long one directly is faster. */
const hasTooFewDigits = (text: string): boolean =>
  text.length < MIN_DIGITS || (text.length < 200 && !ENOUGH_DIGITS.test(text));

/**
 * Masks cards, accounts, social security and resident numbers. `name` is the name of a JSON value, and counts as
 * words before it.
 */
export const maskNumbers = function* (text: string, name = ''): Steps<string> {
  if (hasTooFewDigits(text)) return text;
  const view = yield* plainView(text);
  const ibans = yield* ibansIn(view);
  const findings = [...ibans, ...(yield* new NumberSearch(view, name).run())];
  return findings.length === 0
    ? text
    : applied(
        text,
        findings.toSorted((a, b) => a.from - b.from),
      );
};
