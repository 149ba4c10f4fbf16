/** Loads on the first call. A failed attempt is forgotten: the next call tries again. */
export const loadOnce = <Loaded>(load: () => Promise<Loaded>): (() => Promise<Loaded>) => {
  let loading: Promise<Loaded> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
};

type Answer = (...args: never[]) => Promise<unknown>;
type Loaders<Deps> = Readonly<Record<string, () => Promise<(deps: Deps) => Answer>>>;

/** The functions whose code some loaders import. */
export type Loaded<Each> = {
  readonly [Name in keyof Each]: Each[Name] extends () => Promise<(deps: never) => infer Answers>
    ? Answers
    : never;
};

/** Each function imports its code, and opens what it depends on, with its first call. */
export const lazyAnswers = <Deps, Each extends Loaders<Deps>>(
  open: () => Promise<Deps>,
  loaders: Each,
): Loaded<Each> =>
  Object.fromEntries(
    Object.entries(loaders).map(([name, load]) => {
      const answer = loadOnce(async () => {
        const [create, deps] = await Promise.all([load(), open()]);
        return create(deps);
      });
      return [name, async (...args: never[]) => (await answer())(...args)];
    }),
  ) as Loaded<Each>;
