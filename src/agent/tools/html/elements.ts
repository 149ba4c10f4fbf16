/** Nothing in them is for a reader. */
export const DROPPED = new Set(
  'script style noscript nav svg template iframe object canvas audio video select button textarea noembed noframes dialog'.split(
    ' ',
  ),
);
/** Their content is text to the end tag, even if they end with a slash. */
export const RAW = new Set(['script', 'style', 'iframe', 'textarea', 'noembed', 'noframes', 'title']);
/** Elements that are always closed: only of these a hidden one may be dropped whole. */
export const CLOSED = new Set('div span section ul ol table form aside header footer a details'.split(' '));
/** Each begins a line. */
export const LINES = new Set(
  'div section header footer aside figure figcaption form fieldset address li dt dd caption thead tbody tfoot summary details main article center hgroup legend menu br'.split(
    ' ',
  ),
);
/** An empty line stands around each. */
export const PARAGRAPHS = new Set('p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre hr body html'.split(' '));
const INLINE = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i img input ins kbd label mark meta link base head q s samp small source span strike strong sub sup time tt u var wbr title table tr td th col colgroup area map meter progress picture rp rt ruby'.split(
    ' ',
  ),
);

export const isHtmlElement = (name: string): boolean =>
  LINES.has(name) || PARAGRAPHS.has(name) || INLINE.has(name) || DROPPED.has(name);

export const isHidden = (attributes: ReadonlyMap<string, string>): boolean =>
  attributes.has('hidden') ||
  attributes.get('aria-hidden') === 'true' ||
  /display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden/i.test(attributes.get('style') ?? '');
