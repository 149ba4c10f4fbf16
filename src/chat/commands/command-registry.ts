import {
  allOptions,
  type CommandDefinition,
  type CommandIn,
  MAX_COMMAND_CHARS,
  type ParsedCommand,
} from '#src/kernel/chat/command-definition.ts';
import { type Command, type CommandResult, mayUse } from '#src/kernel/chat/command.ts';
import { nearestName } from '#src/platform/text/edit-distance.ts';
import { isNamed } from '#src/platform/text/command-hints.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { MediaAttachment, TurnContext } from '#src/kernel/chat/message.ts';
import { createMarkupReader } from '#src/platform/text/platform-markup.ts';
import { createNormalizeText, type NormalizeText } from './normalize-text.ts';

const MAX_NAME_LENGTH = 32;
const NAME = /^\p{L}[\p{L}\p{N}_-]*$/u;
const FLAG_NAME = /^--(\p{L}[\p{L}\p{N}_-]*)$/u;
const LINE_BREAK = /[\n\r\u2028\u2029]/u;

/**
 * A word, a quotation, or a flag with a value that may be quoted. A quotation mark within a word (`McDonald's`) or
 * without a closing one is part of the word. Korean keyboards and phones write “these” marks.
 */
const QUOTED = `"[^"]*"|“[^“”]*”|'[^']*'(?!\\S)|‘[^‘’]*’(?!\\S)`;
const WORD = new RegExp(`(--\\p{L}[\\p{L}\\p{N}_-]{0,60})=(${QUOTED}|\\S*)|(${QUOTED})|(\\S+)`, 'gu');

const unquoted = (text: string): string =>
  /^(?:"[^"]*"|“[^“”]*”|'[^']*'|‘[^‘’]*’)$/u.test(text) ? text.slice(1, -1) : text;

/**
 * Words and flags. Only `--word` is a flag: `-5%` is a number, and a quotation is a word. A value needs `=`, because the
 * parser does not know which flags have values. A repeated flag with another value stays a word, so that neither is lost.
 * After `--` there are no flags.
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
 * Null if the text is not a command. A text with several lines is none, however it begins. Neither is a path, a fraction
 * or a date: `/etc/hosts`, `/2`.
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

/** Commands by name and alias. */
export type CommandRegistry = ReturnType<typeof createCommandRegistry>;

const ALWAYS = '/';

const keysOf = ({ definition: { name, aliases } }: Command): readonly string[] =>
  [name, ...aliases].map((each) => each.toLowerCase());

const NAMED_VALUE = /^(\p{L}[\p{L}\p{N}_-]*):(\S+)$/u;

/** Discord's notation `portfolio:pension` means `--portfolio=pension`. */
const withNamedValues = (parsed: ParsedCommand, definition: CommandDefinition): ParsedCommand => {
  // Actions of a command share options.
  const options = new Map(allOptions(definition).map((option) => [option.name, option]));
  const named = [...options.values()].filter((option) => option.isNamed);
  if (named.length === 0) return parsed;
  const flags = new Map(parsed.flags);
  const args = parsed.args.filter((word) => {
    const [, name, value = ''] = NAMED_VALUE.exec(word) ?? [];
    const option = name === undefined ? undefined : named.find((each) => isNamed(each, name));
    if (option) flags.set(option.name, value);
    return option === undefined;
  });
  return { ...parsed, args, flags };
};

const bug = (message: string, code: string): FinClawError =>
  new FinClawError(message, code, { isOperational: false });

/** `/` always works in addition to the configured `prefix`. */
export const createCommandRegistry = (
  commands: readonly Command[],
  prefix = ALWAYS,
  normalizeText: NormalizeText = createNormalizeText(createMarkupReader([])),
) => {
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
  /** The command in the first line, if it accepts the lines below it. */
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
  /** The command that plain words ask for beside a picture. */
  const besidePicture = (body: string): Found | null => {
    for (const { definition } of registered) {
      const args = definition.readWithPicture?.(body);
      if (args)
        return { parsed: { name: definition.name, args, flags: new Map() }, maxChars: MAX_COMMAND_CHARS };
    }
    return null;
  };
  for (const command of commands) register(command);

  return {
    /** Throws if one of its names is taken. */
    register,
    get,
    list,
    /** Runs the command; a person without the required role gets a message. */
    execute: async (parsed: ParsedCommand, ctx: TurnContext, signal: AbortSignal): Promise<CommandResult> => {
      const command = get(parsed.name);
      if (!command) throw bug(`There is no command "${parsed.name}"`, 'COMMAND_UNKNOWN');
      const { definition } = command;
      if (!mayUse(definition, ctx))
        return {
          content: commandTexts(ctx.locale).missingRole({ name: definition.name }),
          ephemeral: true,
        };
      return command.execute(parsed.args, ctx, signal, parsed.flags);
    },
    /**
     * Parses a message as sent by the platform; null if it goes to the model. Everybody uses this parser, so that the queue
     * and the command stage never disagree. `media` are the attachments of the message: beside a picture, plain words can ask
     * for a command.
     */
    commandIn: (rawBody: string, media: readonly MediaAttachment[] = []): CommandIn | null => {
      const body = normalizeText(rawBody);
      const hasPicture = media.some(({ kind }) => kind === 'image');
      const found = ofOneLine(body) ?? withLines(body) ?? (hasPicture ? besidePicture(body) : null);
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
