import { decodeCp949 } from '#src/platform/decode-text.ts';

/** So far into a page its declaration may stand. */
const DECLARATION_BYTES = 2_048;

/** Names that pages use and the standard does not have. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  cp932: 'shift_jis',
};

const KOREAN: ReadonlySet<string> = new Set(['cp949', 'ms949', 'euc-kr', 'ks_c_5601-1987', 'windows-949']);

const CHARSET = /charset\s*=\s*(?:["']\s*)?([\w.:-]{2,40})/i;
const XML_ENCODING = /^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]{2,40})["']/i;
/** Some of these may stand before the right one: a description, a refresh. */
const META = /<meta\s[^<>]{0,500}>/gi;

const BYTE_ORDER_MARKS: readonly (readonly [charset: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

const markedCharset = (bytes: Uint8Array): string | undefined =>
  BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];

const declaredCharset = (bytes: Uint8Array): string | undefined => {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  const inMeta = (head.match(META) ?? []).map((tag) => CHARSET.exec(tag)?.[1]).find((name) => name);
  const declared = inMeta ?? XML_ENCODING.exec(head)?.[1];
  // It was read byte by byte, so that its characters cannot have two each.
  return declared?.toLowerCase().startsWith('utf-16') ? 'utf-8' : declared;
};

const decoderFor = (charset: string): TextDecoder => {
  const name = charset.toLowerCase();
  try {
    return new TextDecoder(OTHER_NAMES[name] ?? name);
  } catch {
    return new TextDecoder('utf-8');
  }
};

/** The words of a page, by its byte order mark, else the header, else what it declares; else UTF-8. Never throws. */
export const decodeText = (bytes: Uint8Array, contentType: string): string => {
  const charset = markedCharset(bytes) ?? CHARSET.exec(contentType)?.[1] ?? declaredCharset(bytes) ?? 'utf-8';
  // The built-in decoder knows only a part of what Korean pages mean by the same name.
  const korean = KOREAN.has(charset.toLowerCase()) ? decodeCp949(bytes) : undefined;
  return korean ?? decoderFor(charset).decode(bytes);
};
