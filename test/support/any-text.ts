import * as fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any character there is. What fast-check has for it (`unit: 'binary'`) takes a second to be made. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count));

export const anyText = (constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: anyCharacter });
