import type { ParsedCommand } from '#src/kernel/command-definition.ts';

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
