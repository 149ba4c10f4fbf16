/** Appends `path` to a base URL and keeps the base's own path, such as a proxy's `/yahoo`. */
export const resolveUrl = (baseUrl: string, path: string): URL => {
  const base = new URL(baseUrl);
  return new URL(`${base.pathname.replace(/(?<!\/)\/+$/u, '')}${path}`, base);
};
