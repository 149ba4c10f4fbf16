import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Locale } from '#src/kernel/locale.ts';
import type { OperatorActions, OperatorReports } from '#src/kernel/operations/operator.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { RequestHandler } from '#src/platform/net/health-server.ts';
import { newErrorId } from '#src/platform/ids.ts';
import { isTooLarge, readAtMost } from '#src/platform/net/read-at-most.ts';
import type { Uses } from '#src/platform/services.ts';
import { isSame, type OperatorAccess, type Session, SESSION_HOURS } from './access.ts';
import { createGuard, SECURITY_HEADERS } from './guard.ts';
import { pathOf, plainPage, shellPage } from './layout.ts';
import { createLiveUpdates, ENDED, type LiveUpdates } from './live-updates.ts';
import { NOTICES, type Notice, operatorTexts, type PageId } from './texts.ts';
import type { Html, Page, View } from './page.ts';
import { PAGES } from './pages/index.ts';
import { isLocale, isTheme, type Preferences, preferencesIn } from './preferences.ts';
import { askedOnce, createFailures, type Failures, renderSections } from './sections.ts';
import { LRUCache } from 'lru-cache';
import { addressClass } from './login-limit.ts';

export interface OperatorPageDeps extends Uses<'clock' | 'logger.error' | 'logger.warn'> {
  readonly reports: OperatorReports;
  readonly actions: OperatorActions;
  readonly access: OperatorAccess;
  readonly hasToken: boolean;
  readonly publicUrl: string | undefined;
  /** For browsers that name no language of ours. */
  readonly locale: Locale;
  readonly timeZone: string;
}

/** The operator page while it is in use. */
export interface OperatorPage {
  readonly handle: RequestHandler;
  /** Ends the connections that wait for updates. */
  readonly stop: () => void;
}

interface State {
  readonly Bindings: HttpBindings;
  readonly Variables: { form: URLSearchParams; session: Session; areSessionsLost: boolean };
}
type Ctx = Context<State>;

const MAX_FORM_BYTES = 16_384;
const FORM_TYPE = 'application/x-www-form-urlencoded';
const EVENTS_TYPE = 'text/event-stream';
const YEAR_SECONDS = 365 * 24 * 3_600;
const HOUR_SECONDS = 3_600;
/** Parameters of an address in which a careless link may carry a secret. */
const SECRET_NAMES: ReadonlySet<string> = new Set(['token', 'code', 'secret', 'password']);

const ASSETS = {
  'style.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
} as const;

const loadAssets = () => {
  const files = Object.entries(ASSETS).map(([name, type]) => ({
    name,
    type,
    text: readFileSync(join(import.meta.dirname, 'assets', name), 'utf8'),
  }));
  const version = createHash('sha256')
    .update(files.map(({ text }) => text).join('\0'))
    .digest('hex');
  return { files, version: version.slice(0, 8) };
};

const BACK = /^\/operator(?:\/[a-z-]{1,20})?$/;
/** Only to pages of ours. */
const safeBack = (path: string | null): string => (path !== null && BACK.test(path) ? path : '/operator');

const noticeIn = (value: string | undefined): Notice | undefined =>
  NOTICES.find((notice) => notice === value);

const nameOf = async ({ operator }: Session, { reports }: View): Promise<string | undefined> => {
  if (operator.kind === 'token') return undefined;
  try {
    return await reports.nameOf(operator.person);
  } catch {
    // The page can do without it.
    return undefined;
  }
};

