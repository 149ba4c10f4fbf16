/** The address of `path` below another one, whose own path stays: a proxy may have the source under `/yahoo`. */
export const resolveUrl = (baseUrl: string, path: string): URL => {
  const base = new URL(baseUrl);
  return new URL(`${base.pathname.replace(/(?<!\/)\/+$/u, '')}${path}`, base);
};
