import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '#src/agent/tools/canonical-json.ts';
import { everyRow } from '#test/support/every-row.ts';

/** The same value with the keys of every object the other way round. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)]),
  );
};

describe('canonicalJson', () => {
  it('sorts keys at every depth and keeps the order of lists', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 'x' }, 2, null], a: true, 10: {}, 9: [] })).toBe(
      '{"10":{},"9":[],"a":true,"b":[{"c":"x","d":1},2,null]}',
    );
    expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
  });

  it('is JSON of the same value, whatever the order of its keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(text);
      }),
    );
  });

  it('keeps apart keys that only look the same, in one order', () => {
    const input = { '\u00e9': 1, 'e\u0301': 2 };
    expect(canonicalJson(input)).toBe('{"e\u0301":2,"\u00e9":1}');
    expect(canonicalJson(reversed(input))).toBe(canonicalJson(input));
  });

  everyRow<[unknown, string]>([
    [undefined, 'null'],
    [{ a: undefined }, '{}'],
    [[undefined, 1], '[null,1]'],
    [Number.NaN, 'null'],
    [-0, '0'],
    ['"\n\ud800', String.raw`"\"\n\ud800"`],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [{ a: 1, f: () => 1 }, '{"a":1}'],
  ])('writes %o as JSON does', (value, expected) => {
    expect(canonicalJson(value)).toBe(expected);
  });

  it('keeps keys that mean something to the language', () => {
    const input: unknown = JSON.parse('{"constructor":1,"__proto__":{"b":2,"a":1}}');
    expect(canonicalJson(input)).toBe('{"__proto__":{"a":1,"b":2},"constructor":1}');
  });

  it('does not take words that look like JSON for JSON', () => {
    expect(canonicalJson({ a: '1,"b":2' })).not.toBe(canonicalJson({ a: 1, b: 2 }));
    expect(canonicalJson('null')).not.toBe(canonicalJson(null));
  });

  it('writes what is nested deeper than a call stack, and lists that are long', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(canonicalJson(JSON.parse(deep))).toBe(deep);
    const long = Array.from({ length: 200_000 }, (_, index) => index);
    expect(canonicalJson(long)).toBe(JSON.stringify(long));
  });

  it('throws for a circle instead of running for ever', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => canonicalJson(circle)).toThrow(TypeError);
  });
});