/** Builds the page. Nothing of it runs while nobody asks for it. */
export const createOperatorPage = (deps: OperatorPageDeps): OperatorPage => {
  const assets = loadAssets();
  const pace = createStrangerPace(deps.clock);
  const sessions = createCookies(deps, pace);
  const failures = createFailures(deps.logger);
  const live: LiveUpdates = createLiveUpdates({ ...deps, failures });
  const screens = createScreens(deps, assets.version, failures);
  const { problem, textsOf } = screens;
  const parts: PageParts = { ...deps, ...sessions, ...screens, pace, live };
  const app = new Hono<State>();
  guardRequests(app, parts, createGuard(deps.publicUrl), assets.files);
  addLogin(app, parts);
  addSessionRoutes(app, parts);
  addPages(app, parts);

  app.notFound((c) => problem(c, 404, textsOf(c).errors.notFound));
  app.onError(async (error, c) => {
    const errorId = newErrorId();
    deps.logger.error(`${c.req.method} ${c.req.path} of the operator page failed`, { error, errorId });
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.header(name, value);
    const t = textsOf(c).errors;
    // Reading waits a while for a database that is away: not twice for one answer.
    return c.get('areSessionsLost') || (await sessions.isDatabaseDown())
      ? problem(c, 503, t.database)
      : problem(c, 500, t.failed({ errorId }));
  });

  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return { handle: listener, stop: live.stop };
};

type StrangerPace = ReturnType<typeof createStrangerPace>;

/** The cookie of a session, and whose it is. */
const createCookies = ({ access, publicUrl }: OperatorPageDeps, pace: StrangerPace) => {
  const isSecure = publicUrl?.startsWith('https:') === true;
  // Browsers take a cookie with this prefix only from this very host, over https.
  const cookieName = isSecure ? '__Host-finclaw' : 'finclaw_operator';
  const cookieScope = { path: isSecure ? '/' : '/operator', secure: isSecure };
  const secretOf = (c: Ctx): string | undefined => getCookie(c, cookieName);

  const sessionOf = async (c: Ctx): Promise<Session | undefined> => {
    const secret = secretOf(c);
    if (secret === undefined) return undefined;
    try {
      const session = await access.find(secret);
      if (session) pace.remember(secret);
      return session;
    } catch (error) {
      c.set('areSessionsLost', true);
      throw error;
    }
  };

  const isDatabaseDown = async (): Promise<boolean> => {
    try {
      await access.find('');
      return false;
    } catch {
      return true;
    }
  };

  return { isSecure, cookieName, cookieScope, secretOf, sessionOf, isDatabaseDown };
};

/** What a browser gets to see. */
const createScreens = (deps: OperatorPageDeps, version: string, failures: Failures) => {
  const { hasToken, timeZone, clock } = deps;
  const preferencesOf = (c: Ctx): Preferences =>
    preferencesIn(
      { locale: getCookie(c, 'finclaw_locale'), theme: getCookie(c, 'finclaw_theme') },
      c.req.header('accept-language'),
      deps.locale,
    );

  const frameOf = (c: Ctx, title: string) => ({
    ...preferencesOf(c),
    assets: version,
    title,
    path: safeBack(c.req.path),
  });

  const problem = (c: Ctx, status: ContentfulStatusCode, text: string) => {
    const { title } = operatorTexts(preferencesOf(c).locale).errors;
    const content = html`<h1>${title}</h1>
      <p role="alert">${text}</p>
      <p><a href="/operator">${operatorTexts(preferencesOf(c).locale).pages.overview}</a></p>`;
    return c.html(plainPage(frameOf(c, title), content), status);
  };

  const textsOf = (c: Ctx) => operatorTexts(preferencesOf(c).locale);

  const viewOf = (c: Ctx, session: Session): View => ({
    ...preferencesOf(c),
    timeZone,
    now: clock.now(),
    reports: askedOnce(deps.reports),
    query: new URL(c.req.url).searchParams,
    operator: session.operator,
    formToken: session.formToken,
  });

  const showPage = async (c: Ctx, page: Page, session: Session, shown?: (view: View) => Html) => {
    const view = viewOf(c, session);
    const title = textsOf(c).pages[page.id];
    const { query } = view;
    query.delete('notice');
    query.delete('page');
    const [name, sections] = await Promise.all([nameOf(session, view), renderSections(page, view, failures)]);
    return c.html(
      shellPage(
        {
          ...frameOf(c, title),
          current: page.id,
          session,
          name,
          timeZone,
          notice: noticeIn(c.req.query('notice')),
          isLive: page.sections.some(({ isLive }) => isLive === true),
          search: query.size === 0 ? '' : `&${query.toString()}`,
        },
        html`${shown ? shown(view) : ''}${sections}`,
      ),
    );
  };

  const showLogin = (c: Ctx, status: ContentfulStatusCode, message?: string) => {
    const t = textsOf(c).login;
    const isCrossSite = c.req.header('sec-fetch-site') === 'cross-site';
    return c.html(
      plainPage(frameOf(c, t.title), loginForm(preferencesOf(c).locale, { hasToken, isCrossSite, message })),
      status,
    );
  };

  return { problem, textsOf, viewOf, showPage, showLogin };
};

