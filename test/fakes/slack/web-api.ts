import type { Fault, Json } from './api.ts';
import type { Core } from './core.ts';
import { ConnectionDropped, SlackRefusal } from './errors.ts';
import { checkFields } from './fields.ts';
import type { Limits } from './limits.ts';
import type { Method, Methods } from './method.ts';
import { argumentsOf, type WebRequest } from './request.ts';

export interface WebAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** What can change while the fake runs. */
export interface Access {
  readonly scopes: () => readonly string[];
  readonly tokenError: () => string | undefined;
}

export interface WebApiDeps {
  readonly core: Core;
  readonly limits: Limits;
  readonly methods: Methods;
  readonly access: Access;
}

/** Methods of the app-level token; all others are the bot's. */
const APP_METHODS = new Set(['apps.connections.open']);
const DEFAULT_RETRY_AFTER_S = 1;

const checkToken = ({ core, access }: WebApiDeps, name: string, token: string | undefined): void => {
  const { botToken, appToken } = core.settings;
  const isForApp = APP_METHODS.has(name);
  if (token === undefined) throw new SlackRefusal('not_authed');
  if (token === (isForApp ? botToken : appToken)) throw new SlackRefusal('not_allowed_token_type');
  if (token !== (isForApp ? appToken : botToken)) throw new SlackRefusal('invalid_auth');
  const broken = access.tokenError();
  if (broken !== undefined) throw new SlackRefusal(broken);
};

const need = (access: Access, ...wanted: readonly string[]): void => {
  const provided = access.scopes();
  if (wanted.length > 0 && !wanted.some((scope) => provided.includes(scope))) {
    throw new SlackRefusal('missing_scope', { needed: wanted.join(','), provided: provided.join(',') });
  }
};

const tooMany = (retryAfterS: number): WebAnswer => ({
  status: 429,
  headers: { 'retry-after': String(retryAfterS) },
  body: { ok: false, error: 'ratelimited' },
});

/** The channel that a call is about; a user in its place means their direct chat. */
const channelOf = ({ world }: Core, args: Json): string | undefined => {
  const id = args['channel'] ?? args['channel_id'];
  if (typeof id !== 'string') return undefined;
  return world.users.has(id) ? world.directOf(id).id : id;
};

const refused = ({ code, fields }: SlackRefusal): WebAnswer =>
  code === 'rate_limited' || code === 'ratelimited'
    ? tooMany(DEFAULT_RETRY_AFTER_S)
    : { status: 200, headers: {}, body: { ok: false, error: code, ...fields } };

const wait = ({ clock }: Core, delayMs: number): Promise<void> =>
  new Promise((resolve) => void clock.after(delayMs, resolve));

/** What a fault does before the call itself. An answer here is the final one. */
export const suffer = async (core: Core, fault: Fault | undefined): Promise<WebAnswer | undefined> => {
  switch (fault?.kind) {
    case 'rate-limited':
      return tooMany(fault.retryAfterS);
    case 'status':
      return { status: fault.status, headers: {}, body: { ok: false, error: 'internal_error' } };
    case 'error':
      return refused(new SlackRefusal(fault.error, fault.fields));
    case 'dropped-before':
      throw new ConnectionDropped('before');
    case 'slow':
      await wait(core, fault.delayMs);
      return undefined;
    case 'held':
      await fault.until;
      return undefined;
    case 'late-answer':
    case 'dropped-after':
    case undefined:
  }
  return undefined;
};

const run = (
  deps: WebApiDeps,
  name: string,
  method: Method | undefined,
  request: WebRequest,
  args: Json,
): WebAnswer => {
  const { core, access } = deps;
  try {
    checkToken(deps, name, request.token ?? (typeof args['token'] === 'string' ? args['token'] : undefined));
    if (!method) throw new SlackRefusal('unknown_method', { req_method: name });
    if (!APP_METHODS.has(name)) need(access, ...method.scopes);
    // Libraries add both to any call.
    const { token: _token, team_id: _team, ...given } = args;
    checkFields(name, given);
    const result = method.run({ core, args, need: (...scopes) => need(access, ...scopes) });
    return { status: 200, headers: {}, body: { ok: true, ...result } };
  } catch (error) {
    if (error instanceof SlackRefusal) return refused(error);
    throw error;
  }
};

/** One call of the Web API. Throws `ConnectionDropped` where there shall be no answer. */
export const callMethod = async (deps: WebApiDeps, name: string, request: WebRequest): Promise<WebAnswer> => {
  const { core, limits, methods, access } = deps;
  const { chronicle } = core;
  const method = methods[name];
  const about: { method: string; channel?: string } = { method: name };
  const respond = (answer: WebAnswer): WebAnswer => {
    const { error } = answer.body;
    const code = typeof error === 'string' ? { error } : {};
    chronicle.note({ type: 'response', ...about, status: answer.status, ...code, isDropped: false });
    const accepted = method?.scopes.join(',') ?? '';
    return {
      ...answer,
      headers: {
        'x-oauth-scopes': access.scopes().join(','),
        'x-accepted-oauth-scopes': accepted,
        ...answer.headers,
      },
    };
  };
  try {
    let args: Json;
    try {
      args = argumentsOf(request);
    } catch (error) {
      if (error instanceof SlackRefusal) return respond(refused(error));
      throw error;
    }
    const channel = channelOf(core, args);
    if (channel !== undefined) about.channel = channel;
    const { token: _token, ...shown } = args;
    chronicle.note({ type: 'request', ...about, args: shown });
    chronicle.moment({ name: 'request', ...about });
    const { callDelayMs } = core.settings;
    if (callDelayMs > 0) await wait(core, callDelayMs);
    const fault = limits.faultOf(name, channel, args);
    const early = await suffer(core, fault);
    if (early) return respond(early);
    const answer = run(deps, name, method, request, args);
    if (fault?.kind === 'dropped-after') throw new ConnectionDropped('after');
    if (fault?.kind === 'late-answer') await wait(core, fault.delayMs);
    chronicle.moment({ name: 'responding', ...about });
    return respond(answer);
  } catch (error) {
    if (error instanceof ConnectionDropped) {
      chronicle.note({ type: 'response', ...about, status: 0, isDropped: true });
    }
    throw error;
  }
};
