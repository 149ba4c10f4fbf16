import { mentionsIn, stripControlCharacters, stripMentions } from '#src/core/text.ts';

export interface NormalizedText {
  /** As it was written, with its lines, without mentions. */
  readonly body: string;
  /** On one line: what command parsing reads. */
  readonly normalizedBody: string;
  readonly mentions: readonly string[];
  readonly urls: readonly string[];
}

/** Slack writes `<address|label>`. */
const URL_PATTERN = /https?:\/\/[^\s<>|]+/g;
const TRAILING_PUNCTUATION = new Set(`.,;:!?'"]}`);

/** Without what belongs to the sentence; a closing bracket does, unless the address opened it. */
const trimUrl = (url: string): string => {
  let unopened = url.split(')').length - url.split('(').length;
  let end = url.length;
  for (; end > 0; end -= 1) {
    const last = url.charAt(end - 1);
    if (last === ')' && unopened > 0) unopened -= 1;
    else if (!TRAILING_PUNCTUATION.has(last)) break;
  }
  return url.slice(0, end);
};

/** One form for what people type: whoever asks whether it is a command must ask about the same text. */
export const normalizeText = (raw: string): NormalizedText => {
  const text = stripControlCharacters(raw.normalize('NFC').replaceAll(/\r\n?/g, '\n'));
  const body = stripMentions(text);
  return {
    body,
    normalizedBody: body.replace(/\s+/g, ' '),
    mentions: mentionsIn(text),
    urls: (text.match(URL_PATTERN) ?? []).map(trimUrl),
  };
};
