import { type CommandIn, MAX_COMMAND_CHARS } from '#src/kernel/command.ts';
import type { CommandOf } from '#src/chat/turns/read-command.ts';

/** Takes everything that begins with `/` for a known command. */
export const commandInSlash =
  (maxChars = MAX_COMMAND_CHARS) =>
  (body: string): CommandIn | null => {
    if (!body.startsWith('/')) return null;
    const [name = ''] = body.slice(1).split(' ', 1);
    const words = { ko: `/${name}`, en: `/${name}` };
    const definition = { name, aliases: [], description: words, usage: words, category: 'general' } as const;
    const command = { definition, execute: async () => ({ content: name, ephemeral: false }) };
    return { kind: 'known', maxChars, parsed: { name, args: [], flags: new Map() }, command };
  };

export const commandOfSlash: CommandOf = ({ body }) => commandInSlash()(body);
