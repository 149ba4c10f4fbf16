type Wire = Readonly<Record<string, unknown>>;

interface FieldMap {
  readonly [name: string]: Shape;
}
export type { FieldMap };
/** For things whose type decides on their fields. */
export type FieldsOf = (thing: Wire) => FieldMap;
type Fields = FieldMap | FieldsOf;
/** What a field holds: anything, a thing with fields, or a list of such things. */
export type Shape = true | Fields | ListOf;

class ListOf {
  readonly each: Fields;

  constructor(each: Fields) {
    this.each = each;
  }
}

export const listOf = (each: Fields): ListOf => new ListOf(each);

export const named = (names: string): FieldMap =>
  Object.fromEntries(names.split(/\s+/u).map((name) => [name, true]));

const asWire = (value: unknown): Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : {};

/** Calls `refuse` with the path of each field that is not documented, and of each that should be a list. */
export const checkShape = (
  value: unknown,
  shape: Shape,
  refuse: (path: string, why: 'unknown' | 'no list') => void,
  path = '',
): void => {
  if (shape === true || value === null || value === undefined) return;
  const below = (name: string | number): string => (path === '' ? String(name) : `${path}.${name}`);
  if (shape instanceof ListOf) {
    if (!Array.isArray(value)) return refuse(path, 'no list');
    for (const [at, item] of value.entries()) checkShape(item, shape.each, refuse, below(at));
    return;
  }
  const thing = asWire(value);
  const fields = typeof shape === 'function' ? shape(thing) : shape;
  for (const [name, inside] of Object.entries(thing)) {
    const known = fields[name];
    if (known === undefined) refuse(below(name), 'unknown');
    else checkShape(inside, known, refuse, below(name));
  }
};
