import type { MediaAttachment } from '#src/core/message.ts';
import type { SlackAttachment, SlackFile, SlackMessage } from './wire.ts';

/** Slack writes these three as entities, and nothing else. */
export const unescapeText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const isForwarded = ({ is_share: isShare, is_msg_unfurl: isMessage }: SlackAttachment): boolean =>
  isShare === true || isMessage === true;

const quoted = ({ author_name: author, author_subname: name, text, fallback }: SlackAttachment): string => {
  const words = unescapeText(text || fallback || '').trim();
  if (words === '') return '';
  const who = author || name;
  return [...(who ? [`${who}:`] : []), ...words.split('\n')].map((line) => `> ${line}`).join('\n');
};

/** What was written, what was passed on as a quotation. Of an app that writes attachments only, those. */
export const textOf = ({ text = '', attachments = [] }: SlackMessage): string => {
  const own = unescapeText(text);
  const forwarded = attachments.filter(isForwarded).map(quoted);
  const shown = own.trim() === '' && forwarded.length === 0 ? attachments.map(quoted) : forwarded;
  return [own, ...shown].filter((part) => part.trim() !== '').join('\n\n');
};

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

export const mediaOf = ({ files = [], attachments = [] }: SlackMessage): readonly MediaAttachment[] =>
  [...files, ...attachments.filter(isForwarded).flatMap(({ files: passedOn = [] }) => passedOn)].flatMap(
    toMedia,
  );

/** Never through a character. */
export const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
