/** Finds lines and their envelope fields in bytes, without parsing. */
export * from './backward.ts';
export * from './flags.ts';
export * from './lines.ts';
export { planPaths, type ScanGate, type ScanPlan } from './plan.ts';
export { createScanner, type Scanner, type ScanOptions, type VisitLines } from './scanner.ts';
export { readInto, type ScanRange, scanSource } from './source.ts';