interface PageParts
  extends OperatorPageDeps, ReturnType<typeof createCookies>, ReturnType<typeof createScreens> {
  readonly pace: StrangerPace;
  readonly live: LiveUpdates;
}

type Routes = Hono<State>;

/** What every request passes first. */
const guardRequests = (
  app: Routes,
  { problem, textsOf, pace, secretOf, sessionOf }: PageParts,
  guard: ReturnType<typeof createGuard>,
  files: ReturnType<typeof loadAssets>['files'],
): void => {
  app.use(async (c, next) => {
    const { remoteAddress = '' } = c.env.incoming.socket;
    if (pace.isTooMany(secretOf(c), remoteAddress))
      return c.text('Too many requests', 429, { 'retry-after': '1' });
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.header(name, value);
    const query = new URL(c.req.url).searchParams;
    if ([...query.keys()].some((name) => SECRET_NAMES.has(name.toLowerCase())))
      return problem(c, 400, textsOf(c).errors.address);
    return next();
  });

  app.get('/operator/assets/:name', (c) => {
    const file = files.find(({ name }) => name === c.req.param('name'));
    if (!file) return problem(c, 404, textsOf(c).errors.notFound);
    return c.body(file.text, 200, {
      'content-type': file.type,
      'cache-control': `private, max-age=${HOUR_SECONDS}`,
    });
  });

  // Every form: from a page of ours, not too large, and with the token of the session if there is one.
  app.post('*', async (c, next) => {
    const t = textsOf(c).errors;
    if (!guard.isOwnOrigin(c.env.incoming)) return problem(c, 403, t.origin);
    if (c.req.header('content-type')?.split(';', 1)[0] !== FORM_TYPE) return problem(c, 415, t.formType);
    try {
      const body = await readAtMost(c.req.raw.body, MAX_FORM_BYTES);
      c.set('form', new URLSearchParams(Buffer.from(body).toString('utf8')));
    } catch (error) {
      // Whoever sent it has gone away in the middle.
      if (!isTooLarge(error) && !c.env.incoming.complete) return c.body(null, 400);
      if (!isTooLarge(error)) throw error;
      c.header('connection', 'close');
      return problem(c, 413, t.tooLarge);
    }
    const session = await sessionOf(c);
    if (session && !isSame(c.get('form').get('form-token') ?? '', session.formToken)) {
      // Somebody logs in or changes the language on a page from before the login.
      if (!['/operator/login', '/operator/preferences'].includes(c.req.path))
        return problem(c, 403, t.formToken);
    }
    if (session) c.set('session', session);
    return next();
  });
};

