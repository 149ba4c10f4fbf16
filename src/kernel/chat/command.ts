import type { CardsOfAnswer } from './card.ts';
import type { CommandDefinition, CommandFlags } from './command-definition.ts';
import type { Locale } from '../locale.ts';
import type { Choice, MediaAttachment, TurnContext } from './message.ts';
import type { Fact } from '../market/fact.ts';

/** A form for input that must not become a message, such as a key, or for the rest of a command. */
export interface Form {
  /** At most 100 characters; it is passed to `submit`. */
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

/** Before the id of a form that completes a command. */
const COMPLETES = 'completes:';
/** What stands for the rest of a command behind a button. */
export const REST = '…';

/** A form with one field: the rest of `command`, which is then said by whoever filled it in. */
export const formToComplete = (
  command: string,
  { title, submitLabel, label }: Pick<Form, 'title' | 'submitLabel'> & { readonly label: string },
): Form => ({
  id: `${COMPLETES}${command}`,
  title,
  submitLabel,
  fields: [{ id: 'rest', label, isRequired: true, maxLength: 100 }],
});

/** The command that a submitted form says. Undefined for a form of another kind. */
export const completedBy = (
  formId: string,
  { rest = '' }: Readonly<Record<string, string>> = {},
): string | undefined =>
  formId.startsWith(COMPLETES) ? `${formId.slice(COMPLETES.length)} ${rest}`.trim() : undefined;

export interface CommandResult {
  readonly content: string;
  /** Visible to the sender only. */
  readonly ephemeral: boolean;
  /** Sources of the numbers in `content`; the deliver stage uses them to mark sample data. */
  readonly facts?: readonly Fact[];
  readonly media?: readonly MediaAttachment[];
  /** Shown instead of `content` on channels with cards. */
  readonly cards?: CardsOfAnswer;
  readonly choices?: readonly Choice[];
  /** Instructions for channels without buttons. */
  readonly typed?: string;
  /** The result itself is about stored data, so the privacy note of the first answer is left out. */
  readonly omitsNote?: boolean;
}

export type CommandExecutor = (
  args: readonly string[],
  ctx: TurnContext,
  signal: AbortSignal,
  flags?: CommandFlags,
) => Promise<CommandResult>;

export interface Command {
  readonly definition: CommandDefinition;
  readonly execute: CommandExecutor;
  readonly form?: TypedForm;
}

export interface TypedForm {
  /** Undefined if these arguments need no form. */
  readonly open: (args: readonly string[], locale: Locale) => Form | undefined;
  /**
   * For input that must not be typed as a message. Called only for administrators who may use the command. Returns the result
   * as text; may throw.
   */
  readonly submit?: (
    formId: string,
    values: Readonly<Record<string, string>>,
    locale: Locale,
  ) => Promise<string>;
}

/** Whether the sender has one of the roles that the command requires. */
export const mayUse = (
  { requiredRoles = [] }: Pick<CommandDefinition, 'requiredRoles'>,
  { isAdmin, userRoles }: Pick<TurnContext, 'isAdmin' | 'userRoles'>,
): boolean => isAdmin || requiredRoles.length === 0 || requiredRoles.some((role) => userRoles.includes(role));
