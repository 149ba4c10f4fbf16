import type {
  CommandDefinition,
  CommandForm,
  CommandOption,
  FillOptions,
  Subcommand,
} from '#src/kernel/chat/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';

/** The value of one option: `true` for a flag, undefined for the person's choice. */
export interface HintValue {
  readonly option: CommandOption;
  readonly value: string | true | undefined;
}

/** A suggested command, independent of the platform. */
export interface CommandHint {
  readonly definition: CommandDefinition;
  readonly subcommand?: Subcommand;
  readonly values: readonly HintValue[];
  /** The words after the name, without `--yes`: platforms with buttons have a button for that. */
  readonly words: string;
}

/** Writes a suggestion in a platform's Markdown. */
export type WriteHint = (hint: CommandHint, locale: Locale) => string;

const CONFIRMATION = '--yes';
/** A word, or an option with a value in quotation marks. */
const WORDS = /--[^\s="]{1,60}="[^"]*"|\S+/gu;
const FLAG = /^--(\p{L}[\p{L}\p{N}_-]*)(?:=(?:"([^"]*)"|(.*)))?$/su;
const HINT = /^\/(\p{L}[\p{L}\p{N}_-]*)(?: (.*))?$/su;
/** `[list | <name> | default]` describes the values; it is not a value itself. */
const PATTERN = /[[\]|]/u;

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export const isNamed = ({ name, nameKo, aliases = [] }: CommandOption, word: string): boolean =>
  [name, nameKo, ...aliases].some((each) => same(each, word));

type Choice = NonNullable<CommandOption['choices']>[number];

/** The choice that the most of the first words name, and how many they are. */
const choiceAt = (
  { choices = [] }: CommandOption,
  words: readonly string[],
): { readonly choice: Choice; readonly count: number } | undefined => {
  let longest: { readonly choice: Choice; readonly count: number } | undefined;
  for (const choice of choices)
    for (const typed of [choice.value, ...(choice.words ?? []), choice.label.ko, choice.label.en]) {
      const count = typed.split(' ').length;
      if (count > (longest?.count ?? 0) && same(words.slice(0, count).join(' '), typed))
        longest = { choice, count };
    }
  return longest;
};

const isRecognised = (option: CommandOption, words: readonly string[]): boolean =>
  option.type === 'integer' ? /^\d+$/u.test(words[0] ?? '') : choiceAt(option, words) !== undefined;

const isChosen = ({ choices, type }: CommandOption): boolean => choices !== undefined || type === 'integer';

/** Fills the options in order. One with choices takes a matching word; one without takes the words up to the next match. */
const inOrder = (
  options: readonly CommandOption[],
  words: readonly string[],
): Readonly<Record<string, string>> => {
  const [option, ...later] = options;
  if (!option || words.length === 0) return {};
  if (isChosen(option)) {
    if (!isRecognised(option, words)) return inOrder(later, words);
    const { count = 1, choice } = choiceAt(option, words) ?? {};
    return { [option.name]: choice?.value ?? words[0] ?? '', ...inOrder(later, words.slice(count)) };
  }
  const next = later.find((each) => isChosen(each) || each.type === 'text');
  const at =
    next && isChosen(next)
      ? words.findIndex((_word, index) => index > 0 && isRecognised(next, words.slice(index)))
      : -1;
  const count = at > 0 ? at : next && !isChosen(next) ? 1 : words.length;
  return { [option.name]: words.slice(0, count).join(' '), ...inOrder(later, words.slice(count)) };
};

/** Fills these options in order. The last one gets all remaining words. */
const inTurn = (names: readonly string[], words: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.map((name, index) => {
      const isLast = index === names.length - 1;
      return [name, words.slice(index, isLast ? undefined : index + 1).join(' ')];
    }),
  );

interface FormOfWords {
  readonly options: readonly CommandOption[];
  readonly fill: FillOptions;
}

const isTyped = ({ type, isNamed: byName }: CommandOption): boolean =>
  type !== 'flag' && type !== 'file' && !byName;

const formOf = ({ options = [], fills }: CommandForm): FormOfWords => {
  if (typeof fills === 'function') return { options, fill: fills };
  return {
    options,
    fill: (words) => (fills ? inTurn(fills, words) : inOrder(options.filter(isTyped), words)),
  };
};

const filledIn = ({ options, fill }: FormOfWords, all: readonly string[]): readonly HintValue[] => {
  const values = new Map<string, string | true>();
  const words: string[] = [];
  /** Typed options that the platform has no field for: they go behind the other words. */
  const unnamed: string[] = [];
  for (const [index, word] of all.entries()) {
    const [, flag = word, quoted, bare] = FLAG.exec(word) ?? [];
    const value = quoted ?? bare;
    const option = options.find((each) => isNamed(each, flag) && (each.isNamed || each.type === 'flag'));
    if (!option) (FLAG.test(word) ? unnamed : words).push(word);
    else if (option.type === 'flag') values.set(option.name, true);
    else if (value !== undefined) values.set(option.name, value);
    else {
      // In words, the name precedes its value and comes last: `here remove ID`.
      values.set(option.name, all.slice(index + 1).join(' '));
      break;
    }
  }
  for (const [name, value] of Object.entries(fill(words))) if (value !== '') values.set(name, value);
  const last = options.findLast(isTyped)?.name;
  if (last !== undefined && unnamed.length > 0)
    values.set(last, [values.get(last) ?? '', ...unnamed].join(' ').trim());
  return options.flatMap((option) => {
    const value = values.get(option.name);
    return value === undefined ? [] : [{ option, value }];
  });
};

/** The subcommand that these words call, and the words that fill its options. */
const calledBy = (
  { subcommands = [], subcommandOf }: CommandDefinition,
  words: readonly string[],
): { readonly subcommand?: Subcommand; readonly rest: readonly string[] } => {
  const [first = ''] = words;
  const named = subcommands.find(({ name, nameKo, typed = name, words: others = [] }) =>
    typed === '' ? false : [name, nameKo, typed, ...others].some((each) => same(each, first)),
  );
  const name = subcommandOf ? subcommandOf(words, named?.name) : named?.name;
  const subcommand = subcommands.find((each) => each.name === name);
  if (!subcommand) return { rest: words };
  return { subcommand, rest: subcommand === named ? words.slice(1) : words };
};

/** Undefined if it is not a command of the bot. */
export const readHint = (
  typed: string,
  definitions: readonly CommandDefinition[],
): CommandHint | undefined => {
  const [, name, rest = ''] = HINT.exec(typed.trim()) ?? [];
  if (name === undefined) return undefined;
  const definition = definitions.find(
    (each) => same(each.name, name) || each.aliases.some((alias) => same(alias, name)),
  );
  if (!definition) return undefined;
  const words = rest
    .split(' ')
    .filter((word) => word !== '' && word !== CONFIRMATION)
    .join(' ');
  const typedWords = (rest.match(WORDS) ?? []).filter((word) => word !== CONFIRMATION);
  const called = calledBy(definition, typedWords);
  const form = formOf(called.subcommand ?? definition);
  const values = PATTERN.test(rest)
    ? form.options.slice(0, 2).map((option) => ({ option, value: undefined }))
    : filledIn(form, called.rest);
  return { definition, ...(called.subcommand && { subcommand: called.subcommand }), values, words };
};

/** The label of a choice in the given language, or the value itself. */
export const shownValue = ({ option, value }: HintValue, locale: Locale): string => {
  if (value === undefined) return '…';
  if (value === true) return 'True';
  return choiceAt(option, value.split(' '))?.choice.label[locale] ?? value;
};

const SPAN = /`([^`\n]+)`/gu;
const FENCE = /^ {0,3}(?:```|~~~)/u;

/** Rewrites every suggested command in a text (`` `/alert delete ID` ``) for the platform. Code blocks stay unchanged. */
export const writeHints = (
  text: string,
  definitions: readonly CommandDefinition[],
  write: WriteHint,
  locale: Locale,
): string => {
  if (!text.includes('`/')) return text;
  let isFenced = false;
  return text
    .split('\n')
    .map((line) => {
      if (FENCE.test(line)) isFenced = !isFenced;
      if (isFenced) return line;
      return line.replaceAll(SPAN, (span, typed: string) => {
        const hint = typed.startsWith('/') ? readHint(typed, definitions) : undefined;
        return hint ? write(hint, locale) : span;
      });
    })
    .join('\n');
};
