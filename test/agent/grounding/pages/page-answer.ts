/** Untyped text with what a model would answer from it. `{{…|…}}` in `wrong` is a wrong number, with what is right. */
export interface PageAnswer {
  readonly page: string;
  readonly answer: string;
  /** The same answer with an error. */
  readonly wrong?: string;
}

export const from = (page: string, answer: string, wrong?: string): PageAnswer => ({
  page,
  answer,
  ...(wrong !== undefined && { wrong }),
});
