import { onTestFinished } from 'vitest';
import { asId, type ChannelId, type PersonRef, type UserId } from '#src/kernel/ids.ts';
import type { OperatorActions, OperatorReports } from '#src/kernel/operations/operator.ts';
import { createOperatorAccess } from '#src/operator/access.ts';
import { mountOperatorPage } from '#src/operator/mount.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { startHealthServer } from '#src/platform/net/health-server.ts';
import { createOperatorSessions } from '#src/operator/store/sessions.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { recordingLogger } from '#test/support/context.ts';
import { freePort, sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { fakeActions, fakeReports } from './fake-operator.ts';

export const TOKEN = 'correct-horse-battery-staple-0123456789';
export const ADMIN_PERSON: PersonRef = {
  channelId: asId<ChannelId>('discord'),
  userId: asId<UserId>('42'),
};

export interface PageOptions<C extends Clock = ManualClock> {
  readonly reports?: Partial<OperatorReports>;
  readonly actions?: Partial<OperatorActions>;
  readonly token?: string | undefined;
  readonly publicUrl?: string;
  /** Ids of the administrators; the test may change them. */
  readonly admins?: Set<string>;
  readonly clock?: C;
  /** A database that another process uses too. */
  readonly storage?: Storage;
}

/** The operator page on a health server of its own, with made-up reports. */
export const startOperatorPage = async (options: PageOptions<Clock> = {}) => {
  const { publicUrl, admins = new Set(['42']) } = options;
  const token = 'token' in options ? options.token : TOKEN;
  const clock = options.clock ?? new ManualClock();
  const storage = options.storage ?? (await sqliteStorage()).storage;
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const access = createOperatorAccess({
    sessions: createOperatorSessions(storage),
    isAdmin: async ({ userId }) => admins.has(userId),
    token,
    url: `${publicUrl ?? origin}/operator`,
    clock,
  });
  const { logger, records } = recordingLogger();
  const { actions, done } = fakeActions(options.actions);
  const page = mountOperatorPage({
    reports: fakeReports(options.reports),
    actions,
    access,
    hasToken: token !== undefined,
    publicUrl,
    locale: 'en',
    timeZone: 'Asia/Seoul',
    clock,
    logger,
  });
  const server = await startHealthServer({
    port,
    channels: () => [],
    readiness: {},
    facts: () => ({}),
    operator: page.handle,
    logger,
  });
  onTestFinished(async () => {
    page.stop();
    await server.close();
  });
  return { port, origin, clock, storage, access, done, records, page };
};

export type RunningPage = Awaited<ReturnType<typeof startOperatorPage>>;

/** A browser as far as the page can tell: it keeps cookies and says where its forms come from. */
export const visitor = ({ origin }: Pick<RunningPage, 'origin'>) => {
  const jar = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(`${origin}${path}`, { redirect: 'manual', ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const name = pair.slice(0, pair.indexOf('='));
      const value = pair.slice(name.length + 1);
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  const get = (path: string, headers: Record<string, string> = {}) => send(path, { headers });
  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(form), headers: { origin, ...headers } });
  const text = async (path: string, headers?: Record<string, string>) => (await get(path, headers)).text();
  /** The token that every form of the session carries. */
  const formToken = async (): Promise<string> =>
    /name="form-token" value="([0-9a-f]+)"/.exec(await text('/operator'))?.[1] ?? '';
  return {
    jar,
    get,
    post,
    text,
    formToken,
    logIn: (secret: string = TOKEN) => post('/operator/login', { secret }),
    /** Sends a form of a page, with the token of the session. */
    submit: async (path: string, form: Record<string, string>) =>
      post(path, { 'form-token': await formToken(), ...form }),
  };
};
