import {
  HOME_QUESTIONS,
  type Home,
  type HomePages,
  type HomeQuestionId,
  type HomeSection,
} from '#src/kernel/people/home.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import type { ReplyPayload } from '#src/kernel/chat/message.ts';
import { cut } from '#src/kernel/text.ts';
import { withVisibleLinks } from '#src/platform/text/visible-links.ts';
import type { ArgumentsOf } from '../api.ts';
import {
  type Block,
  blocksOf,
  button,
  choiceButton,
  escapeText,
  isRule,
  plain,
  ROW,
  safe,
  withoutMentions,
} from '../send/render.ts';
import { plainCell } from '../send/tables.ts';

/** Slack's limits for a view. */
const MAX_BLOCKS = 100;
const MAX_TEXT = 2_900;
const MAX_ITEM = 250;
const MAX_TITLE = 150;

export const REFRESH_ACTION = 'finclaw_home_refresh';
const QUESTION_ACTION = 'finclaw_question_';
/** The block of the buttons below a notice. Their answers are shown on the page too. */
const NOTICE_BLOCK = 'finclaw_notice_';

export const isOfNotice = (blockId: string): boolean => blockId.startsWith(NOTICE_BLOCK);

/** The question of a pressed button, and the language of the page. */
export const questionOfAction = (
  actionId: string,
  value: string,
): { readonly id: HomeQuestionId; readonly locale: Locale } | undefined => {
  if (!actionId.startsWith(QUESTION_ACTION)) return undefined;
  const id = HOME_QUESTIONS.find((each) => actionId === `${QUESTION_ACTION}${each}`);
  return id && { id, locale: value === 'ko' ? 'ko' : 'en' };
};

const BOLD = /\*\*([^*\n]{1,500})\*\*/gu;
const STRUCK = /~~([^~\n]{1,200})~~/gu;

const rowText = (line: string, isHead: boolean): string => {
  const cells = (/^\s*\|(.*)\|\s*$/u.exec(line)?.[1]?.split(/(?<!\\)\|/u) ?? []).map(plainCell);
  const [name = '', ...rest] = cells.map(escapeText);
  return isHead ? `_${[name, ...rest].join(' · ')}_` : [`*${name}*`, ...rest].join(' · ');
};

/** Views have no Markdown blocks and no tables: a row becomes a line. */
const mrkdwn = (markdown: string): string => {
  const lines = withoutMentions(withVisibleLinks(markdown)).split('\n');
  return lines
    .flatMap((line, index) => {
      if (isRule(line)) return [];
      if (line.startsWith('|')) return [rowText(line, isRule(lines[index + 1] ?? ''))];
      const words = line.replace(/^\s{0,3}(?:#{1,6}|-#)\s+/u, '').replace(/^(\s*)[-*] /u, '$1• ');
      return [escapeText(words).replaceAll(BOLD, '*$1*').replaceAll(STRUCK, '~$1~')];
    })
    .join('\n')
    .trim();
};

/** Cut where a line ends, so that no markup is left open. */
const cutLines = (text: string, limit: number): string => {
  if (text.length <= limit) return text;
  const end = text.lastIndexOf('\n', limit - 2);
  return `${text.slice(0, end > 0 ? end : limit - 2).replace(/(?:&[a-z]{0,3}|[\uD800-\uDBFF])$/u, '')}\n…`;
};

const words = (text: string, more: object = {}): Block => ({
  type: 'section',
  text: { type: 'mrkdwn', text: cutLines(text, MAX_TEXT) },
  ...more,
});

const rowsOf = (elements: readonly object[], blockId: string): readonly Block[] =>
  Array.from({ length: Math.ceil(elements.length / ROW) }, (_none, row) => ({
    type: 'actions',
    block_id: `${blockId}${row}`,
    elements: elements.slice(row * ROW, (row + 1) * ROW),
  }));

type WriteHints = (text: string) => string;

interface HomeViewDeps {
  readonly question: HomePages['question'];
  /** Writes commands as they are typed on Slack. */
  readonly hints: WriteHints;
}

const questionButton = (id: HomeQuestionId, locale: Locale, { question }: HomeViewDeps) =>
  button(question(id, locale).label, `${QUESTION_ACTION}${id}`, locale);

const sectionBlocks = (
  section: HomeSection,
  index: number,
  locale: Locale,
  deps: HomeViewDeps,
): readonly Block[] => {
  const { title, card, text, items = [], choices = [], questions = [] } = section;
  const buttons = [
    ...choices.map((choice, at) => choiceButton(choice, at, locale)),
    ...questions.map((id) => questionButton(id, locale, deps)),
  ];
  const head = card
    ? blocksOf(card, locale)
    : [{ type: 'header', text: plain(safe(title, MAX_TITLE), MAX_TITLE) }];
  return [
    { type: 'divider' },
    ...head,
    ...items.map(({ text: line, choice }, at) =>
      words(
        mrkdwn(cut(deps.hints(line), MAX_ITEM)),
        choice ? { accessory: choiceButton(choice, at, locale, line) } : {},
      ),
    ),
    ...(text === undefined || text.trim() === '' ? [] : [words(mrkdwn(deps.hints(text)))]),
    ...rowsOf(buttons, `finclaw_home_${index}_`),
  ];
};

/** The outcome of what the person pressed on the page. */
export type HomeNotice = Pick<ReplyPayload, 'text' | 'choices'>;

const noticeBlocks = ({ text, choices = [] }: HomeNotice, locale: Locale): readonly Block[] => [
  words(mrkdwn(text) || '…'),
  ...rowsOf(
    choices.map((choice, at) => choiceButton(choice, at, locale)),
    NOTICE_BLOCK,
  ),
];

/** The page as Slack draws it, within the limits of a view. */
export const homeView = (
  { locale, sections, footer }: Home,
  notice: HomeNotice | undefined,
  deps: HomeViewDeps,
): ArgumentsOf<'views.publish'>['view'] => {
  const foot: Block = {
    type: 'context',
    elements: [{ type: 'mrkdwn', text: safe(footer, MAX_TEXT) || '…' }],
  };
  const blocks: readonly Block[] = [
    ...rowsOf(
      [
        button(channelTexts(locale).refresh(), REFRESH_ACTION, 'refresh'),
        questionButton('ask', locale, deps),
      ],
      'finclaw_home_top_',
    ),
    ...(notice ? noticeBlocks(notice, locale) : []),
    ...sections.flatMap((section, index) => sectionBlocks(section, index, locale, deps)),
  ];
  return { type: 'home', blocks: [...blocks.slice(0, MAX_BLOCKS - 1), foot] };
};
