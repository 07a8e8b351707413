import { galleryPicture, type Box, type ViewerPicture } from '../../viewer';
import { ownPath } from '../api/image';

interface Screenshot {
  link: string | null;
  width: number | null;
  height: number | null;
}

/** A screenshot as the viewer takes it; null if there is no picture of it. */
export function pictureOf(screenshot: Screenshot | null): ViewerPicture | null {
  if (screenshot?.link == null || screenshot.width === null || screenshot.height === null) {
    return null;
  }
  return galleryPicture(ownPath(screenshot.link), screenshot.width, screenshot.height);
}

/** A box of the API as the viewer takes it. */
export function boxOf(box: { x: number; y: number; w: number; h: number } | null): Box | undefined {
  return box === null ? undefined : { x: box.x, y: box.y, width: box.w, height: box.h };
}
