import { html } from 'hono/html';
import type { Locale } from '#src/kernel/locale.ts';
import type { OperatorReports } from '#src/kernel/operations/operator.ts';
import { newErrorId } from '#src/platform/ids.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import { time } from './markup.ts';
import { operatorTexts, type SectionId } from './texts.ts';
import type { Html, Page, Section, View } from './page.ts';

const once = <Args extends readonly unknown[], T>(ask: (...args: Args) => T): ((...args: Args) => T) => {
  const answers = new Map<string, T>();
  return (...args) => {
    const key = JSON.stringify(args);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = ask(...args);
    answers.set(key, answer);
    return answer;
  };
};

/** Asks each report once, so that all parts of a page show the same moment. */
export const askedOnce = (reports: OperatorReports): OperatorReports => {
  return {
    settings: reports.settings,
    status: once(reports.status),
    usage: once(reports.usage),
    spending: once(reports.spending),
    keys: once(reports.keys),
    deadLetters: once(reports.deadLetters),
    refusedPosts: once(reports.refusedPosts),
    approvals: once(reports.approvals),
    plans: once(reports.plans),
    market: once(reports.market),
    feedback: once(reports.feedback),
    log: once(reports.log),
    audit: once(reports.audit),
    shares: once(reports.shares),
    nameOf: reports.nameOf,
  };
};

const notAvailable = (errorId: string, locale: Locale): Html => {
  const t = operatorTexts(locale);
  return html`<div class="missing">
    <p><strong>${t.notAvailable}</strong></p>
    <p>${t.notAvailableAdvice({ errorId })}</p>
  </div>`;
};

/** Parts that cannot be read now. */
export type Failures = ReturnType<typeof createFailures>;

export const createFailures = (logger: Pick<FinClawLogger, 'error'>) => {
  const ids = new Map<SectionId, string>();
  return {
    /** The error id of a failing part: the same, and logged once, until the part can be read again. */
    idOf: (section: SectionId, error: unknown): string => {
      const known = ids.get(section);
      if (known !== undefined) return known;
      const errorId = newErrorId();
      ids.set(section, errorId);
      logger.error(`The part ${section} of the operator page could not be read`, { error, errorId });
      return errorId;
    },
    end: (section: SectionId) => void ids.delete(section),
  };
};

/** The content of a part, the same on the page and in its updates. Never rejects. */
export const renderSection = async (
  { id, render }: Section,
  view: View,
  failures: Failures,
): Promise<Html> => {
  try {
    const content = await render(view);
    failures.end(id);
    return html`${content}
      <p class="as-of">${operatorTexts(view.locale).asOf} ${time(view.now, view)}</p>`;
  } catch (error) {
    return notAvailable(failures.idOf(id, error), view.locale);
  }
};

/** All parts of a page, each in its frame. */
export const renderSections = async ({ sections }: Page, view: View, failures: Failures): Promise<Html> => {
  const t = operatorTexts(view.locale);
  const parts = await Promise.all(
    sections.map(async (section) => {
      const { id, isLive, isOfThisProcess } = section;
      const content = await renderSection(section, view, failures);
      return html`<section aria-labelledby="${id}-title">
        <h2 id="${id}-title">${t.sections[id]}</h2>
        ${isOfThisProcess === true ? html`<p class="scope">${t.thisProcess}</p>` : ''}
        <div ${isLive === true ? html`data-live="${id}"` : ''}>${content}</div>
      </section>`;
    }),
  );
  return html`${parts}`;
};
