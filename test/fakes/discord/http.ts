import type { IncomingMessage } from 'node:http';
import type { UploadedFile } from './draft.ts';
import { refusal } from './errors.ts';
import type { Moment } from './api.ts';
import type { State } from './state.ts';
import { asWire, type Wire } from './wire.ts';

/** One request, taken apart. */
export interface Call {
  readonly state: State;
  readonly method: string;
  readonly route: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** As it was sent: for PUT of commands it is a list. */
  readonly json: unknown;
  readonly body: Wire;
  readonly files: readonly UploadedFile[];
  /** Says that something has been done. Throws `Dropped` where nobody may hear of it. */
  readonly done: (kind: Moment['kind'], channelId?: string) => void;
}

export interface Answer {
  readonly status: number;
  /** Absent: no content. */
  readonly body?: unknown;
}

export type Handler = (call: Call) => Answer;

export interface Route {
  readonly method: string;
  readonly route: string;
  /** Without the bot's token: the address is secret enough. */
  readonly isOpen?: true;
  readonly handle: Handler;
}

/** Thrown to end a connection without an answer. */
export class Dropped extends Error {
  override readonly name = 'Dropped';
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const NO_CONTENT: Answer = { status: 204 };

const matchRoute = (route: string, parts: readonly string[]): Record<string, string> | undefined => {
  const names = route.slice(1).split('/');
  if (names.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    const part = parts[at] ?? '';
    if (name.startsWith(':')) params[name.slice(1)] = part;
    else if (name !== part) return undefined;
  }
  return params;
};

/** The first route that fits: those without placeholders stand before the others. */
export const findRoute = (
  routes: readonly Route[],
  method: string,
  path: string,
): { readonly route: Route; readonly params: Readonly<Record<string, string>> } => {
  const parts = path.slice(1).split('/').map(decodeURIComponent);
  const matches = routes.flatMap((route) => {
    const params = matchRoute(route.route, parts);
    return params ? [{ route, params }] : [];
  });
  const found = matches.find(({ route }) => route.method === method);
  if (found) return found;
  throw refusal(matches.length > 0 ? 'methodNotAllowed' : 'notFound');
};

export const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal('invalidJson');
  }
};

export const parseBody = async (
  raw: Buffer,
  contentType: string,
): Promise<Pick<Call, 'json' | 'body' | 'files'>> => {
  if (raw.length === 0) return { json: undefined, body: {}, files: [] };
  if (!contentType.startsWith('multipart/form-data')) {
    const json = parseJson(raw.toString('utf8'));
    return { json, body: asWire(json), files: [] };
  }
  const form = await new Response(new Uint8Array(raw), {
    headers: { 'content-type': contentType },
  }).formData();
  const payload = form.get('payload_json');
  const json = typeof payload === 'string' ? parseJson(payload) : {};
  const files: UploadedFile[] = [];
  for (const [key, value] of form) {
    const index = /^files\[(\d+)\]$/u.exec(key)?.[1];
    if (index === undefined || typeof value === 'string') continue;
    const bytes = new Uint8Array(await value.arrayBuffer());
    files.push({ index, name: value.name, ...(value.type === '' ? {} : { contentType: value.type }), bytes });
  }
  return { json, body: asWire(json), files };
};
