import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskApiKey } from '#src/agent/keys/key-ring.ts';

describe('maskApiKey', () => {
  it.each([
    ['sk-ant-api03-abcdefgh', 'sk-...efgh'],
    ['123456789', '123...6789'],
    ['12345678', '***'],
    ['', '***'],
  ])('shows %j as %j', (key, masked) => {
    expect(maskApiKey(key)).toBe(masked);
  });

  it('never shows more than seven characters of a key', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 9 }), (key) => {
        expect(maskApiKey(key)).toHaveLength(3 + '...'.length + 4);
      }),
    );
  });
});
