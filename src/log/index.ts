/** Byte logs: the interface, three backends, and the kit that checks whether a fourth conforms. */
export { createFiles } from './atomic.ts';
export { type ConformanceBench, type ConformanceCheck, logConformance } from './conformance.ts';
export { type Holder, LogConflict, LogError, type LogFault, LogHeld } from './errors.ts';
export { type FilesOptions, filesLog } from './files.ts';
export * from './log.ts';
export { memoryLog } from './memory.ts';
export { type SqliteOptions, sqliteLog } from './sqlite.ts';
