import { html } from 'hono/html';
import type { Timestamp } from '#src/kernel/ids.ts';
import { formatMoment } from '#src/kernel/time.ts';
import { formatCount } from '#src/kernel/money.ts';
import { operatorTexts } from './texts.ts';
import type { Html, View } from './page.ts';

type Cell = Html | string;

interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}

/** A table that scrolls inside its own frame. The first cell of a row is its heading. */
export const table = (
  {
    id,
    caption,
    columns,
  }: { readonly id: string; readonly caption: string; readonly columns: readonly Column[] },
  rows: readonly (readonly Cell[])[],
  { locale }: Pick<View, 'locale'>,
): Html => {
  if (rows.length === 0) return html`<p class="none">${operatorTexts(locale).none}</p>`;
  const cell = (value: Cell, index: number) => {
    const name = columns[index]?.isNumber === true ? 'number' : '';
    return index === 0 ? html`<th scope="row">${value}</th>` : html`<td class="${name}">${value}</td>`;
  };
  return html`<div class="scroll" role="group" tabindex="0" aria-labelledby="${id}-caption">
    <table>
      <caption id="${id}-caption">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(({ title, isNumber }) => html`<th scope="col" class="${isNumber === true ? 'number' : ''}">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map(cell)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
};

/** Named values, side by side. */
export const facts = (
  list: readonly (readonly [name: string, value: Cell, note?: string | undefined])[],
): Html =>
  html`<dl class="facts">
    ${list.map(
      ([name, value, note]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}${note === undefined ? '' : html`<small>${note}</small>`}</dd>
        </div>`,
    )}
  </dl>`;

export const time = (at: Timestamp, view: Pick<View, 'timeZone'>): Html =>
  html`<time datetime="${at.toString({ smallestUnit: 'second' })}">${formatMoment(at, view)}</time>`;

export type BadgeTone = 'good' | 'bad' | 'warn' | 'plain';

/** A state in words. The colour only repeats it. */
export const badge = (text: string, tone: BadgeTone): Html =>
  html`<span class="badge ${tone}">${text}</span>`;

export const count = (value: number, { locale }: Pick<View, 'locale'>): string => formatCount(value, locale);

/** A paragraph that explains what the numbers of a part mean. */
export const note = (text: string): Html => html`<p class="note">${text}</p>`;

interface Button {
  readonly action: string;
  readonly label: string;
  /** The question that is asked first. */
  readonly question?: string;
  /** Distinguishes the button from the same one in other rows. */
  readonly about: string;
  readonly isDangerous?: boolean;
}

/** A form of one button that does something with one thing. */
export const actionForm = (page: string, id: string, button: Button, { formToken }: View): Html => {
  const { action, label, question, about, isDangerous } = button;
  return html`<form
    method="post"
    action="/operator/${page}"
    ${question === undefined ? '' : html`data-confirm="${question}"`}
  >
    <input type="hidden" name="form-token" value="${formToken}" /><input
      type="hidden"
      name="id"
      value="${id}"
    />
    <button
      name="action"
      value="${action}"
      class="${isDangerous === true ? 'danger' : ''}"
      aria-label="${label}: ${about}"
    >
      ${label}
    </button>
  </form>`;
};

/** The options of a list in a form. */
export const optionsOf = (
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
): Html =>
  html`${options.map(([value, text]) => html`<option value="${value}" ${value === chosen ? 'selected' : ''}>${text}</option>`)}`;
