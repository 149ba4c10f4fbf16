import type { Locale, Localized } from '../locale.ts';

export type CommandCategory = 'general' | 'finance' | 'admin' | 'debug';

/** What the options of a command that is being filled in contain so far, by their names. */
export type FilledOptions = Readonly<Record<string, string>>;

/**
 * Where the suggestions of an autocompleted option come from. `portfolio`, `entry`, `alert`, `briefing` and `watched` are
 * the person's own.
 */
export type SuggestionSource =
  | 'symbol'
  | 'model'
  | 'command'
  | 'portfolio'
  | 'entry'
  | 'alert'
  | 'briefing'
  | 'watched'
  | 'date'
  | 'zone';

/** One field on platforms that show commands as forms. In a typed command, the values follow each other. */
export interface CommandOption {
  /** `^[a-z0-9_-]{1,32}$`. */
  readonly name: string;
  /** Lower case, no blanks. */
  readonly nameKo: string;
  /** At most 100 characters each. */
  readonly description: Localized;
  /**
   * `text`: one or more words. `flag`: true becomes `--name`. `file`: an attachment, not part of the text. `channel` and
   * `role`: picked from a list on platforms that have one, and written as the platform's mention.
   */
  readonly type: 'text' | 'integer' | 'flag' | 'file' | 'channel' | 'role';
  readonly isRequired?: boolean;
  /** For `integer`. */
  readonly min?: number;
  readonly max?: number;
  /** At most 25. `words`: other spellings that people type. */
  readonly choices?: readonly {
    readonly value: string;
    readonly label: Localized;
    readonly words?: readonly string[];
  }[];
  readonly suggest?: SuggestionSource;
  /** For `text` and `integer`: becomes `--name=value`, so that it cannot be confused with the other words. */
  readonly isNamed?: true;
  /** Other names of a named option, as in `--in=pension`. */
  readonly aliases?: readonly string[];
}

/** Assigns typed words to options. */
export type FillOptions = (words: readonly string[]) => Readonly<Record<string, string>>;
/** The names of the options that words fill in turn. The last one gets all remaining words. */
export type OptionFilling = readonly string[] | FillOptions;

/** What a platform with forms asks for. */
export interface CommandForm {
  /** In typing order, required options first. */
  readonly options?: readonly CommandOption[];
  /** The options that typed words fill. Default: all unnamed ones, in order. */
  readonly fills?: OptionFilling;
}

/** One action of a command, on platforms with forms: `/portfolio buy`. */
export interface Subcommand extends CommandForm {
  /** `^[a-z0-9_-]{1,32}$`. */
  readonly name: string;
  /** Lower case, no blanks. */
  readonly nameKo: string;
  readonly description: Localized;
  /** What is typed for it after the name of the command. Default: its name. Empty: its options say it all. */
  readonly typed?: string;
  /** Other words that people type for it. */
  readonly words?: readonly string[];
}

export type CommandExample = readonly [typed: string, does: string];

/** The default length limit. Commands are free and stored whole, so they may not be longer than necessary. */
export const MAX_COMMAND_CHARS = 2_000;

/** A cooldown of one action of a command. */
export interface CommandPause {
  /** Shown after the command name: `export` for `/privacy export`. */
  readonly action: string;
  readonly cooldownMs: number;
}

export interface CommandDefinition extends CommandForm {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: Localized;
  /** As a person types it, e.g. `/price AAPL`. */
  readonly usage: Localized;
  /** More usages, for `/help <command>`. */
  readonly examples?: Readonly<Record<Locale, readonly CommandExample[]>>;
  readonly category: CommandCategory;
  /** The sender needs one of these roles. Administrators have all roles. */
  readonly requiredRoles?: readonly string[];
  readonly cooldownMs?: number;
  /**
   * The cooldown of the requested action, if it has its own. It must parse the arguments with the command's own function:
   * a second parser would leave a way around the cooldown.
   */
  readonly pauseOf?: (args: readonly string[], flags: CommandFlags) => CommandPause | undefined;
  /** Instead of `options`, for commands with several actions. At most 25. */
  readonly subcommands?: readonly Subcommand[];
  /** Chooses the subcommand for typed words. `named` is the one that the first word names. Default: that one. */
  readonly subcommandOf?: (words: readonly string[], named: string | undefined) => string | undefined;
  /** Every answer is for the sender alone, so the platform can acknowledge it privately in advance. */
  readonly isPrivate?: boolean;
  /** If the first argument is one of these words, the lines below belong to the command (pasted rows). */
  readonly takesLines?: { readonly words: readonly string[]; readonly maxChars: number };
  /**
   * The words of the command for a message that comes with a picture and asks for it in plain words; undefined for every
   * other message.
   */
  readonly readWithPicture?: (text: string) => readonly string[] | undefined;
  /** Default: `MAX_COMMAND_CHARS`. */
  readonly maxChars?: number;
  /** It acts on the conversation in which it is called. */
  readonly isOfConversation?: boolean;
  /** Answers contain no account data, so they may be shown to everybody if a private answer is impossible. */
  readonly isHarmless?: boolean;
}

/** Every option of a command, whichever action it belongs to. */
export const allOptions = ({
  options = [],
  subcommands = [],
}: Pick<CommandDefinition, 'options' | 'subcommands'>): readonly CommandOption[] => [
  ...options,
  ...subcommands.flatMap((each) => each.options ?? []),
];

const wordsOf = (option: CommandOption, value: string | number | boolean | undefined): readonly string[] => {
  if (option.type === 'file') return [];
  if (option.type === 'flag') return value === true ? [`--${option.name}`] : [];
  const text = String(value ?? '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  if (text === '' || !option.isNamed) return text === '' ? [] : [text];
  return [`--${option.name}=${text.includes(' ') ? `"${text.replaceAll('"', "'")}"` : text}`];
};

/** The values of a form as a typed command on one line. */
export const commandText = (
  { name, options = [] }: Pick<CommandDefinition, 'name' | 'options'>,
  values: Readonly<Record<string, string | number | boolean | undefined>>,
  subcommand?: Subcommand,
): string => {
  const typed = subcommand ? (subcommand.typed ?? subcommand.name) : '';
  const words = (subcommand?.options ?? options).flatMap((option) => wordsOf(option, values[option.name]));
  return [`/${name}`, ...(typed === '' ? [] : [typed]), ...words].join(' ');
};

/** `--all` maps to true, `--name=value` to its value. Names are in lower case. */
export type CommandFlags = ReadonlyMap<string, string | true>;

export interface ParsedCommand {
  /** As typed, in lower case, without the prefix. */
  readonly name: string;
  /** Words other than flags. */
  readonly args: readonly string[];
  readonly flags: CommandFlags;
}

interface FoundCommand {
  readonly parsed: ParsedCommand;
  /** A longer message is refused. */
  readonly maxChars: number;
}

/** A message that does not go to the model. */
export type CommandIn =
  | (FoundCommand & { readonly kind: 'known'; readonly definition: CommandDefinition })
  | (FoundCommand & { readonly kind: 'mistyped'; readonly nearest: string });
