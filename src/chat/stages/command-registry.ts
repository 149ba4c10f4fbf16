import {
  type CommandDefinition,
  type CommandIn,
  MAX_COMMAND_CHARS,
  type ParsedCommand,
} from '#src/kernel/command-definition.ts';
import { type Command, type CommandResult, mayUse } from '#src/kernel/command.ts';
import { nearestName } from '#src/kernel/edit-distance.ts';
import { isNamed } from '#src/kernel/command-hints.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { commandMessages } from '#src/kernel/messages/commands.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import { createMarkupReader } from '#src/kernel/platform-markup.ts';
import { createNormalizeText, type NormalizeText } from './1-normalize.ts';

const MAX_NAME_LENGTH = 32;
const NAME = /^\p{L}[\p{L}\p{N}_-]*$/u;
const FLAG_NAME = /^--(\p{L}[\p{L}\p{N}_-]*)$/u;
const LINE_BREAK = /[\n\r\u2028\u2029]/u;

/**
 * A word, a quotation, or a flag whose value may be one. A quotation mark inside a word is part of it
 * (`McDonald's`), and one that nobody closes is too. “These” are what Korean keyboards and phones write.
 */
const QUOTED = `"[^"]*"|“[^“”]*”|'[^']*'(?!\\S)|‘[^‘’]*’(?!\\S)`;
const WORD = new RegExp(`(--\\p{L}[\\p{L}\\p{N}_-]{0,60})=(${QUOTED}|\\S*)|(${QUOTED})|(\\S+)`, 'gu');

const unquoted = (text: string): string =>
  /^(?:"[^"]*"|“[^“”]*”|'[^']*'|‘[^‘’]*’)$/u.test(text) ? text.slice(1, -1) : text;

/**
 * Words and flags. Only `--word` is a flag: `-5%` is a number, and what is quoted is a word. A value follows
 * behind `=`, for nobody here knows which flags take one. A flag that is given again with another value stays a word:
 * none of the two is lost. Behind `--` there are no flags any more.
 */
const argumentsOf = (text: string): Pick<ParsedCommand, 'args' | 'flags'> => {
  const args: string[] = [];
  const flags = new Map<string, string | true>();
  let areFlagsOver = false;
  for (const [whole, flag, value = '', quotation, word = ''] of text.matchAll(WORD)) {
    const name = FLAG_NAME.exec(flag ?? word)?.[1]?.toLowerCase();
    if (quotation !== undefined) args.push(unquoted(quotation));
    else if (areFlagsOver) args.push(whole);
    else if (word === '--') areFlagsOver = true;
    else if (name === undefined) args.push(whole);
    else {
      const given = flag === undefined ? true : unquoted(value);
      if (flags.has(name) && flags.get(name) !== given) args.push(whole);
      else flags.set(name, given);
    }
  }
  return { args, flags };
};

/**
 * A text of several lines is no command, however it begins: it was pasted, or it has more to say than a command
 * can take. What stands in code does not begin with a prefix, and a path, a fraction or a date has no name
 * behind it: `/etc/hosts`, `/2`.
 */
export const parseCommand = (content: string, prefixes: readonly string[]): ParsedCommand | null => {
  const text = content.trim();
  const prefix = prefixes.find((candidate) => text.startsWith(candidate));
  if (prefix === undefined || LINE_BREAK.test(text)) return null;
  const [name = ''] = /^\S*/.exec(text.slice(prefix.length)) ?? [];
  if (!NAME.test(name) || name.length > MAX_NAME_LENGTH) return null;
  const words = text.slice(prefix.length + name.length).replaceAll(/\s+/g, ' ');
  return { name: name.toLowerCase(), ...argumentsOf(words) };
};

type Found = Pick<CommandIn, 'parsed' | 'maxChars'>;

/** Names and aliases to commands. */
export interface CommandRegistry {
  /** Throws when one of its names is taken. */
  readonly register: (command: Command) => void;
  readonly get: (name: string) => Command | undefined;
  readonly list: () => readonly CommandDefinition[];
  /** Runs it for those who may; others get a sentence. */
  readonly execute: (parsed: ParsedCommand, ctx: MsgContext, signal: AbortSignal) => Promise<CommandResult>;
  /**
   * The one answer to the question whether a message, as the platform sent it, is a command: who lets it pass the
   * queue and who runs it must never differ. Null: it goes to the model.
   */
  readonly commandIn: (rawBody: string) => CommandIn | null;
}

