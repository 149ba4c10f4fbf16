import type { Locale } from '#src/kernel/locale.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const LOCALES = ['ko', 'en'] as const satisfies readonly Locale[];

export const isTheme = (value: unknown): value is Theme => THEMES.some((theme) => theme === value);
export const isLocale = (value: unknown): value is Locale => LOCALES.some((locale) => locale === value);

const MAX_HEADER_CHARS = 200;

/** The first language of the browser that the page speaks. */
const acceptedLocale = (header: string | undefined): Locale | undefined =>
  (header ?? '')
    .slice(0, MAX_HEADER_CHARS)
    .split(',')
    .map((part) => {
      const [tag = '', ...rest] = part.trim().toLowerCase().split(';');
      const quality = rest.map((one) => one.trim()).find((one) => one.startsWith('q='));
      return { language: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ language }) => language)
    .find(isLocale);

export interface Preferences {
  readonly locale: Locale;
  readonly theme: Theme;
}

/** The choice of the person; else the language of the browser. */
export const preferencesIn = (
  cookies: { readonly locale: string | undefined; readonly theme: string | undefined },
  acceptLanguage: string | undefined,
  fallback: Locale,
): Preferences => ({
  locale: isLocale(cookies.locale) ? cookies.locale : (acceptedLocale(acceptLanguage) ?? fallback),
  theme: isTheme(cookies.theme) ? cookies.theme : 'auto',
});
