import { useState } from 'react';

import { inPlace } from './alignment';
import css from './Crop.module.css';
import { pieces } from './pieces';
import type { Box, ViewerPicture } from './types';

export interface CropProps {
  readonly picture: ViewerPicture;
  readonly box: Box;
  /** How large the part may be shown, in CSS pixels. It is never enlarged. */
  readonly maxWidth: number;
  readonly maxHeight: number;
  /** What it shows, for those who do not see it. */
  readonly label: string;
  /** What is shown of the page around the box, in pixels. */
  readonly margin?: number;
}

/** A part of a picture. Only the strips that it lies in are loaded, and those only near the view. */
export function Crop({ picture, box, maxWidth, maxHeight, label, margin = 16 }: CropProps) {
  const [failed, setFailed] = useState(false);
  const left = Math.max(box.x - margin, 0);
  const top = Math.max(box.y - margin, 0);
  const width = Math.max(Math.min(box.x + box.width + margin, picture.width) - left, 1);
  const height = Math.max(Math.min(box.y + box.height + margin, picture.height) - top, 1);
  const scale = Math.min(maxWidth / width, 1);
  const shown = Math.min(height, Math.ceil(maxHeight / scale));
  const whole = { width: picture.width, height: picture.height };
  return (
    <div
      role="img"
      aria-label={label}
      className={css.crop}
      data-failed={failed || undefined}
      style={{ width: width * scale, height: shown * scale }}
    >
      {!failed &&
        pieces(inPlace(whole, whole), 'after', picture, top, top + shown).map((piece) => (
          <img
            key={piece.key}
            src={piece.address}
            alt=""
            loading="lazy"
            decoding="async"
            draggable={false}
            onError={() => setFailed(true)}
            style={{
              left: -left * scale,
              top: (piece.stripTop - top) * scale,
              width: picture.width * scale,
              height: piece.stripRows * scale,
            }}
          />
        ))}
    </div>
  );
}
