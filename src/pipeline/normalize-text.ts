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
const TRAILING_PUNCTUATION = /[.,;:!?'"\]}]+$/;

/** A closing bracket belongs to the sentence unless the address opened it. */
const trimUrl = (url: string): string => {
  const trimmed = url.replace(TRAILING_PUNCTUATION, '');
  const isOpenedInside = trimmed.split('(').length >= trimmed.split(')').length;
  return trimmed.endsWith(')') && !isOpenedInside ? trimUrl(trimmed.slice(0, -1)) : trimmed;
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
