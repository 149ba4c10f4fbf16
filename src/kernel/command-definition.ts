import type { Locale, Localized } from './locale.ts';

export type CommandCategory = 'general' | 'finance' | 'admin' | 'debug';

/** What an option that completes itself is looked up in. */
export type SuggestionSource = 'symbol' | 'model' | 'command';

/** One thing to fill in, on platforms that show a command as a form. In words, they stand behind each other. */
export interface CommandOption {
  /** `^[a-z0-9_-]{1,32}$`. */
  readonly name: string;
  /** Lower case, no blanks. */
  readonly nameKo: string;
  /** At most 100 characters each. */
  readonly description: Localized;
  /** `text`: a word or several. `flag`: true becomes `--name`. `file`: no word at all, it comes with the message. */
  readonly type: 'text' | 'integer' | 'flag' | 'file';
  readonly isRequired?: boolean;
  /** At most 25. `words`: how else people type it. */
  readonly choices?: readonly {
    readonly value: string;
    readonly label: Localized;
    readonly words?: readonly string[];
  }[];
  readonly suggest?: SuggestionSource;
  /** Of `text` and `integer`: it becomes `--name=value`, so that it is told from the words beside it. */
  readonly isNamed?: true;
  /** Other names of a named one, as they are typed: `--in=pension`. */
  readonly aliases?: readonly string[];
}

/** As a person types it, and what it does, in a few words. */
export type CommandExample = readonly [typed: string, does: string];

/** A command costs its sender nothing and is stored with its words: they are no longer than it can need. */
export const MAX_COMMAND_CHARS = 2_000;

/** A cooldown of one action of a command. */
export interface CommandPause {
  /** How people are told about it, behind the name of the command: `export` for `/privacy export`. */
  readonly action: string;
  readonly cooldownMs: number;
}

export interface CommandDefinition {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: Localized;
  /** As a person types it, e.g. `/price AAPL`. */
  readonly usage: Localized;
  /** What else it can do, for `/help` about it. */
  readonly examples?: Readonly<Record<Locale, readonly CommandExample[]>>;
  readonly category: CommandCategory;
  /** The sender needs one of these; admins have them all. */
  readonly requiredRoles?: readonly string[];
  readonly cooldownMs?: number;
  /**
   * The cooldown of the action that these arguments ask for, where it has one of its own. It must use the function by
   * which the command itself reads its arguments: two readings of one message would leave a way around the cooldown.
   */
  readonly pauseOf?: (args: readonly string[], flags: CommandFlags) => CommandPause | undefined;
  /** In the order in which they are typed; required ones first. */
  readonly options?: readonly CommandOption[];
  /** Which options these words fill in, for suggestions on platforms with forms. Default: one after the other. */
  readonly fill?: (words: readonly string[]) => Readonly<Record<string, string>>;
  /** What it answers is always for its sender alone: acknowledged so, before it is known what it will be. */
  readonly isPrivate?: boolean;
  /** With one of these as its first word, the lines below it are part of it: rows that were pasted. */
  readonly takesLines?: { readonly words: readonly string[]; readonly maxChars: number };
  /** Default: `MAX_COMMAND_CHARS`. */
  readonly maxChars?: number;
  /** It is about the conversation in which it is called. */
  readonly isOfConversation?: boolean;
  /** Nothing personal is in its answers: where one cannot be shown to its sender alone, all may see it. */
  readonly isHarmless?: boolean;
}

/** A filled-in command as a person would have typed it: one line, whatever was put in. */
export const commandText = (
  { name, options = [] }: Pick<CommandDefinition, 'name' | 'options'>,
  values: Readonly<Record<string, string | number | boolean | undefined>>,
): string => {
  const words = options.flatMap((option) => {
    const value = values[option.name];
    if (option.type === 'file') return [];
    if (option.type === 'flag') return value === true ? [`--${option.name}`] : [];
    const text = String(value ?? '')
      .replaceAll(/\s+/gu, ' ')
      .trim();
    if (text === '' || !option.isNamed) return text === '' ? [] : [text];
    return [`--${option.name}=${text.includes(' ') ? `"${text.replaceAll('"', "'")}"` : text}`];
  });
  return [`/${name}`, ...words].join(' ');
};

/** `--all` is true, `--name=value` its value. Names are in lower case. */
export type CommandFlags = ReadonlyMap<string, string | true>;

export interface ParsedCommand {
  /** As typed, without the prefix, lower case. */
  readonly name: string;
  /** The words, without the flags. */
  readonly args: readonly string[];
  readonly flags: CommandFlags;
}

interface FoundCommand {
  readonly parsed: ParsedCommand;
  /** A longer message is refused, although it is this command. */
  readonly maxChars: number;
}

/** What a message is that is not a question to the model. */
export type CommandIn =
  | (FoundCommand & { readonly kind: 'known'; readonly definition: CommandDefinition })
  | (FoundCommand & { readonly kind: 'mistyped'; readonly nearest: string });
