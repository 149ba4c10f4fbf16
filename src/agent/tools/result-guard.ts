import { addressesIn, canonicalAddress, type Links, type LinkSource } from '#src/kernel/agent/links.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { isPlot } from '#src/kernel/chat/plot.ts';
import { readReceipt } from '#src/kernel/chat/receipt.ts';
import { stripControlCharacters, withoutOurMarkup } from '#src/kernel/text.ts';
import { TOOL_RESULT_CODES, type ToolResult } from '#src/kernel/agent/tool.ts';
import { readDisplay } from '#src/kernel/chat/tool-display.ts';
import { atOnce, byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { FENCE_CHARS, fenceUntrusted } from './untrusted-text.ts';
import { attempt, factsIn } from './result-facts.ts';
import { withoutHtml } from './html/html-text.ts';
import { jsonText, safeMessage } from './json-text.ts';
import {
  countMasks,
  redactFinancialData,
  type RedactPattern,
  redactPatterns,
} from './redaction/redaction.ts';
import { isJsonText } from './redaction/json-strings.ts';
import { truncateMiddle } from './truncate-middle.ts';

export interface ResultGuardOptions {
  /** Limit for the whole content, including a fence. */
  readonly maxContentLength: number;
  /** Masked in addition to keys, cards, accounts, resident and social security numbers. */
  readonly redactPatterns: readonly RedactPattern[];
}

export const DEFAULT_GUARD_OPTIONS: ResultGuardOptions = {
  maxContentLength: 100_000,
  redactPatterns: [],
};

export interface GuardedToolResult extends ToolResult {
  readonly wasTruncated: boolean;
  /** Number of masks by kind, never their content. */
  readonly masked: Readonly<Record<string, number>>;
  /** Characters before and after. */
  readonly originalSize: number;
  readonly guardedSize: number;
  /** Addresses that the tool vouches for. Never set for an error, which may repeat the model's text. */
  readonly links?: Links;
}

const NO_RESULT = '[No result returned]';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const contentOf = (value: unknown): string => {
  if (value === null || value === undefined) return NO_RESULT;
  if (value instanceof Error) return `${value.name}: ${safeMessage(value)}`;
  return typeof value === 'string' ? value : jsonText(value);
};

const FILE_TEXTS = ['mimeType', 'name', 'url'] as const;
const MEDIA_KINDS: ReadonlySet<unknown> = new Set<MediaAttachment['kind']>([
  'image',
  'audio',
  'video',
  'file',
]);

/** Undefined for an incomplete file. May throw. */
const fileOf = (given: unknown): MediaAttachment | undefined => {
  const { kind, mimeType, name, url, altText, sizeBytes, plot } = given as MediaAttachment;
  const file = {
    kind,
    mimeType,
    name,
    url,
    ...(typeof sizeBytes === 'number' && { sizeBytes }),
    ...(typeof altText === 'string' && { altText }),
    ...(attempt(() => isPlot(plot)) === true && { plot }),
  };
  const isWhole = MEDIA_KINDS.has(kind) && FILE_TEXTS.every((field) => typeof file[field] === 'string');
  return isWhole ? file : undefined;
};

const MAX_HEADLINES = 50;

/** Undefined for an incomplete source. May throw. */
const linkSourceOf = (given: unknown): LinkSource | undefined => {
  const source = given as LinkSource | undefined;
  if (source?.from === 'headlines') {
    const urls = source.urls.slice(0, MAX_HEADLINES).flatMap((url) => canonicalAddress(url) ?? []);
    return { from: 'headlines', urls };
  }
  const page = source?.from === 'page' ? canonicalAddress(source.page) : undefined;
  return page === undefined ? undefined : { from: 'page', page };
};

const linksOf = ({ isError, linkSource }: ToolResult, text: string): Links | undefined => {
  if (isError || !linkSource) return undefined;
  return linkSource.from === 'page' ? { ...linkSource, urls: addressesIn(text) } : linkSource;
};

/** Keeps known fields only: anything else from a plugin (details, a stack trace) is dropped. */
const resultOf = (returned: unknown): ToolResult => {
  if (!isObject(returned) || !('content' in returned))
    return { content: contentOf(returned), isError: returned instanceof Error };
  const { content, isError, code, facts, media, isUntrusted, isSuspended, linkSource } = returned;
  const { dependsOnZone, display: beside, brief, receipt: shown } = returned;
  const known = TOOL_RESULT_CODES.find((candidate) => candidate === code);
  const wellFormed = Array.isArray(facts) ? factsIn(facts) : [];
  const files = Array.isArray(media) ? media.flatMap((file) => attempt(() => fileOf(file)) ?? []) : [];
  const source = attempt(() => linkSourceOf(linkSource));
  const display = attempt(() => readDisplay(beside));
  const receipt = isError ? undefined : attempt(() => readReceipt(shown));
  return {
    content: contentOf(content),
    isError: Boolean(isError),
    ...(known && { code: known }),
    ...(wellFormed.length > 0 && { facts: wellFormed }),
    ...(files.length > 0 && { media: files }),
    ...(Boolean(isUntrusted) && { isUntrusted: true }),
    ...(source && { linkSource: source }),
    ...(display && { display }),
    ...(typeof brief === 'string' && { brief }),
    ...(receipt && { receipt }),
    ...(dependsOnZone === true && { dependsOnZone }),
    ...(isSuspended === true && { isSuspended: true }),
  };
};

const readResult = (returned: unknown): ToolResult => {
  try {
    return resultOf(returned);
  } catch (error) {
    return { content: `[The result cannot be read: ${safeMessage(error)}]`, isError: true };
  }
};

/** Terminal colour codes; without their first character the rest would remain as text. */
const TERMINAL_CODES = /\u001b\[[0-9;?]{0,20}[A-Za-z]/g;

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** A slice must not end inside a line break or a colour code. */
const UNCUT = /(?:\r|\u001b\[?[0-9;?]{0,20})$/;
const CLEANED_CHARS = 32_768;

const cleanedSlice = (slice: string): string =>
  stripControlCharacters(slice.replaceAll(/\r\n?/g, '\n').replace(TERMINAL_CODES, ''));

/** A lone carriage return is a line break too. */
const cleaned = function* (content: string): Steps<string> {
  if (!CONTROL.test(content)) return content.toWellFormed();
  const slices: string[] = [];
  for (let at = 0; at < content.length;) {
    const slice = content.slice(at, at + CLEANED_CHARS);
    const isLast = at + slice.length === content.length;
    const uncut = isLast ? 0 : (UNCUT.exec(slice.slice(-24))?.[0].length ?? 0);
    slices.push(cleanedSlice(slice.slice(0, slice.length - uncut)));
    at += slice.length - uncut;
    yield;
  }
  return slices.join('').toWellFormed();
};

/** Limit of input that is processed, as a multiple of the output limit. */
const READ_FACTOR = 4;
const MIN_READ_CHARS = 400_000;
/** The same limit for HTML, whose text is shorter. */
const MAX_RAW_CHARS = 2_000_000;

const redacted = function* (content: string, options: ResultGuardOptions): Steps<string> {
  const text = yield* redactFinancialData(content);
  yield;
  return yield* redactPatterns(text, options.redactPatterns);
};

const shortened = (content: string, maxChars: number): string => {
  if (content.length <= maxChars) return content;
  return truncateMiddle(content, maxChars, isJsonText(content) ? '; the rest is not complete JSON' : '');
};

/** Parsing text that will be truncated anyway is not worth it. */
const looksLikeJson = (text: string): boolean =>
  text.length <= MIN_READ_CHARS
    ? isJsonText(text)
    : /^\s*[{[]/.test(text) && /[}\]]\s{0,9}$/.test(text.slice(-10));

/**
 * Makes a tool's result safe for the model: plain text of known fields, without control characters, foreign
 * HTML, our own markup, secrets and account numbers, of limited length, and fenced if untrusted. Accepts
 * whatever a tool or plugin returns, and never throws.
 */
export const guardSteps = function* (
  returned: unknown,
  overrides: Partial<ResultGuardOptions> = {},
): Steps<GuardedToolResult> {
  const options = { ...DEFAULT_GUARD_OPTIONS, ...overrides };
  const { brief, ...result } = readResult(returned);
  yield;
  const maxChars = Math.max(0, options.maxContentLength - (result.isUntrusted ? FENCE_CHARS : 0));
  const maxReadChars = Math.max(maxChars * READ_FACTOR, MIN_READ_CHARS);
  const raw = truncateMiddle(result.content, Math.max(maxReadChars, MAX_RAW_CHARS));
  const plain = yield* cleaned(raw);
  yield;
  const isPlain = !plain.includes('<') || looksLikeJson(plain);
  yield;
  // HTML entities may decode to control characters.
  const text = isPlain ? plain : yield* cleaned(yield* withoutHtml(plain));
  const readable = withoutOurMarkup(truncateMiddle(text, maxReadChars));
  yield;
  const masked = yield* redacted(readable, options);
  yield;
  const short = shortened(masked, maxChars);
  const content = result.isUntrusted ? fenceUntrusted(short) : short;
  const links = linksOf(result, short);
  return {
    ...result,
    content,
    // Where something was masked, people read what the model reads.
    ...(brief !== undefined && masked === readable && { brief }),
    wasTruncated: short !== masked || readable.length < text.length || raw.length < result.content.length,
    masked: masked === readable ? {} : countMasks(readable, masked),
    originalSize: result.content.length,
    guardedSize: content.length,
    ...(links && { links }),
  };
};

/** Rejects only after an abort. */
export const guardToolResult = (
  returned: unknown,
  signal: AbortSignal,
  overrides?: Partial<ResultGuardOptions>,
): Promise<GuardedToolResult> => byTime(guardSteps(returned, overrides), signal);

const SENTENCE_CHARS = 20_000;

/** Guards a message of ours that may quote untrusted text. */
export const guardSentence = (
  sentence: string,
  more: Pick<ToolResult, 'isError' | 'isSuspended' | 'code'>,
  overrides?: Partial<ResultGuardOptions>,
): GuardedToolResult =>
  atOnce(guardSteps({ content: truncateMiddle(sentence, SENTENCE_CHARS), ...more }, overrides));
