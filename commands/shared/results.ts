import type { Command, CommandResult } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';

/** A result that only the requester sees. */
export const ephemeral = (content: string): CommandResult => ({ content, ephemeral: true });

/** How a command is typed, for arguments that it cannot read. */
export const usageOf = ({ usage }: CommandDefinition, locale: Locale): CommandResult =>
  ephemeral(commandTexts(locale).usage({ usage: usage[locale] }));

/** A command for bot administrators. A platform role that is named "admin" by chance does not count. */
export const adminCommand = (definition: CommandDefinition, execute: Command['execute']): Command => ({
  definition,
  execute: async (args, ctx, signal, flags) =>
    ctx.isAdmin
      ? execute(args, ctx, signal, flags)
      : ephemeral(commandTexts(ctx.locale).missingRole({ name: definition.name })),
});
