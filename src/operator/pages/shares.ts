import { html } from 'hono/html';
import type { SharedMessage } from '#src/kernel/operations/operator.ts';
import { actionForm, note, table, time } from '../markup.ts';
import type { Action, Html, Page, Section, View } from '../page.ts';
import { pageTexts } from './texts.ts';

const shared: Section = {
  id: 'shares',
  render: async (view) => {
    const t = pageTexts(view.locale);
    const list = await view.reports.shares();
    return html`${note(t.sharesNote)}${table(
      {
        id: 'shares',
        caption: t.allProcesses,
        columns: [
          { title: t.person },
          { title: t.channel },
          { title: t.sharedAt },
          { title: t.expiresAt },
          { title: t.do },
        ],
      },
      list.map(({ id, person, channelId, sharedAt, expiresAt }) => [
        person,
        channelId,
        time(sharedAt, view),
        time(expiresAt, view),
        actionForm(
          'shares',
          id,
          { action: 'read', label: t.read, question: t.readQuestion, about: person },
          view,
        ),
      ]),
      view,
    )}`;
  },
};

const conversation =
  (messages: readonly SharedMessage[]) =>
  (view: View): Html => {
    const t = pageTexts(view.locale);
    return html`<section aria-labelledby="conversation-title">
      <h2 id="conversation-title">${t.conversation}</h2>
      ${messages.length === 0 ? html`<p class="none">${t.nothingWritten}</p>` : ''}${messages.map(
        ({ at, from, text }) =>
          html`<p class="who"><strong>${t.from[from]}</strong> ${time(at, view)}</p>
            <p class="message">${text}</p>`,
      )}
    </section>`;
  };

const read: Action = {
  question: (locale) => pageTexts(locale).readQuestion,
  run: async (form, by, actions) => {
    const messages = await actions.readShare(form.get('id') ?? '', by);
    return messages ? { show: conversation(messages) } : { notice: 'share-gone' };
  },
};

export const shares: Page = { id: 'shares', sections: [shared], actions: { read } };
