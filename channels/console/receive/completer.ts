import type { ChannelHost, Suggestion } from '#src/kernel/channel/host.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { displayWidth } from '#src/platform/text/display-width.ts';
import { LOCAL_SENDER } from './inbound.ts';
import type { Actor } from '#src/kernel/chat/actor.ts';
import type { CommandOption, Subcommand } from '#src/kernel/chat/command-definition.ts';
import { type CommandHint, isNamed, readHint } from '#src/platform/text/command-hints.ts';

interface CompleterDeps {
  readonly host: Pick<ChannelHost, 'commands' | 'suggest'>;
  readonly locale: Locale;
  readonly columns: () => number;
  readonly print: (text: string) => Promise<void>;
}

/** So many are listed with what they are; more than these by their names, side by side. */
const MAX_EXPLAINED = 12;
const GAP = 2;

/** In a block of code, because names may contain signs of Markdown. */
const asCode = (lines: readonly string[]): string => ['```', ...lines, '```'].join('\n');

const sideBySide = (names: readonly string[], columns: number): readonly string[] => {
  const width = Math.max(...names.map((name) => displayWidth(name))) + GAP;
  const perLine = Math.max(1, Math.floor(columns / width));
  return Array.from({ length: Math.ceil(names.length / perLine) }, (_none, line) =>
    names
      .slice(line * perLine, (line + 1) * perLine)
      .map((name) => name + ' '.repeat(width - displayWidth(name)))
      .join('')
      .trimEnd(),
  );
};

/** The effect of Tab: the only possible end of the line, or what all possible ones have in common, or a list of them. */
export const createCompleter = ({ host, locale, columns, print }: CompleterDeps) => {
  const complete = createCompletion(host, { ...LOCAL_SENDER, locale });

  return async (line: string): Promise<{ readonly typed: string; readonly by: string | undefined }> => {
    try {
      const { typed, found } = await complete(line);
      const [first, ...others] = found;
      if (!first) return { typed, by: undefined };
      if (others.length === 0)
        return { typed, by: first.value.endsWith('=') ? first.value : `${first.value} ` };
      const common = commonStart(found.map(({ value }) => value));
      if (common.length > typed.length && common.toLowerCase().startsWith(typed.toLowerCase()))
        return { typed, by: common };
      const lines =
        found.length > MAX_EXPLAINED
          ? sideBySide(
              found.map(({ value }) => value),
              columns(),
            )
          : found.map(({ label }) => label);
      await print(asCode(lines));
      return { typed, by: undefined };
    } catch {
      // The output is closed, which has ended the chat.
      return { typed: line, by: undefined };
    }
  };
};

/** The possible ends of a typed line. */
interface Completion {
  /** The end of the line, which is replaced. */
  readonly typed: string;
  readonly found: readonly Suggestion[];
}

const MAX_FOUND = 12;
/** Stands for a word that is not typed yet. */
const NEXT = '\u2060';

const begins = (word: string, typed: string): boolean => word.toLowerCase().startsWith(typed.toLowerCase());

/** The first of several words for the same thing that begins as typed. */
const named = (words: readonly string[], typed: string, about: string): readonly Suggestion[] => {
  const word = words.find((each) => begins(each, typed));
  return word === undefined ? [] : [{ value: word, label: `${word} — ${about}` }];
};

/** Korean words come first for those who read Korean. */
const wordsFor = (
  { name, nameKo, typed = name, words = [] }: Subcommand,
  locale: Locale,
): readonly string[] => {
  if (typed === '') return [];
  return locale === 'ko' ? [nameKo, typed, ...words] : [typed, ...words, nameKo];
};

const flagsFor = (options: readonly CommandOption[], typed: string, locale: Locale): readonly Suggestion[] =>
  options
    .filter((option) => option.isNamed === true || option.type === 'flag')
    .flatMap(({ name, type, description }) =>
      named([type === 'flag' ? `--${name}` : `--${name}=`], typed, description[locale]),
    );

const choicesOf = (options: readonly CommandOption[], typed: string, locale: Locale): readonly Suggestion[] =>
  options.flatMap(({ choices = [] }) =>
    choices.flatMap(({ value, label, words = [] }) => named([value, ...words], typed, label[locale])),
  );

/** The last words of a line, as they are typed. */
const lastWords = (line: string, count: number): string =>
  line.slice([...line.matchAll(/\S+/g)].at(-count)?.index ?? line.length);

/** Completes commands, their actions, and the names that they take. */
const createCompletion = (
  host: Pick<ChannelHost, 'commands' | 'suggest'>,
  sender: Actor,
): ((line: string) => Promise<Completion>) => {
  const { locale } = sender;

  const suggest = async (
    option: CommandOption,
    typed: string,
    values: CommandHint['values'],
  ): Promise<readonly Suggestion[]> => {
    const listed = choicesOf([option], typed, locale);
    if (listed.length > 0 || !option.suggest) return listed;
    const filled = Object.fromEntries(
      values.flatMap((each) =>
        each.option !== option && typeof each.value === 'string' ? [[each.option.name, each.value]] : [],
      ),
    );
    return host.suggest(option.suggest, typed, sender, MAX_FOUND, filled);
  };

  const completeNamed = async (
    options: readonly CommandOption[],
    last: string,
    values: CommandHint['values'],
  ): Promise<Completion> => {
    const equals = last.indexOf('=');
    if (equals === -1) return { typed: last, found: flagsFor(options, last, locale) };
    const option = options.find((each) => isNamed(each, last.slice(2, equals)));
    const typed = last.slice(equals + 1);
    return { typed, found: option ? await suggest(option, typed, values) : [] };
  };

  const completeValue = async (line: string, last: string, hint: CommandHint): Promise<Completion> => {
    const options = hint.subcommand?.options ?? hint.definition.options ?? [];
    if (last.startsWith('--')) return completeNamed(options, last, hint.values);
    const owner = hint.values.findLast(
      ({ value }) => typeof value === 'string' && value.endsWith(last || NEXT),
    );
    const value = typeof owner?.value === 'string' ? owner.value : '';
    const typed = last === '' ? '' : lastWords(line, value.split(' ').length);
    const found = owner ? await suggest(owner.option, typed, hint.values) : [];
    if (found.length > 0) return { typed, found };
    const open = options.filter(
      (option) => option === owner?.option || hint.values.every((each) => each.option !== option),
    );
    return { typed: last, found: choicesOf(open, last, locale) };
  };

  return async (line) => {
    const last = /(?<!\S)\S+$/.exec(line)?.[0] ?? '';
    if (!line.startsWith('/')) return { typed: last, found: [] };
    if (last === line) {
      const found = host.commands().flatMap(({ name, aliases, description }) =>
        named(
          [name, ...aliases].map((each) => `/${each}`),
          line,
          description[locale],
        ),
      );
      return { typed: line, found };
    }
    const hint = readHint(last === '' ? `${line}${NEXT}` : line, host.commands());
    if (!hint) return { typed: last, found: [] };
    const isFirst =
      line
        .slice(0, line.length - last.length)
        .trim()
        .split(/\s+/).length === 1;
    const actions = isFirst
      ? (hint.definition.subcommands ?? []).flatMap((each) =>
          named(wordsFor(each, locale), last, each.description[locale]),
        )
      : [];
    const { typed, found } = await completeValue(line, last, hint);
    // A word that names an action already takes no value yet.
    if (actions.length === 0) return { typed, found };
    return { typed: last, found: [...actions, ...found.filter(() => typed === last)] };
  };
};

/** The longest beginning that all of them have in common. */
const commonStart = (words: readonly string[]): string => {
  const [first = '', ...others] = words;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
};
