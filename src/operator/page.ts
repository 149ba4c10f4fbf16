import type { html } from 'hono/html';
import type { Locale } from '#src/kernel/locale.ts';
import type { Operator, OperatorActions, OperatorReports } from '#src/kernel/operations/operator.ts';
import type { Theme } from './preferences.ts';
import type { Notice, PageId, SectionId } from './texts.ts';

/** Markup whose values are escaped. */
export type Html = ReturnType<typeof html>;

/** What a part of a page is rendered with. */
export interface View {
  readonly locale: Locale;
  readonly theme: Theme;
  readonly timeZone: string;
  readonly now: Temporal.Instant;
  readonly reports: OperatorReports;
  readonly query: URLSearchParams;
  readonly operator: Operator;
  /** Every form carries it. */
  readonly formToken: string;
}

/** A part of a page with a heading of its own. If it throws, only this part is missing. */
export interface Section {
  readonly id: SectionId;
  /** What it shows belongs to this process, not to all on the database. */
  readonly isOfThisProcess?: boolean;
  /** It is sent again while somebody looks at the page. Such a part has no form. */
  readonly isLive?: boolean;
  readonly render: (view: View) => Promise<Html>;
}

/** The outcome of an action: a sentence above the page, or something to show there. */
export type ActionResult =
  | { readonly notice: Notice }
  | { readonly notice?: undefined; readonly show: (view: View) => Html };

export interface Action {
  /** Asked first, if it is there. */
  readonly question?: (locale: Locale) => string;
  readonly run: (form: URLSearchParams, by: Operator, actions: OperatorActions) => Promise<ActionResult>;
}

/** One page: `/operator/{id}`. */
export interface Page {
  readonly id: PageId;
  readonly sections: readonly Section[];
  /** By the value of the button that sends the form. */
  readonly actions?: Readonly<Record<string, Action>>;
}
