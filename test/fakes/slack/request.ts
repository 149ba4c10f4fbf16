import type { IncomingMessage } from 'node:http';
import type { Json } from './api.ts';
import { SlackRefusal } from './errors.ts';

/** A request with its body read to the end. */
export interface WebRequest {
  readonly method: string;
  readonly url: URL;
  readonly token: string | undefined;
  readonly contentType: string;
  readonly body: Buffer;
}

export const receive = async (request: IncomingMessage, baseUrl: string): Promise<WebRequest> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    method: request.method ?? 'GET',
    url: new URL(request.url ?? '/', baseUrl),
    token: /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1],
    contentType: request.headers['content-type'] ?? '',
    body: Buffer.concat(chunks),
  };
};

/** Arguments that are JSON also inside of a form, and what Slack says where they are not. */
const JSON_ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ['blocks', 'invalid_blocks_format'],
  ['attachments', 'invalid_attachments'],
  ['metadata', 'invalid_metadata_format'],
  ['chunks', 'invalid_chunks'],
  ['files', 'invalid_arguments'],
  ['view', 'invalid_arguments'],
  ['loading_messages', 'invalid_arguments'],
  ['prompts', 'invalid_arguments'],
]);

const valueOf = (name: string, value: string): unknown => {
  const complaint = JSON_ARGUMENTS.get(name);
  if (complaint === undefined) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw new SlackRefusal(complaint);
  }
};

export const jsonOf = (body: Buffer): Json => {
  try {
    return JSON.parse(body.toString()) as Json;
  } catch {
    throw new SlackRefusal('invalid_json');
  }
};

/** The arguments of a Web API call, however they came: form, JSON or query. */
export const argumentsOf = ({ url, contentType, body }: WebRequest): Json => {
  if (contentType.startsWith('application/json')) return jsonOf(body);
  const form = new URLSearchParams(body.toString());
  return Object.fromEntries(
    [...url.searchParams, ...form].map(([name, value]) => [name, valueOf(name, value)] as const),
  );
};

/** The bytes of an upload: as a form with one file in it, or bare. */
export const uploadOf = async ({ contentType, body }: WebRequest): Promise<Uint8Array> => {
  if (!contentType.startsWith('multipart/form-data')) return body;
  const whole = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
  // A form parser of its own would be much code for what the platform does; the warning is about untrusted input.
  // oxlint-disable-next-line typescript/no-deprecated
  for (const [, value] of await whole.formData()) {
    if (typeof value !== 'string') return value.bytes();
  }
  throw new SlackRefusal('no_file_data');
};