const ALWAYS = '/';

const keysOf = ({ definition: { name, aliases } }: Command): readonly string[] =>
  [name, ...aliases].map((each) => each.toLowerCase());

const NAMED_VALUE = /^(\p{L}[\p{L}\p{N}_-]*):(\S+)$/u;

/** `portfolio:pension`, as Discord writes an option, is `--portfolio=pension`. */
const withNamedValues = (parsed: ParsedCommand, { options = [] }: CommandDefinition): ParsedCommand => {
  const named = options.filter((option) => option.isNamed);
  if (named.length === 0) return parsed;
  const flags = new Map(parsed.flags);
  const args = parsed.args.filter((word) => {
    const [, name = '', value = ''] = NAMED_VALUE.exec(word) ?? [];
    const option = named.find((each) => isNamed(each, name));
    if (option) flags.set(option.name, value);
    return option === undefined;
  });
  return { ...parsed, args, flags };
};

const bug = (message: string, code: string): FinClawError =>
  new FinClawError(message, code, { isOperational: false });

/** `prefix` is the configured one; `/` works beside it. Without `normalizeText`, texts have no markup of platforms. */
export const createCommandRegistry = (
  commands: readonly Command[],
  prefix = ALWAYS,
  normalizeText: NormalizeText = createNormalizeText(createMarkupReader([])),
): CommandRegistry => {
  const byName = new Map<string, Command>();
  const registered = new Set<Command>();
  const prefixes = [...new Set([prefix, ALWAYS])];

  const register = (command: Command): void => {
    const keys = keysOf(command);
    const taken = keys.find((key, index) => byName.has(key) || keys.indexOf(key) < index);
    if (taken !== undefined) throw bug(`Two commands are called "${taken}"`, 'COMMAND_NAME_TAKEN');
    for (const key of keys) byName.set(key, command);
    registered.add(command);
  };
  const get = (name: string): Command | undefined => byName.get(name.toLowerCase());
  const list = (): readonly CommandDefinition[] => [...registered].map(({ definition }) => definition);
  const nearest = (name: string): string | undefined => nearestName(name, byName.keys());
  /** The first line, where it is a command that takes those below it. */
  const withLines = (body: string): Found | null => {
    const [first = ''] = body.split('\n', 1);
    const parsed = parseCommand(first, prefixes);
    const lines = parsed && get(parsed.name)?.definition.takesLines;
    if (!parsed || !lines) return null;
    const [word = ''] = parsed.args;
    return lines.words.includes(word.toLowerCase()) ? { parsed, maxChars: lines.maxChars } : null;
  };
  const ofOneLine = (body: string): Found | null => {
    const parsed = parseCommand(body, prefixes);
    return parsed && { parsed, maxChars: get(parsed.name)?.definition.maxChars ?? MAX_COMMAND_CHARS };
  };
  for (const command of commands) register(command);

  return {
    register,
    get,
    list,
    execute: async (parsed, ctx, signal) => {
      const command = get(parsed.name);
      if (!command) throw bug(`There is no command "${parsed.name}"`, 'COMMAND_UNKNOWN');
      const { definition } = command;
      if (!mayUse(definition, ctx))
        return {
          content: commandMessages(ctx.locale).missingRole({ name: definition.name }),
          ephemeral: true,
        };
      return command.execute(parsed.args, ctx, signal, parsed.flags);
    },
    commandIn: (rawBody) => {
      const body = normalizeText(rawBody);
      const found = ofOneLine(body) ?? withLines(body);
      if (!found) return null;
      const command = get(found.parsed.name);
      if (command)
        return {
          kind: 'known',
          ...found,
          parsed: withNamedValues(found.parsed, command.definition),
          definition: command.definition,
        };
      const near = nearest(found.parsed.name);
      return near === undefined ? null : { kind: 'mistyped', ...found, nearest: near };
    },
  };
};
