import type { Locale } from '#src/core/i18n.ts';
import type { ChartTheme, Tone } from './chart-picture.ts';

export interface ChartColours {
  readonly background: string;
  readonly text: string;
  readonly muted: string;
  /** Lines behind the data. */
  readonly grid: string;
  readonly axis: string;
  readonly tones: Readonly<Record<Tone, string>>;
  /** Of averages: none of them is a colour of up or down. */
  readonly averages: readonly string[];
  readonly band: string;
  readonly bandFill: string;
  /** Of lines that are compared; told apart with weak colour vision too. */
  readonly lines: readonly string[];
  readonly watermark: string;
}

type Shades = Omit<ChartColours, 'tones'> & {
  readonly red: string;
  readonly blue: string;
  readonly green: string;
};

const SHADES: Readonly<Record<ChartTheme, Shades>> = {
  light: {
    background: '#ffffff',
    text: '#161a22',
    muted: '#68707d',
    grid: '#edf0f4',
    axis: '#d3d9e1',
    averages: ['#f0980c', '#8250df', '#0e9fb3', '#d6409f', '#7a6a58'],
    band: '#8695ab',
    bandFill: 'rgba(134, 149, 171, 0.13)',
    lines: ['#1f6feb', '#e8590c', '#0a9d78', '#b5369b', '#8a6d00', '#5b6472'],
    watermark: 'rgba(22, 26, 34, 0.09)',
    red: '#e0323c',
    blue: '#1c6be0',
    green: '#0c9a66',
  },
  dark: {
    background: '#15181e',
    text: '#eceef2',
    muted: '#9ba3af',
    grid: '#242932',
    axis: '#3b424d',
    averages: ['#ffb02e', '#b18cff', '#35d0e0', '#ff7ac6', '#c9b8a0'],
    band: '#8fa0b8',
    bandFill: 'rgba(143, 160, 184, 0.13)',
    lines: ['#5aa2ff', '#ff9350', '#2fd0a0', '#ef7bd6', '#e0c04a', '#aeb6c2'],
    watermark: 'rgba(236, 238, 242, 0.10)',
    red: '#ff5d63',
    blue: '#5592ff',
    green: '#27c48a',
  },
};

/** Red rises and blue falls in Korea; elsewhere green rises and red falls. */
export const chartColours = (theme: ChartTheme, locale: Locale): ChartColours => {
  const { red, blue, green, ...shades } = SHADES[theme];
  const [up, down] = locale === 'ko' ? [red, blue] : [green, red];
  return { ...shades, tones: { up, down, flat: shades.muted } };
};
