import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileBoundedPattern } from '#src/platform/text/bounded-pattern.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import * as redaction from '#src/agent/tools/redaction/redaction.ts';
import { isJsonText, maskJsonStrings } from '#src/agent/tools/redaction/json-strings.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import { everyRow } from '#test/support/every-row.ts';

const redactFinancialData = (text: string): string => atOnce(redaction.redactFinancialData(text));
const redactPatterns = (text: string, patterns: readonly RegExp[]): string =>
  atOnce(
    redaction.redactPatterns(
      text,
      patterns.map((pattern) => ({ pattern })),
    ),
  );

const LENGTH = 200_000;
const SECONDS_MS = 5_000;

/** Texts that make a careless search take hours: parts of what is looked for, without an end. */
const HOSTILE: readonly (readonly [string, string])[] = [
  ['digits', '1'.repeat(LENGTH)],
  ['hyphens', '-'.repeat(LENGTH)],
  ['digits and hyphens', '1-'.repeat(LENGTH / 2)],
  ['digits and blanks', '4111 '.repeat(LENGTH / 5)],
  ['blanks behind a label', `password${' '.repeat(LENGTH)}`],
  ['quotes', '"'.repeat(LENGTH)],
  ['escaped quotes in JSON', `["${String.raw`\"`.repeat(LENGTH / 2)}"]`],
  ['backslashes in JSON', `["${String.raw`\\`.repeat(LENGTH / 2)}"]`],
  ['open brackets', '['.repeat(LENGTH)],
  ['nested arrays', '['.repeat(LENGTH / 2) + ']'.repeat(LENGTH / 2)],
  ['beginnings of tokens', 'eyJ-'.repeat(LENGTH / 4)],
  ['parts of tokens', 'eyJabcdefgh.'.repeat(LENGTH / 12)],
  ['beginnings of keys', 'sk-ant-'.repeat(LENGTH / 7)],
  ['beginnings of private keys', '-----BEGIN PRIVATE KEY-----'.repeat(LENGTH / 27)],
  ['a private key without an end', `-----BEGIN PRIVATE KEY-----${'a-'.repeat(LENGTH / 2)}`],
  ['addresses without a host', '://a:'.repeat(LENGTH / 5)],
  ['labels', 'password="'.repeat(LENGTH / 10)],
  ['countries of accounts', 'DE89 '.repeat(LENGTH / 5)],
  ['one row of many cells', '|4111111111111112'.repeat(LENGTH / 17)],
  ['many rows', '|4111111111111112\n'.repeat(LENGTH / 18)],
];

/** The same value with every string empty. */
const shape = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, each: unknown) => (typeof each === 'string' ? '' : each));

describe('redactFinancialData', () => {
  everyRow(HOSTILE)('is done with endless %s in seconds', (_what, text) => {
    const startedAtMs = cpuMs();
    redactFinancialData(text);
    expect(cpuMs() - startedAtMs).toBeLessThan(SECONDS_MS);
  });

  it('leaves every document without long strings as it is, to the letter', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 2, '\t'), (document, indent) => {
        const json = JSON.stringify({ document, count: 4_111_111_111_111_111 }, undefined, indent);
        fc.pre(!/\d{7}|[A-Za-z]{4}[-_:=]/.test(JSON.stringify(document)));
        expect(redactFinancialData(json)).toBe(json);
      }),
    );
  });

  it('gives valid JSON for valid JSON, with the same names and numbers', () => {
    const secret = fc.constantFrom(
      '4111-1111-1111-1111',
      '계좌 110-123-456789',
      'password="a1b2c3"',
      '\\"\n\u0001',
    );
    const leaf = fc.oneof(secret, fc.double({ noNaN: true }), fc.string());
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('tree')),
        fc.dictionary(fc.string({ maxLength: 2 }), tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(fc.array(tree), (document) => {
        const text = redactFinancialData(JSON.stringify(document));
        expect(shape(JSON.parse(text))).toEqual(shape(document));
        expect(text).not.toMatch(/4111-1111|110-123|a1b2c3/);
      }),
    );
  });

  it('masks each of many numbers in one text, in its place', () => {
    const line = '계좌번호 110-123-456789, 카드 4111 1111 1111 1111, GB82WEST12345698765432';
    const masked = '계좌번호 [account ****6789], 카드 [card ****1111], [account ****5432]';
    expect(redactFinancialData(Array(50).fill(line).join('\n'))).toBe(Array(50).fill(masked).join('\n'));
  });
});

/** Put together here, so that nobody takes the file for a leak. */
const TOKENS: readonly (readonly [string, string])[] = [
  ['gl', `pat-${'aB3x'.repeat(5)}`],
  ['npm', `_${'aB3'.repeat(12)}`],
  ['hf', `_${'aBc'.repeat(11)}`],
  ['sk', `_live_${'aB3'.repeat(8)}`],
  ['GOC', `SPX-${'aB3_'.repeat(7)}`],
  ['ya', `29.${'aB3-'.repeat(10)}`],
  ['SG', `.${'aB3x'.repeat(5)}.${'aB3x'.repeat(10)}`],
  ['1234', `567890:AA${'aB3'.repeat(11)}`],
  ['AS', `IA${'AB23'.repeat(4)}`],
  ['xa', `pp-1-A0123456789-0123456789`],
];

describe('keys and passwords', () => {
  everyRow(TOKENS)('knows tokens that begin with %s', (first, rest) => {
    expect(redactFinancialData(`It is ${first}${rest}, keep it.`)).toBe('It is [secret], keep it.');
  });

  it('masks the secret part of a webhook and of a login', () => {
    const path = 'aB3x'.repeat(8);
    expect(redactFinancialData(`https://hooks.slack.com/services/T01/B02/${path}`)).toBe(
      'https://hooks.slack.com/services/[secret]',
    );
    expect(redactFinancialData(`https://discord.com/api/webhooks/123456/${path}`)).toBe(
      'https://discord.com/api/webhooks/123456/[secret]',
    );
    expect(redactFinancialData('Authorization: Basic dXNlcjpwYXNz')).toBe('Authorization: Basic [secret]');
  });

  it('masks a private key that was cut off as far as it goes', () => {
    const text = redactFinancialData(
      `-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEAwJ\nk9Xq5uYw3eRtYuIoP0\n\nThe end.`,
    );
    expect(text).toBe('[secret]\n\nThe end.');
  });
});

