import type { Locale } from '#src/kernel/locale.ts';
import type { ChartTheme } from '#src/kernel/market/chart-style.ts';
import type { ChartTone } from './chart-picture.ts';

export interface ChartColours {
  readonly background: string;
  readonly text: string;
  readonly muted: string;
  readonly grid: string;
  readonly axis: string;
  readonly tones: Readonly<Record<ChartTone, string>>;
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

/**
 * Phones show a chart about 390 wide, so letters shrink to 0.6 of their size here. With two pixels for each unit a chart
 * has 1,280, the most that messengers keep of a photograph.
 */
export const WIDTH = 640;
export const PIXELS_A_UNIT = 2;
export const FONT = 'Pretendard';
/** The smallest letters: nine pixels on a phone. */
export const TEXT = 15;
export const LEFT = 18;
const PLOT_HEIGHT = 326;
const PANEL_HEIGHT = 88;
/** Room for the title of a panel. */
const PANEL_GAP = 34;
const VOLUME_HEIGHT = 62;
const VOLUME_GAP = 12;
const FOOT_HEIGHT = 36;
export const LEGEND_ROW_HEIGHT = 22;
/** Room for the label above the highest price. */
const BELOW_LEGEND = 12;

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

/** Where the plot begins below `legendRowCount` rows. */
const plotTop = (headBottom: number, legendRowCount: number): number =>
  headBottom + legendRowCount * LEGEND_ROW_HEIGHT + BELOW_LEGEND;

/** The vertical layout of a candle chart; panels only add height. */
export const candleLayout = (
  headBottom: number,
  legendRowCount: number,
  hasVolume: boolean,
  panelCount: number,
): CandleLayout => {
  const top = plotTop(headBottom, legendRowCount);
  const priceHeight = PLOT_HEIGHT - (hasVolume ? VOLUME_HEIGHT + VOLUME_GAP : 0);
  const panelsTop = top + PLOT_HEIGHT;
  return {
    height: panelsTop + panelCount * (PANEL_HEIGHT + PANEL_GAP) + FOOT_HEIGHT,
    price: { top, height: priceHeight },
    volume: hasVolume ? { top: top + priceHeight + VOLUME_GAP, height: VOLUME_HEIGHT } : undefined,
    panels: Array.from({ length: panelCount }, (_, index) => ({
      top: panelsTop + index * (PANEL_HEIGHT + PANEL_GAP) + PANEL_GAP,
      height: PANEL_HEIGHT,
    })),
  };
};

/** One plot below the legend. */
export const plainLayout = (
  headBottom: number,
  legendRowCount: number,
): { readonly height: number; readonly box: Box } => {
  const top = plotTop(headBottom, legendRowCount);
  return { height: top + PLOT_HEIGHT + FOOT_HEIGHT, box: { top, height: PLOT_HEIGHT } };
};
