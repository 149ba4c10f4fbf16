import type { CommandIn } from '#src/kernel/chat/command-definition.ts';
import type { MsgContext, MediaAttachment } from '#src/kernel/chat/message.ts';

/** The command in a message; null for a question to the model. */
export type CommandOf = (message: MsgContext) => CommandIn | null;

/** The maximum of `gates.maxMessageChars`. Longer messages are refused anyway, so only their start is parsed. */
const MAX_READ_CHARS = 200_000;

/** Parses each message once, on first use: most messages in a busy channel are never parsed. */
export const createCommandReader = (
  commandIn: (body: string, media?: readonly MediaAttachment[]) => CommandIn | null,
): CommandOf => {
  const known = new WeakMap<MsgContext, CommandIn | null>();
  return (message) =>
    known.getOrInsertComputed(message, () =>
      commandIn(message.body.slice(0, MAX_READ_CHARS + 1), message.media),
    );
};

/** The command's main name, whichever alias was typed; undefined for a question or an unknown command. */
export const commandNameOf = (found: CommandIn | null): string | undefined =>
  found?.kind === 'known' ? found.definition.name : undefined;
