import { memo } from 'react';

import type { Canvas } from './alignment';
import { type Piece, pieces, retried } from './pieces';
import css from './Stage.module.css';
import type { Side, ViewerPicture } from './types';

/** The rows of the canvas that are mounted. */
export interface Rows {
  readonly from: number;
  readonly to: number;
}

interface LayerProps {
  readonly canvas: Canvas;
  readonly side: Side;
  readonly picture: ViewerPicture;
  readonly rows: Rows;
  readonly scale: number;
  readonly label: string;
  readonly failedHere: string;
  /** The addresses that could not be shown, with how often they were tried. */
  readonly attempts: ReadonlyMap<string, number>;
  readonly failed: ReadonlySet<string>;
  readonly onFail: (address: string) => void;
}

/** One picture on the canvas. Only what is near the view is in the document. */
export const Layer = memo(function Layer({ canvas, side, picture, rows, scale, label, failedHere, attempts, failed, onFail }: LayerProps) {
  return (
    <div role="img" aria-label={label} className={css.layer}>
      {pieces(canvas, side, picture, rows.from, rows.to).map((piece) => (
        <PieceView
          key={piece.key}
          piece={piece}
          width={picture.width}
          scale={scale}
          attempt={attempts.get(piece.address) ?? 0}
          broken={failed.has(piece.address) ? failedHere : null}
          onFail={onFail}
        />
      ))}
    </div>
  );
});

interface PieceProps {
  readonly piece: Piece;
  readonly width: number;
  readonly scale: number;
  readonly attempt: number;
  readonly broken: string | null;
  readonly onFail: (address: string) => void;
}

function PieceView({ piece, width, scale, attempt, broken, onFail }: PieceProps) {
  const top = pixel(piece.top * scale);
  const stripTop = pixel(piece.stripTop * scale);
  const box = { top, height: pixel((piece.top + piece.rows) * scale) - top, width: width * scale };
  if (broken !== null) {
    return (
      <div className={css.broken} style={box}>
        <span>{broken}</span>
      </div>
    );
  }
  const whole = {
    top: stripTop - top,
    height: pixel((piece.stripTop + piece.stripRows) * scale) - stripTop,
    width: width * scale,
  };
  return (
    <div className={css.piece} style={box}>
      <img
        key={attempt}
        src={retried(piece.address, attempt)}
        alt=""
        draggable={false}
        decoding="async"
        className={scale > 1.5 ? css.sharp : undefined}
        style={whole}
        onError={() => onFail(piece.address)}
      />
    </div>
  );
}

/** The nearest edge between two pixels of the screen: parts that share one leave no gap. */
export function pixel(y: number): number {
  const ratio = typeof devicePixelRatio === 'number' ? devicePixelRatio : 1;
  return Math.round(y * ratio) / ratio;
}
