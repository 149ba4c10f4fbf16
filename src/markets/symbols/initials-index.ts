import { KEY, lastAtOrBefore, type SymbolIndex } from './symbol-index.ts';
import { isInitialAt } from './symbol-key.ts';

/** Instruments by initials: full matches first, then prefixes. */
export type InitialsLookup = (initials: string, limit: number) => readonly number[];

const BAR = KEY.charCodeAt(0);

/** An index of Korean initials, built on first use because many processes never need it. */
export const createInitialsLookup = (index: SymbolIndex): InitialsLookup => {
  let text: string | undefined;
  let starts: Uint32Array = new Uint32Array();
  let owners: Uint16Array = new Uint16Array();

  /** A consonant before a vowel starts a syllable. */
  const build = (): string => {
    const { keys, keyCount } = index;
    const text = Buffer.allocUnsafe(keys.length);
    const [places, whose] = [new Uint32Array(keyCount), new Uint16Array(keyCount)];
    let [length, count] = [1, 0];
    text[0] = BAR;
    for (let key = 0; key < keyCount; key += 1) {
      if (index.isCode(key)) continue;
      const start = length;
      const end = (index.starts[key + 1] ?? 0) - 1;
      for (let place = index.starts[key] ?? 0; place < end; place += 1) {
        if (!isInitialAt(keys, place)) continue;
        text[length] = keys.charCodeAt(place);
        length += 1;
      }
      if (length - start < 2) {
        length = start;
        continue;
      }
      text[length] = BAR;
      length += 1;
      places[count] = start;
      whose[count] = index.owners[key] ?? 0;
      count += 1;
    }
    starts = places.slice(0, count);
    owners = whose.slice(0, count);
    return text.toString('latin1', 0, length);
  };

  const ownerAt = (place: number): number => owners[lastAtOrBefore(starts, starts.length, place)] ?? 0;

  return (initials, limit) => {
    const all = (text ??= build());
    const found = new Set<number>();
    for (const pattern of [`|${initials}|`, `|${initials}`]) {
      let place = all.indexOf(pattern);
      while (place !== -1 && found.size < limit) {
        found.add(ownerAt(place + 1));
        place = all.indexOf(pattern, place + 1);
      }
    }
    return [...found];
  };
};
