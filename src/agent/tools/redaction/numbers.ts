import { changeInSteps, type Steps } from '#src/platform/cooperative-tasks.ts';
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

/** `[from, to)` of a text. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** What is to be masked, and what stands in its place. */
interface Finding extends Range {
  readonly mask: string;
}

const IBAN_START = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?=[ A-Z0-9])/g;

const isIbanCharacter = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
const BLANK = 32;

/** Its country says how long it is: words behind it are never taken for a part of it. */
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

/** `|---|---:|`: the line above it is the heading, whatever stood before. */
const RULE = /^[\s|:]*-[\s|:-]*$/;

/**
 * What stands over a number in a table (Markdown, tabs, commas). The first of the lines that are divided in
 * the same way is the heading. To be asked from the beginning of the text to its end: every line is read once.
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

  /** The heading of the column; empty outside of tables and in the heading itself. */
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

/** At least seven digits in a row, with at most one blank or hyphen between two of them. */
const ENOUGH_DIGITS =
  /[\d\uff10-\uff19](?:[- \u00a0\u2009\u202f\u2010-\u2014\u2212\uff0d]?[\d\uff10-\uff19]){6}/;
const ODD_CHARACTERS = /[\u00a0\u2009\u202f\u2010-\u2014\u2212\uff0d\uff10-\uff19]/g;

/** The text with plain digits, blanks and hyphens, each in its old place. */
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

/** Digits, joined by hyphens: enough of them, or more of them one blank away. */
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

/** Part of a decimal, of a word, of an address or of a longer number: nothing of its own. */
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

/** `"marketCap": 12…`, `[1, 2, 3…`: a number of JSON stays one. A single one in brackets may be prose. */
const isJsonNumber = (before: string, after: string): boolean => {
  if (JSON_MEMBER.test(before)) return true;
  const [found, opener = '', elements = ''] = JSON_ELEMENT.exec(before) ?? [];
  if (found === undefined) return false;
  return /^[:,=([]?$/.test(opener) || elements.includes(',') || /^\s*,\s*[\d-]/.test(after);
};

/** Stands in most results, and is never looked at any closer. */
const DAY = /^(?:19|20)\d\d-\d\d-\d\d$/;

const isYear = (group = ''): boolean => /^(?:19|20)\d\d$/.test(group);

/** `U1234567`: brokers put letters before the number. They belong to it where an account is announced. */
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
      const found = this.#judge(index, count);
      if (found) return found;
    }
    return undefined;
  }

  /** One blank and nothing else is between this token and the next. */
  #isJoined(index: number): boolean {
    const [left, right] = [this.#tokens[index], this.#tokens[index + 1]];
    return left !== undefined && right?.from === left.to + 1 && this.#text[left.to] === ' ';
  }

  /** Four digits and a blank stand before this token. */
  #followsFour(index: number): boolean {
    return index > 0 && this.#isJoined(index - 1) && this.#lengthOf(index - 1) === 4;
  }

  #lengthOf(index: number): number {
    const token = this.#tokens[index];
    return token ? token.to - token.from : 0;
  }

  /** How many tokens from this one on may be one number in groups: 4111 1111 1111 1111. The likeliest first. */
  #groupCounts(index: number): readonly number[] {
    const length = this.#lengthOf(index);
    if (length < 2 || length > 6 || !this.#isJoined(index)) return [1];
    // Deep in a list of numbers no card begins.
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

  /** Groups that are prices or years: a list of more of them, or announced as something else than a card. */
  #isAmongNumbers(index: number, count: number, before: string): boolean {
    if (nearestTopic(before) === 'card') return false;
    const isListed =
      this.#followsFour(index) || (this.#isJoined(index + count - 1) && this.#lengthOf(index + count) === 4);
    return isListed || topicSinceNumber(before) === 'other';
  }

  #judge(index: number, count: number): Finding | undefined {
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
    // A column of amounts has no accounts, whatever the cell to the left says.
    if (groups.length === 1 && !announced && nearestTopic(heading) === 'other') return undefined;
    const shape = groups.map((group) => group.length).join('-');
    // Blanks join what a word announces as an account, or what has the groups of a card.
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

/** Worth asking of a short text; a long one is sooner searched. */
const hasTooFewDigits = (text: string): boolean =>
  text.length < MIN_DIGITS || (text.length < 200 && !ENOUGH_DIGITS.test(text));

/**
 * Masks cards, accounts, social security and resident numbers. `name` is what a value in JSON is called: it
 * counts as the words before it.
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