describe('redactPatterns', () => {
  it('uses a pattern on all of the text, and again on the next one', () => {
    const patterns = [/EMP-\d+/g, /internal/gi];
    const once = (): string => redactPatterns('EMP-1 and EMP-2, Internal', patterns);
    expect([once(), once()]).toEqual(Array(2).fill('[redacted] and [redacted], [redacted]'));
  });

  it('finds every one in a long text, wherever it stands', () => {
    const pattern = compileBoundedPattern('EMP-\\d{6}');
    for (let before = 240; before < 280; before += 1) {
      const text = `${'a'.repeat(before)}EMP-123456 EMP-65432${'b'.repeat(3_000)}EMP-111111`;
      expect(redactPatterns(text, [pattern])).toBe(
        `${'a'.repeat(before)}[redacted] EMP-65432${'b'.repeat(3_000)}[redacted]`,
      );
    }
  });

  it('lets others have their turn with the worst pattern on the worst text', () => {
    const pattern = compileBoundedPattern('\\w{0,10}\\w{0,10}[a-z]{75}!');
    const steps = redaction.redactPatterns('a'.repeat(5_000), [{ pattern }]);
    let count = 0;
    while (!steps.next().done) count += 1;
    expect(count).toBeGreaterThan(3);
  });

  it('keeps JSON valid: only strings are changed', () => {
    expect(redactPatterns('{"7":7,"a":"7"}', [/7/g])).toBe('{"7":7,"a":"[redacted]"}');
  });

  it('leaves a text in which nothing is found', () => {
    expect(redactPatterns('nothing', [/EMP/g])).toBe('nothing');
  });
});

describe('maskJsonStrings', () => {
  it('calls a value by its name and by that of what it stands in', () => {
    const seen: string[] = [];
    const json = '{"a":"1","b":{"c":"2"},"d":["3","4",{"e":"5"}],"f":"6"}';
    const steps = maskJsonStrings(json, function* (value, name) {
      seen.push(`${name.trim()}=${value}`);
      yield;
      return value;
    });
    expect(atOnce(steps)).toBe(json);
    expect(seen).toEqual(['a=1', 'b c=2', 'd=3', 'd=4', 'd e=5', 'f=6']);
  });
});

describe('isJsonText', () => {
  it.each([
    ['{"a":1}', true],
    [' [1,2]\n', true],
    ['"text"', false],
    ['12', false],
    ['[No result returned]', false],
    ['{"a":1', false],
  ])('of %j is %s', (text, expected) => {
    expect(isJsonText(text)).toBe(expected);
  });
});
