import { nativeMoments } from '#src/core/moment.ts';
import { escapeText } from './message-text.ts';

const MAX_MRKDWN = 3_000;
const MAX_PARTS = 12;

/** Everybody sees a time in their own zone; whoever cannot has it in that of the person it was written for. */
export const withNativeTimes = (mrkdwn: string, limit = MAX_MRKDWN): string => {
  const shown = nativeMoments(
    mrkdwn,
    ({ text, unixSeconds, hasWeekday }) =>
      `<!date^${unixSeconds}^${hasWeekday ? '{date_long_pretty}' : '{date_short_pretty}'} {time}|${text}>`,
  );
  return shown.length <= limit ? shown : mrkdwn;
};

const BOLD = /(?<![\p{L}\p{N}*])\*\*([^*\n]{1,500})\*\*(?![\p{L}\p{N}*])/gu;
/** What the two kinds of markup write differently, and what begins a block. */
const OTHER_MARKUP = /\*\*|[<>[\]\\~_`|]|^(?:#|[-+*] |\d{1,9}[.)] |\s)/mu;

/** The same in Slack's own markup, which alone knows times; undefined where the paragraph holds none, or more markup. */
const asMrkdwn = (paragraph: string): string | undefined => {
  const marked = paragraph.replace(BOLD, '\u0000$1\u0000');
  if (OTHER_MARKUP.test(marked) || marked.includes('*')) return undefined;
  const escaped = escapeText(marked.replaceAll('\u0000', '*'));
  const shown = withNativeTimes(escaped);
  return shown === escaped ? undefined : shown;
};

export interface MarkdownPart {
  readonly kind: 'markdown' | 'mrkdwn';
  readonly text: string;
}

/** Paragraphs that tell a time, apart from the others: Slack's blocks of Markdown know no times. */
export const splitAtTimes = (markdown: string): readonly MarkdownPart[] => {
  const whole: MarkdownPart = { kind: 'markdown', text: markdown };
  if (markdown.includes('```') || markdown.includes('~~~') || withNativeTimes(markdown) === markdown)
    return [whole];
  const parts: MarkdownPart[] = [];
  for (const paragraph of markdown.split('\n\n')) {
    const mrkdwn = asMrkdwn(paragraph.trimEnd());
    const last = parts.at(-1);
    if (mrkdwn !== undefined) parts.push({ kind: 'mrkdwn', text: mrkdwn });
    else if (last?.kind === 'markdown')
      parts.splice(-1, 1, { kind: 'markdown', text: `${last.text}\n\n${paragraph}` });
    else parts.push({ kind: 'markdown', text: paragraph });
  }
  // A wall of blocks is worse than a time in the zone of the one who asked.
  return parts.length > MAX_PARTS ? [whole] : parts;
};
