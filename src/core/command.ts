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
}

export interface ParsedCommand {
  /** As typed, without the prefix, lower case. */
  readonly name: string;
  readonly args: readonly string[];
  readonly raw: string;
}

export type CommandExecutor = (
  args: readonly string[],
  ctx: MsgContext,
  signal: AbortSignal,
) => Promise<CommandResult>;

/** What a file in `commands/` makes: a definition and what it does. */
export interface Command {
  readonly definition: CommandDefinition;
  readonly execute: CommandExecutor;
}
