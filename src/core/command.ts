import type { Localized } from './i18n.ts';
import type { MediaAttachment, MsgContext } from './message.ts';
import type { Fact } from './tool.ts';

export type CommandCategory = 'general' | 'finance' | 'admin' | 'debug';

export interface CommandDefinition {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: Localized;
  /** As a person types it, e.g. `/price AAPL`. */
  readonly usage: Localized;
  readonly category: CommandCategory;
  /** The sender needs one of these; admins have them all. */
  readonly requiredRoles?: readonly string[];
  readonly cooldownMs?: number;
}

export interface CommandResult {
  readonly content: string;
  /** Shown to the one who typed it only. */
  readonly ephemeral: boolean;
  /** What the numbers in `content` rest on; deliver marks sample data from it. */
  readonly facts?: readonly Fact[];
  readonly media?: readonly MediaAttachment[];
  /** It is itself about what is stored: the note for those who write for the first time would only repeat it. */
  readonly omitsNote?: boolean;
}

/** `--all` is true, `--name=value` its value. Names are in lower case. */
export type CommandFlags = ReadonlyMap<string, string | true>;

export interface ParsedCommand {
  /** As typed, without the prefix, lower case. */
  readonly name: string;
  /** The words, without the flags. */
  readonly args: readonly string[];
  readonly flags: CommandFlags;
  readonly raw: string;
}

export type CommandExecutor = (
  args: readonly string[],
  ctx: MsgContext,
  signal: AbortSignal,
  flags?: CommandFlags,
) => Promise<CommandResult>;

/** What a file in `commands/` makes: a definition and what it does. */
export interface Command {
  readonly definition: CommandDefinition;
  readonly execute: CommandExecutor;
}

/** Whether a person has one of the roles that a command asks for. */
export const mayUse = (
  { requiredRoles = [] }: Pick<CommandDefinition, 'requiredRoles'>,
  { isAdmin, userRoles }: Pick<MsgContext, 'isAdmin' | 'userRoles'>,
): boolean => isAdmin || requiredRoles.length === 0 || requiredRoles.some((role) => userRoles.includes(role));
