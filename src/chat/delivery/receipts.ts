import { type Choice, effectOf } from '#src/kernel/chat/message.ts';
import type { ChangeReceipt } from '#src/kernel/chat/receipt.ts';

/** Fewer than any platform shows, so that the other buttons of an answer have room. */
const MAX_BUTTONS = 15;

const linesOf = (text: string): string => text.replaceAll(/\s+/gu, ' ');

/** The receipts below an answer: one in its own lines, several in a line each. A receipt whose words the answer has is left out. */
export const receiptText = (receipts: readonly ChangeReceipt[], answer = ''): string => {
  const said = linesOf(answer);
  const untold = receipts.filter(({ text }) => !said.includes(linesOf(text)));
  if (receipts.length === 1) return untold.map(({ text }) => text).join('');
  return untold.map(({ text }) => text.replaceAll(/(?<=[.:])\n/gu, ' ').replaceAll('\n', ' · ')).join('\n');
};

/** The buttons of all receipts. A press uses up that button alone, because the others belong to something else. */
export const receiptChoices = (receipts: readonly ChangeReceipt[]): readonly Choice[] =>
  receipts
    .flatMap(({ choices = [] }) => choices)
    .slice(0, MAX_BUTTONS)
    .map((choice) => (effectOf(choice) === 'ends' ? { ...choice, effect: 'once' } : choice));

/** The commands of the buttons, where a number would be taken for a press. */
export const receiptCommands = (receipts: readonly ChangeReceipt[]): string =>
  receiptChoices(receipts)
    .map(({ label, command }) => `- ${label}: \`${command}\``)
    .join('\n');
