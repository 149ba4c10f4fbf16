/** Loads on the first call. After a failure, the next call tries again. */
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

/** The functions that the loaders import. */
export type Loaded<Each> = {
  readonly [Name in keyof Each]: Each[Name] extends () => Promise<(deps: never) => infer Answers>
    ? Answers
    : never;
};

/** Makes functions that import their code, and open what they depend on, on their first call. */
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
