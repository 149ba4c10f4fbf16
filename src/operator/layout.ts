import { html } from 'hono/html';
import { LANGUAGE_NAMES, type Locale } from '#src/kernel/locale.ts';
import { formatMoment } from '#src/kernel/time.ts';
import { cut, visibleLine } from '#src/kernel/text.ts';
import { isTerminal } from '#src/kernel/chat/terminal.ts';
import type { Session } from './access.ts';
import { type Notice, operatorTexts, PAGE_IDS, type PageId } from './texts.ts';
import type { Html } from './page.ts';
import { LOCALES, type Preferences, THEMES } from './preferences.ts';

interface Frame extends Preferences {
  /** The version of the assets, so that a browser loads new ones. */
  readonly assets: string;
  readonly title: string;
  /** Where the forms of the header lead back to. */
  readonly path: string;
}

/** The address of a page. */
export const pathOf = (id: PageId): string => (id === 'overview' ? '/operator' : `/operator/${id}`);

const choice = (
  name: string,
  label: string,
  options: readonly {
    readonly value: string;
    readonly text: string;
    readonly lang?: Locale;
    readonly isOn: boolean;
  }[],
): Html =>
  html`<div class="choice" role="group" aria-label="${label}">
    ${options.map(
      ({ value, text, lang, isOn }) =>
        html`<button
          name="${name}"
          value="${value}"
          aria-pressed="${isOn ? 'true' : 'false'}"
          ${lang ? html`lang="${lang}"` : ''}
        >
          ${text}
        </button>`,
    )}
  </div>`;

const preferencesForm = ({ locale, theme, path }: Frame, formToken: string | undefined): Html => {
  const t = operatorTexts(locale);
  return html`<form class="preferences" method="post" action="/operator/preferences">
    ${formToken === undefined ? '' : html`<input type="hidden" name="form-token" value="${formToken}" />`}
    <input type="hidden" name="back" value="${path}" />
    ${choice(
      'locale',
      t.language,
      LOCALES.map((value) => ({
        value,
        text: LANGUAGE_NAMES[value][value],
        lang: value,
        isOn: value === locale,
      })),
    )}
    ${choice(
      'theme',
      t.theme,
      THEMES.map((value) => ({ value, text: t.themes[value], isOn: value === theme })),
    )}
  </form>`;
};

const document = (frame: Frame, body: Html): Html => {
  const { locale, theme, assets, title } = frame;
  return html`<!doctype html>
    <html lang="${locale}" data-theme="${theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}" />
        <title>${title} · FinClaw</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/operator/assets/style.css?v=${assets}" />
        <script src="/operator/assets/page.js?v=${assets}" defer></script>
      </head>
      <body>
        ${body}
      </body>
    </html>`;
};

/** A page without a session: the login, and errors. */
export const plainPage = (frame: Frame, content: Html): Html =>
  document(
    frame,
    html`<main id="content" class="alone">
      ${content}
      <footer>${preferencesForm(frame, undefined)}</footer>
    </main>`,
  );

interface Shell extends Frame {
  readonly current: PageId | undefined;
  readonly session: Session;
  /** Of the person who is logged in, as far as it is known. */
  readonly name: string | undefined;
  readonly timeZone: string;
  readonly notice: Notice | undefined;
  readonly isLive: boolean;
  /** The query of the page, for its live parts. */
  readonly search: string;
}

const MAX_NAME_CHARS = 32;

const holderName = ({ session: { operator }, name = '', locale }: Shell): string => {
  const t = operatorTexts(locale);
  if (operator.kind === 'token') return t.asToken;
  const { channelId, userId } = operator.person;
  if (isTerminal(channelId)) return t.asTerminal;
  return t.asAdmin({ name: cut(visibleLine(name).trim(), MAX_NAME_CHARS) || userId, channel: channelId });
};

/** A page of somebody who is logged in. */
export const shellPage = (shell: Shell, content: Html): Html => {
  const { locale, current, session, timeZone, notice, title, isLive, search } = shell;
  const t = operatorTexts(locale);
  const item = (id: PageId) =>
    html`<li>
      <a href="${pathOf(id)}" ${id === current ? html`aria-current="page"` : ''}>${t.pages[id]}</a>
    </li>`;
  const live = isLive && current !== undefined;
  return document(
    shell,
    html`<a class="skip" href="#content">${t.skip}</a>
      <header>
        <p class="product"><a href="/operator">${t.product}</a></p>
        ${preferencesForm(shell, session.formToken)}
        <form class="session" method="post" action="/operator/logout">
          <input type="hidden" name="form-token" value="${session.formToken}" />
          <span
            >${holderName(shell)}
            <small>${t.sessionEnds({ at: formatMoment(session.expiresAt, { timeZone }) })}</small></span
          >
          <button name="everywhere" value="no">${t.logOut}</button>
          <button name="everywhere" value="yes">${t.logOutEverywhere}</button>
        </form>
      </header>
      <div class="body">
        <nav aria-label="${t.menu}">
          <ul>
            ${PAGE_IDS.map(item)}
          </ul>
        </nav>
        <main
          id="content"
          tabindex="-1"
          ${live ? html`data-events="/operator/events?page=${current}${search}" data-live-texts="${JSON.stringify(t.live)}"` : ''}
          data-confirm-texts="${JSON.stringify(t.confirm)}"
        >
          <h1>${title}</h1>
          ${notice === undefined ? '' : html`<p class="notice" role="status">${t.notices[notice]}</p>`}
          ${content}
        </main>
      </div>`,
  );
};
