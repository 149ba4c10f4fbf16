import type { Random } from '#test/faults/random.ts';

type Json = Readonly<Record<string, unknown>>;

interface Slot {
  readonly inside: Record<string, unknown>;
  readonly name: string;
}

const slotsOf = (value: unknown): readonly Slot[] => {
  const slots: Slot[] = [];
  const look = (inside: unknown): void => {
    if (typeof inside !== 'object' || inside === null) return;
    for (const name of Object.keys(inside)) {
      const slot = { inside: inside as Record<string, unknown>, name };
      slots.push(slot);
      look(slot.inside[name]);
    }
  };
  look(value);
  return slots;
};

const HUGE_TEXT = 'ㅋ <@1> **a** `b` https://c.example '.repeat(1_500);
const MAX_ITEMS = 1_000;
const MAX_CHARS = 50_000;
const DEPTH = 300;

const hugeList = (item: unknown): readonly unknown[] => {
  const length = Math.min(MAX_ITEMS, Math.ceil(MAX_CHARS / (JSON.stringify(item)?.length ?? 1)));
  return Array.from({ length }, () => item);
};

const nested = (name: string, value: unknown): unknown => {
  let inner = value;
  for (let depth = 0; depth < DEPTH; depth += 1) inner = { type: 17, content: 'x', [name]: [inner] };
  return inner;
};

const swapped = (value: unknown): unknown => {
  if (typeof value === 'string') return { id: value };
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return Object.fromEntries(value.entries());
  return typeof value === 'object' ? [value] : 'true';
};

type Change = (value: unknown) => unknown;

/** Undefined: the field is missing. */
const CHANGES: readonly [Change, ...Change[]] = [
  () => undefined,
  () => null,
  swapped,
  (value) => [null, value, 7, [[value]]],
  (value) => (Array.isArray(value) ? [] : typeof value === 'object' ? {} : ''),
  (value) => (typeof value === 'number' ? -1e21 : '9'.repeat(40)),
  () => '\u0000__proto__\uD800\u202E',
];

const GROWTHS: readonly [Change, ...Change[]] = [
  () => HUGE_TEXT,
  (value) => hugeList(Array.isArray(value) ? ((value as readonly unknown[])[0] ?? null) : value),
  (value) => nested('components', value),
  (value) => nested('elements', value),
];

const change = (root: Json, by: Change, { int }: Random): void => {
  const slots = slotsOf(root);
  const slot = slots[int(0, slots.length - 1)];
  if (!slot) return;
  const changed = by(slot.inside[slot.name]);
  if (changed === undefined) delete slot.inside[slot.name];
  else slot.inside[slot.name] = changed;
};

/** The same thing with one to three of its fields changed, at any depth; one of twenty things is huge, or nested deeply. */
export const mutated = (valid: Json, random: Random): Json => {
  const thing = structuredClone(valid);
  for (let left = random.int(1, 3); left > 0; left -= 1) change(thing, random.pick(CHANGES), random);
  if (random.chance(0.05)) change(thing, random.pick(GROWTHS), random);
  // As it comes over the wire: without holes in lists.
  return JSON.parse(JSON.stringify(thing)) as Json;
};

/** How often anything in it is read, and how much there is. */
export const counted = <T extends Json>(
  thing: T,
): { readonly value: T; readonly reads: () => number; readonly size: number } => {
  let reads = 0;
  const watched = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? new Proxy(value, {
          get: (target, name, self) => {
            reads += 1;
            return watched(Reflect.get(target, name, self));
          },
        })
      : value;
  return { value: watched(thing) as T, reads: () => reads, size: slotsOf(thing).length };
};
