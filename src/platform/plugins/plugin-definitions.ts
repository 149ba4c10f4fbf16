import { z } from 'zod';
import {
  KEYED_PROVIDERS,
  MIN_WINDOW_TOKENS,
  MODEL_PRICES,
  WINDOW_TOO_SMALL,
} from '#src/kernel/agent/model.ts';
import { isPrivateHost } from '../net/public-address.ts';
import type { Command, CommandResult } from '#src/kernel/chat/command.ts';
import type { CommandDefinition, CommandOption } from '#src/kernel/chat/command-definition.ts';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type { Locale, Localized } from '#src/kernel/locale.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { PluginCommand, PluginCommandOption, PluginText } from '#src/kernel/operations/plugin.ts';
import { raceAbort, withDeadline } from '../concurrency/abort.ts';
import { newErrorId } from '../ids.ts';
import type { Uses } from '../services.ts';

// A plugin is often plain JavaScript, which no compiler has checked, so these schemas check it at run time.

const LONGEST_LIMIT_MS = 60_000;
/** The limit of Discord. */
const MAX_OPTIONS = 25;

const line = z
  .string()
  .trim()
  .min(1)
  .regex(/^[^\n\r\u2028\u2029]*$/, 'must be one line');
const text = (maxChars: number) =>
  z.union([
    line.max(maxChars),
    z.strictObject({ en: line.max(maxChars), ko: line.max(maxChars).optional() }),
  ]);

const commandSchema = z.strictObject({
  // Discord allows only such names; a Korean Discord shows the first Korean alias instead.
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be up to 32 of a-z, 0-9, _ and -; put a Korean name in aliases'),
  aliases: z
    .array(z.string().regex(/^\p{L}[\p{L}\p{N}_-]{0,31}$/u, 'must be up to 32 letters, digits, _ and -'))
    .max(10)
    .optional(),
  description: text(100),
  usage: text(200).optional(),
  category: z.enum(['general', 'finance', 'admin', 'debug']).optional(),
  requiredRoles: z.array(z.string().min(1)).optional(),
  cooldownMs: z.number().positive().max(86_400_000).optional(),
  isPrivate: z.boolean().optional(),
  options: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z0-9_-]{1,32}$/),
        description: text(100),
        type: z.enum(['text', 'integer', 'flag']).optional(),
        isRequired: z.boolean().optional(),
      }),
    )
    .max(MAX_OPTIONS)
    .refine((options) => new Set(options.map(({ name }) => name)).size === options.length, 'has a name twice')
    .optional(),
  timeoutMs: z.number().positive().max(LONGEST_LIMIT_MS).optional(),
  run: z.custom((run) => typeof run === 'function', 'must be a function'),
});

const name = z.string().trim().min(1).max(100);

const isSafeAddress = (address: string): boolean => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isPrivateHost(url.hostname));
};

const modelSchema = z.strictObject({
  id: name,
  displayName: name.optional(),
  aliases: z.array(name).max(10).optional(),
  provider: z.enum(KEYED_PROVIDERS),
  server: z
    .strictObject({
      baseUrl: z
        .string()
        .refine(isSafeAddress, 'must be an https address; plain http is for private networks only'),
      apiKey: z.string().min(1),
      api: z.enum(['responses', 'chat']).optional(),
    })
    .optional(),
  contextWindow: z.number().int().min(MIN_WINDOW_TOKENS, WINDOW_TOO_SMALL),
  maxOutputTokens: z.number().int().min(256),
  // An unknown price must be given as null, because such a model counts against no budget.
  pricing: MODEL_PRICES.nullable(),
  vision: z.boolean().optional(),
  functionCalling: z.boolean().optional(),
  streaming: z.boolean().optional(),
  temperature: z.boolean().optional(),
  numericalReasoningTier: z.enum(['low', 'medium', 'high']).optional(),
});

const problemIn = (schema: z.ZodType, kind: string, key: string, value: unknown): string | undefined => {
  const { error } = schema.safeParse(value);
  const [issue] = error?.issues ?? [];
  if (!issue) return undefined;
  const name = (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  const which = typeof name === 'string' ? `the ${kind} "${name}"` : `a ${kind}`;
  const where = issue.path.join('.');
  return `${which} is not valid: ${where === '' ? '' : `${where}: `}${issue.message}`;
};

/** One line that says what is wrong; undefined for a valid definition. It shows no values, because one may be a key. */
export const commandProblem = (command: unknown): string | undefined =>
  problemIn(commandSchema, 'command', 'name', command);

export const modelProblem = (model: unknown): string | undefined =>
  problemIn(modelSchema, 'model', 'id', model);

const DEFAULT_LIMIT_MS = 10_000;
/** Longer answers are cut here, and shortened further on delivery. */
const MAX_CONTENT_CHARS = 100_000;

const localized = (given: PluginText): Localized =>
  typeof given === 'string' ? { en: given, ko: given } : { en: given.en, ko: given.ko ?? given.en };

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

const badAnswer = (what: string): FinClawError => new FinClawError(what, 'COMMAND_ANSWER');

/** Checks what a command returned. Throws for an answer that cannot be shown. */
const resultOf = (answer: unknown, isPrivate: boolean): CommandResult => {
  const said = typeof answer === 'string' ? { content: answer } : answer;
  if (typeof said !== 'object' || said === null || !('content' in said) || typeof said.content !== 'string')
    throw badAnswer('It must return a text, or an object with the text as `content`');
  const content = said.content.slice(0, MAX_CONTENT_CHARS).toWellFormed().trim();
  if (content === '') throw badAnswer('It returned an empty text');
  const ephemeral = 'ephemeral' in said ? said.ephemeral : undefined;
  if (ephemeral !== undefined && typeof ephemeral !== 'boolean')
    throw badAnswer('`ephemeral` must be true or false');
  return { content, ephemeral: isPrivate || ephemeral === true };
};

interface PluginCommandDeps extends Uses<'clock' | 'logger'> {
  readonly plugin: string;
  /** Called after a failed call has been logged. */
  readonly onFailure: () => void;
}

/**
 * Wraps a plugin's command for the command registry. A command that throws, takes too long or returns nonsense is logged
 * with its plugin, and the caller is told. An abort from outside rejects with its reason.
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
    return { content: commandTexts(locale).pluginFailed({ name, plugin, errorId }), ephemeral: true };
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
