type Question = (...asked: never[]) => Promise<unknown>;

/** A desk whose answers are loaded with the first question: an idle bot does not pay for them. */
export const lazily = <Desk extends { readonly [Name in keyof Desk]: Question }>(
  names: Readonly<Record<keyof Desk, true>>,
  load: () => Promise<Desk>,
): Desk => {
  const ask =
    (name: keyof Desk) =>
    async (...asked: never[]): Promise<unknown> =>
      (await load())[name](...asked);
  return Object.fromEntries(
    (Object.keys(names) as (keyof Desk)[]).map((name) => [name, ask(name)]),
  ) as unknown as Desk;
};
