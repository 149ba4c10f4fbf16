import { createHash, randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretBox } from '#src/platform/files/secret-box.ts';
import { anyText } from '#test/support/any-text.ts';
import { inFull, NEW_SECRET_KEY, SECRET_KEY, thrownBy } from '#test/agent/keys/support.ts';
import { everyRow } from '#test/support/every-row.ts';

const box = createSecretBox([SECRET_KEY]);
const text = anyText();
const PATTERN = createHash('md5').update('pattern').digest();

const WRONG = {
  code: 'SECRET_KEY_WRONG',
  isOperational: true,
  message:
    'The saved key row-1 cannot be opened: FINCLAW_SECRET_KEY is not the one it was sealed with. Put the old one behind the new one, separated by a comma.',
};

describe('createSecretBox', () => {
  it('opens what it sealed, whatever the text and the record', () => {
    fc.assert(
      fc.property(text, text, (recordId, plaintext) => {
        const opened = box.open(recordId, box.seal(recordId, plaintext));
        expect(opened).toEqual({ plaintext, isCurrent: true });
      }),
    );
  });

  it('seals in the versioned form, with an id that tells which key and not the key', () => {
    const [version, keyId, nonce, tag, ciphertext, ...rest] = box.seal('row-1', 'plain').split('.');
    const digest = createHash('sha256').update(Buffer.from(SECRET_KEY, 'base64')).digest('hex');
    expect([version, keyId, rest]).toEqual(['v1', digest.slice(0, 8), []]);
    const lengths = [nonce, tag, ciphertext].map((part = '') => Buffer.from(part, 'base64url').length);
    expect(lengths).toEqual([12, 16, 5]);
  });

  it('never seals the same text twice in the same way', () => {
    const sealed = Array.from({ length: 50 }, () => box.seal('row-1', 'plain').split('.')[2]);
    expect(new Set(sealed).size).toBe(50);
  });

  it('opens with an old key and says that it is not the current one', () => {
    const rotated = createSecretBox([NEW_SECRET_KEY, SECRET_KEY]);
    expect(rotated.open('row-1', box.seal('row-1', 'plain'))).toEqual({
      plaintext: 'plain',
      isCurrent: false,
    });
    expect(rotated.open('row-1', rotated.seal('row-1', 'plain')).isCurrent).toBe(true);
  });

  it('seals with the first key, so that the old one can be dropped afterwards', () => {
    const sealed = createSecretBox([NEW_SECRET_KEY, SECRET_KEY]).seal('row-1', 'plain');
    expect(createSecretBox([NEW_SECRET_KEY]).open('row-1', sealed).plaintext).toBe('plain');
    expect(thrownBy(() => box.open('row-1', sealed))).toMatchObject(WRONG);
  });

  it('does not open what was sealed for another record', () => {
    const sealed = box.seal('row-2', 'plain');
    expect(thrownBy(() => box.open('row-1', sealed))).toMatchObject(WRONG);
  });

  it('does not open a text in which any one character was changed, and says so in a sentence', () => {
    const sealed = box.seal('row-1', 'a plain text');
    const place = fc.integer({ min: 0, max: sealed.length - 1 });
    const other = fc.constantFrom('a', 'B', '0', '9', '-', '_', '.', '=', '+', ' ');
    fc.assert(
      fc.property(place, other, (index, character) => {
        fc.pre(sealed[index] !== character);
        const changed = sealed.slice(0, index) + character + sealed.slice(index + 1);
        expect(thrownBy(() => box.open('row-1', changed))).toMatchObject(WRONG);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['nothing', () => ''],
    ['the plain text', () => 'sk-ant-plain'],
    ['a shortened tag', (parts: string[]) => parts.with(3, parts[3]?.slice(0, 16) ?? '').join('.')],
    ['one part more', (parts: string[]) => [...parts, 'AAAA'].join('.')],
    ['one part less', (parts: string[]) => parts.slice(0, 4).join('.')],
    ['a later version', (parts: string[]) => parts.with(0, 'v2').join('.')],
    ['an unknown key id', (parts: string[]) => parts.with(1, '00000000').join('.')],
  ])('does not open %s', (_what, change) => {
    const sealed = change(box.seal('row-1', 'plain').split('.'));
    expect(thrownBy(() => box.open('row-1', sealed))).toMatchObject(WRONG);
  });

  it.each([
    ['too short', () => randomBytes(31).toString('base64')],
    ['too long', () => randomBytes(33).toString('base64')],
    ['a word', () => 'correct-horse-battery-staple-correct-horse-1'],
    ['hexadecimal', () => randomBytes(32).toString('hex')],
    ['with a blank in it', () => `${'A'.repeat(20)} ${'A'.repeat(23)}=`],
  ])('refuses a key that is %s, with the way to make one and without the value', (_what, make) => {
    const key = make();
    const error = thrownBy(() => createSecretBox([SECRET_KEY, key]));
    expect(error).toMatchObject({
      code: 'SECRET_KEY_INVALID',
      message:
        'FINCLAW_SECRET_KEY must be 32 bytes in base64 (key 2 of 2 is not). Make one with: openssl rand -base64 32',
    });
    expect(inFull(error)).not.toContain(key);
  });

  everyRow([
    ['zero bytes', Buffer.alloc(32)],
    ['a few bytes over and over', Buffer.from('0123456789abcdef'.repeat(2), 'hex').fill('\x07\xfe\x00')],
    ['a pattern of sixteen bytes, twice', Buffer.concat([PATTERN, PATTERN])],
    ['a count', Buffer.from(Array.from({ length: 32 }, (_, index) => index + 100))],
    ['a word, twice', Buffer.from('passwordpassword'.repeat(2))],
    ['a sentence', Buffer.from('The quick brown fox jumps over a')],
    ['a Korean sentence', Buffer.from('동해물과 백두산이 마르고!!')],
    ['hexadecimal text', Buffer.from('8f3a1c94e0b7d6625ac1f09b3e7d4812')],
  ])('refuses a key that can be guessed, and says how to make one: %s', (_what, bytes) => {
    const key = Buffer.concat([bytes], 32).toString('base64');
    const error = thrownBy(() => createSecretBox([key]));
    expect(error).toMatchObject({
      code: 'SECRET_KEY_WEAK',
      isOperational: true,
      message:
        'FINCLAW_SECRET_KEY can be guessed: it is a text or a pattern. Make a random one with: openssl rand -base64 32. Where something is encrypted already, put the new one first and the old one behind it, separated by a comma.',
    });
    expect(inFull(error)).not.toContain(key);
    // What was sealed with it must still open, so that it can be replaced.
    const rotated = createSecretBox([SECRET_KEY, key]);
    expect(rotated.open('row-1', rotated.seal('row-1', 'plain'))).toEqual({
      plaintext: 'plain',
      isCurrent: true,
    });
  });

  it('takes random keys', () => {
    for (let count = 0; count < 2_000; count += 1)
      expect(() => createSecretBox([randomBytes(32).toString('base64')])).not.toThrow();
  });

  it('refuses to be made without any key, or with an empty one', () => {
    for (const keys of [[], ['']]) {
      expect(thrownBy(() => createSecretBox(keys))).toMatchObject({
        code: 'SECRET_KEY_INVALID',
        message: expect.stringMatching(/^FINCLAW_SECRET_KEY must be 32 bytes in base64\. Make one/),
      });
    }
  });
});
