import { html } from 'hono/html';
import type { Locale } from '#src/kernel/locale.ts';
import { operatorTexts } from './texts.ts';
import type { Html } from './page.ts';

interface LoginFormState {
  readonly hasToken: boolean;
  /** A link of another site led here, so the browser did not send the session. */
  readonly isCrossSite: boolean;
  readonly message: string | undefined;
}

/** One field for both, because a code and the token cannot be confused. */
export const loginForm = (locale: Locale, { hasToken, isCrossSite, message }: LoginFormState): Html => {
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
