import { type Gate, PASS } from './gate.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { newErrorId } from '#src/platform/ids.ts';
import type { Uses } from '#src/platform/services.ts';
import type { LocaleSettings } from '../context/message-context.ts';
import type { CommandOf } from '../context/read-command.ts';
import { replyLocale } from './throttled-reply.ts';

interface BudgetDeps extends LocaleSettings, Uses<'budget.check'> {
  /** Commands are free: they do not call a model. */
  readonly commandOf: CommandOf;
  /** The zone in which the budget's day begins. */
  readonly timeZone: string;
}

/** Refuses questions when the daily budget is spent, with a reply each time. */
export const budget = ({ budget: money, commandOf, timeZone: zone, ...deps }: BudgetDeps): Gate => ({
  name: 'budget',
  check: async (message) => {
    if (commandOf(message)) return PASS;
    const state = await money.check(message.channelId, message.senderId);
    if (state === 'ok') return PASS;
    const t = gateTexts(replyLocale(message, deps));
    const errorId = newErrorId();
    const reply = state === 'user' ? t.budgetUser({ zone, errorId }) : t.budgetTotal({ zone, errorId });
    return { verdict: 'drop', reason: `budget-${state}`, reply, errorId };
  },
});
