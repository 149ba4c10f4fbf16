/** Korean endings that turn a verb into a request: `삭제해 줘`, `빼 주세요`. */
const ASKING = /(?:하기|해\s?줘요?|해\s?주세요|해|줘요?|주세요)$/u;
const ASKING_ALONE = /^(?:해\s?줘요?|해\s?주세요|해|줘요?|주세요)$/u;

const verbOf = (word: string): string => word.toLowerCase().replace(ASKING, '');

export interface AskedVerb<Action> {
  readonly action: Action;
  /** The arguments without the verb. */
  readonly words: readonly string[];
}

/** Finds a verb in the first or, as in Korean, the last place: `삭제 카카오`, `카카오 빼 줘`, `AAPL remove`. */
export const askedVerb = <Action>(
  args: readonly string[],
  first: ReadonlyMap<string, Action>,
  last: ReadonlyMap<string, Action>,
): AskedVerb<Action> | undefined => {
  const atStart = first.get(verbOf(args[0] ?? '')) ?? first.get((args[0] ?? '').toLowerCase());
  if (atStart !== undefined) return { action: atStart, words: args.slice(1) };
  const isApart = args.length > 1 && ASKING_ALONE.test(args.at(-1) ?? '');
  const words = isApart ? args.slice(0, -1) : args;
  const atEnd = words.length > 1 ? last.get(verbOf(words.at(-1) ?? '')) : undefined;
  return atEnd === undefined ? undefined : { action: atEnd, words: words.slice(0, -1) };
};

/** Builds a map from names to actions; the names of an action are separated by spaces. */
export const verbs = <Action extends string>(
  actions: readonly (readonly [action: Action, names: string | undefined])[],
): ReadonlyMap<string, Action> =>
  new Map(
    actions.flatMap(([action, names]) => names?.split(' ').map((name) => [name, action] as const) ?? []),
  );

/** True if the words mean everything instead of naming something. */
export const isAllOf = (words: readonly string[]): boolean =>
  /^(?:all|everything|모두|전부|전체|다)(?:\s(?:of (?:it|them)))?$/iu.test(words.join(' '));
