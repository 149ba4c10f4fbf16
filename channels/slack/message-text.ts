import type { ForwardedText, MediaAttachment } from '#src/kernel/message.ts';
import type { SlackIdentity } from './settings.ts';
import type { SlackAttachment, SlackFile, SlackMessage } from './wire.ts';
import { nativeMoments } from '#src/kernel/moment.ts';

type Self = Pick<SlackIdentity, 'userId' | 'botId'>;

/** Slack writes these three as entities, and nothing else. */
export const unescapeText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const isForwarded = ({ is_share: isShare, is_msg_unfurl: isMessage }: SlackAttachment): boolean =>
  isShare === true || isMessage === true;

/** Slack names an author, and it is not the bot. What a fallback is made of, Slack does not say. */
const isFromOthers = ({ author_id: author, bot_id: app, text }: SlackAttachment, self: Self): boolean => {
  const isOtherApp = app === undefined || (self.botId !== undefined && app !== self.botId);
  return author !== undefined && author !== self.userId && isOtherApp && text !== undefined && text !== '';
};

const passedOn = ({
  author_name: author,
  author_subname: name,
  text,
  fallback,
}: SlackAttachment): readonly ForwardedText[] => {
  const words = unescapeText(text || fallback || '').trim();
  const who = author || name;
  return words === '' ? [] : [{ text: words, ...(who ? { authorName: who } : {}) }];
};

const sharedIn = ({ attachments = [] }: SlackMessage): readonly SlackAttachment[] =>
  attachments.filter(isForwarded);

/** What was passed on. */
export const forwardedIn = (message: SlackMessage, self: Self): readonly ForwardedText[] =>
  sharedIn(message).flatMap((shared) =>
    passedOn(shared).map((words) => ({
      ...words,
      ...(isFromOthers(shared, self) ? { isFromOthers: true as const } : {}),
    })),
  );

export const isForward = (message: SlackMessage): boolean => sharedIn(message).length > 0;

/** The author's own words. Those of an app may stand in attachments only. */
export const bodyOf = (message: SlackMessage): string => {
  const { text = '', attachments = [] } = message;
  if (text.trim() !== '' || attachments.some(isForwarded)) return unescapeText(text);
  return attachments
    .flatMap(passedOn)
    .map((own) => own.text)
    .join('\n\n');
};

const quoted = ({ authorName, text }: ForwardedText): string =>
  [...(authorName ? [`${authorName}:`] : []), ...text.split('\n')].map((line) => `> ${line}`).join('\n');

/** All that a message says: its own words, then what it passes on as a quotation. */
export const textOf = (message: SlackMessage): string =>
  [bodyOf(message), ...sharedIn(message).flatMap(passedOn).map(quoted)]
    .filter((part) => part.trim() !== '')
    .join('\n\n');

const kindOf = (mimeType: string): MediaAttachment['kind'] => {
  const [kind] = mimeType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
};

/** The scheme of a file whose address has to be asked for first. */
export const FILE_SCHEME = 'slack-file:';

const toMedia = (file: SlackFile): readonly MediaAttachment[] => {
  if (file.mode === 'tombstone' || file.mode === 'hidden_by_limit') return [];
  const address = file.url_private_download ?? file.url_private;
  const url = file.file_access === 'check_file_info' ? undefined : address;
  if (url === undefined && file.id === undefined) return [];
  const mimeType = file.mimetype || 'application/octet-stream';
  return [
    {
      kind: kindOf(mimeType),
      mimeType,
      name: file.name || file.title || file.id || 'file',
      url: url ?? `${FILE_SCHEME}${file.id}`,
      ...(file.size === undefined ? {} : { sizeBytes: file.size }),
      ...(file.alt_txt ? { altText: file.alt_txt } : {}),
    },
  ];
};

const sharedMedia = (shared: SlackAttachment, self: Self | undefined): readonly MediaAttachment[] => {
  const media = (shared.files ?? []).flatMap(toMedia);
  return self && isFromOthers(shared, self)
    ? media
    : media.map((file) => ({ ...file, isMaybeOurs: true as const }));
};

/** The files of a message and of what it passes on. Without `self`, those of the latter may all be the bot's. */
export const mediaOf = (message: SlackMessage, self?: Self): readonly MediaAttachment[] => [
  ...(message.files ?? []).flatMap(toMedia),
  ...sharedIn(message).flatMap((shared) => sharedMedia(shared, self)),
];

/** Never through a character. */
export const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** Invisible. Between the sign and the word it breaks the mention. */
const SEAM = '\u2060';

/** `<!channel>`, `<!here|…>`, `<!subteam^S1>`, and `<!date^…^words^address|…>`, which hides a link behind other words. */
const COMMAND = /<\s*!\s*(?=channel|here|everyone|group|subteam|date)/gi;
/** `@here` as plain words, which some places turn into a mention. */
const NAMED = /(?<![A-Za-z0-9_.])[@＠](?=(?:channel|here|everyone)\b)/gi;

/** The same words, in which no command of Slack's is left: nothing calls many people at once. */
export const withoutMassMentions = (text: string): string =>
  text.replaceAll(COMMAND, '‹!').replaceAll(NAMED, (sign) => sign + SEAM);

/** `<@U0ANN>` and `<@U0ANN|ann>`: somebody's id in their own syntax. */
const PERSON = /<\s*@(?=[A-Z0-9])/g;

/** Without mentions of single people too: the words of a message never decide whom the bot mentions. */
export const withoutMentions = (text: string): string => withoutMassMentions(text).replaceAll(PERSON, '‹@');

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

interface MarkdownPart {
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
  // Too many blocks are harder to read than a time in the requester's zone.
  return parts.length > MAX_PARTS ? [whole] : parts;
};