const addLogin = (app: Routes, parts: PageParts): void => {
  const { access, actions, hasToken, logger, pace, cookieName, cookieScope, isSecure } = parts;
  const { sessionOf, showLogin, textsOf } = parts;

  app.get('/operator/login', async (c) =>
    (await sessionOf(c)) ? c.redirect('/operator', 303) : showLogin(c, 200),
  );

  app.post('/operator/login', async (c) => {
    const t = textsOf(c).login;
    const address = c.env.incoming.socket.remoteAddress ?? '';
    const login = await access.logIn(c.get('form').get('secret') ?? '', address);
    if (login.kind === 'wrong') {
      logger.warn('Somebody tried to log in to the operator page with a wrong code or token', { address });
      return showLogin(c, 401, t.wrong({ hasToken }));
    }
    if (login.kind === 'limited') {
      c.header('retry-after', String(login.retryAfterSeconds));
      return showLogin(c, 429, t.limited({ hasToken, seconds: login.retryAfterSeconds }));
    }
    try {
      await actions.recordLogin(login.operator);
    } catch (error) {
      // There is no session without an entry in the audit log.
      await access.logOut(login.secret);
      throw error;
    }
    pace.remember(login.secret);
    setCookie(c, cookieName, login.secret, {
      ...cookieScope,
      httpOnly: true,
      sameSite: 'Strict',
      maxAge: SESSION_HOURS * HOUR_SECONDS,
    });
    return c.redirect('/operator', 303);
  });

  app.post('/operator/preferences', (c) => {
    const form = c.get('form');
    const keep = (name: string, value: string): void =>
      setCookie(c, name, value, {
        path: '/operator',
        secure: isSecure,
        httpOnly: true,
        sameSite: 'Strict',
        maxAge: YEAR_SECONDS,
      });
    const [locale, theme] = [form.get('locale'), form.get('theme')];
    if (isLocale(locale)) keep('finclaw_locale', locale);
    if (isTheme(theme)) keep('finclaw_theme', theme);
    return c.redirect(safeBack(form.get('back')), 303);
  });
};

const addSessionRoutes = (app: Routes, parts: PageParts): void => {
  const { access, actions, live, cookieName, cookieScope, secretOf, sessionOf, showLogin, textsOf, viewOf } =
    parts;

  // Everything below needs a session.
  app.use(async (c, next) => {
    const session = c.get('session') ?? (await sessionOf(c));
    if (!session) {
      // An EventSource does not tell its page the status of a response, so the stream itself says that the session has ended.
      if (c.req.path === '/operator/events') return c.body(ENDED, 200, { 'content-type': EVENTS_TYPE });
      return c.req.method === 'GET' ? c.redirect('/operator/login', 303) : showLogin(c, 401);
    }
    c.set('session', session);
    return next();
  });

  app.post('/operator/logout', async (c) => {
    const { operator } = c.get('session');
    const isEverywhere = c.get('form').get('everywhere') === 'yes';
    await actions.recordLogout(operator, isEverywhere);
    if (isEverywhere) await access.logOutEverywhere(operator);
    const secret = secretOf(c);
    if (secret !== undefined) await access.logOut(secret);
    deleteCookie(c, cookieName, cookieScope);
    return showLogin(c, 200, textsOf(c).login.loggedOut);
  });

  app.get('/operator/events', (c) => {
    const page = PAGES.get(c.req.query('page') as PageId);
    const secret = secretOf(c);
    if (!page || secret === undefined) return c.text('', 404);
    // Nobody would read it.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': EVENTS_TYPE });
    const stream = live.open({ page, secret, view: viewOf(c, c.get('session')) });
    if (!stream) return c.text(textsOf(c).errors.busy, 503, { 'retry-after': '30' });
    return c.body(stream, 200, { 'content-type': EVENTS_TYPE, 'x-accel-buffering': 'no' });
  });

  app.get('/operator/charts/cost.svg', async (c) => {
    // Only those who look at a chart pay for the library.
    const { costChart } = await import('./charts.ts');
    const svg = await costChart(viewOf(c, c.get('session')));
    return c.body(svg, 200, { 'content-type': 'image/svg+xml' });
  });
};

