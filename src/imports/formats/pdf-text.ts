/** The texts of a PDF with their places. It runs in the reading process alone: nothing else loads the library. */
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import type { TextItem } from 'pdfjs-dist/types/src/display/api.js';
import { pdfError } from '../../words/errors/pdf.ts';
import { FileFault } from './fault.ts';

/** A piece of text on a page, in points from the page's left and top. */
export interface PdfText {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** The base line. */
  readonly y: number;
  readonly size: number;
  readonly isRightToLeft: boolean;
}

/** A page's texts, in the file's order; `page` counts from 1. */
export interface PdfPage {
  readonly page: number;
  readonly texts: readonly PdfText[];
}

const MOST_PAGES = 1_000;
const MOST_TEXTS = 500_000;

/**
 * Reads the texts of all pages.
 *
 * @param password null if none was given
 * @throws FileFault for a file that is damaged, protected or beyond all bounds, and for a page that is a picture
 */
export async function readPdfPages(bytes: Uint8Array, password: string | null): Promise<PdfPage[]> {
  const { getDocument, OPS } = await importLibrary();
  const task = getDocument({
    // The library takes over the memory of the array.
    data: new Uint8Array(bytes),
    ...(password === null ? {} : { password }),
    verbosity: 0,
    stopAtErrors: true,
    isEvalSupported: false,
    enableXfa: false,
    useWorkerFetch: false,
    useWasm: false,
    useSystemFonts: false,
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    maxImageSize: 4_000_000,
  });
  try {
    const file = await task.promise;
    if (file.numPages > MOST_PAGES) {
      throw new FileFault(pdfError({ id: 'pdf-too-long', pages: file.numPages, most: MOST_PAGES }));
    }
    return await textsOf(file, (page) => drawsPicture(page, OPS));
  } catch (error) {
    throw faultOf(error, password);
  } finally {
    await task.destroy();
  }
}

/**
 * Imports the library for text alone: stubs stand in for the canvas that it looks up by name, it cannot load a
 * package for one (without `getBuiltinModule`), and its worker runs in this thread.
 */
async function importLibrary() {
  class Nothing {}
  Object.assign(globalThis, { DOMMatrix: Nothing, ImageData: Nothing, Path2D: Nothing });
  const { getBuiltinModule } = process;
  Object.assign(process, { getBuiltinModule: undefined });
  try {
    Object.assign(globalThis, { pdfjsWorker: await import('pdfjs-dist/legacy/build/pdf.worker.min.mjs') });
    return await import('pdfjs-dist/legacy/build/pdf.min.mjs');
  } finally {
    Object.assign(process, { getBuiltinModule });
  }
}

async function textsOf(file: PDFDocumentProxy, hasPicture: (page: PDFPageProxy) => Promise<boolean>) {
  const pages: PdfPage[] = [];
  let count = 0;
  for (let number = 1; number <= file.numPages; number += 1) {
    const page = await file.getPage(number);
    const { width, height, transform } = page.getViewport({ scale: 1 });
    const texts: PdfText[] = [];
    // With marked content the library keeps the texts of two cells apart.
    const { items } = await page.getTextContent({ includeMarkedContent: true, disableNormalization: true });
    for (const item of items) {
      const text = 'str' in item ? placed(item, transform) : null;
      const isSeen = text !== null && text.left < width && text.right > 0 && text.y > 0 && text.y < height + text.size;
      if (isSeen && text.text.trim() !== '') texts.push(text);
    }
    count += texts.length;
    if (count > MOST_TEXTS) throw new FileFault(pdfError({ id: 'pdf-too-many-texts', most: MOST_TEXTS }));
    if (texts.length === 0 && (await hasPicture(page)))
      throw new FileFault(pdfError({ id: 'pdf-scanned', page: number }));
    pages.push({ page: number, texts });
    page.cleanup();
  }
  if (count === 0) throw new FileFault(pdfError({ id: 'pdf-scanned', page: 1 }));
  return pages;
}

/**
 * A text at its place on the page as one sees it; null if it is turned, as a watermark is. A PDF's matrix
 * `[a, b, c, d, e, f]` puts a point (x, y) at (ax + cy + e, bx + dy + f): `transform` puts the text on the PDF's page,
 * `view` the page where one sees it.
 */
function placed({ str, width, height, transform, dir }: TextItem, view: readonly number[]): PdfText | null {
  const [a, b, , , e, f] = transform as [number, number, number, number, number, number];
  const [va, vb, vc, vd, ve, vf] = view as [number, number, number, number, number, number];
  // The direction in which the text runs on the page: to the right, or the text is turned.
  const along = [va * a + vc * b, vb * a + vd * b] as const;
  const size = Math.hypot(...along) === 0 ? height : Math.max(height, 1);
  if (Math.abs(along[1]) > Math.abs(along[0]) * 0.02 || along[0] < 0) return null;
  const left = va * e + vc * f + ve;
  const y = vb * e + vd * f + vf;
  if (![left, y, width, size].every(Number.isFinite)) return null;
  return { text: str, left, right: left + width, y, size, isRightToLeft: dir === 'rtl' };
}

/** Whether a page draws images or lines: on a page without texts they may be a picture of its text. */
async function drawsPicture(page: PDFPageProxy, ops: typeof import('pdfjs-dist').OPS): Promise<boolean> {
  const drawing = new Set<number>([
    ops.paintImageXObject,
    ops.paintInlineImageXObject,
    ops.paintInlineImageXObjectGroup,
    ops.paintImageXObjectRepeat,
    ops.paintImageMaskXObject,
    ops.paintImageMaskXObjectGroup,
    ops.paintImageMaskXObjectRepeat,
    ops.paintSolidColorImageMask,
    ops.constructPath,
  ]);
  const { fnArray } = await page.getOperatorList();
  return fnArray.some((op) => drawing.has(op));
}

/** What the library throws is the file's fault; its words are not for people. */
function faultOf(error: unknown, password: string | null): unknown {
  if (error instanceof FileFault || !(error instanceof Error)) return error;
  if (error.name !== 'PasswordException') return new FileFault(pdfError({ id: 'pdf-damaged' }));
  return new FileFault(pdfError({ id: password === null ? 'pdf-protected' : 'pdf-password-wrong' }));
}
