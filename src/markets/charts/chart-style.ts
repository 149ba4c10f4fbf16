import type { Locale } from '#src/kernel/locale.ts';
import type { ChartTheme, Tone } from './chart-picture.ts';

export interface ChartColours {
  readonly background: string;
  readonly text: string;
  readonly muted: string;
  readonly grid: string;
  readonly axis: string;
  readonly tones: Readonly<Record<Tone, string>>;
  /** Colours of averages, distinct from those of gains and losses. */
  readonly averages: readonly string[];
  readonly band: string;
  readonly bandFill: string;
  /** Colours of compared lines, distinguishable with colour vision deficiency. */
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

/** In Korea red is up and blue is down; elsewhere green is up and red is down. */
export const chartColours = (theme: ChartTheme, locale: Locale): ChartColours => {
  const { red, blue, green, ...shades } = SHADES[theme];
  const [up, down] = locale === 'ko' ? [red, blue] : [green, red];
  return { ...shades, tones: { up, down, flat: shades.muted } };
};

/** Options that all charts share. */
export const baseOption = ({ background }: ChartColours) => ({
  animation: false,
  backgroundColor: background,
  textStyle: { fontFamily: FONT },
});

/** All charts have this width; panels only add height. */
export const WIDTH = 960;
export const FONT = 'Pretendard';
export const LEFT = 22;
/** Height of title, subtitle and legend. */
const HEAD_HEIGHT = 112;
export const LEGEND_Y = 98;
const BASE_HEIGHT = 540;
const PANEL_HEIGHT = 92;
const PANEL_GAP = 26;
const VOLUME_HEIGHT = 72;
const VOLUME_GAP = 14;
const FOOT_HEIGHT = 36;

export interface Box {
  readonly top: number;
  readonly height: number;
}

export interface CandleLayout {
  readonly height: number;
  readonly price: Box;
  readonly volume: Box | undefined;
  readonly panels: readonly Box[];
}

/** The vertical layout of a candle chart. */
export const candleLayout = (hasVolume: boolean, panelCount: number): CandleLayout => {
  const belowHeight = panelCount * (PANEL_HEIGHT + PANEL_GAP);
  const height = BASE_HEIGHT + belowHeight;
  const volumeHeight = hasVolume ? VOLUME_HEIGHT + VOLUME_GAP : 0;
  const priceHeight = BASE_HEIGHT - HEAD_HEIGHT - FOOT_HEIGHT - volumeHeight;
  const volumeTop = HEAD_HEIGHT + priceHeight + VOLUME_GAP;
  const panelsTop = HEAD_HEIGHT + priceHeight + volumeHeight;
  return {
    height,
    price: { top: HEAD_HEIGHT, height: priceHeight },
    volume: hasVolume ? { top: volumeTop, height: VOLUME_HEIGHT } : undefined,
    panels: Array.from({ length: panelCount }, (_, index) => ({
      top: panelsTop + index * (PANEL_HEIGHT + PANEL_GAP) + PANEL_GAP,
      height: PANEL_HEIGHT,
    })),
  };
};

export const LEGEND_ROW_HEIGHT = 18;

/** More legend rows make the chart taller. */
export const comparisonLayout = (legendRowCount: number): { readonly height: number; readonly box: Box } => {
  const more = Math.max(0, legendRowCount - 1) * LEGEND_ROW_HEIGHT;
  return {
    height: BASE_HEIGHT + more,
    box: { top: HEAD_HEIGHT + more, height: BASE_HEIGHT - HEAD_HEIGHT - FOOT_HEIGHT },
  };
};
