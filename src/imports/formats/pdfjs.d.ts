// The package has no types for these two files, the smallest of its builds: pdf-text.ts imports them.
declare module 'pdfjs-dist/legacy/build/pdf.min.mjs' {
  export { getDocument, OPS } from 'pdfjs-dist';
}
declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs' {
  export const WorkerMessageHandler: unknown;
}
