/** Finds lines and some of their fields in bytes, without parsing. */
export { backwardLines } from './backward.ts';
export { FieldFinder, type Looked, type ScanGate } from './fields.ts';
export { type ScanLimits, type ScannedLine, type ScanRange, scanLines } from './lines.ts';
