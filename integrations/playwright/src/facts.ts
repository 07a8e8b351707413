/** What Afterimage is told of a screenshot besides its pixels: the file beside it, see docs/upload.md. */
export interface Facts {
  name: string;
  device: 'desktop' | 'mobile';
  elements?: Element[];
}

/** An element that a screenshot shows, as the server stores it. Boxes are in pixels of the picture. */
export interface Element {
  box: Box;
  selector: string;
  tag: string;
  role?: string;
  text?: string;
  parent: number;
  classes?: string;
  source?: string;
  fixed?: boolean;
  color?: string;
  background?: string;
  font?: string;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The content type of the attachment that follows a picture and holds its facts. */
export const factsType = 'application/vnd.afterimage.facts+json';
