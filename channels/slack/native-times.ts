import { nativeMoments } from '#src/kernel/moment.ts';
import { escapeText } from './message-text.ts';

const MAX_MRKDWN = 3_000;
const MAX_PARTS = 12;

/** Slack shows each reader their own zone. The fallback is the time as it was written. */
export const withNativeTimes = (mrkdwn: string, limit = MAX_MRKDWN): string => {
  const shown = nativeMoments(
    mrkdwn,
    ({ text, unixSeconds, hasWeekday }) =>
      `<!date^${unixSeconds}^${hasWeekday ? '{date_long_pretty}' : '{date_short_pretty}'} {time}|${text}>`,
  );
  return shown.length <= limit ? shown : mrkdwn;
};

const BOLD = /(?<![\p{L}\p{N}*])\*\*([^*\n]{1,500})\*\*(?![\p{L}\p{N}*])/gu;
/** Markup that differs between Markdown and mrkdwn, and the beginning of lists, headings and other blocks. */
const OTHER_MARKUP = /\*\*|[<>[\]\\~_`|]|^(?:#|[-+*] |\d{1,9}[.)] |\s)/mu;

/** The paragraph as mrkdwn, which supports times. Undefined if it has no time, or markup that mrkdwn writes differently. */
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

/** Splits off the paragraphs with a time: Slack's Markdown blocks do not support times. */
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
  // Too many blocks are harder to read than a time in the asker's zone.
  return parts.length > MAX_PARTS ? [whole] : parts;
};
