import {
  type APIButtonComponentWithCustomId,
  type APIMessageTopLevelComponent,
  ButtonStyle,
  ComponentType,
} from 'discord.js';
import type { RatedAnswer, Verdict } from '#src/kernel/chat/feedback.ts';

const RATINGS = [
  ['rate+:', 'up', '👍'],
  ['rate-:', 'down', '👎'],
] as const satisfies readonly (readonly [string, Verdict, string])[];

/** Two small buttons below an answer. */
export const ratingButtons = ({ answerId }: RatedAnswer): readonly APIButtonComponentWithCustomId[] =>
  RATINGS.map(([prefix, , emoji]) => ({
    type: ComponentType.Button,
    style: ButtonStyle.Secondary,
    emoji: { name: emoji },
    custom_id: `${prefix}${answerId}`,
  }));

interface Press {
  readonly answerId: string;
  readonly verdict: Verdict;
}

/** The verdict behind a button, and the answer that it is about. */
export const ratingOfButton = (customId: string): Press | undefined => {
  const [prefix, verdict] = RATINGS.find(([each]) => customId.startsWith(each)) ?? [];
  return prefix === undefined ? undefined : { answerId: customId.slice(prefix.length), verdict };
};

/** The buttons of a message with this verdict marked. The other one can still be pressed. */
export const withVerdict = (components: readonly APIMessageTopLevelComponent[], verdict: Verdict) =>
  components.map((row) =>
    row.type === ComponentType.ActionRow
      ? {
          ...row,
          components: row.components.map((each) => {
            const rating = 'custom_id' in each ? ratingOfButton(each.custom_id) : undefined;
            if (!rating) return each;
            return {
              ...each,
              style: rating.verdict === verdict ? ButtonStyle.Success : ButtonStyle.Secondary,
            };
          }),
        }
      : row,
  );
