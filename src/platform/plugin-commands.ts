import type { Command, CommandResult } from '#src/kernel/command.ts';
import type { CommandDefinition, CommandOption } from '#src/kernel/command-definition.ts';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type { Locale, Localized } from '#src/kernel/locale.ts';
import { commandMessages } from '#src/kernel/messages/commands.ts';
import type { PluginCommand, PluginCommandOption, PluginText } from '#src/kernel/plugin.ts';
import { raceAbort, withDeadline } from './abort.ts';
import type { Clock } from './clock.ts';
import { newErrorId } from './ids.ts';
import type { FinClawLogger } from './logger.ts';

const DEFAULT_LIMIT_MS = 10_000;
/** A longer answer is cut here. The delivery shortens it further. */
const MAX_CONTENT_CHARS = 100_000;

const localized = (words: PluginText): Localized =>
  typeof words === 'string' ? { en: words, ko: words } : { en: words.en, ko: words.ko ?? words.en };

const toOption = ({ name, description, type = 'text', isRequired }: PluginCommandOption): CommandOption => ({
  name,
  nameKo: name,
  description: localized(description),
  type,
  ...(isRequired === undefined ? {} : { isRequired }),
});

const usageOf = ({ name, options = [] }: PluginCommand): string => {
  const shown = options.map(({ name: option, type, isRequired }) => {
    const word = type === 'flag' ? `--${option}` : option;
    return isRequired ? `<${word}>` : `[${word}]`;
  });
  return [`/${name}`, ...shown].join(' ');
};

const toDefinition = (command: PluginCommand): CommandDefinition => {
  const { name, aliases = [], category = 'general', requiredRoles, cooldownMs, isPrivate, options } = command;
  return {
    name,
    aliases: aliases.map((alias) => alias.normalize('NFC').toLowerCase()),
    description: localized(command.description),
    usage: localized(command.usage ?? usageOf(command)),
    category,
    ...(requiredRoles && { requiredRoles }),
    ...(cooldownMs !== undefined && { cooldownMs }),
    ...(isPrivate !== undefined && { isPrivate }),
    ...(options && { options: options.map(toOption) }),
  };
};

const odd = (what: string): FinClawError => new FinClawError(what, 'COMMAND_ANSWER');

/** Throws for an answer that cannot be shown. */
const resultOf = (answer: unknown, isPrivate: boolean): CommandResult => {
  const said = typeof answer === 'string' ? { content: answer } : answer;
  if (typeof said !== 'object' || said === null || !('content' in said) || typeof said.content !== 'string')
    throw odd('It must return a text, or an object with the text as `content`');
  const content = said.content.slice(0, MAX_CONTENT_CHARS).toWellFormed().trim();
  if (content === '') throw odd('It returned an empty text');
  const ephemeral = 'ephemeral' in said ? said.ephemeral : undefined;
  if (ephemeral !== undefined && typeof ephemeral !== 'boolean')
    throw odd('`ephemeral` must be true or false');
  return { content, ephemeral: isPrivate || ephemeral === true };
};

export interface PluginCommandDeps {
  readonly plugin: string;
  /** A call failed; it has been logged. */
  readonly onFailure: () => void;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

/**
 * A command of a plugin as the registry takes it. One that throws, takes too long or returns nonsense is logged with its
 * plugin, and whoever called it is told; an abort from outside rejects with its reason.
 */
export const pluginCommand = (command: PluginCommand, deps: PluginCommandDeps): Command => {
  const { plugin, clock, logger } = deps;
  const { name, timeoutMs = DEFAULT_LIMIT_MS, isPrivate = false } = command;
  const definition = toDefinition(command);

  const failed = (error: unknown, locale: Locale): CommandResult => {
    const errorId = newErrorId();
    logger.error(`The command /${name} of the plugin ${plugin} failed: ${errorMessage(error)}`, {
      plugin,
      errorId,
      error,
    });
    deps.onFailure();
    return { content: commandMessages(locale).pluginFailed({ name, plugin, errorId }), ephemeral: true };
  };

  return {
    definition,
    execute: async (args, ctx, parent, flags = new Map()) => {
      const late = (): Error =>
        new FinClawError(`It took longer than ${timeoutMs / 1_000} s`, 'COMMAND_TIMEOUT');
      const { signal, clear } = withDeadline(parent, timeoutMs, clock, late);
      try {
        const running = (async (): Promise<unknown> => command.run({ args, flags, ctx }, signal))();
        return resultOf(await raceAbort(running, signal), isPrivate);
      } catch (error) {
        parent.throwIfAborted();
        return failed(signal.aborted ? signal.reason : error, ctx.locale);
      } finally {
        clear();
      }
    },
  };
};
