/** `A & B` for the union `A | B`. */
export type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The dependencies of all factories in a union, together. A factory without parameters needs none. */
export type DepsOfAll<Factory> = Intersection<
  Factory extends () => unknown ? object : Factory extends (deps: infer Deps) => unknown ? Deps : never
>;
