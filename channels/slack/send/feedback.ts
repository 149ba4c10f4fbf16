import { type RatedAnswer, type Verdict, VERDICTS } from '#src/kernel/chat/feedback.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';

/** The action of both buttons. The value of each is its verdict and the answer. */
const RATE_ACTION = 'finclaw_rate';

export const ratingBlock = ({ answerId }: RatedAnswer, locale: Locale) => {
  const t = channelTexts(locale);
  const half = (verdict: Verdict, label: string) => ({
    text: { type: 'plain_text', text: label, emoji: true },
    accessibility_label: label,
    value: `${verdict}:${answerId}`,
  });
  return {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: RATE_ACTION,
        positive_button: half('up', t.goodAnswer()),
        negative_button: half('down', t.badAnswer()),
      },
    ],
  };
};

interface Press {
  readonly answerId: string;
  readonly verdict: Verdict;
}

/** The verdict of a pressed button, and the answer that it is about. */
export const ratingOfAction = (actionId: string, value: string): Press | undefined => {
  const verdict = VERDICTS.find((each) => value.startsWith(`${each}:`));
  if (actionId !== RATE_ACTION || verdict === undefined) return undefined;
  return { verdict, answerId: value.slice(verdict.length + 1) };
};
