/** The session model: values and pure questions about them. */
export type * from './block.ts';
export * from './branches.ts';
export type * from './capabilities.ts';
export * from './cut-text.ts';
export type * from './entry.ts';
export type * from './event.ts';
export * from './graph.ts';
export { IdTable } from './id-table.ts';
export type * from './issue.ts';
export * from './json.ts';
export { Numbers } from './numbers.ts';
export * from './record.ts';
export * from './records.ts';
export type * from './session.ts';
export * from './text.ts';
export * from './threads.ts';
export * from './turns.ts';
export * from './usage.ts';