const addPages = (app: Routes, { actions, problem, textsOf, showPage }: PageParts): void => {
  app.get('/operator/', (c) => c.redirect('/operator', 303));
  for (const page of PAGES.values()) {
    app.get(pathOf(page.id), (c) => showPage(c, page, c.get('session')));
    const known = page.actions;
    if (!known) continue;
    app.post(`/operator/${page.id}`, async (c) => {
      const form = c.get('form');
      const name = form.get('action') ?? '';
      const action = Object.hasOwn(known, name) ? known[name] : undefined;
      if (!action) return problem(c, 400, textsOf(c).errors.formType);
      if (action.question && form.get('confirmed') !== 'yes')
        return showPage(
          c,
          { ...page, sections: [] },
          c.get('session'),
          confirmForm(page, form, action.question),
        );
      const result = await action.run(form, c.get('session').operator, actions);
      return result.notice === undefined
        ? showPage(c, page, c.get('session'), result.show)
        : c.redirect(`${pathOf(page.id)}?notice=${result.notice}`, 303);
    });
  }
};

/** Asks for a confirmation in browsers without JavaScript. */
const confirmForm =
  (page: Page, form: URLSearchParams, question: (locale: Locale) => string) =>
  ({ locale, formToken }: View): Html => {
    const t = operatorTexts(locale).confirm;
    return html`<section aria-labelledby="confirm-title">
      <h2 id="confirm-title">${t.title}</h2>
      <p>${question(locale)}</p>
      <form method="post" action="/operator/${page.id}">
        <input type="hidden" name="form-token" value="${formToken}" />
        <input type="hidden" name="confirmed" value="yes" />
        <input type="hidden" name="id" value="${form.get('id') ?? ''}" />
        <button name="action" value="${form.get('action') ?? ''}" class="danger">${t.yes}</button>
        <a class="button" href="${pathOf(page.id)}">${t.no}</a>
      </form>
    </section>`;
  };

interface LoginFormState {
  readonly hasToken: boolean;
  /** A link of another site led here, so the browser did not send the session. */
  readonly isCrossSite: boolean;
  readonly message: string | undefined;
}

/** One field for both, because a code and the token cannot be confused. */
const loginForm = (locale: Locale, { hasToken, isCrossSite, message }: LoginFormState): Html => {
  const t = operatorTexts(locale).login;
  return html`<h1>${t.heading}</h1>
    ${message === undefined ? '' : html`<p class="notice" role="alert">${message}</p>`}
    <form class="login" method="post" action="/operator/login">
      <label for="secret">${t.field({ hasToken })}</label>
      <input
        id="secret"
        name="secret"
        type="password"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        required
        maxlength="1024"
        aria-describedby="secret-hint"
        autofocus
      />
      <p id="secret-hint" class="note">${t.hint({ hasToken })}</p>
      <button>${t.submit}</button>
    </form>
    ${isCrossSite ? html`<p><a href="/operator">${t.already}</a></p>` : ''}`;
};

const WINDOW_MS = 1_000;
const MAX_PER_CLASS = 30;
const MAX_TOGETHER = 100;
const MAX_KNOWN = 200;

/** Keeps requests without a session from taking the time of everybody else at this process. */
const createStrangerPace = (clock: Clock) => {
  /** Secrets that opened a session here. Whether they still do is checked with each request. */
  const known = new LRUCache<string, true>({ max: MAX_KNOWN });
  let beganAtMs = -Infinity;
  let together = 0;
  let byClass = new Map<string, number>();

  return {
    remember: (secret: string): void => void known.set(secret, true),
    /** Counts a request. True: it is one too many in this second. */
    isTooMany: (secret: string | undefined, address: string): boolean => {
      if (secret !== undefined && known.has(secret)) return false;
      const nowMs = clock.monotonicMs();
      if (nowMs - beganAtMs >= WINDOW_MS) {
        beganAtMs = nowMs;
        together = 0;
        byClass = new Map();
      }
      const from = addressClass(address);
      const own = byClass.get(from) ?? 0;
      if (own >= MAX_PER_CLASS || together >= MAX_TOGETHER) return true;
      byClass.set(from, own + 1);
      together += 1;
      return false;
    },
  };
};
