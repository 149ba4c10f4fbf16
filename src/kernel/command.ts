import type { CommandDefinition, CommandFlags } from './command-definition.ts';
import type { Locale } from './locale.ts';
import type { Card, Choice, MediaAttachment, MsgContext } from './message.ts';
import type { Fact } from './tool.ts';

/** Something to fill in whose content must not become a message. */
export interface Form {
  /** At most 100 characters; `submit` gets it back. */
  readonly id: string;
  readonly title: string;
  readonly submitLabel: string;
  readonly fields: readonly {
    readonly id: string;
    readonly label: string;
    readonly isRequired: boolean;
    readonly maxLength: number;
  }[];
}

export interface CommandResult {
  readonly content: string;
  /** Shown to the one who typed it only. */
  readonly ephemeral: boolean;
  /** What the numbers in `content` rest on; deliver marks sample data from it. */
  readonly facts?: readonly Fact[];
  readonly media?: readonly MediaAttachment[];
  /** Channels that draw cards show them in place of `content`, below this text. */
  readonly cards?: { readonly items: readonly Card[]; readonly text: string };
  readonly choices?: readonly Choice[];
  /** What to type instead of pressing a choice, where nothing can be pressed. */
  readonly typed?: string;
  /** It is itself about what is stored: the note for those who write for the first time would only repeat it. */
  readonly omitsNote?: boolean;
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
  /** For what must not be typed as a message. */
  readonly form?: CommandForm;
}

export interface CommandForm {
  /** Undefined where these arguments ask for none. */
  readonly open: (args: readonly string[], locale: Locale) => Form | undefined;
  /** For those only who may use the command, and are administrators. What came of it; may throw. */
  readonly submit: (
    formId: string,
    values: Readonly<Record<string, string>>,
    locale: Locale,
  ) => Promise<string>;
}

/** Whether a person has one of the roles that a command asks for. */
export const mayUse = (
  { requiredRoles = [] }: Pick<CommandDefinition, 'requiredRoles'>,
  { isAdmin, userRoles }: Pick<MsgContext, 'isAdmin' | 'userRoles'>,
): boolean => isAdmin || requiredRoles.length === 0 || requiredRoles.some((role) => userRoles.includes(role));
