import type { Command, CommandDefinition, ParsedCommand } from '#src/core/command.ts';
import { FinClawError } from '#src/core/errors.ts';
import { editDistance } from '#src/core/edit-distance.ts';

/** Names and aliases to commands. */
export interface CommandRegistry {
  readonly get: (name: string) => Command | undefined;
  readonly list: () => readonly CommandDefinition[];
  /** Null when the text does not begin with a slash and a word. */
  readonly parse: (content: string) => ParsedCommand | null;
  /** The name a person probably meant, for a typing mistake; undefined when nothing is close. */
  readonly nearest: (name: string) => string | undefined;
}

const PREFIX = '/';
const MAX_COMMAND_NAME_LENGTH = 32;

const argumentsOf = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

const indexByName = (commands: readonly Command[]): ReadonlyMap<string, Command> => {
  const byName = new Map<string, Command>();
  for (const command of commands) {
    for (const name of [command.definition.name, ...command.definition.aliases]) {
      const key = name.toLowerCase();
      if (byName.has(key)) {
        throw new FinClawError(`Two commands are called "${name}"`, 'COMMAND_NAME_TAKEN', {
          isOperational: false,
        });
      }
      byName.set(key, command);
    }
  }
  return byName;
};

export const createCommandRegistry = (commands: readonly Command[]): CommandRegistry => {
  const byName = indexByName(commands);
  return {
    get: (name) => byName.get(name.toLowerCase()),
    list: () => commands.map((command) => command.definition),
    parse: (content) => {
      const text = content.trim();
      if (!text.startsWith(PREFIX)) return null;
      const [name = ''] = /^\S*/.exec(text.slice(PREFIX.length)) ?? [];
      // A path, a fraction or a date is no command: `/etc/hosts`, `/2`.
      if (!/^\p{L}[\p{L}\p{N}_-]*$/u.test(name) || name.length > MAX_COMMAND_NAME_LENGTH) return null;
      return {
        name: name.toLowerCase(),
        args: argumentsOf(text.slice(PREFIX.length + name.length)),
        raw: text,
      };
    },
    nearest: (name) => {
      const allowed = name.length <= 3 ? 1 : 2;
      const ranked = [...byName.keys()]
        .map((known) => ({ known, distance: editDistance(name, known, allowed) }))
        .filter(({ known, distance }) => distance <= allowed && distance < known.length)
        .toSorted((a, b) => a.distance - b.distance);
      return ranked[0]?.known;
    },
  };
};
