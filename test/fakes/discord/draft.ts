import { checkComponents, checkEmbeds } from './components.ts';
import { checkCount, checkLength, invalid, refusal } from './errors.ts';
import type { AttachmentState, Saying, State } from './state.ts';
import { asNumber, asTexts, asWire, asWires, FLAG, type Wire } from './wire.ts';

export interface UploadedFile {
  /** The n of `files[n]`. */
  readonly index: string;
  readonly name: string;
  readonly contentType?: string;
  readonly bytes: Uint8Array;
}

const MAX_FILE_BYTES = 10 * 1_024 * 1_024;
const MAX_CONTENT = 2_000;
const SETTABLE_FLAGS = FLAG.suppressEmbeds | FLAG.ephemeral | 4_096;

/** `attachments` of the body says which of the old ones stay, and describes the new ones. */
const attachmentsOf = (
  state: State,
  body: Wire,
  files: readonly UploadedFile[],
  old: readonly AttachmentState[],
): readonly AttachmentState[] => {
  const described = asWires(body['attachments']);
  if (files.some(({ bytes }) => bytes.length > MAX_FILE_BYTES)) throw refusal('tooLarge');
  const added = files.map((file): AttachmentState => {
    const entry = described.find(({ id }) => String(id) === file.index) ?? {};
    checkLength(entry['description'], 'attachments.0.description', 1_024);
    const description = entry['description'];
    return {
      id: state.nextId(),
      name: file.name,
      ...(typeof description === 'string' ? { description } : {}),
      ...(file.contentType === undefined ? {} : { contentType: file.contentType }),
      bytes: file.bytes,
      isVoice: false,
    };
  });
  const kept = Array.isArray(body['attachments'])
    ? old.filter(({ id }) => described.some((entry) => entry['id'] === id))
    : old;
  const all = [...kept, ...added];
  checkCount(all, 'attachments', 10);
  return all;
};

const checkMentions = (allowed: Wire | undefined): void => {
  if (!allowed) return;
  for (const kind of ['users', 'roles'] as const) {
    const ids = asTexts(allowed[kind]);
    checkCount(ids, `allowed_mentions.${kind}`, 100);
    if (ids.length > 0 && asTexts(allowed['parse']).includes(kind))
      throw invalid(
        'allowed_mentions',
        'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
        `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
      );
  }
};

/** Stricter than Discord: whoever posts a link has to keep Discord from asking for a preview of it. */
const checkPreviews = ({ content, flags }: Saying): void => {
  const hasLink = /https?:\/\//i.test(content.replaceAll(/<https?:\/\/[^\s<>]+>/gi, ''));
  if (hasLink && (flags & FLAG.suppressEmbeds) === 0)
    throw invalid('content', 'LINK_WITH_PREVIEW', 'A link would get a preview.');
};

/** A body as a message, if it keeps all rules; `old`: what it edits. Throws `ApiError`. */
export const draftOf = (
  state: State,
  body: Wire,
  files: readonly UploadedFile[],
  old?: Saying,
): { readonly saying: Saying; readonly allowedMentions: Wire | undefined } => {
  checkLength(body['content'], 'content', MAX_CONTENT);
  const embeds = asWires(body['embeds']);
  const components = asWires(body['components']);
  checkEmbeds(embeds);
  checkComponents(components);
  const allowedMentions = body['allowed_mentions'] ? asWire(body['allowed_mentions']) : undefined;
  checkMentions(allowedMentions);
  const given = <T>(key: string, value: T, otherwise: T): T => (body[key] === undefined ? otherwise : value);
  const saying: Saying = {
    content: given('content', typeof body['content'] === 'string' ? body['content'] : '', old?.content ?? ''),
    embeds: given('embeds', embeds, old?.embeds ?? []),
    components: given('components', components, old?.components ?? []),
    attachments: attachmentsOf(state, body, files, old?.attachments ?? []),
    flags: given('flags', asNumber(body['flags']) & SETTABLE_FLAGS, old?.flags ?? 0),
  };
  const isEmpty =
    saying.content.trim() === '' &&
    saying.embeds.length + saying.components.length + saying.attachments.length === 0 &&
    !body['poll'] &&
    asTexts(body['sticker_ids']).length === 0;
  if (isEmpty) throw refusal('emptyMessage');
  checkPreviews(saying);
  return { saying, allowedMentions };
};
