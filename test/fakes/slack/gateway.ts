import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Core } from './core.ts';
import type { Desk } from './desk.ts';
import { ConnectionDropped, SlackRefusal } from './errors.ts';
import { checkFields } from './fields.ts';
import { jsonOf, receive, uploadOf, type WebRequest } from './request.ts';
import type { Uploads } from './uploads.ts';
import { callMethod, suffer, type WebApiDeps } from './web-api.ts';

export interface GatewayDeps extends WebApiDeps {
  readonly desk: Desk;
  readonly uploads: Uploads;
}

type Headers = Readonly<Record<string, string>>;

interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | Uint8Array;
}

const plain = (status: number, body: string): HttpAnswer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
});

const LOGIN_PAGE = '<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body></body></html>';

/** Slack tells nobody off who has no right to a file: they get to see where to sign in, and a 200. */
const download = ({ core, access }: GatewayDeps, request: WebRequest): HttpAnswer => {
  const id = /\/files-pri\/(?:download\/)?[^/]*-([^/]+)\//.exec(request.url.pathname)?.[1] ?? '';
  const file = core.world.files.get(id);
  const isAllowed =
    request.token === core.settings.botToken &&
    access.tokenError() === undefined &&
    access.scopes().includes('files:read');
  if (!isAllowed) {
    return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: LOGIN_PAGE };
  }
  if (!file) return plain(404, 'file_not_found');
  return { status: 200, headers: { 'content-type': file.mimetype }, body: file.content };
};

/** The doors beside the Web API can be out of order too: `response_url`, `upload` and `download`. */
const faultAt = async (
  { core, limits }: GatewayDeps,
  door: string,
  channel?: string,
): Promise<HttpAnswer | undefined> => {
  const answer = await suffer(core, limits.faultOf(door, channel, {}));
  return answer && { ...answer, body: String(answer.body['error']) };
};

const upload = async ({ uploads }: GatewayDeps, request: WebRequest, secret: string): Promise<HttpAnswer> => {
  const taken = uploads.receive(secret, await uploadOf(request));
  return taken ? plain(200, `OK - ${taken.length}`) : plain(404, 'not found');
};

const respond = async (deps: GatewayDeps, request: WebRequest, secret: string): Promise<HttpAnswer> => {
  const { core, desk } = deps;
  const interaction = desk.bySecret(secret);
  if (!interaction) return plain(404, 'no_service');
  const body = jsonOf(request.body);
  const { channel } = interaction.scene;
  const about = { method: 'response_url', ...(channel === undefined ? {} : { channel }) };
  core.chronicle.note({ type: 'request', ...about, args: body });
  try {
    core.chronicle.moment({ name: 'request', ...about });
    const broken = await faultAt(deps, 'response_url', channel);
    if (broken) {
      core.chronicle.note({ type: 'response', ...about, status: broken.status, isDropped: false });
      return broken;
    }
    checkFields('response_url', body);
    interaction.respond(body);
    core.chronicle.moment({ name: 'responding', ...about });
    core.chronicle.note({ type: 'response', ...about, status: 200, isDropped: false });
    return plain(200, 'ok');
  } catch (error) {
    const isRefused = error instanceof SlackRefusal;
    const outcome = isRefused ? { status: 404, error: error.code } : { status: 0 };
    core.chronicle.note({ type: 'response', ...about, ...outcome, isDropped: !isRefused });
    throw error;
  }
};

const route = async (deps: GatewayDeps, request: WebRequest): Promise<HttpAnswer> => {
  const [, area = '', name = ''] = request.url.pathname.split('/');
  switch (area) {
    case 'api': {
      const { status, headers, body } = await callMethod(deps, name, request);
      return {
        status,
        headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
        body: JSON.stringify(body),
      };
    }
    case 'response':
      return respond(deps, request, name);
    case 'upload':
      return (await faultAt(deps, 'upload')) ?? upload(deps, request, name);
    case 'files-pri':
      return (await faultAt(deps, 'download')) ?? download(deps, request);
    default:
      return plain(404, 'not found');
  }
};

/** Serves one request. A dropped one ends without a byte; a mistake of the fake itself is a 500 that says so. */
export const serve = async (
  deps: GatewayDeps & { readonly core: Core },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  response.on('error', () => undefined);
  try {
    const { status, headers, body } = await route(deps, await receive(request, deps.core.url));
    response.writeHead(status, headers).end(body);
  } catch (error) {
    if (error instanceof ConnectionDropped) {
      response.destroy();
    } else if (error instanceof SlackRefusal) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end(error.code);
    } else {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`The fake failed: ${String(error)}`);
    }
  }
};
