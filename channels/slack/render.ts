import { detectLocale, type Locale } from '#src/kernel/locale.ts';
import type { Choice, ReplyPayload } from '#src/kernel/message.ts';
import { type Block, cardBlocks, cardLine } from './cards.ts';
import { withVisibleLinks } from '#src/kernel/visible-links.ts';
import { withoutMassMentions, withoutMentions } from './mass-mentions.ts';
import { cut, escapeText } from './message-text.ts';
import { splitAtTimes } from './native-times.ts';
import { readTables } from './tables.ts';

export interface Rendered {
  /** What notifications show, and whoever cannot draw the blocks. Below 4,000 characters. */
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** With room for what we put around it: above 4,000 Slack cuts the text. */
export const MAX_MESSAGE_LENGTH = 3_800;
const MAX_TEXT = 3_900;
const MAX_BUTTONS = 25;
const MAX_LABEL = 75;

/** Under it every choice is a button; its value is what pressing it says. */
export const CHOICE_ACTION = 'finclaw_choice_';

export const button = (label: string, actionId: string, value: string, style?: 'primary' | 'danger') => ({
  type: 'button',
  text: { type: 'plain_text', text: cut(withoutMassMentions(label), MAX_LABEL), emoji: true },
  action_id: actionId,
  value,
  ...(style ? { style } : {}),
});

/** More in one row look like a wall. */
const ROW = 5;

const choiceBlocks = (choices: readonly Choice[]): readonly Block[] => {
  const buttons = choices
    .slice(0, MAX_BUTTONS)
    .map(({ label, command }, index) => button(label, `${CHOICE_ACTION}${index}`, command));
  return Array.from({ length: Math.ceil(buttons.length / ROW) }, (_none, row) => ({
    type: 'actions',
    elements: buttons.slice(row * ROW, (row + 1) * ROW),
  }));
};

/** A cut through an entity would leave half of it to be read. */
const fallback = (text: string): string => {
  const escaped = escapeText(withoutMassMentions(withVisibleLinks(text)));
  return escaped.length <= MAX_TEXT
    ? escaped
    : `${escaped.slice(0, MAX_TEXT - 1).replace(/(?:&[a-z]{0,3}|[\uD800-\uDBFF])$/, '')}…`;
};

/** A message for one reader already has times in their zone. Empty blocks are left out: Slack refuses them. */
const wordBlocks = (markdown: string, isForOne: boolean): readonly Block[] =>
  (isForOne ? [{ kind: 'markdown', text: markdown } as const] : splitAtTimes(markdown))
    .filter(({ text }) => text.trim() !== '')
    .map(({ kind, text }) =>
      kind === 'mrkdwn'
        ? { type: 'section', text: { type: 'mrkdwn', text } }
        : { type: 'markdown', text: text.trimEnd() },
    );

/** `isForOne`: an ephemeral message notifies nobody, so it may mention people. */
export const markdownBlocks = (markdown: string, isForOne = false): readonly Block[] =>
  readTables((isForOne ? withoutMassMentions : withoutMentions)(withVisibleLinks(markdown))).flatMap(
    (passage): readonly Block[] =>
      passage.kind === 'table' ? [{ ...passage.table }] : wordBlocks(passage.markdown, isForOne),
  );

/** The reader's language. Payloads stored by an earlier version have none: then it is the language of the text. */
export const readerLocale = (
  { locale, text }: Pick<ReplyPayload, 'locale' | 'text'>,
  fixed: Locale | 'auto' = 'auto',
): Locale => locale ?? detectLocale(text, undefined, fixed);

const mentionBlock = (userId: string): Block => ({
  type: 'section',
  text: { type: 'mrkdwn', text: `<@${userId}>` },
});

/** Only the person in `mentions` is notified. */
export const render = (payload: ReplyPayload): Rendered => {
  const { text, cards = [], choices = [], mentions } = payload;
  const words = [text, ...cards.map(cardLine)].filter((line) => line.trim() !== '').join('\n');
  const shown = fallback(words) || '…';
  return {
    text: mentions === undefined ? shown : `<@${mentions}> ${shown}`,
    blocks: [
      ...(mentions === undefined ? [] : [mentionBlock(mentions)]),
      ...(text.trim() === '' ? [] : markdownBlocks(text, payload.ephemeral)),
      ...cardBlocks(cards, readerLocale(payload)),
      ...choiceBlocks(choices),
    ],
  };
};
