import type { CommandIn } from '#src/kernel/command-definition.ts';
import type { InboundMessage } from '#src/kernel/message.ts';

/** The command that a message is; null for a question to the model. */
export type CommandOf = (message: InboundMessage) => CommandIn | null;

/** No accepted message is longer (`gates.maxMessageChars`): the beginning of others is enough to refuse them. */
const MAX_READ_CHARS = 200_000;

/** Parses each message once, when somebody first asks: most of what is said in a busy channel is never asked about. */
export const createCommandReader = (commandIn: (body: string) => CommandIn | null): CommandOf => {
  const known = new WeakMap<InboundMessage, CommandIn | null>();
  return (message) =>
    known.getOrInsertComputed(message, () => commandIn(message.body.slice(0, MAX_READ_CHARS + 1)));
};

/** Its proper name, whatever alias was typed; undefined where it is none, or mistyped. */
export const commandNameOf = (found: CommandIn | null): string | undefined =>
  found?.kind === 'known' ? found.definition.name : undefined;
