import type { FakeChannel, FakeFile, Json } from '../api.ts';
import { show } from '../core.ts';
import { refusalWithReasons, SlackRefusal } from '../errors.ts';
import { tellPosted } from '../events.ts';
import { type Call, listOf, type Methods, optional, required, writableChannel } from '../method.ts';
import type { Uploads } from '../uploads.ts';
import { wireFile } from '../wire.ts';
import { BOT } from '../world.ts';
import { threadOf } from './chat.ts';

const MIME_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  csv: 'text/csv',
  txt: 'text/plain',
  md: 'text/markdown',
  json: 'application/json',
  pdf: 'application/pdf',
};

const mimetypeOf = (name: string): string =>
  MIME_TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';

const share = (call: Call, channel: FakeChannel, files: readonly FakeFile[]): void => {
  const { core, args } = call;
  const threadTs = threadOf(call, channel.id);
  const text = optional(args, 'initial_comment') ?? '';
  const message = core.world.addMessage({ channel: channel.id, user: BOT.userId, text, threadTs, files });
  if (threadTs !== undefined) core.world.statuses.delete(`${channel.id} ${threadTs}`);
  tellPosted(core, message, { subtype: 'file_share' });
  show(core, 'posted', message);
};

const info = ({ core, args }: Call): Json => {
  const file = core.world.files.get(required(args, 'file', 'file_not_found'));
  if (!file) throw new SlackRefusal('file_not_found');
  if (core.world.unshared.get(file.id) !== 'unread') return { file: wireFile(file) };
  core.world.unshared.set(file.id, 'read');
  return { file: { ...wireFile(file), mimetype: '', filetype: '' } };
};

export const fileMethods = (uploads: Uploads): Methods => {
  const getUploadUrl = ({ core, args }: Call): Json => {
    const name = required(args, 'filename');
    const length = Number(required(args, 'length'));
    if (!Number.isInteger(length) || length <= 0) throw refusalWithReasons('invalid_arguments', 'length');
    const altText = optional(args, 'alt_txt');
    if (altText === undefined && optional(args, 'alt_text') !== undefined) {
      core.chronicle.offend('alt-text-ignored', name);
    }
    const { id, url } = uploads.begin({ name, length, altText });
    return { upload_url: url, file_id: id };
  };

  const complete = (call: Call): Json => {
    const { core, args } = call;
    const wanted = listOf(args, 'files');
    if (wanted.length === 0) throw refusalWithReasons('invalid_arguments', 'missing required field: files');
    const channel =
      optional(args, 'channel_id') === undefined ? undefined : writableChannel(call, 'channel_id');
    const files = wanted.map((entry) => {
      const { id, name, content, altText } = uploads.complete(required(entry, 'id', 'file_not_found'));
      const title = optional(entry, 'title');
      return core.world.addFile(
        {
          id,
          name,
          mimetype: mimetypeOf(name),
          content,
          ...(title === undefined ? {} : { title }),
          ...(altText === undefined ? {} : { altText }),
        },
        BOT.userId,
      );
    });
    const shared = channel === undefined ? {} : { channel: channel.id };
    if (!channel) for (const { id } of files) core.world.unshared.set(id, 'unread');
    for (const { id, name } of files) core.chronicle.note({ type: 'uploaded', fileId: id, name, ...shared });
    const odd = files.find(
      ({ altText, mimetype }) => altText !== undefined && !mimetype.startsWith('image/'),
    );
    // Slack says ok and yet shows nobody a file that is no image and has an alternative text.
    if (odd) core.chronicle.offend('alt-text-on-non-image', odd.name);
    else if (channel) share(call, channel, files);
    core.chronicle.moment({ name: 'uploaded', ...shared });
    return { files: files.map(wireFile) };
  };

  return {
    'files.getUploadURLExternal': { scopes: ['files:write'], run: getUploadUrl },
    'files.completeUploadExternal': { scopes: ['files:write'], run: complete },
    'files.info': { scopes: ['files:read'], run: info },
  };
};
