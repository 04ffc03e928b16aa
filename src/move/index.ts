/** Sessions on the move: convert, hand off, come back. */

export { type Converted, type ConvertOptions, convertSession } from './convert.ts';
export { type ConvertedFile, type ConvertFileOptions, convertFile } from './files.ts';
