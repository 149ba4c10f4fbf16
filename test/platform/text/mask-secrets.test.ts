import { describe, expect, it } from 'vitest';
import { createSecretMask, withoutKeys } from '#src/platform/text/mask-secrets.ts';
import { everyRow } from '#test/support/every-row.ts';

describe('createSecretMask', () => {
  everyRow([
    ['an OpenAI key', 'key sk-proj-abcdefghij_0123456789 used', 'key [***] used'],
    ['an Anthropic key', 'sk-ant-api03-AbCdEf0123456789-xyz', '[***]'],
    ['a Slack bot token', 'with xoxb-1234567890-abcdefghij!', 'with [***]!'],
    ['a Slack app token', 'xapp-1-A0123456789-0123456789', '[***]'],
    ['a Discord token', `bot ${'M'.repeat(24)}.GabcDe.${'x'.repeat(38)} ok`, 'bot [***] ok'],
    ['a bearer header', 'Authorization: bearer abcdefghij.0123456789', 'Authorization: [***]'],
    ['a database password', 'postgres://bot:pa55word@db:5432/app', 'postgres://bot:[***]@db:5432/app'],
    ['a password without a user', 'redis://:pa55word@cache:6379', 'redis://:[***]@cache:6379'],
  ])('masks %s by its shape', (_what, text, masked) => {
    expect(createSecretMask([])(text)).toBe(masked);
  });

  it('masks more than it refuses: in a log, what may be a key is not shown', () => {
    const doubtful = ['sk-hynix-posts-record-profit-in-2026', 'xoxb-the-launch-party'];
    expect(doubtful.map(createSecretMask([]))).toEqual(['[***]', '[***]']);
    expect(doubtful.map(withoutKeys)).toEqual(doubtful);
  });

  it.each([
    'AAPL costs $3,097.45 at 2026-11-13T06:30:00Z',
    'risk-free rate, task-oriented, desk-1',
    'https://example.com:8080/path?user=a@b.com',
    'Bearer of bad news',
    '삼성전자 71,900원 (mail me@example.com)',
    '019a7c3e-1b2c-7000-8abc-0123456789ab',
  ])('leaves ordinary text as it is: %s', (text) => {
    expect(createSecretMask([])(text)).toBe(text);
  });

  it('masks each known secret wherever it stands, however often', () => {
    const mask = createSecretMask(['correct-horse', 'a+b(c)*$&']);
    expect(mask('correct-horse, then <correct-horse>, then a+b(c)*$&.')).toBe(
      '[***], then <[***]>, then [***].',
    );
  });

  it('masks a secret whole that begins with another one', () => {
    expect(createSecretMask(['abcdef', 'abcdef123456'])('key abcdef123456')).toBe('key [***]');
  });

  it('masks every shape in a text, not only the first', () => {
    const mask = createSecretMask([]);
    expect(mask('sk-aaaaaaaaaaaaaaaaaaaa sk-bbbbbbbbbbbbbbbbbbbb')).toBe('[***] [***]');
  });

  it('gives the same answer when the same mask is used again', () => {
    const mask = createSecretMask([]);
    const text = 'sk-aaaaaaaaaaaaaaaaaaaa';
    expect([mask(text), mask(text), mask(text)]).toEqual(['[***]', '[***]', '[***]']);
  });

  it('does not mask ordinary words because a configured secret is empty or very short', () => {
    expect(createSecretMask(['', 'a', 'price'])('a price of a share')).toBe('a price of a share');
  });

  it('masks a known secret from six characters on', () => {
    expect(createSecretMask(['abcde', 'fghijk'])('abcde fghijk')).toBe('abcde [***]');
  });
});

describe('withoutKeys', () => {
  it('takes out every key, and leaves every other word', () => {
    expect(
      withoutKeys(
        'use sk-ant-api03-AbCdEf0123456789-xyz, sk-proj-abcdefghij_0123456789 or xoxb-1234567890-abc, please',
      ),
    ).toMatch(/^use\s+,\s+or\s+, please$/);
  });

  it.each(['', 'sk-hynix is up', 'a sk-learn model, bearer abcdefghij.0123456789', '키: sk-ant-…'])(
    'gives back the same text where there is none: %j',
    (text) => {
      expect(withoutKeys(text)).toBe(text);
    },
  );

  it('does not join the words on both sides of a key to a new one', () => {
    expect(withoutKeys('a(sk-proj-abcdefghij_0123456789)b')).toBe('a( )b');
    expect(withoutKeys('가sk-proj-abcdefghij_0123456789나')).toBe('가 나');
  });
});
