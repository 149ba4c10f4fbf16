/** All pictures are as wide; a panel below makes one taller. */
export const WIDTH = 960;
export const FONT = 'Pretendard';
export const LEFT = 22;
/** Title, subtitle and legend stand above the first line of the grid. */
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

/** Where the parts of a picture with candles stand, from top to bottom. */
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

/** Many names need more rows above the lines. */
export const comparisonLayout = (legendRowCount: number): { readonly height: number; readonly box: Box } => {
  const more = Math.max(0, legendRowCount - 1) * LEGEND_ROW_HEIGHT;
  return {
    height: BASE_HEIGHT + more,
    box: { top: HEAD_HEIGHT + more, height: BASE_HEIGHT - HEAD_HEIGHT - FOOT_HEIGHT },
  };
};
