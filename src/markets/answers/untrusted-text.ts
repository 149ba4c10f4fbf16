import { graphemes, visibleLine } from '#src/kernel/text.ts';

const MAX_READ = 2_000;
/** An invisible character that breaks markup and addresses. */
const SEAM = '\u2060';
const ELLIPSIS = '…';

/** One line of untrusted text, unchanged except for its length. */
export const untrustedLine = (text: string, maxCharacters: number): string => {
  const line = visibleLine(text.slice(0, MAX_READ).toWellFormed()).replaceAll(/\s+/gu, ' ').trim();
  const characters = Array.from(graphemes().segment(line), ({ segment }) => segment);
  return characters.length <= maxCharacters
    ? line
    : `${characters
        .slice(0, maxCharacters - 1)
        .join('')
        .trimEnd()}${ELLIPSIS}`;
};

/**
 * Escapes untrusted text within our Markdown, so that it cannot format, link or mention on any platform. `<…>` mentions
 * people on Discord and Slack whatever precedes it, so those signs are replaced; `[단독]` stays readable.
 */
export const inMarkdown = (line: string): string =>
  line
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('`', 'ˋ')
    .replaceAll('|', '¦')
    .replaceAll(/[\\*_~]/g, String.raw`\$&`)
    .replaceAll(/\](?=[([:])/g, `]${SEAM}`)
    .replaceAll(/:(?=\/\/)/g, `:${SEAM}`)
    .replaceAll(/[@＠](?=[\p{L}\p{N}])/gu, (sign) => sign + SEAM);

const MAX_ADDRESS = 500;

/** The full address of a safe web link. Undefined for anything else. */
export const webAddress = (text: string): string | undefined => {
  const url = URL.parse(text.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  // `https://bank.example@evil.example` looks like another host.
  if (url.username !== '' || url.password !== '') return undefined;
  const address = url.href.replaceAll(
    /[<>|`"\\\s]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return address.length <= MAX_ADDRESS ? address : undefined;
};
