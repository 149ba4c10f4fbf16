import type { ForwardedText } from '#src/kernel/chat/message.ts';
import type { SlackIdentity } from '../settings.ts';
import type { BlockText } from '../block-words.ts';
import type { SlackAttachment, SlackMessage } from '../wire.ts';

export type Self = Pick<SlackIdentity, 'userId' | 'botId'>;

/** Slack escapes these three characters and no others. */
export const unescapeText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

export const isOwn = ({ user, bot_id: botId }: Pick<SlackMessage, 'user' | 'bot_id'>, self: Self): boolean =>
  user === self.userId || (botId !== undefined && botId === self.botId);

/** What Slack writes where an app gives no text. */
const PLACEHOLDER = /^\s*(?:\[no preview available\]|this content can['’]t be displayed\.?)\s*$/i;
const textOr = (text = ''): string => (PLACEHOLDER.test(text) ? '' : text);

/** Without formatting, in which a text and its blocks differ. */
const bare = (text: string): string => unescapeText(text).replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Slack shortens texts above this, so a message repeats nothing that stands further behind. */
const MAX_REPEATED = 40_000;

/** In time in proportion to both texts. `includes` takes that of their product for `aaa…b…aaa`. */
const contains = (text: string, part: string): boolean => {
  if (part.length > text.length) return false;
  const restarts = new Uint32Array(part.length);
  for (let at = 1, matched = 0; at < part.length; at += 1) {
    while (matched > 0 && part[at] !== part[matched]) matched = restarts[matched - 1] ?? 0;
    if (part[at] === part[matched]) matched += 1;
    restarts[at] = matched;
  }
  for (let at = 0, matched = 0; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== part[matched]) matched = restarts[matched - 1] ?? 0;
    if (text[at] === part[matched]) matched += 1;
    if (matched === part.length) return true;
  }
  return false;
};

/** Texts that often repeat each other, each said once. */
const saidOnce = (texts: readonly string[]): string => {
  let said = '';
  const parts: string[] = [];
  for (const text of texts) {
    const core = bare(text);
    // A row may look like another one, or like something in the text.
    const isTable = text.includes('\t') && !parts.includes(text);
    if (core === '' ? text.trim() === '' || parts.length > 0 : !isTable && contains(said, core)) continue;
    if (said.length <= MAX_REPEATED) said += ` ${core}`;
    parts.push(text);
  }
  return parts.join('\n');
};

const shown = (text: string, blocks: readonly BlockText[] = []): readonly string[] =>
  blocks.filter(({ isWritten }) => !isWritten || text.trim() === '').map((block) => block.text);

const isForwarded = ({ is_share: isShare, is_msg_unfurl: isMessage }: SlackAttachment): boolean =>
  isShare === true || isMessage === true;
/** The preview of a link, which nobody wrote. */
const isPreview = ({ from_url: page, original_url: link, app_unfurl_url: app }: SlackAttachment): boolean =>
  (page ?? link ?? app) !== undefined;

/** `[November 19th, 2026 3:14 AM] bob:` before the words of a forwarded message, which may have none. */
const BEFORE_WORDS = /^\[[^[\]]{1,80}\] ?[^:\n]{0,80}:/;

const attachmentText = (attachment: SlackAttachment): string => {
  const {
    pretext = '',
    title = '',
    fallback = '',
    fields = [],
    blocks,
    message_blocks: messages,
  } = attachment;
  const text = textOr(attachment.text);
  const written = saidOnce([
    pretext,
    textOr(title),
    text,
    ...fields.map((field) => [field.title, field.value].filter(Boolean).join(': ')),
    ...shown(text, blocks),
    ...(messages ?? []).flatMap(({ message }) => shown(text, message?.blocks)),
  ]);
  if (written !== '') return unescapeText(written).trim();
  const last = textOr(fallback);
  return unescapeText(isForwarded(attachment) ? last.replace(BEFORE_WORDS, '') : last).trim();
};

/** What the author wrote, and what an app shows: its text, blocks and attachments, without forwarded messages and previews. */
export const bodyOf = (message: SlackMessage, self?: Self): string => {
  const { blocks = [], attachments = [] } = message;
  const text = textOr(message.text);
  // The bot's own text has all that is in its blocks.
  if (self && isOwn(message, self)) return unescapeText(text);
  const own = attachments.filter((each) => !isForwarded(each) && !isPreview(each));
  const more = [...shown(text, blocks), ...own.map(attachmentText)];
  return more.length === 0 ? unescapeText(text) : unescapeText(saidOnce([text, ...more]));
};

const sharedIn = ({ attachments = [] }: SlackMessage): readonly SlackAttachment[] =>
  attachments.filter(isForwarded);

export const isForward = (message: SlackMessage): boolean => sharedIn(message).length > 0;

const forwardedText = (shared: SlackAttachment): readonly ForwardedText[] => {
  const text = attachmentText(shared);
  const authorName = shared.author_name || shared.author_subname;
  return text === '' ? [] : [{ text, ...(authorName ? { authorName } : {}) }];
};

/** Whether Slack names an author other than the bot. A fallback text may come from anywhere, so it does not count. */
const isFromOthers = (shared: SlackAttachment, self: Self): boolean => {
  const { author_id: author, bot_id: app } = shared;
  const isOtherApp = app === undefined || (self.botId !== undefined && app !== self.botId);
  const { fallback: _anywhere, ...quoted } = shared;
  return author !== undefined && author !== self.userId && isOtherApp && attachmentText(quoted) !== '';
};

/** The forwarded messages; without `self`, each may be the bot's own. */
export const forwardsIn = (message: SlackMessage, self?: Self) =>
  sharedIn(message).map((shared) => ({
    files: shared.files ?? [],
    isFromOthers: self !== undefined && isFromOthers(shared, self),
    texts: forwardedText(shared),
  }));

const quoted = ({ authorName, text }: ForwardedText): string =>
  [...(authorName ? [`${authorName}:`] : []), ...text.split('\n')].map((line) => `> ${line}`).join('\n');

/** All that a message says, with forwarded messages as quotations. */
export const textOf = (message: SlackMessage, self?: Self): string =>
  [bodyOf(message, self), ...sharedIn(message).flatMap(forwardedText).map(quoted)]
    .filter((part) => part.trim() !== '')
    .join('\n\n');
