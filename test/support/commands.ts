import { type CommandIn, MAX_COMMAND_CHARS } from '#src/kernel/chat/command-definition.ts';
import type { CommandOf } from '#src/chat/context/read-command.ts';

/** Takes everything that begins with `/` for a known command. */
export const commandInSlash =
  (maxChars = MAX_COMMAND_CHARS) =>
  (body: string): CommandIn | null => {
    if (!body.startsWith('/')) return null;
    const [name = ''] = body.slice(1).split(' ', 1);
    const words = { ko: `/${name}`, en: `/${name}` };
    const definition = { name, aliases: [], description: words, usage: words, category: 'general' } as const;
    return { kind: 'known', maxChars, parsed: { name, args: [], flags: new Map() }, definition };
  };

export const commandOfSlash: CommandOf = ({ body }) => commandInSlash()(body);
