/** Of the pairs of bytes that CP949 adds to EUC-KR, the second ones, in their order. */
const ADDED_TRAILS: readonly number[] = Array.from({ length: 256 }, (_, byte) => byte).filter(
  (byte) =>
    (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x81 && byte <= 0xfe),
);

/** What the built-in decoder puts where it knows nothing. */
const UNKNOWN = 0xfffd;

const placeOf = (lead: number, trail: number): number => lead * 256 + trail;

/** Signs that came later than the table of the built-in decoder: € and ®. */
const NEWER_SIGNS: readonly (readonly [lead: number, trail: number, code: number])[] = [
  [0xa2, 0xe6, 0x20ac],
  [0xa2, 0xe7, 0x00ae],
];

/** What EUC-KR has for each pair of bytes; 0 for none. */
const commonPart = (): Uint16Array => {
  const table = new Uint16Array(0x1_0000);
  const decoder = new TextDecoder('euc-kr');
  const trails = Array.from({ length: 0xff - 0xa1 }, (_, index) => 0xa1 + index);
  for (let lead = 0xa1; lead <= 0xfe; lead += 1) {
    // One character for each pair, also for one that nothing stands for.
    const row = decoder.decode(Uint8Array.from(trails.flatMap((trail) => [lead, trail])));
    for (const [index, trail] of trails.entries()) {
      const code = row.charCodeAt(index);
      table[placeOf(lead, trail)] = code === UNKNOWN ? 0 : code;
    }
  }
  for (const [lead, trail, code] of NEWER_SIGNS) table[placeOf(lead, trail)] = code;
  return table;
};

/**
 * CP949 whole: Windows in Korean writes it. The decoder that is built in by the name of EUC-KR knows the common
 * part only, and turns the other 8,822 syllables into rubbish without a word. They stand in the order of Unicode.
 */
const wholeTable = (): Uint16Array => {
  const table = commonPart();
  const known = new Set(table);
  const syllables = Array.from({ length: 0xd7a4 - 0xac00 }, (_, index) => 0xac00 + index);
  const added = syllables.filter((code) => !known.has(code));
  let next = 0;
  for (let lead = 0x81; lead <= 0xc6; lead += 1) {
    for (const trail of ADDED_TRAILS) {
      // Where the first byte is one of EUC-KR, so are the pairs with a high second one.
      if (lead >= 0xa1 && trail >= 0xa1) break;
      table[placeOf(lead, trail)] = added[next] ?? 0;
      next += 1;
    }
  }
  return table;
};

/**
 * The text behind Korean bytes (CP949, and EUC-KR within it), undefined where they are none. `isCut`: the last
 * character may be half there, and is then left out.
 */
export const decodeCp949 = (bytes: Uint8Array, isCut = false): string | undefined => {
  const table = wholeTable();
  const codes = new Uint16Array(bytes.length);
  let count = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const lead = bytes[index] ?? 0;
    if (lead >= 0x80) {
      index += 1;
      if (index === bytes.length && isCut) break;
    }
    const code = lead < 0x80 ? lead : (table[placeOf(lead, bytes[index] ?? 0)] ?? 0);
    if (code === 0 && lead !== 0) return undefined;
    codes[count] = code;
    count += 1;
  }
  return new TextDecoder('utf-16le').decode(codes.subarray(0, count));
};
