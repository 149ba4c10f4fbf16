import type { Actor } from '#src/kernel/chat/actor.ts';
import type { Forms } from '#src/kernel/channel/host.ts';
import { completedBy } from '#src/kernel/chat/command.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { failureTexts } from '../delivery/texts.ts';
import { newErrorId } from '#src/platform/ids.ts';
import type { Uses } from '#src/platform/services.ts';
import type { CommandRegistry } from './command-registry.ts';

interface FormsDeps extends Uses<'logger'> {
  readonly registry: Pick<CommandRegistry, 'commandIn' | 'get'>;
  readonly isAdmin: (sender: Actor) => boolean;
}

/**
 * The forms of commands. One that completes a command is for everybody, as what it says is a message of theirs. All others
 * are for administrators only: for others the command is an ordinary message and refuses by itself. The permission is checked
 * again on submission.
 */
export const createForms = ({ registry, isAdmin, logger }: FormsDeps): Forms => ({
  open: (commandText, sender) => {
    const found = registry.commandIn(commandText);
    if (found?.kind !== 'known') return undefined;
    const { definition, parsed } = found;
    const form = registry.get(definition.name)?.form?.open(parsed.args, sender.locale);
    if (form && completedBy(form.id) !== undefined) return form;
    // The command's name is part of the form id, so that `submit` finds the command.
    return form && isAdmin(sender) ? { ...form, id: `${definition.name}:${form.id}` } : undefined;
  },

  submit: async (formId, values, sender) => {
    const [name = '', ...rest] = formId.split(':');
    const command = registry.get(name);
    if (!command?.form?.submit) return channelTexts(sender.locale).formGone();
    if (!isAdmin(sender)) return commandTexts(sender.locale).missingRole({ name });
    try {
      return await command.form.submit(rest.join(':'), values, sender.locale);
    } catch (error) {
      const errorId = newErrorId();
      logger.error('A form could not be processed', { command: name, errorId, error });
      return failureTexts(sender.locale).internalError({ errorId });
    }
  },
});
