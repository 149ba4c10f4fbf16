import type { Json } from './api.ts';
import { checkBlocks, LIMITS, longestActionRow } from './check-blocks.ts';
import type { Core } from './core.ts';
import { refusalWithReasons, SlackRefusal } from './errors.ts';
import { listOf, optional } from './method.ts';
import type { Metadata } from './world.ts';

/** What a body says a message shall be. */
export interface Composed {
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly attachments: readonly Json[];
  readonly metadata: Metadata | undefined;
  readonly flags: Json;
}

const HARD_LIMIT = 40_000;
const SOFT_LIMIT = 4_000;
const FLAGS = [
  'mrkdwn',
  'parse',
  'link_names',
  'unfurl_links',
  'unfurl_media',
  'as_user',
  'username',
] as const;

const flagValue = (value: unknown): unknown => {
  if (value === 'true' || value === '1') return true;
  return value === 'false' || value === '0' ? false : value;
};

const flagsOf = (args: Json): Json =>
  Object.fromEntries(
    FLAGS.filter((name) => args[name] !== undefined).map((name) => [name, flagValue(args[name])]),
  );

export const metadataOf = (args: Json): Metadata | undefined => {
  const value = args['metadata'];
  if (value === undefined || value === null) return undefined;
  const { event_type: type, event_payload: payload } = value as Partial<Metadata>;
  if (typeof type !== 'string' || type === '' || typeof payload !== 'object') {
    throw new SlackRefusal('invalid_metadata_format');
  }
  return { event_type: type, event_payload: payload };
};

/** Stricter than Slack: whoever posts a link has to say that it gets no preview. */
export const checkPreviews = (said: unknown, flags: Json): void => {
  if (flags['unfurl_links'] === false && flags['unfurl_media'] === false) return;
  if (/https?:\/\//i.test(JSON.stringify(said) ?? '')) throw new SlackRefusal('link_with_preview');
};

/** Slack shows a file in a block once it has read it, and over a `response_url` only if it was shared before. */
const checkPictures = (core: Core, blocks: readonly Json[], kind: 'post' | 'update' | 'response'): void => {
  for (const { type, slack_file: file } of blocks) {
    if (type !== 'image' || file === undefined) continue;
    const { id } = file as { readonly id: string };
    const unshared = core.world.unshared.get(id);
    const isRefused = unshared === 'unread' || (kind === 'response' && unshared !== undefined);
    if (!core.world.files.has(id) || isRefused)
      throw refusalWithReasons('invalid_blocks', 'invalid slack file [json-pointer:/blocks/slack_file]');
  }
};

/** `update`: an edit is refused where a new message is cut. */
export const compose = (core: Core, args: Json, kind: 'post' | 'update' | 'response'): Composed => {
  const markdown = optional(args, 'markdown_text');
  const given = optional(args, 'text') ?? '';
  const blocks = listOf(args, 'blocks', 'invalid_blocks_format');
  const attachments = listOf(args, 'attachments', 'invalid_attachments');
  if (markdown !== undefined && (given !== '' || blocks.length > 0)) {
    throw new SlackRefusal('markdown_text_conflict');
  }
  if ((markdown?.length ?? 0) > LIMITS.markdownText || given.length > HARD_LIMIT) {
    throw new SlackRefusal('msg_too_long');
  }
  if (kind === 'update' && given.length > SOFT_LIMIT) throw new SlackRefusal('msg_too_long');
  checkBlocks(blocks);
  checkPictures(core, blocks, kind);
  checkPreviews([given, markdown, blocks, attachments], flagsOf(args));
  const metadata = metadataOf(args);
  if (given === '' && markdown === undefined && blocks.length === 0 && attachments.length === 0) {
    throw new SlackRefusal('no_text');
  }
  if (given.length > SOFT_LIMIT) core.chronicle.offend('text-truncated', `${given.length} characters`);
  const row = longestActionRow(blocks);
  if (row > LIMITS.recommendedActions) core.chronicle.offend('too-many-buttons', `${row} in a row`);
  return {
    text: markdown ?? given.slice(0, SOFT_LIMIT),
    blocks: markdown === undefined ? blocks : [{ type: 'markdown', text: markdown }],
    attachments,
    metadata,
    flags: flagsOf(args),
  };
};
