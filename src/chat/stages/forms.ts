import type { Forms, FormSender } from '#src/kernel/channel.ts';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { commandMessages } from '#src/kernel/messages/commands.ts';
import { failureMessages } from '../reply/messages.ts';
import { newErrorId } from '#src/platform/ids.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { CommandRegistry } from './command-registry.ts';

export interface FormsDeps {
  readonly registry: Pick<CommandRegistry, 'commandIn' | 'get'>;
  readonly isAdmin: (sender: FormSender) => boolean;
  readonly logger: FinClawLogger;
}

/**
 * The forms of commands, for administrators only. For others the command is an ordinary message and refuses by itself. The
 * permission is checked again on submission.
 */
export const createForms = ({ registry, isAdmin, logger }: FormsDeps): Forms => ({
  open: (commandText, sender) => {
    const found = registry.commandIn(commandText);
    if (found?.kind !== 'known' || !isAdmin(sender)) return undefined;
    const { definition, parsed } = found;
    const form = registry.get(definition.name)?.form?.open(parsed.args, sender.locale);
    // The command's name is part of the form id, so that `submit` finds the command.
    return form && { ...form, id: `${definition.name}:${form.id}` };
  },

  submit: async (formId, values, sender) => {
    const [name = '', ...rest] = formId.split(':');
    const command = registry.get(name);
    if (!command?.form) return channelMessages(sender.locale).formGone();
    if (!isAdmin(sender)) return commandMessages(sender.locale).missingRole({ name });
    try {
      return await command.form.submit(rest.join(':'), values, sender.locale);
    } catch (error) {
      const errorId = newErrorId();
      logger.error('A form could not be processed', { command: name, errorId, error });
      return failureMessages(sender.locale).internalError({ errorId });
    }
  },
});
