import { openPicture } from '#test/fakes/picture.ts';
import { type AnthropicBody, type AnthropicImage, blocksOf } from './body.ts';
import type { Problems } from './shape.ts';

const MAX_PICTURES = 100;
const MANY_PICTURES = 20;
const MAX_SIDE_PX = 8_000;
const MAX_SIDE_OF_MANY_PX = 2_000;
const MAX_CHARS = 5 * 1_024 * 1_024;

interface Placed {
  readonly image: AnthropicImage;
  readonly path: string;
}

const picturesOf = ({ messages }: AnthropicBody): readonly Placed[] =>
  messages.flatMap(({ content }, message) =>
    blocksOf(content).flatMap((block, index) => {
      const path = `messages.${message}.content.${index}`;
      if (block.type === 'image') return [{ image: block, path: `${path}.image.source.base64` }];
      if (block.type !== 'tool_result' || typeof block.content === 'string') return [];
      return (block.content ?? []).flatMap((part, at) =>
        part.type === 'image'
          ? [{ image: part, path: `${path}.tool_result.content.${at}.image.source.base64` }]
          : [],
      );
    }),
  );

function* problemsOfOne({ image, path }: Placed, isOneOfMany: boolean): Problems {
  const { data, media_type: claimed } = image.source;
  if (data.length > MAX_CHARS)
    yield `${path}: image exceeds 5 MB maximum: ${data.length} bytes > ${MAX_CHARS} bytes`;
  const opened = openPicture(data);
  if (opened === undefined) {
    yield 'Could not process image';
    return;
  }
  if (opened.mimeType !== claimed)
    yield `${path}: The image was specified using the ${claimed} media type, but the image appears to be a ${opened.mimeType} image`;
  const side = Math.max(opened.width, opened.height);
  if (side > MAX_SIDE_PX)
    yield `${path}.data: At least one of the image dimensions exceed max allowed size: ${MAX_SIDE_PX} pixels`;
  if (isOneOfMany && side > MAX_SIDE_OF_MANY_PX)
    yield `${path}.data: At least one of the image dimensions exceed max allowed size for many-image requests: ${MAX_SIDE_OF_MANY_PX} pixels`;
}

/** Of a request that is well-formed: whether every picture in it can be looked at. */
export function* pictureProblems(body: AnthropicBody): Problems {
  const pictures = picturesOf(body);
  if (pictures.length > MAX_PICTURES)
    yield `messages: too many images and documents: ${pictures.length} + 0 > ${MAX_PICTURES}`;
  for (const picture of pictures) yield* problemsOfOne(picture, pictures.length > MANY_PICTURES);
}
